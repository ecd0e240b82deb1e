import { describe, expect, it } from 'vitest';
import { exported, imported, memory } from '../../support/calendars.ts';

const names = [
  "Makers' Yard",
  "O'Brien's",
  '"The Loft"',
  'North - South',
  'North -- South',
  'Wait... what',
  'Studio 10x20',
  'Salt & Pepper',
  'Acme (tm) Hall',
  'Under  two   spaces',
  "Rock ''n'' Roll",
  'Room 5\' 6"',
  'Fish & <Chips>',
  'AT&amp;T',
  'Zoë’s – “Café”',
];

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const text = (value: string) => value.replace(/[\\;,]/g, '\\$&');
const parameter = (value: string) => value.replaceAll('"', "^'");
const event = (line: string) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1@x', 'SUMMARY:E', 'DTSTART:20270301T100000Z', line, 'END:VEVENT', 'END:VCALENDAR', ''].join(
    '\r\n',
  );

/** Files in which an event names a venue or an organizer. */
const files = {
  'csv, venue': ['csv', (name: string) => `title,start_date,venue\nE,2027-03-01 10:00,${cell(name)}\n`],
  'csv, organizer': ['csv', (name: string) => `title,start_date,organizer\nE,2027-03-01 10:00,${cell(name)}\n`],
  'ics, venue': ['ics', (name: string) => event(`LOCATION:${text(name)}`)],
  'ics, organizer': ['ics', (name: string) => event(`ORGANIZER;CN="${parameter(name)}":https://x.test/`)],
} as const;

describe('a name that is shown in another form than it is written', () => {
  it.each(names.flatMap((name) => Object.entries(files).map(([kind, [format, file]]) => [kind, name, format, file] as const)))(
    '%s: %s is found by the next import of the file',
    async (_kind, name, format, file) => {
      const store = await memory();
      await imported(store, format, file(name));
      const before = exported(store, 'ndjson');
      const { counts, notes } = await imported(store, format, file(name));
      expect({ counts, notes }).toMatchObject({ counts: { unchanged: 1, created: 0, updated: 0 }, notes: expect.any(Array) });
      expect(exported(store, 'ndjson')).toBe(before);
    },
  );
});
