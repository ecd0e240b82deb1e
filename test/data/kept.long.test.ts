import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exceptionsOf } from '../../src/model/formats/kept.ts';
import { exported } from '../support/calendars.ts';
import { compareAlone, compareKept } from '../support/kept.ts';
import { compareEdited, compareListed } from '../support/listed.ts';
import { oddCalendar } from '../support/odd-records.ts';
import { missing } from '../support/other-programs.ts';
import { limit } from '../support/timeouts.ts';

/** Fields that differ only in calendars that the generator doesn't make. */
const rare = new Set(['slug', 'image', 'author', 'lineage', 'sequence', 'generated', 'extra', 'modified', 'date_utc']);

describe('odd records', () => {
  it.each(['json', 'ndjson', 'csv', 'ics'] as const)(
    'come back from %s as the table says',
    async (format) => {
      const differing = new Set<string>();
      let count = 0;
      for (let seed = 1; seed <= (format === 'ics' ? 250 : 110); seed++) {
        const result = await compareKept(format, seed);
        for (const each of result.differing) differing.add(each);
        count += result.count;
      }
      console.log(`${format}: ${count} records compared`);
      for (const name of ['events', 'venues', 'organizers', 'categories', 'tags'] as const)
        for (const [field] of exceptionsOf(format, name)) if (!rare.has(field)) expect([...differing]).toContain(`${name}.${field}`);
    },
    limit(600_000),
  );
});

it(
  'events alone name what they link to',
  async () => {
    let count = 0;
    for (let seed = 1; seed <= 100; seed++) count += await compareAlone(seed);
    console.log(`events alone: ${count} records compared`);
  },
  limit(600_000),
);

describe('odd records, by the command line and forms', () => {
  it.each(['json', 'csv', 'tsv'] as const)(
    'what list prints as %s can be imported',
    async (format) => {
      let count = 0;
      for (let seed = 1; seed <= 30; seed++) count += await compareListed(format, seed);
      console.log(`list as ${format}: ${count} records compared`);
    },
    limit(600_000),
  );

  it(
    'edit and forms change nothing',
    async () => {
      let count = 0;
      for (let seed = 1; seed <= 30; seed++) count += await compareEdited(seed);
      console.log(`edit and forms: ${count} records compared`);
    },
    limit(600_000),
  );
});

const noSqlite = missing('sqlite3');
it.skipIf(noSqlite)(
  `sqlite3 loads the dump of odd records${noSqlite ? ` (${noSqlite})` : ''}`,
  async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const store = await oddCalendar(seed);
      for (const table of ['venues', 'organizers', 'categories', 'tags', 'events', 'event_venues', 'event_tags']) {
        const query = `select * from ${table} order by 1, 2`;
        const { stdout, status } = spawnSync('sqlite3', ['-json', ':memory:'], {
          input: `${exported(store, 'sql')}${query};\n`,
          encoding: 'utf8',
          maxBuffer: 1 << 26,
        });
        expect(status).toBe(0);
        const rows: Record<string, unknown>[] = store.db.all(query);
        const loaded: unknown = stdout === '' ? [] : JSON.parse(stdout);
        expect(loaded).toEqual(rows.map(({ folded: _, ...row }) => row));
      }
      await store.close();
    }
  },
  limit(120_000),
);

it.each([
  ['csv', '../../docs/spreadsheets.md'],
  ['ics', '../../docs/icalendar.md'],
] as const)('the documents print the table of %s', (format, file) => {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  for (const name of ['events', 'venues'] as const)
    for (const [field, rule] of exceptionsOf(format, name))
      expect(text).toContain(`| \`${field}\` | ${rule === 'no' ? 'Not in this format' : rule} |`);
});
