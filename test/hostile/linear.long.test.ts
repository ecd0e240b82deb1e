import { afterAll, beforeAll, describe, it } from 'vitest';
import * as z from 'zod';
import type { Problem } from '../../src/model/error.ts';
import { costDetails, formatCost, parseCost } from '../../src/model/fields/cost-format.ts';
import { slugOf } from '../../src/model/fields/slug.ts';
import { csvRows } from '../../src/model/formats/csv.ts';
import { decodeChunks, linesIn } from '../../src/model/formats/decode.ts';
import { readFixture } from '../../src/model/formats/fixture.ts';
import { ndjsonLines } from '../../src/model/formats/ndjson.ts';
import { htmlToLine, htmlToText } from '../../src/model/html/plain-text.ts';
import { renderContent, renderExcerpt, renderTitle } from '../../src/model/html/render.ts';
import { cleanHtml, cleanTermDescription, cleanTermName, cleanText, cleanTitle } from '../../src/model/html/sanitize.ts';
import { imageHeader } from '../../src/model/images/header.ts';
import { searchTerms } from '../../src/model/resources/event.ts';
import { readDate } from '../../src/model/time/parse-date.ts';
import { typedDateFault } from '../../src/model/time/typed/faults.ts';
import { typedDate } from '../../src/model/time/typed/typed-date.ts';
import { owner } from '../../src/model/viewer.ts';
import { parseQuery, readInput } from '../../src/server/body.ts';
import { withoutSecrets } from '../../src/server/journal/credentials.ts';
import { type LocalCalendar, openCalendar, type Store } from '../../src/store/calendar.ts';
import { expectLinear } from '../support/linear.ts';
import { limit } from '../support/timeouts.ts';

/** Four times as much as this, in characters, is what is measured. */
const size = 2 ** 14;
const repeated = (piece: string) => (times: number) => piece.repeat(Math.ceil((size * times) / piece.length));

/** Runs a parser on repeated pieces between a beginning and an end. */
function reads(
  name: string,
  parse: (text: string) => unknown,
  pieces: readonly string[],
  around: readonly [string, string] = ['', ''],
): void {
  it.each(pieces)(
    `${name}: %j`,
    (piece) => expectLinear((times) => () => parse(around[0] + repeated(piece)(times) + around[1]), 1),
    limit(60_000),
  );
}

describe('images', () => {
  const read = (text: string) => imageHeader(Buffer.from(text, 'latin1'));
  const box = '\0\0\0\x08free';
  const ftyp = '\0\0\0\x14ftypavif\0\0\0\0avif';
  reads('boxes', read, [box], [ftyp, '']);
  reads('properties', read, ['\0\0\0\x14ispe\0\0\0\0\0\0\0\x01\0\0\0\x01'], [`${ftyp}\0\0\0\0meta\0\0\0\0\0\0\0\0iprp\0\0\0\0ipco`, '']);
  reads('segments', read, ['\xff', '\xff\xe0\0\x02'], ['\xff\xd8\xff\xe0\0\x02', '']);
  reads('brands', read, ['mif1'], ['\x7f\xff\xff\xffftypmif1\0\0\0\0', '']);
});

