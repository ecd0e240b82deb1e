import type { Input, ResourceName } from '../model/calendar.ts';
import type { Problem } from '../model/error.ts';
import type { Fixture } from '../model/formats/fixture.ts';
import type { FixtureRecord } from '../model/formats/references.ts';
import { keyOf, references } from '../model/formats/references.ts';
import type { LocalCalendar } from '../store/calendar.ts';
import type { Identities, KnownRecord } from './ingest/identities.ts';
import { labelOf, updateIfChanged } from './record.ts';
import { clearCounted } from './reset.ts';
import type { Summary } from './summary.ts';
import { problemsOf } from './transaction.ts';

/** What happens to records that are there already: `append` leaves them, `replace` deletes them first, `upsert` updates those with the same slug. */
export type ApplyMode = 'append' | 'replace' | 'upsert';

/** Makes the records of a fixture; `known` tells which of them are there already. Returns every problem; the caller then undoes the transaction. */
export function applyFixture(before: LocalCalendar, fixture: Fixture, known: ApplyMode | Identities, summary: Summary): Problem[] {
  const problems: Problem[] = [];
  if (known === 'replace') clearCounted(before, summary);
  applySettings(before, fixture, problems);
  const local = before.reload();
  const ids = new Map<string, number>();
  for (const record of fixture.records) {
    try {
      const id = applyRecord(local, record, inputOf(record, fixture, ids), known, summary);
      if (id !== undefined) ids.set(`${record.name}:${record.key}`, id);
    } catch (error) {
      const found = problemsOf(error, record.path);
      problems.push(...found);
      summary.add('skipped', record.name, labelOf(record.name, record.input) || record.key, undefined, found[0]?.reason);
    }
  }
  return problems;
}

/** Sets settings and adds users whose names are free. */
function applySettings(local: LocalCalendar, fixture: Fixture, problems: Problem[]): void {
  for (const [name, value] of Object.entries(fixture.settings)) {
    try {
      local.settings.set(name, value);
    } catch (error) {
      problems.push(...problemsOf(error, `settings.${name}`));
    }
  }
  const known = new Set(local.users.list().map(({ name }) => name));
  fixture.users.forEach((user, at) => {
    if (known.has(user.name)) return;
    try {
      local.users.add(user);
    } catch (error) {
      problems.push(...problemsOf(error, `users[${at}]`));
    }
  });
}

/** The input of a record with IDs in place of references. References to records that failed are left out, since those are reported themselves. */
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

/** Creates a record, or updates the one that it is. Returns its ID; undefined when it was skipped. */
function applyRecord(
  local: LocalCalendar,
  record: FixtureRecord,
  input: Input,
  known: ApplyMode | Identities,
  summary: Summary,
): number | undefined {
  const { name, key, path } = record;
  const label = labelOf(name, input) || key;
  const identity: KnownRecord =
    typeof known === 'string' ? { id: known === 'upsert' ? bySlug(local, name, input) : undefined } : known.find(name, record.input);
  if (identity.isRepeated) {
    summary.skip(name, label, path, 'an earlier record of the file has the same UID');
    return undefined;
  }
  if (identity.id !== undefined) {
    summary.add(updateIfChanged(local, name, identity.id, input) ? 'updated' : 'unchanged', name, label, identity.id);
    return identity.id;
  }
  const id = local[name].add(input);
  if (typeof known !== 'string') known.created(name, id, identity);
  summary.add('created', name, label, id);
  return id;
}

const bySlug = (local: LocalCalendar, name: ResourceName, { slug }: Input) =>
  typeof slug === 'string' ? local.idBy(name, 'slug', slug) : undefined;
