import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsFrom, inputFromCells } from '../../../src/model/formats/columns.ts';
import { csvLine, csvRows, delimiterOf, escapeFormula, unescapeFormula } from '../../../src/model/formats/csv.ts';
import { decodeChunks } from '../../../src/model/formats/decode.ts';
import { resources } from '../../../src/model/resources/all.ts';

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '"',
    '""',
    'a,b',
    'a;b',
    'line\nbreak',
    'line\r\nbreak',
    '=1+1',
    "'=x",
    '-5',
    '@x',
    '\tx',
    '\n=1+1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    "'＝1",
    'Ünï',
  ),
);
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));
const pieces = (text: string, size: number) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

describe('tables', () => {
  it('are read back unchanged with any chunk size', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t'), fc.integer({ min: 1, max: 40 }), (rows, delimiter, size) => {
        const text = rows.map((cells) => csvLine(cells, delimiter)).join('');
        const filled = rows.filter((cells) => cells.length > 1 || cells[0]!.trim() !== '');
        expect([...csvRows(pieces(text, size), delimiter)].map(({ cells }) => cells)).toEqual(filled);
      }),
      { numRuns: 500 },
    );
  });

  it.each([1, 2, 3, 100])('lose a byte order mark at the beginning and keep later ones, in pieces of %i', (size) => {
    const text = '\ufeffa,b\n\ufeffc,\ufeffd\n';
    expect([...csvRows(pieces(text, size))].map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['\ufeffc', '\ufeffd'],
    ]);
  });

  it('are read alike by another parser', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const text = rows.map((cells) => csvLine(cells)).join('');
        expect(parse(text, { relax_column_count: true, record_delimiter: '\r\n' })).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a,b\n1,"x\ny"\n2,z', [1, 2, 4]],
    ['a;b;c\r1;2;3\r', [1, 2]],
    ['sep=;\r\na;b\r\n1,5;2', [2, 3]],
    ['a\tb\n\n\n1\t2\n', [1, 4]],
  ])('%j: lines are counted', (text, lines) => expect([...csvRows([text])].map(({ line }) => line)).toEqual(lines));

  it.each([
    ['a,b\n1,"x', 'line 2: unterminated quoted cell'],
    ['a,b\n1,2\n"x"y,3', 'line 3: a quote in a quoted cell must be doubled'],
    [`a,b\n"${'x'.repeat(9 << 20)}`, 'row is longer than 8 MiB'],
  ])('%#: are refused with the line', (text, message) => expect(() => [...csvRows(pieces(text, 65_536))]).toThrow(message));

  it.each([
    ['a,b;c', ','],
    ['a;b;c', ';'],
    ['"a,b,c";d', ';'],
    ['a\tb', '\t'],
    ['alone', ','],
  ])('%j is delimited by %j', (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter));

  it('are never taken for formulas, and lose nothing by it', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(escapeFormula(text)).not.toMatch(/^[=@\t\r\n＝＋－＠]|^[+-](?!\d+(?:\.\d+)?$)/);
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
    );
  });
});