describe('texts', () => {
  const pieces = [
    ...['<', '<a ', '</', '<?', '<!--', '<!-->', '--!>', '<!----', '-->', '[', '[gallery ', '[gallery]', '<p>[gallery]</p>', '[caption]'],
    ...[
      '"',
      "'",
      '""',
      "''",
      '``',
      ' "a',
      '5" ',
      "'9",
      '&',
      '&#0;',
      '&nbsp;-- ',
      ';',
      ':',
      ':) ',
      '-',
      '-- ',
      '1',
      '1x',
      '1,',
      'é',
      '\0',
      '%',
    ],
    ...['\n', ' ', '\t', ' \n', '\n \n', 'a\n', 'a\n\n', '\u00a0', ' \u00a0'],
    ...['<p>', '</p>', '<p> ', '<p>\n', 'a<p>', '<p></p>', '<p>a</p>\n', '<p><li>', '<p><blockquote>', '</blockquote></p>'],
    ...[
      '<br>',
      '<br>\n',
      '\n<br>',
      '<br>a',
      '<hr>',
      '<li>',
      '<li>\n',
      '<li>a\n',
      '<div>',
      '<b>',
      '<b>a',
      '<pre>',
      '<pre></pre>\n',
      '<script>',
    ],
    ...['<svg>', '<code>', '<blockquote>', '<blockquote></blockquote>', '<figcaption>a', '<video>\n', '<source> ', '<img >'],
    ...['<a title=x>', '<a b=c ', 'a="', '<a style="', '<a href="javascript:', '<a href="&#58;&#58;', '&colon;', '<img src="::::'],
  ];
  const cleaned = (raw: string) => cleanHtml(raw, false);
  const titled = (raw: string) => cleanTitle(raw, false);
  const each = { renderTitle, renderContent, renderExcerpt, cleanText, cleanTermName, cleanTermDescription, cleaned, titled };
  for (const [name, parse] of Object.entries({ ...each, htmlToText, htmlToLine, slugOf, searchTerms })) reads(name, parse, pieces);
});

describe('values', () => {
  const now = Date.parse('2026-11-20T16:05:00Z');
  const date = (text: string) => readDate(text, now, 'Europe/Paris');
  const dates = [
    '1',
    '1 ',
    '-',
    '+',
    '+1 day ',
    'next ',
    'monday ',
    'T',
    ':',
    '00:',
    '.',
    '/',
    '1/',
    'a',
    'Z',
    '(',
    'of ',
    '@',
    '@1 ',
    ' ',
    ',',
    'é',
    '\n',
  ];
  reads('a date', date, dates);
  reads('a typed date', (text) => typedDateFault(typedDate(text)), [...dates, '1.', '24.12. ', 'fri ', 'dec 4 ', 'Uhr ', '1h', 'um ']);
  const cost = (text: string) => {
    const stored = parseCost([text]);
    return [costDetails(stored), formatCost(stored)];
  };
  reads('a cost', cost, ['1', '1,', '.', ',', '1 ', '1,1 ', '$', '$1', '<', '-', ' ', 'a', '1.', '0.']);
  it('a list of costs', () =>
    expectLinear((times) => {
      const costs = Array.from({ length: 5000 * times }, (_, i) => `$${i}`);
      return () => [costDetails(parseCost(costs)), formatCost(parseCost(costs))];
    }, 1));
});

describe('bodies', () => {
  const body = (type: string) => (text: string) => readInput(Buffer.from(text), { 'content-type': type });
  const json = body('application/json');
  reads('JSON in a list', json, ['1,', '"",', '[],', '{},', '"\\ud83d\\ude00",', '"\\\\ud800",', '"\\ud800",', 'null,'], ['{"a":[', '1]}']);
  reads('JSON in a text', json, ['\\', '\\\\', '\\u', '\\u0000', '\\ud83d\\ude00', 'é', ' ', '\\ud800'], ['{"a":"', '"}']);
  reads('JSON that has no end', json, ['[', '{"a":', '"', ' ', '[1,', '-', '1', 'e']);
  const form = body('application/x-www-form-urlencoded');
  const names = ['a&', 'a=1&', '=&', '&', '%', '%41', '+', 'a[]=1&', 'a[b]=1&', 'a[][]=1&', 'a[9]=1&', 'a[', '[', ']', '[]', 'a]['];
  reads('a form', form, names);
  reads('a query', parseQuery, names);
  reads('a form of a list', form, ['a[]&'], ['a[1]=&', '']);
  reads('a name of every depth', form, ['[]'], ['a', '']);
  it('a form of many names', () =>
    expectLinear((times) => {
      const text = Array.from({ length: 2000 * times }, (_, i) => `a[${i}]`).join('&');
      return () => form(text);
    }, 1));
  const multipart = body('multipart/form-data; boundary=x');
  reads('a multipart body', multipart, [
    '--x\r\nContent-Disposition: form-data; name="a[]"\r\n\r\n1\r\n',
    '--x',
    '--x\r\n',
    '\r\n',
    '-',
    'a: b\r\n',
    '"',
  ]);
  reads(
    'one part',
    multipart,
    ['a', '\r', '\r\n', '-', '--', '\r\n-', '\r\n--'],
    ['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n', '\r\n--x--\r\n'],
  );
});

