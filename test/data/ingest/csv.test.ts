import { describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { imported, memory } from '../../support/calendars.ts';

const events = (store: Store) => [...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources('events')];
async function calendarIn(zone: string): Promise<Store> {
  const store = await memory();
  await store.change((local) => local.settings.set('timezone', zone));
  return store;
}
/** The start and end that one row gives. */
async function span(headings: string, row: string, zone = 'America/New_York'): Promise<string> {
  const store = await calendarIn(zone);
  await imported(store, 'csv', `title,${headings}\nE,${row}\n`, undefined, { date_order: 'mdy' });
  const [event] = events(store);
  expect((await imported(store, 'csv', `title,${headings}\nE,${row}\n`, undefined, { date_order: 'mdy' })).counts).toMatchObject({
    unchanged: 1,
  });
  return `${event!.start_date} - ${event!.end_date}`;
}

describe('dates of a table', () => {
  it.each([
    ['start_date,end_date', '2027-04-01T19:00:00-04:00,2027-04-01T21:00:00-04:00', '2027-04-01 19:00:00 - 2027-04-01 21:00:00'],
    ['start_date,end_date', '2027-04-01T19:00:00Z,2027-04-01T21:00:00+00:00', '2027-04-01 15:00:00 - 2027-04-01 17:00:00'],
    ['start_date,end_date,timezone', '2027-04-01T19:00:00Z,2027-04-01T21:00:00Z,Asia/Tokyo', '2027-04-02 04:00:00 - 2027-04-02 06:00:00'],
    ['start_date,end_date', '2027-04-01 19:00,2027-04-01 21:00', '2027-04-01 19:00:00 - 2027-04-01 21:00:00'],
    ['Start Date,Start Time,End Date,End Time', '04/01/2027,7:00 PM,04/01/2027,9:00 PM', '2027-04-01 19:00:00 - 2027-04-01 21:00:00'],
    ['Start Date,Start Time,End Date,End Time', '2027-04-01,22:00,,01:30', '2027-04-01 22:00:00 - 2027-04-02 01:30:00'],
    ['Start Date,Start Time,End Time', '2027-04-01,7 PM,9 p.m.', '2027-04-01 19:00:00 - 2027-04-01 21:00:00'],
    ['Start Date,Start Time,End Date,End Time,All Day Event', '04/01/2027,,04/02/2027,,True', '2027-04-01 00:00:00 - 2027-04-02 23:59:59'],
    ['Start Date,Start Time,End Date,End Time,All Day Event', '04/01/2027,,,,True', '2027-04-01 00:00:00 - 2027-04-01 23:59:59'],
    ['start,duration', '2027-04-01 19:00,90m', '2027-04-01 19:00:00 - 2027-04-01 20:30:00'],
    ['start,Duration', '2027-04-01 19:00,1:30', '2027-04-01 19:00:00 - 2027-04-01 20:30:00'],
    ['start,duration (minutes)', '2027-04-01 19:00,45', '2027-04-01 19:00:00 - 2027-04-01 19:45:00'],
    ['start,duration', '2027-04-01 19:00,', '2027-04-01 19:00:00 - 2027-04-01 20:00:00'],
    ['start', '2027-04-01', '2027-04-01 00:00:00 - 2027-04-01 23:59:59'],
    ['start,end', '2027-04-01,2027-04-03', '2027-04-01 00:00:00 - 2027-04-03 23:59:59'],
    ['start,end,duration', '2027-04-01 19:00,2027-04-01 23:00,PT1H', '2027-04-01 19:00:00 - 2027-04-01 23:00:00'],
  ])('%s: %s', async (headings, row, expected) => expect(await span(headings, row)).toBe(expected));

  it.each([
    ['start_date,end_date', '2027-02-30,2027-03-01', "start_date: the day 2027-02-30 doesn't exist"],
    ['start,duration', '2027-04-01 19:00,long', 'duration: "long" is not a duration'],
    ['start_date,end_date', '2027-04-01 19:00,2027-04-01 18:00', 'is before the start'],
  ])('%s: %s is refused', async (headings, row, message) => {
    const failure = await imported(await memory(), 'csv', `title,${headings}\nE,${row}\n`).catch((error) => error);
    expect(`${failure.data?.problems?.[0]?.at}: ${failure.data?.problems?.[0]?.reason}`).toContain(message);
  });

  it('are joined by --map', async () => {
    const store = await calendarIn('UTC');
    const text = 'What,Day,From,To,Room,Floor\nTalk,2027-04-01,10:00,11:00,"Blue Room",Second\n';
    const map = new Map([
      ...(['What=title', 'Day=start_date', 'From=start_date', 'To=end_date', 'Room=description', 'Floor=description'].map((pair) =>
        pair.split('='),
      ) as [string, string][]),
    ]);
    await imported(store, 'csv', text, undefined, { map });
    expect(events(store)[0]).toMatchObject({
      start_date: '2027-04-01 10:00:00',
      end_date: '2027-04-01 11:00:00',
      description: 'Blue Room Second',
    });
    await expect(imported(store, 'csv', text, undefined, { map: new Map([...map, ['What', 'titl']]) })).rejects.toThrow(
      'unknown field "titl" for the heading "What"',
    );
  });

  it('of a web calendar come with places and privacy', async () => {
    const store = await calendarIn('UTC');
    await imported(
      store,
      'csv',
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n' +
        'Final exam,05/30/2027,10:00 AM,05/30/2027,1:00 PM,False,50 questions,"Columbia, Schermerhorn 614",True\n',
    );
    expect(events(store)[0]).toMatchObject({
      title: 'Final exam',
      status: 'private',
      end_date: '2027-05-30 13:00:00',
      description: '50 questions',
    });
  });
});

it.each([false, true])('an empty table is refused whole, and nothing is said of leaving something out (lenient: %j)', async (lenient) => {
  const failure = await imported(await memory(), 'csv', '', undefined, { lenient }).catch((error) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('line 1: the file is empty; expected a heading row'), hint: undefined });
});

describe('venues that are not there yet', () => {
  const venues = (store: Store) =>
    [...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources('venues')].map(({ venue }) => venue);

  it.each([
    ['title,start_date,venue', 'E,2027-04-01,"Town Hall, Springfield"', ['Town Hall, Springfield']],
    ['title,start_date,venue', 'E,2027-04-01,Town Hall; Market', ['Town Hall; Market']],
    ['id,uid,title,start_date,venue', '7,u,E,2027-04-01,"town-hall, market"', ['town-hall', 'market']],
    ['id,uid,title,start_date,venue', '7,u,E,2027-04-01,"""Town Hall, Springfield"""', ['Town Hall, Springfield']],
  ])('%s with %s', async (headings, row, expected) => {
    const store = await memory();
    const summary = await imported(store, 'csv', `${headings}\n${row}\n`);
    expect(venues(store)).toEqual(expected);
    expect(summary.done(0).conversions).toMatchObject({ 'new venues': expected.length });
  });
});
