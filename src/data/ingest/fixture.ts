import type { Input } from '../../model/calendar.ts';
import type { Fixture } from '../../model/formats/fixture.ts';
import { type FixtureRecord, keyOf, references } from '../../model/formats/references.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { Summary } from '../summary.ts';
import { clearCounted, problemsOf, recordLabel } from '../transaction.ts';
import type { Identification } from './identity.ts';
import { type IncomingRecord, Ingest } from './ingest.ts';
import type { repeatEvent } from './repeat.ts';

/** `append` keeps existing records, `replace` deletes them first, `upsert` updates those with the same slug. */
export type ApplyMode = 'append' | 'replace' | 'upsert';

const identificationOf = { append: 'none', replace: 'none', upsert: 'slug', import: 'file' } as const satisfies Record<
  ApplyMode | 'import',
  Identification
>;

/** Creates the records of a fixture. Adds problems to the summary; the caller then rolls back. `repeat` is for fixtures with events that repeat. */
export function applyFixture(
  before: LocalCalendar,
  fixture: Fixture,
  mode: ApplyMode | 'import',
  summary: Summary,
  repeat?: typeof repeatEvent,
): void {
  if (mode === 'replace') clearCounted(before, summary);
  applySettings(before, fixture, summary);
  const ingest = new Ingest(before.reload(), summary, identificationOf[mode]);
  const ids = new Map<string, number>();
  for (const record of fixture.records) {
    const { name, key, path } = record;
    const incoming = (input: Input): IncomingRecord => ({
      name,
      at: path,
      label: recordLabel(name, record.input) || key,
      identity: record.input,
      inputFor: () => input,
    });
    const { repeat: rule, ...input } = inputOf(record, fixture, ids);
    const id = ingest.add(incoming(input));
    if (id !== undefined && rule !== undefined && hasDates(name))
      addProblemsOf(summary, path, () => {
        for (const other of repeat!(before, id, String(rule), path)) ingest.add(incoming(other));
      });
    if (id !== undefined) ids.set(`${name}:${key}`, id);
  }
  ingest.finish();
  for (const series of fixture.series) before.series.set(series);
}

/** Adds the problems that `work` throws to the summary. */
function addProblemsOf({ problems }: Summary, at: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    problems.push(...problemsOf(error, at));
  }
}

/** Sets settings, declares fields and adds new users. */
function applySettings(local: LocalCalendar, fixture: Fixture, summary: Summary): void {
  for (const [name, value] of Object.entries(fixture.settings))
    addProblemsOf(summary, `settings.${name}`, () => local.settings.import(name, value));
  addProblemsOf(summary, 'fields', () => local.declare(fixture.fields));
  const userNames = new Set(local.users.list().map(({ name }) => name));
  fixture.users.forEach((user, at) => {
    if (!userNames.has(user.name)) addProblemsOf(summary, `users[${at}]`, () => local.users.add(user));
  });
}

/** The input of a record with IDs instead of references. Omits references to records that failed, which have their own problems. */
function inputOf(record: FixtureRecord, fixture: Fixture, ids: ReadonlyMap<string, number>): Input {
  const input: Input = { ...record.input };
  for (const [field, section] of Object.entries(references[record.name])) {
    const value = input[field];
    if (value === undefined) continue;
    const resolved = (item: unknown): unknown => {
      const key = keyOf(item);
      if (section === 'images') return key === undefined ? item : fixture.images[key];
      if (key !== undefined) return ids.get(`${section}:${key}`);
      return typeof item === 'object' ? item : (ids.get(`${section}:#${item}`) ?? item);
    };
    input[field] = Array.isArray(value) ? value.map(resolved).filter((item) => item !== undefined) : resolved(value);
    if (input[field] === undefined) delete input[field];
  }
  return input;
}
