import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { DataFormat } from '../../../src/data/export.ts';
import { imported, memory } from '../../support/calendars.ts';
import { recordsBySlug } from '../../support/records-by-slug.ts';

const read = (name: string) => readFileSync(new URL(`../../support/exports-2.0/${name}`, import.meta.url), 'utf8');
const expected = JSON.parse(read('expected.json'));
const tables = ['venues', 'organizers', 'categories', 'tags', 'events'] as const;

/** The files of each expected calendar, which version 2.0.0 made of them. */
it.each([
  ['json', [['json', 'calendar.json']]],
  ['ndjson', [['ndjson', 'calendar.ndjson']]],
  ['ics', [['ics', 'calendar.ics']]],
  ['csv', tables.map((name) => ['csv', `${name}.csv`, name])],
  ['events.csv', [['csv', 'events.csv', 'events']]],
] as [string, [DataFormat, string, (typeof tables)[number]?][]][])(
  'files that 2.0.0 exported give the same calendar: %s',
  async (kind, files) => {
    const store = await memory();
    await store.change((local) => local.settings.set('timezone', 'Europe/Berlin'));
    for (const [format, file, only] of files) await imported(store, format, read(file), only && [only]);
    expect(JSON.parse(JSON.stringify(recordsBySlug(store)))).toEqual(expected[kind]);
  },
);
