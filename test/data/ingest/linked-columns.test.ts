import { describe, expect, it } from 'vitest';
import { columnsFrom } from '../../../src/model/formats/columns.ts';
import { languages } from '../../../src/model/formats/languages.ts';
import { andList } from '../../../src/model/grammar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { calendarWith, exported, imported, memory } from '../../support/calendars.ts';

const records = (store: Store, name: 'events' | 'venues' | 'organizers') => [
  ...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources(name),
];
const reasons = ({ notes }: { notes: { at: string; reason: string }[] }) =>
  notes.map(({ at, reason }) => `${at}: ${reason}`).filter((text) => !text.includes('1 hour'));
/** A table of one event on a day. */
const table = (headings: string, ...rows: string[]) =>
  [`title,start_date,${headings}`, ...rows.map((row, at) => `E${at},2027-03-0${at + 1},${row}`), ''].join('\n');

const values = {
  address: 'Marktplatz 1',
  city: 'Bonn',
  zip: '053111',
  country: 'Germany',
  stateprovince: 'NRW',
  phone: '+49 228 1',
  website: 'https://hall.test/',
  description: 'Built in 1737',
  geo_lat: 50.7,
  geo_lng: 7.1,
};

/** One heading for the name of a venue and for each of its columns, by language. */
const written: Record<string, Record<'venue' | keyof typeof values, string>> = {
  en: {
    venue: 'Venue',
    address: 'Address',
    city: 'Town',
    zip: 'Zip code',
    country: 'Country',
    stateprovince: 'State/Province',
    phone: 'Phone',
    website: 'Venue website',
    description: 'Description of the venue',
    geo_lat: 'Latitude',
    geo_lng: 'Longitude',
  },
  de: {
    venue: 'Ort',
    address: 'Straße',
    city: 'Stadt',
    zip: 'PLZ',
    country: 'Land',
    stateprovince: 'Bundesland',
    phone: 'Telefon des Veranstaltungsortes',
    website: 'Ort Webseite',
    description: 'Beschreibung des Ortes',
    geo_lat: 'Breitengrad',
    geo_lng: 'Längengrad',
  },
  fr: {
    venue: 'Lieu',
    address: 'Adresse',
    city: 'Ville',
    zip: 'Code postal',
    country: 'Pays',
    stateprovince: 'Région',
    phone: 'Téléphone du lieu',
    website: 'Site web de l’emplacement',
    description: 'Description du lieu',
    geo_lat: 'Latitude',
    geo_lng: 'Longitude',
  },
  es: {
    venue: 'Lugar',
    address: 'Dirección',
    city: 'Ciudad',
    zip: 'Código postal',
    country: 'País',
    stateprovince: 'Provincia',
    phone: 'Teléfono',
    website: 'Sitio web del lugar',
    description: 'Descripción de la ubicación',
    geo_lat: 'Latitud',
    geo_lng: 'Longitud',
  },
  it: {
    venue: 'Luogo',
    address: 'Indirizzo',
    city: 'Città',
    zip: 'CAP',
    country: 'Paese',
    stateprovince: 'Provincia',
    phone: 'Telefono del luogo',
    website: 'Sito web del luogo',
    description: 'Descrizione del luogo',
    geo_lat: 'Latitudine',
    geo_lng: 'Longitudine',
  },
  nl: {
    venue: 'Locatie',
    address: 'Adres',
    city: 'Stad',
    zip: 'Postcode',
    country: 'Land',
    stateprovince: 'Provincie',
    phone: 'Telefoonnummer locatie',
    website: 'Website van de locatie',
    description: 'Beschrijving van de plaats',
    geo_lat: 'Breedtegraad',
    geo_lng: 'Lengtegraad',
  },
  pt: {
    venue: 'Local',
    address: 'Morada',
    city: 'Cidade',
    zip: 'Código postal',
    country: 'País',
    stateprovince: 'Distrito',
    phone: 'Telefone do local',
    website: 'Sítio web do local',
    description: 'Descrição do recinto',
    geo_lat: 'Latitude',
    geo_lng: 'Longitude',
  },
};

it('each language has examples', () => expect(Object.keys(written).slice(1)).toEqual(Object.keys(languages)));

const oneHall = { venues: { hall: { venue: 'Hall' } } };
const columns = Object.keys(values) as (keyof typeof values)[];
/** A coordinate needs the other one. */
const withPair = (column: keyof typeof values) => (column.startsWith('geo') ? (['geo_lat', 'geo_lng'] as const) : [column]);
const alone = Object.fromEntries(columns.map((column) => [column, withPair(column)]));
const cases = Object.entries(written).flatMap(([language, headings]) =>
  Object.entries(language === 'en' ? { ...alone, all: columns } : { all: columns }).map(([what, used]) => ({
    language,
    what,
    used,
    headings,
  })),
);

