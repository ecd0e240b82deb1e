import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, describe, expect } from 'vitest';
import { resourceNames } from '../../src/model/calendar.ts';
import { DataError } from '../../src/model/error.ts';
import { csvLine, csvRows } from '../../src/model/formats/csv.ts';
import { resources } from '../../src/model/resources/all.ts';
import { calendars } from '../support/calendars.ts';
import { fuzz } from '../support/fuzz.ts';
import { expectLinear } from '../support/linear.ts';
import { folder, run } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);

/** Pieces of tables, valid and invalid. */
const piece = fc.constantFrom(
  'a',
  'é',
  '日',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  ' ',
  "'",
  '=1+1',
  'sep=;\n',
  '\ufeff',
  'title',
  'start_date',
);
const table = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

/** The rows of a text that comes in such chunks, or what is said of it. */
function rowsOf(chunks: readonly string[]): unknown {
  try {
    return [...csvRows(chunks)];
  } catch (error) {
    if (error instanceof DataError) return `${error.message}`;
    throw error;
  }
}

describe('csv', () => {
  fuzz('rows do not depend on how the text is cut', fc.tuple(table, fc.array(fc.nat(60), { maxLength: 6 })), ([text, places]) => {
    const cuts = [0, ...places.filter((at) => at <= text.length).sort((a, b) => a - b), text.length];
    expect(rowsOf(cuts.slice(1).map((end, i) => text.slice(cuts[i], end)))).toEqual(rowsOf([text]));
  });

  fuzz(
    'what is written is read back',
    fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
    (rows) => {
      const text = ['a,b\r\n', ...rows.map((cells) => csvLine(cells))].join('');
      const kept = rows.filter((cells) => cells.length > 1 || cells[0]!.trim() !== '');
      expect([...csvRows([text])].slice(1).map(({ cells }) => cells)).toEqual(kept);
      expect(Papa.parse(text, { delimiter: ',' }).errors).toEqual([]);
    },
  );

  fuzz('what takes long grows no faster than the text', fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
    const text = pieces.join('');
    await expectLinear((times) => () => rowsOf([text.repeat((times * 16_384) / text.length)]), 1);
  });
});

/** A calendar as a document, with some of its members changed for what they should not be. */
const fixture = fc
  .tuple(calendars, fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 3 }))
  .map(([document, changes]) => {
    const text = JSON.stringify(document);
    const places = [...text.matchAll(/(?<=:)(?:"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?|true|false|\[\])/g)];
    let changed = text;
    for (const [at, value] of changes) {
      const place = places[at % Math.max(1, places.length)];
      if (place) changed = changed.replace(place[0], () => JSON.stringify(value));
    }
    return changed;
  });

const ics = fc
  .array(
    fc.constantFrom(
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      'BEGIN:VEVENT',
      'END:VEVENT',
      'BEGIN:VTIMEZONE',
      'END:VTIMEZONE',
      'UID:1',
      'UID:2',
      'DTSTART:20270101T100000Z',
      'DTSTART;VALUE=DATE:20270101',
      'DTSTART;TZID=Europe/Paris:20270101T100000',
      'DTEND:20270101',
      'DURATION:PT1H',
      'DURATION:-P1W',
      'RRULE:FREQ=DAILY;COUNT=3',
      'RRULE:FREQ=MONTHLY;BYDAY=5MO',
      'RRULE:FREQ=',
      'EXDATE:20270102T100000Z',
      'RECURRENCE-ID:20270102T100000Z',
      'SUMMARY:Talk\\, long',
      'SUMMARY',
      ' folded',
      'GEO:1;2',
      'GEO:12.3\\;12.3',
      'CATEGORIES:a,b',
      'STATUS:CANCELLED',
      'SEQUENCE:x',
      'X-A;B="c:d":e',
      '',
    ),
    { maxLength: 25 },
  )
  .map((lines) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'));

const ndjson = fc
  .array(
    fc.oneof(
      fc.constantFrom(...resourceNames).chain((name) =>
        fc
          .dictionary(fc.constantFrom('id', ...resources[name].fields.map((field) => field.name)), fc.jsonValue({ maxDepth: 1 }), {
            maxKeys: 4,
          })
          .map((record) => JSON.stringify({ resource: name, ...record })),
      ),
      fc.constantFrom('{"settings":{"timezone":"Mars"}}', '{}', '[]', 'null', '{"resource":', '{"resource":"x"}', ''),
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

const document = fc.oneof(
  fixture.map((text) => ['json', text]),
  ndjson.map((text) => ['ndjson', text]),
  ics.map((text) => ['ics', text]),
  table.map((text) => ['csv', `title,start_date,end_date\n${text}`]),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => ['', text]),
);

describe('data from elsewhere', () => {
  fuzz(
    'whatever it is, it is taken in or refused with a reason',
    document,
    async ([format, text]) => {
      const told = format ? ['--format', format] : [];
      const { exit, stderr, stdout } = await run(['import', '-', ...told], { cwd: place.path, stdin: text });
      expect({ exit: [0, 2, 8].includes(exit), exitCode: exit, stderr, stdout }).toMatchObject({
        exit: true,
        stderr: expect.stringMatching(/^[^\n]*[a-z]/),
      });
    },
    { inOrder: true },
  );
});
