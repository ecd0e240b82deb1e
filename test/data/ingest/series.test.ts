import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import { folder, run } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const calendar = (args: string[], stdin?: string) => run(args, { cwd, stdin });
const file = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const ics = (...events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR', ''].join(
    '\r\n',
  );
const weekly = [
  'UID:weekly@example.org',
  'DTSTART;TZID=Europe/Berlin:20270301T190000',
  'DTEND;TZID=Europe/Berlin:20270301T203000',
  'RRULE:FREQ=WEEKLY;COUNT=10',
  'SUMMARY:Choir',
];
const late = [
  'UID:weekly@example.org',
  'RECURRENCE-ID;TZID=Europe/Berlin:20270315T190000',
  'DTSTART;TZID=Europe/Berlin:20270315T200000',
  'DTEND;TZID=Europe/Berlin:20270315T213000',
  'SUMMARY:Choir (late)',
];
const fair = ['UID:fair@example.org', 'DTSTART;VALUE=DATE:20270401', 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:Fair'];
/** The lines of an export that matter for a series. */
const seriesLines = (text: string) =>
  text
    .slice(text.indexOf('BEGIN:VEVENT'))
    .split('\r\n')
    .filter((line) => /^(UID|RRULE|EXDATE|RECURRENCE-ID|DTSTART|SUMMARY)/.test(line));
const exported = async (db: string, format = 'ics') => (await calendar(['export', '--format', format, '--db', db])).stdout;

describe('a recurring event in iCalendar', () => {
  beforeAll(async () => {
    await calendar(['import', file('a.ics', ics(weekly, late, fair)), '--db', 'a.db', '--timezone', 'Europe/Berlin']);
  });

  it('keeps its rule, the changed occurrence, and leaves out a deleted one', async () => {
    const { stdout } = await calendar(['events', 'list', '--all', '--search', 'Choir', '--format', 'ids', '--db', 'a.db']);
    await calendar(['events', 'delete', stdout.split('\n')[1]!, '--db', 'a.db']);
    expect(seriesLines(await exported('a.db'))).toEqual([
      'UID:weekly@example.org',
      'DTSTART;TZID=Europe/Berlin:20270301T190000',
      'RRULE:FREQ=WEEKLY;COUNT=10',
      'EXDATE;TZID=Europe/Berlin:20270308T190000',
      'SUMMARY:Choir',
      'UID:weekly@example.org',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270315T190000',
      'DTSTART;TZID=Europe/Berlin:20270315T200000',
      'SUMMARY:Choir (late)',
      'UID:fair@example.org',
      'DTSTART;VALUE=DATE:20270401',
      'RRULE:FREQ=DAILY;COUNT=3',
      'SUMMARY:Fair',
    ]);
  });

  it('importing it again, or its export, changes nothing', async () => {
    const before = await exported('a.db', 'json');
    expect((await calendar(['import', 'a.ics', '--db', 'a.db'])).stderr).toContain('12 unchanged, 1 skipped');
    expect((await calendar(['import', file('out.ics', await exported('a.db')), '--db', 'a.db'])).stderr).toContain('12 unchanged');
    expect(await exported('a.db', 'json')).toBe(before);
  });

  it.each(['ics', 'json', 'ndjson'])('an export as %s restores the series in another calendar', async (format) => {
    const copy = file(`copy.${format}`, await exported('a.db', format));
    await calendar(['import', copy, '--db', `copy-${format}.db`, '--timezone', 'Europe/Berlin']);
    expect(seriesLines(await exported(`copy-${format}.db`))).toEqual(seriesLines(await exported('a.db')));
  });

  it('a list with other filters writes single events', async () => {
    const { stdout } = await calendar(['events', 'list', '--all', '--search', 'Fair', '--format', 'ics', '--db', 'a.db']);
    expect([stdout.match(/BEGIN:VEVENT/g)?.length, stdout.includes('DAILY')]).toEqual([3, false]);
  });

  it('a rule with RDATE stays single events', async () => {
    const odd = file('odd.ics', ics([...fair, 'RDATE;VALUE=DATE:20270410']));
    await calendar(['import', odd, '--db', 'odd.db']);
    expect(seriesLines(await exported('odd.db')).filter((line) => line.startsWith('RRULE'))).toEqual([]);
  });
});

it('the feed has the rule; with a filter, it has single events; occurrences name their series only with _uid', async () => {
  const yoga = { title: 'Yoga', start_date: '2027-03-03 08:00', end_date: '2027-03-03 09:00', repeat: 'FREQ=DAILY;COUNT=4' };
  const served = await createCalendar({ now: '2027-02-20T12:00:00Z', seed: { events: { yoga } } });
  const text = async (query: string) => (await fetch(`${new URL(served.url).origin}/calendar.ics${query}`)).text();
  const count = (body: string) => body.match(/BEGIN:VEVENT/g)?.length;
  const whole = await text('');
  expect([count(whole), whole.includes('RRULE:FREQ=DAILY;COUNT=4')]).toEqual([1, true]);
  const filtered = await text('?search=yoga');
  expect([count(filtered), filtered.includes('COUNT=4')]).toEqual([4, false]);
  const list = async (query: string) => ((await (await fetch(`${served.url}/events?${query}`)).json()) as { events: object[] }).events[0]!;
  expect(await list('_uid=1')).toMatchObject({ series_uid: expect.any(String), recurrence_id: '20270303T080000Z' });
  expect(Object.keys(await list(''))).not.toContain('series_uid');
  await served.close();
});

describe('events create --repeat', () => {
  it('creates a series; --series updates, moves and deletes all of it', async () => {
    const create = ['events', 'create', '--title', 'Yoga', '--start-date', '2027-03-01 08:00', '--duration', '1h', '--db', 'r.db'];
    const { stdout } = await calendar([...create, '--repeat', 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=5', '--quiet']);
    const ids = stdout.trim().split('\n');
    expect(ids.length).toBe(5);
    await calendar(['events', 'create', '--title', 'Other', '--start-date', '2027-03-01 08:00', '--duration', '1h', '--db', 'r.db']);
    await calendar(['events', 'update', ids[2]!, '--series', '--cost', '5', '--db', 'r.db', '--quiet']);
    await calendar(['events', 'shift', '--series', ids[1]!, '--by', '1h', '--db', 'r.db']);
    const list = await calendar(['events', 'list', '--all', '--format', 'tsv', '--fields', 'title,start_date,cost', '--db', 'r.db']);
    expect(list.stdout.trim().split('\n').slice(1).sort()).toEqual([
      'Other\t2027-03-01 08:00:00\t',
      'Yoga\t2027-03-01 09:00:00\t$5',
      'Yoga\t2027-03-03 09:00:00\t$5',
      'Yoga\t2027-03-08 09:00:00\t$5',
      'Yoga\t2027-03-10 09:00:00\t$5',
      'Yoga\t2027-03-15 09:00:00\t$5',
    ]);
    await calendar(['events', 'delete', ids[4]!, '--series', '--yes', '--db', 'r.db']);
    expect((await calendar(['events', 'list', '--all', '--format', 'count', '--db', 'r.db'])).stdout).toBe('1\n');
  });

  it.each([
    [['--start-date', '2027-03-09 18:00'], 'start_date "2027-03-09 18:00" would put every event on the same day'],
    [['--end-date', 'tomorrow 18:00'], 'end_date "tomorrow 18:00" would put every event on the same day'],
  ])('update --series %j is rejected, a time moves each event on its day', async (flags, message) => {
    const db = ['--db', 'times.db'];
    const dates = ['--start-date', '2027-03-01 08:00', '--duration', '1h', '--repeat', 'FREQ=DAILY;COUNT=2'];
    const { stdout } = await calendar(['events', 'create', '--title', 'Yoga', ...dates, ...db, '--quiet']);
    const [id = ''] = stdout.split('\n');
    expect(await calendar(['events', 'update', id, '--series', ...flags, ...db])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining(message),
      exit: 2,
    });
    const moved = await calendar(['events', 'update', id, '--series', '--start-date', '9am', ...db, '--template', '{{start_date}}']);
    expect(moved.stdout).toBe('2027-03-01 09:00:00\n2027-03-02 09:00:00\n');
  });

  it.each([
    ['FREQ=DAILY', 'needs COUNT or UNTIL'],
    ['weekly', 'must start with FREQ='],
    ['FREQ=DAILY;COUNT=2;COUNT=5', 'has COUNT twice'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270401', 'has both COUNT and UNTIL'],
    ['FREQ=DAILY;COUNT=0', 'COUNT is 0'],
    ['FREQ=WEEKLY;UNTIL=20270101', 'has no event after the first'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=3', 'has no event after the first'],
    ['FREQ=DAILY;COUNT=731', 'has more than 730 events'],
    ['FREQ=SOMETIMES;COUNT=3', 'FREQ'],
  ])('%s exits 2 and creates nothing', async (rule, message) => {
    const { exit, stdout, stderr } = await calendar([
      ...['events', 'create', '--title', 'X', '--start-date', '2027-03-01', '--all-day', '--db', 'bad.db', '--repeat', rule],
    ]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('creates missing venues', async () => {
    const event = ['--title', 'Class', '--start-date', '2027-03-01 08:00', '--duration', '1h', '--repeat', 'FREQ=DAILY;COUNT=2'];
    const { stdout } = await calendar([
      ...['events', 'create', ...event, '--venue', 'New Hall', '--create-missing', '--template', '{{venue.venue}}', '--db', 'm.db'],
    ]);
    expect(stdout).toBe('New Hall\nNew Hall\n');
  });

  it('an event outside of a series is rejected with --series', async () => {
    await calendar(['events', 'create', '--title', 'Alone', '--start-date', '2027-03-01 08:00', '--duration', '1h', '--db', 's.db']);
    const { exit, stdout, stderr } = await calendar(['events', 'update', 'alone', '--series', '--cost', '5', '--db', 's.db']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('not part of a series');
  });
});

it('a fixture repeats an event', async () => {
  const yoga = { title: 'Yoga', start_date: '2027-05-03 08:00', end_date: '2027-05-03 09:00', repeat: 'FREQ=DAILY;COUNT=4' };
  const good = file('good.json', JSON.stringify({ events: { yoga } }));
  expect((await calendar(['seed', good, '--db', 'f.db'])).stderr).toContain('4 created');
  expect(seriesLines(await exported('f.db')).filter((line) => line.startsWith('RRULE'))).toEqual(['RRULE:FREQ=DAILY;COUNT=4']);
  const bad = file('bad.json', JSON.stringify({ venues: { hall: { venue: 'Hall', repeat: 'FREQ=DAILY;COUNT=4' } } }));
  expect(await calendar(['seed', bad, '--db', 'g.db'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('repeat') });
});
