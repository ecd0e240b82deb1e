import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../src/data/ingest/options.ts';
import type { Input, ResourceName } from '../../../src/model/calendar.ts';
import type { Problem } from '../../../src/model/error.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { calendarWith, exported, imported, memory } from '../../support/calendars.ts';

const sources = (store: Store, name: ResourceName = 'events') => [
  ...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources(name),
];
const startsOf = (store: Store) =>
  sources(store).map(({ title, start_date, status = 'publish' }) => `${title} ${String(start_date).slice(0, 16)} ${status}`);
const table = (...rows: string[]) => `title,start_date,cost\n${rows.map((row) => `${row}\n`).join('')}`;
const read = (store: Store, text: string, options: ImportOptions = {}, only?: ResourceName[]) =>
  imported(store, 'csv', text, only, options);
const problemsOf = (run: Promise<unknown>) =>
  run.then(
    () => [],
    ({ data, message }) => data?.problems ?? message,
  );
const update = (store: Store, id: number, input: Input) => store.change((local) => local.events.update({ id }, input));
const key = { key: ['title'] };

describe('rows with a key', () => {
  it('update the records that an earlier import created', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07 20:00,5', 'B,2027-06-08 20:00,6'));
    const { counts } = await read(store, table('A,2027-06-07 20:30,5', 'B,2027-06-08 20:00,6', 'C,2027-06-09,7'), key);
    expect(counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(startsOf(store)).toEqual(['A 2027-06-07 20:30 publish', 'B 2027-06-08 20:00 publish', 'C 2027-06-09 00:00 publish']);
    expect((await read(store, table('A,2027-06-07 20:30,5', 'B,2027-06-08 20:00,6', 'C,2027-06-09,7'))).counts).toMatchObject({
      unchanged: 3,
    });
  });

  it('are compared as stored, in fields after --map', async () => {
    const store = await memory();
    const options = {
      key: ['title', 'start_date'],
      map: new Map([
        ['Was', 'title'],
        ['Wann', 'start_date'],
        ['Info', 'description'],
      ]),
    };
    await read(store, 'Was,Wann,Info\n"Rock & Roll <3",7.6.27 19.30 Uhr,x\n', options);
    const { counts } = await read(store, 'Was,Wann,Info\n Rock & Roll <3 ,2027-06-07 19:30,y\n', options);
    expect([counts.updated, sources(store)[0]!.description]).toEqual([1, 'y']);
  });

  it('can be known by a venue', async () => {
    const store = await memory();
    const rows = (cost: number) => `title,start_date,venue,cost\nA,2027-06-07,Hall,${cost}\nA,2027-06-07,"Pier, East",${cost}\n`;
    await read(store, rows(5), { key: ['title', 'venue'] });
    expect((await read(store, rows(6), { key: ['title', 'venue'] })).counts).toMatchObject({ updated: 2, created: 0 });
  });

  it('match only records of tables of the same source', async () => {
    const store = await calendarWith({ events: { a: { title: 'A', start_date: '2027-06-07', end_date: '2027-06-07' } } });
    expect((await read(store, table('A,2027-06-08,5'), { ...key, source: 'one' })).counts).toMatchObject({ created: 1 });
    expect((await read(store, table('A,2027-06-09,5'), { ...key, source: 'two' })).counts).toMatchObject({ created: 1 });
    expect((await read(store, table('A,2027-06-10,5'), { ...key, source: 'one' })).counts).toMatchObject({ updated: 1 });
    expect((await read(store, table('A,2027-06-11,5'), key)).counts).toMatchObject({ created: 1 });
    expect(startsOf(store).map((start) => start.slice(2, 12))).toEqual(['2027-06-07', '2027-06-10', '2027-06-09', '2027-06-11']);
  });

  it('match a record that a table matched by its UID', async () => {
    const store = await calendarWith({ events: { a: { title: 'A', start_date: '2027-06-07', end_date: '2027-06-07' } } });
    await read(store, exported(store, 'csv'));
    expect((await read(store, table('A,2027-06-08,5'), key)).counts).toMatchObject({ updated: 1 });
  });

  it('leave other fields, and name a field that was changed here', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5'), key);
    const { id } = sources(store)[0]!;
    await update(store, id, { cost: '7', description: 'Mine', featured: true });
    const { counts, notes } = await read(store, table('A,2027-06-07,5'), key);
    expect([counts.updated, notes]).toEqual([
      1,
      [{ at: 'line 2 (A)', reason: 'cost was changed here since the last import; replaced ["7"] by ["5"]' }],
    ]);
    expect(sources(store)[0]).toMatchObject({ cost: ['5'], description: 'Mine', featured: true });
    expect((await read(store, table('A,2027-06-07,6'), key)).notes).toEqual([]);
  });

  it('leave an event in the trash that was moved there here', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5'), key);
    await store.change((local) => local.events.delete({ id: sources(store)[0]!.id }));
    await read(store, table('A,2027-06-08,5'), key);
    expect(startsOf(store)).toEqual(['A 2027-06-08 00:00 trash']);
  });

  it.each<[string, string[], ImportOptions, unknown]>([
    [
      'twice in the table',
      ['A,2027-06-07,5', 'B,2027-06-07,5', 'A,2027-06-09,5'],
      key,
      [{ at: 'line 4', reason: 'has the same title as line 2: "A"' }],
    ],
    [
      'of a column that the table lacks',
      ['A,2027-06-07,5'],
      { key: ['titel'] },
      [{ at: 'line 1', reason: 'the table has no column for titel, which --key names' }],
    ],
    [
      'of an unmapped column',
      ['A,2027-06-07,5'],
      { key: ['venue'] },
      [{ at: 'line 1', reason: 'the table has no column for venue, which --key names' }],
    ],
  ])('a key %s is an error', async (_what, rows, options, problems) => {
    expect(await problemsOf(read(await memory(), table(...rows), options))).toEqual(problems);
  });

  it('a key twice in the calendar is an error', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5', 'A,2027-06-08,5'));
    const [first, second] = sources(store).map(({ id }) => id);
    expect(await problemsOf(read(store, table('B,2027-06-07,5', 'A,2027-06-09,5'), key))).toEqual([
      { at: 'line 3', reason: `events ${first} and ${second} both have this title: "A"` },
    ]);
  });

  it('need a table of posts', async () => {
    const store = await memory();
    await expect(read(store, 'name\nA\n', { key: ['name'] }, ['tags'])).rejects.toThrow('tags are matched by their slug');
    await expect(imported(store, 'json', '{}', undefined, key)).rejects.toThrow('--key requires a CSV file');
    await expect(imported(store, 'json', '{}', undefined, { source: 'x' })).rejects.toThrow('--source requires a CSV file');
  });
});

