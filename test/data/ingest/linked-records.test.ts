import { describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { calendarWith, exported, imported, memory } from '../../support/calendars.ts';

const sources = (store: Store, name: 'events' | 'venues' | 'organizers' | 'categories' | 'tags') => [
  ...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources(name),
];
const dates = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
const ics = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap((lines, at) => ['BEGIN:VEVENT', `UID:${at}@x`, 'SUMMARY:E', 'DTSTART:20270301T100000Z', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const organizers = (store: Store) => sources(store, 'organizers').map(({ organizer, email }) => `${organizer} <${email ?? ''}>`);

describe('organizers of iCalendar', () => {
  it.each([
    [
      'share an address',
      ['ORGANIZER;CN=Chess Club:mailto:a@x.test', 'ORGANIZER;CN=Choir:mailto:a@x.test'],
      ['Chess Club <a@x.test>', 'Choir <a@x.test>'],
    ],
    [
      'share a name',
      ['ORGANIZER;CN=Choir:mailto:a@x.test', 'ORGANIZER;CN=Choir:mailto:b@x.test'],
      ['Choir <a@x.test>', 'Choir <b@x.test>'],
    ],
    ['are the same', ['ORGANIZER;CN=Choir:mailto:a@x.test', 'ORGANIZER;CN=CHOIR:mailto:A@x.test'], ['Choir <a@x.test>']],
    ['have an address once', ['ORGANIZER;CN=Choir:mailto:a@x.test', 'CONTACT:Choir'], ['Choir <a@x.test>']],
    ['are contacts', ['CONTACT:Choir <a@x.test>', 'CONTACT:Chess Club <a@x.test>'], ['Choir <a@x.test>', 'Chess Club <a@x.test>']],
    ['have no name', ['ORGANIZER:mailto:a@x.test', 'ORGANIZER:mailto:a@x.test'], ['a@x.test <a@x.test>']],
  ])('that %s', async (_, lines, expected) => {
    const store = await memory();
    await imported(store, 'ics', ics(...lines.map((line) => [line])));
    expect(organizers(store)).toEqual(expected);
    expect((await imported(store, 'ics', ics(...lines.map((line) => [line])))).counts).toMatchObject({ unchanged: 2 });
    expect(organizers(store)).toEqual(expected);
  });
});

describe('venues of iCalendar', () => {
  it('are identified by name and address', async () => {
    const file = ics(
      ['LOCATION;X-NAME=Town Hall:Town Hall\\, Bonn'],
      ['LOCATION;X-NAME=Town Hall:Town Hall\\, Mainz'],
      ['LOCATION:Town Hall'],
    );
    const store = await memory();
    await imported(store, 'ics', file);
    expect(sources(store, 'venues').map(({ venue, address }) => [venue, address])).toEqual([
      ['Town Hall', 'Bonn'],
      ['Town Hall', 'Mainz'],
    ]);
    expect((await imported(store, 'ics', file)).counts).toMatchObject({ unchanged: 3 });
  });

  it('stay linked if another has the same name and address', async () => {
    const store = await calendarWith({
      venues: { a: { venue: 'Hall' }, b: { venue: 'Hall' } },
      events: { e: { title: 'E', ...dates, venue: '@b' } },
    });
    await imported(store, 'ics', exported(store, 'ics').replace('SUMMARY:E', 'SUMMARY:F'));
    expect(sources(store, 'events')[0]).toMatchObject({ title: 'F', venue: [sources(store, 'venues')[1]!.id] });
  });
});

it('a description is written and read without scripts, and its markup is kept', async () => {
  const description = '<script>alert(1)</script><strong>Bold</strong> &amp; more<style>p { color: red }</style>';
  const store = await calendarWith({ events: { e: { title: 'E', ...dates, description } } });
  const text = exported(store, 'ics').replaceAll('\r\n ', '');
  expect(text).toContain('DESCRIPTION:Bold & more');
  expect(text).not.toMatch(/script|alert|color/);
  const copy = await memory();
  await imported(copy, 'ics', text);
  expect(sources(copy, 'events')[0]!.description).toBe('<strong>Bold</strong> &amp; more');
  expect((await imported(copy, 'ics', text.replaceAll('strong>', 'em>'))).counts).toMatchObject({ updated: 1 });
  expect(sources(copy, 'events')[0]!.description).toBe('<em>Bold</em> &amp; more');
});

describe('terms of files', () => {
  const names = [
    'Jazz & Soul',
    'C#',
    'c',
    'C',
    '18+',
    'مرحبا',
    '日本語',
    'a <b>',
    'a, b; c',
    '12',
    'x > y',
    '"quoted"',
    'R&amp;B',
    '"a, b"',
    '  ',
    'Café',
  ];
  const unique = names.filter((name) => name.trim() !== '' && name !== 'C');
  it.each(['csv', 'ics'] as const)('keep their names: %s', async (format) => {
    const terms = Object.fromEntries(unique.map((name, at) => [`t${at}`, { name: name.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }]));
    const keys = Object.keys(terms).map((key) => `@${key}`);
    const store = await calendarWith({ tags: terms, events: { e: { title: 'E', ...dates, tags: keys } } });
    const copy = await memory();
    await imported(copy, format, exported(store, format));
    const shown = (each: Store) =>
      sources(each, 'tags')
        .map(({ name }) => name)
        .sort();
    expect(shown(copy)).toEqual(shown(store));
    expect((await imported(copy, format, exported(store, format))).counts).toMatchObject({ unchanged: 1 });
  });

  it('below others keep their parents', async () => {
    const store = await calendarWith({
      categories: {
        a: { name: 'Music' },
        b: { name: 'Jazz', parent: '@a' },
        c: { name: 'Food' },
        d: { name: 'Jazz', slug: 'food-jazz', parent: '@c' },
      },
      events: { e: { title: 'E', ...dates, categories: ['@d'] }, f: { title: 'F', ...dates, categories: ['@b', '@c'] } },
    });
    const copy = await memory();
    await imported(copy, 'csv', exported(store, 'csv'));
    const tree = (each: Store) => {
      const all = sources(each, 'categories');
      return all.map(({ name, parent }) => `${all.find(({ id }) => id === parent)?.name ?? ''}/${name}`).sort();
    };
    expect(tree(copy)).toEqual(tree(store));
  });
});

describe('a table', () => {
  it('without a column leaves its field alone', async () => {
    const store = await calendarWith({
      venues: { v: { venue: 'V' } },
      tags: { t: { name: 'T' } },
      events: {
        e: {
          title: 'E',
          ...dates,
          venue: '@v',
          tags: ['@t'],
          poster: true,
          cost: '5',
          website: 'https://x.test/',
          description: 'D',
          featured: true,
          post_password: 'p',
        },
      },
    });
    const before = exported(store, 'ndjson');
    const lines = exported(store, 'csv').split('\r\n');
    const headings = lines[0]!.split(',');
    for (const out of headings.filter((name) => !['uid', 'id', 'title', 'start_date', 'end_date'].includes(name))) {
      const without = lines
        .map((line) =>
          line
            .split(',')
            .filter((_, at) => headings[at] !== out)
            .join(','),
        )
        .join('\r\n');
      expect([out, (await imported(store, 'csv', without)).counts.updated]).toEqual([out, 0]);
      expect([out, exported(store, 'ndjson')]).toEqual([out, before]);
    }
  });

  it('of names means the records of an earlier import of its calendar, whose slugs are taken', async () => {
    const document = (city: string) => ({
      venues: { hall: { venue: 'Hall', city }, 'hall-2': { venue: 'Hall', city: `${city} 2` } },
      events: { [city]: { title: city, ...dates, venue: '@hall' }, [`${city}-2`]: { title: `${city} 2`, ...dates, venue: '@hall-2' } },
    });
    const [one, other] = [await calendarWith(document('A')), await calendarWith(document('B'))];
    for (const name of ['venues', 'events'] as const) await imported(other, 'csv', exported(one, 'csv', [name]), [name]);
    const cities = new Map(sources(other, 'venues').map(({ id, city }) => [id, city]));
    for (const { title, venue } of sources(other, 'events')) expect(cities.get((venue as number[])[0]!)).toBe(title);
    expect((await imported(other, 'csv', exported(one, 'csv'))).counts).toMatchObject({ unchanged: 2 });
  });

  it('names a record that may be a typo of another', async () => {
    const store = await calendarWith({ venues: { a: { venue: 'Central Library' } } });
    const { notes, added } = await imported(store, 'csv', 'title,start_date,venue\nA,2027-03-01,Central Libary\nB,2027-03-02,Yard\n');
    expect(notes).toContainEqual({ at: 'line 2', reason: 'venue "Central Libary" is new; did you mean "Central Library"?' });
    expect(added).toEqual({ venues: ['Central Libary', 'Yard'] });
  });

  it.each([
    ['tsv', 'title\tstart_date\texcerpt\n"""Q"""\t2027-03-01\tC:\\\\new\\nline\\tx\n', { title: '"Q"', excerpt: 'C:\\new\nline\tx' }],
    ['tsv of others', 'Title\tStart date\texcerpt\nA\t2027-03-01\tC:\\new\n', { title: 'A', excerpt: 'C:\\new' }],
    ['no image', 'title,start_date,image\nA,2027-03-01,0\n', { title: 'A' }],
  ])('%s', async (_, text, event) => {
    const store = await memory();
    await imported(store, 'csv', text);
    expect(sources(store, 'events')[0]).toMatchObject(event);
  });
});

describe('an import says', () => {
  it.each([
    [
      'that two rows are equal',
      'csv',
      'title,start_date\nA,2027-03-01\nA,2027-03-01\n',
      '"A" has the title, start and venue of an earlier record; both are kept',
    ],
    [
      'that an end is before its start',
      'csv',
      'title,start_date,end_date\nA,2027-03-01 19:00,18:00\n',
      'end_date "18:00" is before the start; ends on the next day, after 23 hours',
    ],
    [
      'what is stored and shown of a price',
      'csv',
      'title,start_date,cost\nA,2027-03-01,"12,50 € / 15 €"\n',
      'cost "12,50 € / 15 €" is stored as "12.50 €" and "15 €", shown as "12.50€ – 15€"',
    ],
  ] as const)('%s', async (_, format, text, reason) => {
    const { notes } = await imported(await memory(), format, text);
    expect(notes.map((note) => note.reason)).toEqual([reason]);
  });

  it.each([
    ['an event after midnight', 'title,start_date,end_date\nA,2027-03-01 22:00,01:30\n'],
    ['a price that is shown as it was typed', 'title,start_date,cost\nA,2027-03-01,CHF20\nB,2027-03-01,€8 – €12\nC,2027-03-01,12\n'],
    ['events that start at the same time', 'title,start_date\nA,2027-03-01\nB,2027-03-01\n'],
  ])('nothing of %s', async (_, text) =>
    expect((await imported(await memory(), 'csv', text)).notes.filter(({ reason }) => !reason.includes('1 hour'))).toEqual([]),
  );

  it('reads a plain list of events', async () => {
    const store = await memory();
    await imported(
      store,
      'json',
      JSON.stringify([
        { title: 'A', ...dates },
        { title: 'B', ...dates },
      ]),
    );
    expect(sources(store, 'events').map(({ title }) => title)).toEqual(['A', 'B']);
    await imported(store, 'json', JSON.stringify([{ venue: 'V' }]), ['venues']);
    expect(sources(store, 'venues').map(({ venue }) => venue)).toEqual(['V']);
  });
});

describe('a number in a cell', () => {
  it.each([
    [
      'is an ID of this calendar, which is said',
      'title,start_date,venue\nX,2027-03-01,ID',
      'North',
      ['linked "North", which has this ID here'],
    ],
    ['is the name that a record has', 'title,start_date,venue\nX,2027-03-01,2027', '2027', []],
    ['is not an ID beside the ID of another calendar', 'id,title,start_date,venue\n9999,X,2027-03-01,ID', 'ID', []],
    ['is not an ID in a file of 2.0', 'id,slug,uid,title,start_date,end_date,venue\n9999,x,u,X,2027-03-01,2027-03-01,ID', 'ID', []],
  ])('%s', async (_what, table, name, reasons) => {
    const store = await memory();
    const calendar = store.calendarFor(owner, { home: 'http://x', root: 'http://x/v1' });
    const { id } = await calendar.venues.create({ venue: 'North' });
    await calendar.venues.create({ venue: '2027' });
    const { notes } = await imported(store, 'csv', table.replace(/ID$/, String(id)), ['events']);
    const [event] = (await calendar.events.list({ start_date: '2027-01-01' })).entries;
    expect((event!.venue as { venue: string }).venue).toBe(name.replace('ID', String(id)));
    expect(notes.map(({ reason }) => reason)).toEqual(reasons.map((reason) => expect.stringContaining(reason)));
  });
});

it('categories are read in any order', async () => {
  const store = await memory();
  const table = 'name,slug,parent\nBebop,bebop,Music > Jazz\nJazz,jazz,Music\nMusic,sounds,\n';
  const { counts } = await imported(store, 'csv', table, ['categories']);
  expect(counts.created).toBe(3);
  const { entries } = (await store
    .calendarFor(owner, { home: 'http://x', root: 'http://x/v1' })
    .categories.list({ hide_empty: 'false' })) as never as {
    entries: { name: string; parent: number; id: number }[];
  };
  const byName = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  expect([byName.Bebop!.parent, byName.Jazz!.parent, byName.Music!.parent]).toEqual([byName.Jazz!.id, byName.Music!.id, 0]);
  await expect(imported(store, 'csv', 'name,parent\nFolk,Nothing\n', ['categories'])).rejects.toThrow('line 2: parent: "Nothing" is not');
});