describe('requests that are kept', () => {
  reads('without secrets', withoutSecrets, [
    '?token[',
    '&token=',
    'name="token"',
    'name="token"\r\n',
    'name="token"\r\n\r\n',
    '\r\n\r\n',
    '"token":',
    '"token" ',
    '"token":"',
    '"token":"\\\n',
    '"token":1',
    '\\',
    '\\"',
    '"',
    '{"a":',
    '{"token":[',
  ]);
});

describe('files', () => {
  const bytes = (text: string) => [Buffer.from(text)];
  reads('csv', (text) => [...csvRows([text])], [
    'a',
    ',',
    '"',
    '""',
    '"",',
    '"a"b,',
    '\n',
    'a,\n',
    '\r',
    '\r\n',
    ';',
    '\t',
    ' ',
    '\ufeff',
    "'",
  ]);
  const lines = (text: string) => [...ndjsonLines(linesIn(decodeChunks(bytes(text))), z)];
  reads('ndjson', lines, ['\n', '{}\n', '{"resource":"tags","name":"a"}\n', '{"resource":"tags","nmae":"a"}\n', '[', '{"a":', ' ', '"']);
  const fixture = (text: string) => readFixture(JSON.parse(text), [] as Problem[], z);
  const members = (member: (i: number) => string) => (times: number) => Array.from({ length: 500 * times }, (_, i) => member(i)).join(',');
  it.each([
    ['tags', (i: number) => `"t${i}":{"name":"t"}`],
    ['tags without names', (i: number) => `"t${i}":{}`],
    ['categories below each other', (i: number) => `"c${i}":{"name":"c","parent":"@c${i + 1}"}`],
    ['categories in a circle', (i: number) => `"c${i}":{"name":"c","parent":"@c${i % 7}"}`],
    ['categories below what is missing', (i: number) => `"c${i}":{"name":"c","parent":"@nothing"}`],
  ] as const)(
    'a fixture of %s',
    (_name, member) =>
      expectLinear((times) => {
        const text = `{"categories":{${members(member)(times)}}}`;
        return () => fixture(text);
      }, 1),
    limit(60_000),
  );
});

describe('what an event makes', () => {
  let store: Store;
  let local: LocalCalendar;
  beforeAll(async () => {
    store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2026-11-20T16:05:00Z') });
    local = store.local(owner, { home: 'http://x', root: 'http://x/v1' });
  });
  afterAll(() => store.close());
  const when = { start_date: '2027-03-01', end_date: '2027-03-01' };
  let count = 0;
  const many = <T>(times: number, item: (i: number) => T) => Array.from({ length: 125 * times }, (_, i) => item(i));
  it.each([
    ['tags', (times: number, run: number) => ({ tags: many(times, (i) => `Tag ${run} ${i}`) })],
    ['tags of one slug', (times: number, run: number) => ({ tags: many(times, (i) => `Run ${run}${'!'.repeat(i)}`) })],
    ['categories', (times: number, run: number) => ({ categories: many(times, (i) => `Category ${run} ${i}`) })],
    ['venues', (times: number, run: number) => ({ venue: many(times, (i) => ({ venue: `Venue ${run} ${i}` })) })],
    [
      'organizers of one slug',
      (times: number, run: number) => ({ organizer: many(times, (i) => ({ organizer: `Run ${run}${'!'.repeat(i)}` })) }),
    ],
  ] as const)(
    '%s',
    (_name, input) =>
      expectLinear(
        (times) => () => store.db.change(() => local.events.create({ title: `Event ${++count}`, ...when, ...input(times, count) })),
        1,
      ),
    limit(60_000),
  );
  it.each(['Choir', 'Choir'.repeat(40)])(
    'thousands of one name: %s',
    (title) =>
      expectLinear(
        (times) => () => {
          const own = `${++count} ${title}`;
          store.db.change(() => many(times, () => local.events.add({ title: own, ...when })));
        },
        4,
      ),
    limit(60_000),
  );
});
