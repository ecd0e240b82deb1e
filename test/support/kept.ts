import { expect } from 'vitest';
import type { Summary } from '../../src/data/summary.ts';
import type { Input, Resource, ResourceName } from '../../src/model/calendar.ts';
import { keptIn, lossesOf } from '../../src/model/formats/kept.ts';
import { htmlNameKey, htmlToLine } from '../../src/model/html/plain-text.ts';
import { resources } from '../../src/model/resources/all.ts';
import type { Store } from '../../src/store/calendar.ts';
import { exported, imported, memory } from './calendars.ts';
import { oddCalendar, recordsOf } from './odd-records.ts';
import { expectIcal, expectTable } from './readers.ts';

type Format = 'json' | 'ndjson' | 'csv' | 'ics';

const tables = ['venues', 'organizers', 'categories', 'tags', 'events'] as const;

const known = (name: ResourceName) => new Set((resources[name] as Resource).fields.map((field) => field.name));

/** The files that a calendar is exported to, in the order in which they are imported. */
function filesOf(store: Store, format: Format): { text: string; only?: ResourceName[] }[] {
  if (format !== 'csv') return [{ text: exported(store, format) }];
  return tables.map((name) => ({ text: exported(store, 'csv', [name]), only: [name] }));
}

async function importAll(target: Store, format: Format, files: ReturnType<typeof filesOf>): Promise<Summary[]> {
  const summaries: Summary[] = [];
  for (const { text, only } of files) summaries.push(await imported(target, format, text, only));
  return summaries;
}

/** Fails unless another program reads the values in the files. */
function expectReadable(store: Store, format: Format, files: ReturnType<typeof filesOf>): void {
  if (format === 'csv') for (const { text, only } of files) expectTable(store, only![0]!, text);
  if (format === 'ics') expectIcal(store, files[0]!.text);
}

const sections: Record<string, [ResourceName, label: string]> = {
  venue: ['venues', 'venue'],
  organizer: ['organizers', 'organizer'],
  categories: ['categories', 'name'],
  tags: ['tags', 'name'],
};

/** The different names of linked records, as far as a format has names. */
function linkedNames(records: ReturnType<typeof recordsOf>, field: string, value: unknown): string[] {
  const [section, label] = sections[field]!;
  const names = ((value ?? []) as string[]).map((key) => htmlNameKey(records[section].get(key)![label]));
  return [...new Set(names)].sort();
}

/**
 * Exports the odd calendar of a seed, and imports it into an empty calendar, one with other odd records, and itself. Fails for a field that differs and that the table doesn't
 * list. Returns the listed fields that differed, and the number of compared records.
 */
export async function compareKept(format: Format, seed: number): Promise<{ differing: Set<string>; count: number }> {
  const differing = new Set<string>();
  let count = 0;
  const store = await oddCalendar(seed);
  const files = filesOf(store, format);
  expectReadable(store, format, files);
  const empty = await memory();
  if (format === 'csv' || format === 'ics')
    await empty.change((local) => {
      local.settings.set('timezone', 'Europe/Berlin');
      local.declare({ events: { age_group: { type: 'string' } } });
    });
  for (const copy of [empty, await oddCalendar(seed + 1_000_000)]) {
    await importAll(copy, format, files);
    const [here, there] = [recordsOf(store), recordsOf(copy)];
    for (const name of format === 'ics' ? (['events'] as const) : tables)
      for (const [key, record] of here[name]) {
        const other = there[name].get(key);
        if (format === 'ics' && record.status === 'trash') continue;
        expect({ seed, name, record, isThere: other !== undefined }).toMatchObject({ isThere: true });
        count++;
        for (const field of new Set([...Object.keys(record), ...Object.keys(other!)])) {
          const values = [record, other!].map((each: Input) => JSON.stringify(each[field]));
          if (values[0] === values[1]) continue;
          const listed = field === 'age_group' && format === 'ics' ? 'declared fields' : field;
          if (keptIn(format, name, listed) === 'kept') expect.fail(`seed ${seed}: ${name} ${key}.${field}: ${values.join(' -> ')}`);
          differing.add(`${name}.${listed}`);
          // What is lost is said by the export, but for the times and numbers of a copy.
          if (keptIn(format, name, listed) === 'no' && !/^(date|modified)(_utc)?$/.test(field) && record[field] !== undefined)
            expect([seed, key, lossesOf(format, name, record, known(name))]).toEqual([
              seed,
              key,
              expect.arrayContaining([`${field} is not in this format`]),
            ]);
          // A venue without a name has that of its address.
          if (format === 'ics' && field in sections && !linkedNames(here, field, record[field]).includes(''))
            expect([seed, key, field, linkedNames(there, field, other![field])]).toEqual([
              seed,
              key,
              field,
              linkedNames(here, field, record[field]),
            ]);
        }
      }
    await expectUnchanged(copy, format, files, seed);
    await copy.close();
  }
  await expectUnchanged(store, format, files, seed);
  await store.close();
  return { differing, count };
}

/** Imports the events of the odd calendar of a seed alone. Fails unless they have links of the same names and parents, and a second import changes nothing. Returns their number. */
export async function compareAlone(seed: number): Promise<number> {
  const store = await oddCalendar(seed);
  const files = [{ text: exported(store, 'csv'), only: ['events' as const] }];
  const copy = await memory();
  await copy.change((local) => local.declare({ events: { age_group: { type: 'string' } } }));
  await importAll(copy, 'csv', files);
  const [here, there] = [recordsOf(store), recordsOf(copy)];
  const trees = [here, there].map((records) => (key: string): string => {
    const { name, parent } = records.categories.get(key)!;
    return `${parent ? `${trees[records === here ? 0 : 1]!(String((parent as string[])[0]))} > ` : ''}${htmlToLine(String(name))}`;
  });
  for (const [key, record] of here.events)
    for (const field of Object.keys(sections)) {
      const other = there.events.get(key)!;
      // A record without a name has that of its slug.
      if (linkedNames(here, field, record[field]).includes('')) continue;
      const links = (value: unknown) => ((value ?? []) as string[]).length;
      expect([seed, key, field, linkedNames(there, field, other[field]), links(other[field])]).toEqual([
        seed,
        key,
        field,
        linkedNames(here, field, record[field]),
        links(record[field]),
      ]);
      if (field !== 'categories') continue;
      const paths = [record, other].map((each, at) => ((each.categories ?? []) as string[]).map((category) => trees[at]!(category)).sort());
      expect([seed, key, paths[1]]).toEqual([seed, key, paths[0]]);
    }
  await expectUnchanged(copy, 'csv', files, seed);
  await Promise.all([store.close(), copy.close()]);
  return here.events.size;
}

/** Fails unless importing files changes nothing. */
async function expectUnchanged(store: Store, format: Format, files: ReturnType<typeof filesOf>, seed: number): Promise<void> {
  const before = exported(store, 'ndjson');
  for (const { counts, total, added, changes } of await importAll(store, format, files))
    expect([
      seed,
      counts.unchanged + counts.skipped,
      added,
      changes.filter(({ action }) => action === 'created' || action === 'updated'),
    ]).toEqual([seed, total, {}, []]);
  expect(exported(store, 'ndjson')).toBe(before);
}