describe('encodings', () => {
  const text = 'title,start_date\r\nGrüße,2027-01-01\r\n';
  it.each([
    ['utf-8', Buffer.from(text), undefined],
    ['utf-8 with a mark', Buffer.from(`\ufeff${text}`), undefined],
    ['utf-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), undefined],
    ['windows-1252, as is said', Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('%s', (_, bytes, encoding) => expect([...decodeChunks([bytes.subarray(0, 20), bytes.subarray(20)], encoding)].join('')).toBe(text));

  it.each([
    [Buffer.from(text, 'latin1'), undefined, 'line 2: invalid UTF-8. For another encoding, use'],
    [Buffer.from(text), 'klingon', 'encoding: "klingon" is not supported'],
  ])('%#: what does not fit is refused with the line', (bytes, encoding, message) =>
    expect(() => [...decodeChunks([bytes], encoding)]).toThrow(message),
  );
});

describe('headings', () => {
  const read = (headings: string[], map = new Map<string, string>()) =>
    columnsFrom(headings, resources.events, { map }, resources).columns.map(({ name }) => name);
  it.each([
    [
      ['Title', 'Start date', 'end-date', ''],
      ['title', 'start_date', 'end_date', undefined],
    ],
    [
      ['ID', 'slug', 'title', 'start_date', 'end_date'],
      ['id', 'slug', 'title', 'start_date', 'end_date'],
    ],
    [
      [
        ...['Event Name', 'Event Start Date', 'Event Start Time', 'Event End Date', 'Event End Time', 'All Day Event', 'Event Venue Name'],
        ...[
          'Event Organizer Name(s) or ID(s)',
          'Event Category',
          'Event Tags',
          'Event Cost',
          'Event Currency Symbol',
          'Event Website',
          'Timezone',
        ],
        ...['Event Description', 'Event Excerpt', 'Event Featured Image', 'Event Show Map', 'Event Show Map Link', 'Feature Event'],
        ...['Hide Event From Event Listings', 'Event Sticky in Month View', 'Event Allow Comments', 'Venue Name', 'Organizer Name'].slice(
          0,
          3,
        ),
      ],
      [
        ...['title', 'start_date', 'start_date', 'end_date', 'end_date', 'all_day', 'venue'],
        ...['organizer', 'categories', 'tags', 'cost', undefined, 'website', 'timezone'],
        ...['description', 'excerpt', 'image', 'show_map', 'show_map_link', 'featured'],
        ...['hide_from_listings', 'sticky', undefined],
      ],
    ],
    [
      ['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time', 'All Day Event', 'Description', 'Location', 'Private'],
      ['title', 'start_date', 'start_date', 'end_date', 'end_date', 'all_day', 'description', 'venue', 'private'],
    ],
    [
      ['name', 'start', 'duration'],
      ['title', 'start_date', 'duration'],
    ],
  ])('%j', (headings, columns) => expect(read(headings)).toEqual(columns));

  it('can be mapped to fields', () => {
    const map = new Map([
      ['Name', 'title'],
      ['Begin', 'start_date'],
      ['End', 'end_date'],
      ['Notes', ''],
    ]);
    expect(read(['Name', 'Begin', 'End', 'Notes'], map)).toEqual(['title', 'start_date', 'end_date', undefined]);
  });

  it('of venues and organizers are known with and without their names', () => {
    const of = (name: 'venues' | 'organizers', headings: string[]) =>
      columnsFrom(headings, resources[name], {}, resources).columns.map((column) => column.name);
    expect(of('venues', ['Venue Name', 'Venue Address', 'City', 'Venue State/Province', 'Venue Zip', 'Venue Show Map'])).toEqual([
      ...['venue', 'address', 'city', 'stateprovince', 'zip', 'show_map'],
    ]);
    expect(of('organizers', ['Organizer Name', 'Organizer Email', 'Phone'])).toEqual(['organizer', 'email', 'phone']);
  });

  it.each([
    ['Titel,Datum,Von,Bis,Ort,Eintritt,Kategorie,Veranstalter,Beschreibung,Ganztägig', undefined],
    ['Titre,Date,Heure de début,Heure de fin,Lieu,Prix,Catégorie,Organisateur,Description,Toute la journée', undefined],
    ['Título,Fecha,Hora de inicio,Hora de fin,Lugar,Precio,Categoría,Organizador,Descripción,Todo el día', undefined],
    ['Titolo,Data,Ora di inizio,Ora di fine,Luogo,Prezzo,Categoria,Organizzatore,Descrizione,Tutto il giorno', undefined],
    ['Titel,Datum,Begintijd,Eindtijd,Locatie,Prijs,Categorie,Organisator,Beschrijving,Hele dag', undefined],
    ['titulo,FECHA,hora inicio,Hora de fin,Lugar,Precio,categoria,Organizador,descripcion,todo el dia', 'hora inicio'],
  ])('of other languages: %s', (line, unknown) => {
    const expected = [
      'title',
      'start_date',
      'start_date',
      'end_date',
      'venue',
      'cost',
      'categories',
      'organizer',
      'description',
      'all_day',
    ];
    const { columns, ignored } = columnsFrom(line.split(','), resources.events, { lenient: true }, resources);
    expect(columns.map(({ name }) => name)).toEqual(unknown ? expected.with(2, undefined as never) : expected);
    expect(ignored).toEqual(unknown ? [unknown] : []);
  });

  it.each([
    ['title,Date,start_date', ['title', 'date', 'start_date']],
    ['title,Date,Start', ['title', 'start_date', 'start_date']],
    ['title,Date', ['title', 'start_date']],
    ['title,date,date_utc,start_date', ['title', 'date', 'date_utc', 'start_date']],
  ])('a date is the start of an event unless another column is: %s', (line, expected) => expect(read(line.split(','))).toEqual(expected));

  it.each([
    [['titl', 'Start', 'Foo'], 'unknown headings "titl" (title?), "Foo"'],
    [['Tittle', 'Startt', 'Vanue'], 'unknown headings "Tittle" (title?), "Startt" (start_date?), "Vanue" (venue?)'],
    [['#!/bin/sh'], 'not the headings of a table of events: "#!/bin/sh"'],
    [['title', ...Array(1000).fill('')], 'has 1001 columns, more than 1000'],
    [['title', 'Title'], 'two columns for title'],
    [['title'], 'missing column start_date'],
  ])('%j are refused', (headings, message) => expect(() => read(headings)).toThrow(message));

  it('a long heading is not repeated in the hint', () => {
    const error = (() => {
      try {
        read(['title', 'start_date', 'x'.repeat(1000)]);
      } catch (caught) {
        return caught as Error & { hint: string };
      }
      return undefined;
    })();
    expect(error?.hint).toContain('--map-template');
    expect(`${error?.message}${error?.hint}`.length).toBeLessThan(400);
  });

  it('give cells their meaning', () => {
    const columns = ['title', 'featured', 'cost', 'id'].map((name) => ({
      name,
      joinedBy: ' ',
      field: resources.events.fields.find((field) => field.name === name),
    }));
    const same = (_: unknown, cell: string) => cell;
    expect(inputFromCells(["'=1+1", 'Yes', '["1","2"]', '7'], columns, same)).toEqual({
      title: '=1+1',
      featured: true,
      cost: ['1', '2'],
      id: 7,
    });
    expect(inputFromCells(['x', '', '5', ''], columns, same)).toEqual({
      title: 'x',
      featured: false,
      cost: '5',
      id: undefined,
    });
    expect(inputFromCells(['x', 'perhaps', '', ''], columns, same)).toMatchObject({ featured: 'perhaps' });
  });
});
