import { describe, it } from 'vitest';
import { importData } from '../../../src/data/ingest/import.ts';
import { memory } from '../../support/calendars.ts';
import { expectLinear } from '../../support/linear.ts';
import { limit } from '../../support/timeouts.ts';

const many = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at)).join('');
/** Returns the categories 1 to `count`, each below the next lower one, from the last to the first. */
const chain = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    ...more,
    id: count - at,
    name: `C${count - at}`,
    slug: `c${count - at}`,
    parent: count - at - 1,
  }));
const event = (at: number, more: string) => `BEGIN:VEVENT\nUID:${at}\nSUMMARY:Same\n${more}END:VEVENT\n`;

describe('an import takes no longer than its size lets expect', () => {
  it.each([
    [
      'events of one title and day',
      'ics',
      (count: number) => `BEGIN:VCALENDAR\n${many(count, (at) => event(at, 'DTSTART:20270101T100000Z\n'))}END:VCALENDAR\n`,
    ],
    [
      'one event on many dates',
      'ics',
      (count: number) =>
        `BEGIN:VCALENDAR\n${event(1, `DTSTART:20270101T000000Z\n${many(count, (at) => `RDATE:202701${String((at % 28) + 1).padStart(2, '0')}T${String(at % 24).padStart(2, '0')}${String(at % 60).padStart(2, '0')}00Z\n`)}`)}END:VCALENDAR\n`,
    ],
    ['a chain of categories', 'json', (count: number) => JSON.stringify({ categories: chain(10 * count) })],
    [
      'a chain of categories, a line each',
      'ndjson',
      (count: number) =>
        chain(10 * count, { resource: 'categories' })
          .map((each) => `${JSON.stringify(each)}\n`)
          .join(''),
    ],
    ['equal rows', 'csv', (count: number) => `title,start_date,end_date\n${'Same,2027-01-01,2027-01-01\n'.repeat(count)}`],
  ] as const)(
    '%s',
    (_, format, text) =>
      expectLinear((times) => {
        const bytes = Buffer.from(text(200 * times));
        return async () => {
          const store = await memory();
          await importData(store, { name: 'test', chunks: () => [bytes], end: async () => {} }, { format });
          await store.close();
        };
      }, 2),
    limit(60_000),
  );
});
