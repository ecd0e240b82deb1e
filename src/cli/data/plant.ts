import type { Fixture, FixtureRecord } from '../../model/fixture.ts';
import { keyOf, references } from '../../model/fixture.ts';
import type { Problem } from '../../model/problem.ts';
import type { Input, Resource, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Role } from '../../model/viewer.ts';
import type { Desk } from '../../store/open.ts';
import type { Tally } from './tally.ts';
import { problemsOf } from './transaction.ts';

/** What becomes of records that are there: they stay beside the new ones, go first, or are brought up to date where they have the same slug. */
export type Planting = 'append' | 'replace' | 'upsert';

/** Makes what a fixture says. Answers all that is wrong; the caller then undoes the transaction. */
export function plant(
  before: Desk,
  fixture: Fixture,
  planting: Planting,
  tally: Tally,
  done: (count: number) => void = () => {},
): Problem[] {
  const problems: Problem[] = [];
  if (planting === 'replace') before.clear();
  prepare(before, fixture, problems);
  const desk = before.fresh();
  const ids = new Map<string, number>();
  for (const record of fixture.records) {
    try {
      const id = plantOne(desk, record, inputOf(record, fixture, ids), planting, tally);
      ids.set(`${record.name}:${record.key}`, id);
    } catch (error) {
      problems.push(...problemsOf(error, record.path));
    }
    done(tally.total);
  }
  return problems;
}

function prepare(desk: Desk, fixture: Fixture, problems: Problem[]): void {
  for (const [name, value] of Object.entries(fixture.settings)) {
    try {
      desk.settings.set(name, value);
    } catch (error) {
      problems.push(...problemsOf(error, `settings.${name}`));
    }
  }
  const known = new Set(desk.users.list().map(({ name }) => name));
  fixture.users.forEach((user, at) => {
    if (known.has(user.name)) return;
    try {
      desk.users.add({ ...user, role: user.role as Role });
    } catch (error) {
      problems.push(...problemsOf(error, `users[${at}]`));
    }
  });
}

/** The input of a record with IDs in place of references. Those to records that failed are left out: their own problem says why. */
function inputOf(record: FixtureRecord, fixture: Fixture, ids: ReadonlyMap<string, number>): Input {
  const input: Input = { ...record.input };
  for (const [field, section] of Object.entries(references[record.name])) {
    const value = input[field];
    if (value === undefined) continue;
    const resolved = (item: unknown): unknown => {
      const key = keyOf(item);
      if (section === 'images') return key === undefined ? item : fixture.images[key];
      if (key !== undefined) return ids.get(`${section}:${key}`);
      return ids.get(`${section}:#${item}`) ?? item;
    };
    input[field] = Array.isArray(value) ? value.map(resolved).filter((item) => item !== undefined) : resolved(value);
    if (input[field] === undefined) delete input[field];
  }
  return input;
}

function plantOne(desk: Desk, { name, key }: FixtureRecord, input: Input, planting: Planting, tally: Tally): number {
  const existing = planting === 'upsert' && typeof input.slug === 'string' ? desk.idBy(name, 'slug', input.slug) : undefined;
  const label = labelOf(name, input) || key;
  if (existing === undefined) {
    const id = desk[name].add(input);
    tally.add('created', name, label, id);
    return id;
  }
  tally.add(bringUpToDate(desk, name, existing, input) ? 'updated' : 'unchanged', name, label, existing);
  return existing;
}

/** What a record is called, for people. */
export const labelOf = (name: ResourceName, input: Input): string => String(input[(resources[name] as Resource).label] ?? '');

/** Updates a record, and says whether that made a difference; where it made none, the time of its last change stays. */
export function bringUpToDate(desk: Desk, name: ResourceName, id: number, { id: _, ...input }: Input): boolean {
  const { modified, modified_utc, ...before } = desk.source(name, id)!;
  desk[name].update({ id }, input);
  const { modified: _modified, modified_utc: _utc, ...after } = desk.source(name, id)!;
  if (JSON.stringify(before) !== JSON.stringify(after)) return true;
  if (modified !== undefined) desk[name].update({ id }, { modified, modified_utc });
  return false;
}
