import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../src/data/ingest/options.ts';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { calendarWith, imported, memory } from '../../support/calendars.ts';

const sources = (store: Store, name: ResourceName = 'events') => [
  ...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources(name),
];
async function read(text: string, options: ImportOptions = {}) {
  const store = await memory();
  const { notes, problems } = await imported(store, 'csv', text, undefined, options);
  return { titles: sources(store).map(({ title }) => title), notes, problems };
}

describe('rows that are not records', () => {
  it('empty ones are skipped with one notice', async () => {
    const text = 'title,start_date\nA,2027-06-07\n,\nB,2027-06-08\n , \n,\n';
    expect(await read(text)).toEqual({ titles: ['A', 'B'], notes: [{ at: 'line 3', reason: 'skipped 3 empty rows' }], problems: [] });
  });

  it.each([
    ['Program 2027\n', ','],
    ['Program 2027\n\nAll dates; without guarantee\n', ';'],
    ['"Program, spring 2027"\n', ';'],
    ['Program 2027\t\t\n', '\t'],
    ['Program 2027,"as of 5 January, noon"\n', ','],
  ])('a title above the headings is skipped with a notice: %j', async (title, sign) => {
    const rows = [`title${sign}Datum`, `A${sign}2027-06-07`, `B${sign}2027-06-08`];
    const { titles, notes } = await read(`${title}${rows.join('\n')}\n`);
    const line = title.split('\n').length;
    expect([titles, notes]).toEqual([
      ['A', 'B'],
      [
        {
          at: `line ${line}`,
          reason: `read the headings from here; skipped ${line === 2 ? 'a row' : '2 rows'} above: "Program${title.includes('spring') ? ', spring' : ''} 2027"${line === 2 ? '' : ' …'}`,
        },
      ],
    ]);
  });

  it('problems of headings below a title name their line', async () => {
    await expect(read('Program\ntitle,start_date,Raum 1\nA,2027-06-07,x\n')).rejects.toThrow('line 2: unknown heading "Raum 1"');
    // All problems are named at once.
    await expect(read('title,start_date,Raum 1\nA,2027-06-07,x\nB,,y\nC,soon,z\n')).rejects.toMatchObject({
      data: {
        problems: [
          { at: 'line 1', reason: expect.stringContaining('unknown heading "Raum 1"') },
          { at: 'line 3: start_date' },
          { at: 'line 3: end_date' },
          { at: 'line 4: start_date' },
        ],
      },
    });
    await expect(read('Program\nA,2027-06-07\n')).rejects.toThrow('line 1: not the headings of a table of events');
  });

  it('a sum below is skipped with a notice, and a row without title and date elsewhere is not', async () => {
    const text = 'title,start_date,cost\nA,2027-06-07,5\n,,"1.234,50 €"\n,,\n';
    expect(await read(text)).toMatchObject({
      titles: ['A'],
      notes: [
        { at: 'line 3', reason: 'skipped the last row, which has neither title nor date: "1.234,50 €"' },
        { at: 'line 4', reason: 'skipped an empty row' },
      ],
    });
    const problemsIn = (rows: string) => read(`title,start_date,cost\n${rows}`).catch(({ data }) => data.problems);
    expect(await problemsIn(',,10\nA,2027-06-07,5\n')).toContainEqual({ at: 'line 2: title', reason: 'is required' });
    expect(await problemsIn('A,2027-06-07,5\nTotal,,10\n')).toContainEqual({ at: 'line 3: start_date', reason: 'is required' });
  });

  it('--skip-rows skips lines above the headings, whatever they contain', async () => {
    const text = 'title,start_date\r\n"old\r\nA,2027-06-07\r\n\r\nTitel;Datum\r\nB;2027-06-08\r\n';
    expect(await read(text, { skip_rows: 4 })).toEqual({ titles: ['B'], notes: [], problems: [] });
    await expect(read(text, { skip_rows: 5 })).rejects.toThrow('line 6: not the headings');
    await expect(read(text, { skip_rows: 50 })).rejects.toThrow('line 51: the file is empty');
  });
});

describe('several organizers in one cell', () => {
  it.each<[string, string[], object?]>([
    ['Ann, Bob', ['Ann', 'Bob']],
    ['Ann; Bob;', ['Ann', 'Bob']],
    ['Smith, Jones & Co.', ['Smith, Jones & Co.'], { smith: { organizer: 'Smith, Jones & Co.' } }],
    ['Ann, smith, jones & co.; Bob', ['Smith, Jones & Co.', 'Ann', 'Bob'], { smith: { organizer: 'Smith, Jones & Co.' } }],
    ['Ann', ['Ann']],
  ])('%s', async (cell, names, organizers = {}) => {
    const store = await calendarWith({ organizers });
    const summary = await imported(store, 'csv', `title,start_date,organizer\nA,2027-06-07,"${cell}"\nB,2027-06-08,"${cell}"\n`);
    expect(sources(store, 'organizers').map(({ organizer }) => organizer)).toEqual(names);
    expect(sources(store).map(({ organizer }) => (organizer as number[]).length)).toEqual([names.length, names.length]);
    const isSplit = names.length > 1;
    expect(summary.notes.map(({ at }) => at)).toEqual(isSplit ? ['line 2'] : []);
    expect(summary.done(0).conversions['split organizers']).toBe(isSplit ? 2 : undefined);
  });

  it('are named', async () => {
    const { notes } = await imported(await memory(), 'csv', 'title,start_date,organizer\nA,2027-06-07,"Ann, Bob; Cid"\n');
    expect(notes).toEqual([{ at: 'line 2', reason: 'organizer "Ann, Bob; Cid" was split into "Ann", "Bob" and "Cid"' }]);
  });
});

it('names each kind of rewritten cell with its count, and all of them with verbose', async () => {
  const text = 'title,Datum,Von,Bis,cost\nA,7.6.27,19.30 Uhr,21h,"1.250,50 €"\nB,08.06.2027,20:00,21:00,$5\n';
  const { notes, ...summary } = await imported(await memory(), 'csv', text, undefined, { verbose: true }).then((done) => done.done(0));
  expect(summary.conversions).toEqual({ 'rewritten dates': 1, 'rewritten times': 2, 'rewritten prices': 1 });
  expect(notes).toEqual([
    { at: 'line 2', reason: 'start_date "7.6.27" was read as "2027-06-07"' },
    { at: 'line 2', reason: 'start_date "19.30 Uhr" was read as "19:30"' },
    { at: 'line 2', reason: 'end_date "21h" was read as "21:00"' },
    { at: 'line 2', reason: 'cost "1.250,50 €" is stored as "1250.50 €", shown as "1250.50€"' },
  ]);
});
