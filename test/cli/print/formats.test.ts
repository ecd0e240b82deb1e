import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { unescapeFormula } from '../../../src/model/formats/csv.ts';
import { RecordNames } from '../../../src/model/formats/record-names.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { eventWith, printed, termWith } from '../../support/printed-records.ts';

const awkward = [
  'plain',
  'with, comma',
  'with "quotes"',
  'two\nlines',
  'two\r\nlines',
  ' blanks around ',
  'tab\there',
  'back\\slash \\n',
  '',
  '日本語 🎉 é e\u0301',
  "'tis",
  '=1+1',
  '+33 1 23',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  "'=1",
  "''=1",
  '\u001b[31mred\u0007',
  'c1 \u009b31m',
  '\u202egnp.exe',
  '&#8217;&amp;',
  '<b>bold</b>',
];
/** The texts as CSV and TSV print them: without markup. */
const plain: Record<string, string> = { '&#8217;&amp;': '’&', '<b>bold</b>': 'bold' };
const cells = awkward.map((text) => plain[text] ?? text);
const events = awkward.map((title, at) => eventWith({ id: at + 1, title }));

describe('machine formats, read by parsers that are not ours', () => {
  it('csv: a cell for every column; plain texts are unchanged without the guard', async () => {
    const text = await printed(events, { format: 'csv' });
    const rows: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
    expect(rows.map((row) => unescapeFormula(row.title!))).toEqual(cells);
    expect(Object.keys(rows[0]!)).toEqual([
      'id',
      ...resources.events.fields.filter((field) => !field.shown.writeOnly).map((field) => field.name),
    ]);
  });

  it.each(['=1+1', '+33 1 23', '-2+3', '@SUM(A1)', '\t=1', '\r=1'])('csv and tsv: %j is not a formula', async (title) => {
    const rows: string[][] = parse(await printed([eventWith({ title })], { format: 'csv', fields: ['title'] }), {
      record_delimiter: '\r\n',
    });
    expect(rows[1]).toEqual([`'${title}`]);
    const tsv = await printed([eventWith({ title })], { format: 'tsv', fields: ['title'] });
    expect(tsv.split('\n')[1]).toBe(`'${title.replace('\t', '\\t').replace('\r', '\\r')}`);
  });

  it('csv: numbers stay numbers', async () => {
    const venue = { id: 7, venue: 'Pier', geo_lng: -73.99 };
    const text = await printed([venue], { format: 'csv', resource: resources.venues, fields: ['venue', 'geo_lng'] });
    expect(text).toBe('venue,geo_lng\r\nPier,-73.99\r\n');
  });

  it('tsv: one line for each record; unescaped plain texts are unchanged without the guard', async () => {
    const text = await printed(events, { format: 'tsv', fields: ['id', 'title'] });
    const rows: string[][] = parse(text, { delimiter: '\t', quote: null, escape: null, record_delimiter: '\n' });
    const back: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
    const unescaped = rows.slice(1).map((row) => row[1]!.replace(/\\([tnr\\])/g, (_, letter) => back[letter]!));
    expect(unescaped.map(unescapeFormula)).toEqual(cells);
  });

  it('json: an array of the very records', async () => {
    expect(JSON.parse(await printed(events, { format: 'json' }))).toEqual(events);
    expect(await printed([], { format: 'json' })).toBe('[]\n');
  });

  it('json: one record is an object', async () => {
    expect(JSON.parse(await printed([events[0]!], { format: 'json', single: true }))).toEqual(events[0]);
  });

  it('ndjson: a record on each line', async () => {
    const lines = (await printed(events, { format: 'ndjson' })).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  });

  it('ics: an event for each event, read by another parser', async () => {
    const text = await printed(events, { format: 'ics' });
    const calendar = new ICAL.Component(ICAL.parse(text));
    expect(calendar.getAllSubcomponents('vevent')).toHaveLength(events.length);
    expect(calendar.getFirstSubcomponent('vevent')!.getFirstPropertyValue('summary')).toBe('plain');
    await expect(printed([], { format: 'ics', resource: resources.venues })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('ids and count', async () => {
    expect(await printed(events.slice(0, 3), { format: 'ids' })).toBe('1\n2\n3\n');
    expect(await printed(events.slice(0, 3), { format: 'count' })).toBe('3\n');
    expect(await printed([], { format: 'count', total: 1234 })).toBe('1234\n');
  });
});

describe('linked records', () => {
  const linked = eventWith({
    venue: { id: 5, venue: 'Pier 9', city: 'Lyon' },
    organizer: [
      { id: 6, organizer: 'Ann', email: 'ann@example.org' },
      { id: 7, organizer: 'Bo', email: 'bo@example.org' },
    ],
    categories: [termWith(2, 'Rock &amp; Roll', 'rock-roll'), termWith(3, 'Jazz', 'jazz')],
  });
  it.each([
    ['csv', 'venue', 'Pier 9'],
    ['csv', 'venue.city', 'Lyon'],
    ['csv', 'organizer', '"Ann, Bo"'],
    ['csv', 'organizer.email', '"ann@example.org,bo@example.org"'],
    ['csv', 'organizer.0.email', 'ann@example.org'],
    ['csv', 'categories', '"Rock & Roll, Jazz"'],
    ['tsv', 'categories', 'Rock & Roll, Jazz'],
    ['csv', 'image', ''],
    ['csv', 'all_day', 'false'],
    ['csv', 'nothing.there', ''],
    ['tsv', 'cost_details.values', ''],
    ['table', 'venue', 'Pier 9'],
    ['table', 'organizer', 'Ann, Bo'],
    ['table', 'categories', 'Rock & Roll, Jazz'],
    ['table', 'all_day', 'no'],
    ['table', 'image', ''],
  ] as const)('%s shows %s as %j', async (format, path, cell) => {
    const names = { venue: resources.venues, organizer: resources.organizers, categories: resources.categories };
    const printing = {
      format,
      fields: [path],
      linked: Object.fromEntries(Object.entries(names).map(([field, to]) => [field, new RecordNames(to, false)])),
    };
    expect((await printed([linked], printing)).split(/\r?\n/)[1]).toBe(cell);
  });

  it.each(['csv', 'tsv'] as const)('%s has texts without markup', async (format) => {
    const event = eventWith({
      title: 'Rock &#038; Roll &lt;3',
      description: '<p>One</p>\n<p><b>Two</b></p>',
      website: 'https://x.test/?a=1&amp;b=2',
    });
    const text = await printed([event], { format, fields: ['title', 'website', 'description'] });
    expect(text.split(/\r?\n/)[1]!.split(/[,\t]/).slice(0, 2)).toEqual(['Rock & Roll <3', 'https://x.test/?a=1&b=2']);
    expect(text).toContain(format === 'csv' ? '"One\n\nTwo"' : 'One\\n\\nTwo');
  });

  it.each(['json', 'ndjson', 'csv', 'table'] as const)('%s has the plain form of a text at .text', async (format) => {
    const event = eventWith({
      title: 'Rock &#038; Roll',
      organizer: [
        { id: 6, organizer: 'A &amp; B' },
        { id: 7, organizer: 'C' },
      ],
    });
    const text = await printed([event], { format, fields: ['id', 'title.text', 'organizer.organizer.text'] });
    if (format === 'csv' || format === 'table') expect(text).toMatch(/Rock & Roll.*A & B, ?C/);
    else
      expect([JSON.parse(text)].flat()).toEqual([
        { id: 1, title: { text: 'Rock & Roll' }, organizer: [{ organizer: { text: 'A & B' } }, { organizer: { text: 'C' } }] },
      ]);
  });

  it('--fields of json keeps the form of the record', async () => {
    const text = await printed([linked], { format: 'json', fields: ['id', 'venue.city', 'organizer.email', 'gone'] });
    expect(JSON.parse(text)).toEqual([
      { id: 1, venue: { city: 'Lyon' }, organizer: [{ email: 'ann@example.org' }, { email: 'bo@example.org' }], gone: null },
    ]);
  });
});

describe('templates', () => {
  it.each([
    ['{{title}}\\t{{start_date}}', 'Rock & Roll\t2027-03-01 19:00:00\n'],
    ['{{ id }}: {{venue.city}}', '1: Lyon\n'],
    ['{{id}}\\n', '1\n'],
    ['{{description}}', 'One Two\n'],
    ['no fields', 'no fields\n'],
  ])('%s', async (template, expected) => {
    const entry = eventWith({ title: 'Rock &amp; Roll', venue: { id: 5, city: 'Lyon' }, description: '<p>One</p>\n<p>Two</p>' });
    expect(await printed([entry], { template })).toBe(expected);
  });

  it.each(['{{title', 'title}}', '{{a b}}', '{{}}'])('%s is refused', async (template) => {
    await expect(printed([], { template })).rejects.toMatchObject({ code: 'bad-request' });
  });
});