it.each(cases)('$language: columns of $what fill a new venue, and name what an existing one has', async ({ used, headings }) => {
  const given = Object.fromEntries(used.map((name) => [name, values[name]]));
  const names = [headings.venue, ...used.map((name) => headings[name])];
  const text = table(names.join(','), ['Hall', ...Object.values(given)].join(','));
  const store = await memory();
  expect(reasons(await imported(store, 'csv', text))).toEqual([]);
  expect(records(store, 'venues')).toEqual([expect.objectContaining({ venue: 'Hall', ...given })]);
  // The same again is the same.
  expect(reasons(await imported(store, 'csv', text))).toEqual([]);
  const other = await calendarWith(oneHall);
  const [{ id }] = records(other, 'venues') as [{ id: number }];
  for (const isFilled of [false, true]) {
    const before = (name: string) => (!isFilled ? '' : name.startsWith('geo') ? 1 : name === 'website' ? 'https://x.test/' : 'other');
    if (isFilled) await other.change((local) => local.venues.update({ id }, Object.fromEntries(used.map((name) => [name, before(name)]))));
    const unchanged = records(other, 'venues');
    const kept = used.map((name) => `${name} ${JSON.stringify(before(name))}, not ${JSON.stringify(String(given[name]))}`);
    const reason = `line 2: venue "Hall" exists and stays as it is: ${andList(kept)}`;
    expect(reasons(await imported(other, 'csv', text))).toEqual([reason]);
    expect(records(other, 'venues')).toEqual(unchanged);
  }
});

it.each(Object.entries(written))('%s: headings of a venue are known alone and with its name', (_language, headings) => {
  for (const column of columns)
    for (const heading of [`venue_${column}`, `Venue ${column}`, `${column} of the venue`, headings[column]]) {
      const { linked } = columnsFrom(['title', 'start_date', headings.venue, heading], resources.events, {}, resources);
      expect([heading, linked.venue?.map(({ name }) => name)]).toEqual([heading, [undefined, undefined, undefined, column]]);
    }
});

it('columns of organizers fill a new one', async () => {
  const store = await memory();
  const text = table('venue,organizer,E-Mail,Organizer Phone,Organizer’s website,venue phone', 'Hall,Choir,c@x.test,1,https://c.test/,2');
  await imported(store, 'csv', text);
  expect(records(store, 'organizers')).toEqual([
    expect.objectContaining({ organizer: 'Choir', email: 'c@x.test', phone: '1', website: 'https://c.test/' }),
  ]);
  expect(records(store, 'venues')).toEqual([expect.objectContaining({ venue: 'Hall', phone: '2' })]);
});

it('declared fields of venues have columns', async () => {
  const store = await calendarWith({ fields: { venues: { seats: { type: 'integer' } } } });
  await imported(store, 'csv', table('venue,venue_seats', 'Hall,90'));
  expect(records(store, 'venues')).toEqual([expect.objectContaining({ seats: 90 })]);
});