it('without a key, events that were created beside one of the same title and day are counted once', async () => {
  const store = await calendarWith({ events: { c: { title: 'C', start_date: '2027-06-07', end_date: '2027-06-07' } } });
  expect(
    (await read(store, table('A,2027-06-07 20:00,5', 'B,2027-06-07,5', 'B,2027-06-07 10:00,5'))).notes.map(({ reason }) => reason),
  ).toEqual(['ends at 21:00 (1 hour)', 'ends at 11:00 (1 hour)']);
  const beside = async (...rows: string[]) => (await read(store, table(...rows))).notes.filter(({ at }) => at === 'test');
  expect(await beside('A,2027-06-07 20:30,5', 'B,2027-06-07 12:00,6', 'A,2027-06-09,5')).toEqual([
    { at: 'test', reason: '2 created beside an event of the same title and day; match them with --key title' },
  ]);
  expect(await beside('C,2027-06-07 20:30,5')).toEqual([{ at: 'test', reason: '1 created beside an event of the same title and day' }]);
});

describe('--delete-missing', () => {
  const options = { ...key, delete_missing: true };

  it('moves the events of the source that the table lacks to the trash, and no other records', async () => {
    const store = await calendarWith({ events: { x: { title: 'X', start_date: '2027-06-07', end_date: '2027-06-07' } } });
    const rows = (...titles: string[]) =>
      `title,start_date,venue,organizer,tags\n${titles.map((title) => `${title},2027-06-07,V ${title},O ${title},T ${title}\n`).join('')}`;
    await read(store, rows('A', 'B', 'C'), key);
    await read(store, rows('D'), { ...key, source: 'other' });
    const { counts, notes } = await read(store, rows('A', 'C'), options);
    expect([counts.deleted, notes]).toEqual([
      1,
      [{ at: '--delete-missing', reason: '1 of 3 events of the source "tables" is not in the table' }],
    ]);
    expect(startsOf(store).map((text) => text.replace(/ .* /, ' '))).toEqual([
      'X publish',
      'A publish',
      'B trash',
      'C publish',
      'D publish',
    ]);
    for (const name of ['venues', 'organizers', 'tags'] as const) expect(sources(store, name)).toHaveLength(4);
    expect((await read(store, rows('A', 'C'), options)).notes).toEqual([]);
  });

  it('creates an event again whose row comes back', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5'), key);
    await read(store, table('A,2027-06-07,5'), options);
    expect((await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5'), options)).counts).toMatchObject({ created: 1, unchanged: 1 });
    await read(store, table('A,2027-06-07,5'), options);
    expect((await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5'))).counts).toMatchObject({ created: 1, unchanged: 1 });
  });

  it('leaves an event that a table of another source has too', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5'), { source: 'one' });
    await read(store, table('B,2027-06-07,5'), { source: 'two' });
    const { counts } = await read(store, table('A,2027-06-07,5'), { ...options, source: 'one' });
    expect([counts.deleted, startsOf(store)[1]]).toEqual([0, 'B 2027-06-07 00:00 publish']);
  });

  it('needs a source if more than half would go', async () => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5', 'C,2027-06-07,5'), key);
    await expect(read(store, table('A,2027-06-07,5'), options)).rejects.toMatchObject({
      message: 'test: --delete-missing: 2 of 3 events of the source "tables" are not in the table, more than half',
      hint: 'If this is the right table, pass --source tables.',
    });
    expect((await read(store, table('A,2027-06-07,5'), { ...options, source: 'tables' })).counts.deleted).toBe(2);
  });

  it.each<[string, ImportOptions, ResourceName[] | undefined, string]>([
    [table('A,2027-06-07,5'), { delete_missing: true }, undefined, '--delete-missing requires --key'],
    ['venue\nA\n', { key: ['venue'], delete_missing: true }, ['venues'], '--delete-missing is only for events'],
    [table(), options, undefined, '--delete-missing: the table has no events'],
    [table('A,2027-06-07,5', ',2027-06-07,6'), { ...options, lenient: true }, undefined, '--delete-missing: 1 row was skipped'],
  ])('%j with %j is refused', async (text, refused, only, message) => {
    const store = await memory();
    await read(store, table('A,2027-06-07,5', 'B,2027-06-07,5'), key);
    const { data, message: whole } = await read(store, text, refused, only).catch((error) => error);
    const problems = (data.problems ?? []).map(({ at, reason }: Problem) => `${at}: ${reason}`);
    expect([whole, ...problems].join('\n')).toContain(message);
    expect(startsOf(store)).toHaveLength(2);
  });
});