describe('values of a linked record', () => {
  it.each([
    ['of several rows are joined', 'venue,city,zip', ['Hall,Bonn,', 'hall,,53111', 'Hall,Bonn,53111'], [], { city: 'Bonn', zip: '53111' }],
    [
      'that contradict each other are named once',
      'venue,city,zip',
      ['Hall,Bonn,1', 'Hall,bonn,2', 'Hall,,2', 'Hall,,2'],
      [
        'line 3: venue "Hall" is that of line 2: city "Bonn", not "bonn" and zip "1", not "2"',
        'line 4: venue "Hall" is that of line 2: zip "1", not "2"',
      ],
      { city: 'Bonn', zip: '1' },
    ],
    ['without its name are named', 'venue,city', ['Hall,Bonn', ',Mainz'], ['line 3: left out city "Mainz": the row names no venue'], {}],
    ['of two parts are one', 'venue,address,address 2', ['Hall,Marktplatz 1,2nd floor'], [], { address: 'Marktplatz 1, 2nd floor' }],
  ])('%s', async (_what, headings, rows, expected, venue) => {
    const store = await memory();
    expect(reasons(await imported(store, 'csv', table(headings, ...rows)))).toEqual(expected);
    expect(records(store, 'venues')).toEqual([expect.objectContaining({ venue: 'Hall', ...venue })]);
  });

  it('tell venues of one name apart, in the table and in the calendar', async () => {
    const rows = [
      'Hall,,Bonn',
      'Hall,,Mainz',
      'hall,,BONN',
      'Hall,1 Way,Mainz',
      'Hall,,',
      'Hall,1 Way,',
      'Hall,2 Way,',
      'Hall (hall-2),,Bonn',
    ];
    const text = table('venue,address,city', ...rows);
    const store = await memory();
    const linked = [1, 2, 1, 2, 1, 2, 1, 2].map((number) => (number === 1 ? 'hall' : 'hall-2'));
    expect(reasons(await imported(store, 'csv', text))[0]).toBe('line 3: venue "Hall" is not that of line 2: city "Mainz", not "Bonn"');
    expect(records(store, 'venues')).toMatchObject([
      { city: 'Bonn', address: '2 Way' },
      { city: 'Mainz', address: '1 Way' },
    ]);
    const own = () => {
      const slugs = new Map(records(store, 'venues').map(({ id, slug }) => [id, slug]));
      return records(store, 'events').map(({ venue }) => slugs.get([venue].flat()[0] as number));
    };
    expect(own()).toEqual(linked);
    // The same again is the same.
    await imported(store, 'csv', text);
    expect(own()).toEqual(linked);
    expect(records(store, 'venues')).toHaveLength(2);
  });

  it('of another city than that of an existing venue make a new one only if the table has both', async () => {
    for (const [rows, count] of [
      [['Hall,Mainz'], 1],
      [['Hall,Bonn', 'Hall,Mainz'], 2],
    ] as const) {
      const store = await calendarWith({ venues: { hall: { venue: 'Hall', city: 'Bonn' } } });
      await imported(store, 'csv', table('venue,city', ...rows));
      expect(records(store, 'venues')).toHaveLength(count);
    }
  });

  it('of several organizers are named', async () => {
    const store = await memory();
    expect(reasons(await imported(store, 'csv', table('organizer,email', '"Choir, Band",c@x.test')))).toEqual([
      'line 2: left out email "c@x.test": the row names several organizers',
      'line 2: organizer "Choir, Band" was split into "Choir" and "Band"',
    ]);
  });

  it.each([
    ['organizer,venue,phone', 'unknown heading "phone" (venue_phone?)'],
    ['City', 'unknown heading "City" (without a column for venue)'],
    ['venue,venue_id', 'unknown heading "venue_id"'],
    ['venue,venue_status', 'unknown heading "venue_status"'],
    ['venue,Adresss', 'unknown heading "Adresss" (venue_address?)'],
    ['venue,venue website', 'line 2: venue_website: must be an absolute URL'],
    ['venue,city,venue_city', 'two columns for venue_city'],
  ])('are refused: %s', async (headings, message) => {
    const store = await memory();
    await expect(
      imported(store, 'csv', table(headings, 'Choir,x,y'.split(',').slice(0, headings.split(',').length).join(','))),
    ).rejects.toThrow(message);
    expect(records(store, 'venues')).toEqual([]);
  });

  it.each([
    ['venue=venue,Tel=venue_phone', undefined],
    ['Tel=phone', 'Write venue_phone or organizer_phone.'],
  ])('are mapped: %s', async (pairs, hint) => {
    const map = new Map(pairs.split(',').map((pair) => pair.split('=') as [string, string]));
    const run = imported(await memory(), 'csv', table('venue,organizer,Tel', 'Hall,Choir,1'), undefined, { map });
    if (hint) await expect(run).rejects.toMatchObject({ hint });
    else await run;
  });
});

it('a listing has the headings of a table with what they mean, also of one that is refused', async () => {
  const text = 'Titel,Datum,Ort,Straße,Farbe,Bildd,Comments\nE,2027-03-01,Hall,Marktplatz 1,red,,\n';
  const headings = [
    { heading: 'Titel', field: 'title' },
    { heading: 'Datum', field: 'start_date' },
    { heading: 'Ort', field: 'venue' },
    { heading: 'Straße', field: 'venue_address' },
    { heading: 'Farbe' },
    { heading: 'Bildd', guess: 'image' },
    { heading: 'Comments', field: '' },
  ];
  const { table } = await imported(await memory(), 'csv', text, undefined, { lenient: true });
  expect(table!.headings).toEqual(headings);
  expect(table!.fields).toEqual(expect.arrayContaining(['title', 'duration', 'venue_city', 'organizer_email']));
  const failure = await imported(await memory(), 'csv', text).catch((error) => error);
  expect(failure.data.table.headings).toEqual(headings);
});

it('a table that was exported is read as before with columns of venues', async () => {
  const store = await calendarWith({
    venues: { hall: { venue: 'Hall', city: 'Bonn' } },
    events: { e: { title: 'E', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00', venue: '@hall' } },
  });
  const [headings, row] = exported(store, 'csv').split('\r\n');
  expect(headings!.split(',').every((heading) => !heading.startsWith('venue_'))).toBe(true);
  expect(reasons(await imported(store, 'csv', `${headings},venue_city\r\n${row},Bonn\r\n`))).toEqual([]);
  expect(reasons(await imported(store, 'csv', `${headings},venue_city\r\n${row},Mainz\r\n`))).toEqual([
    'line 2: venue "Hall" exists and stays as it is: city "Bonn", not "Mainz"',
  ]);
});

it('each field of a venue that an event lacks has a column', () => {
  const own = resources.events.fields.map(({ name }) => name);
  const more = resources.venues.fields.map(({ name }) => name).filter((name) => name !== 'venue' && !own.includes(name));
  expect(more.filter((name) => !columns.includes(name as 'city'))).toEqual(['province', 'state']);
});
