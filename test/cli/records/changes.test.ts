import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { startOf } from '../../support/start-of.ts';
import { folder, run, withoutUndo, words } from '../../support/transcript.ts';

const place = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const events = [
  { title: 'Talk', start_date: '2027-03-27 22:00', end_date: '2027-03-27 23:00', timezone: 'Europe/Berlin', date: '2026-01-31 12:00:00' },
  { title: 'Fair', start_date: '2027-05-31 10:00', end_date: '2027-05-31 18:00', date: '2026-01-31 12:00:00' },
];

describe.each(['on a file', 'through a server'])('%s', (how) => {
  const at = (line: string, stdin?: string) =>
    run([...words(line), ...(how === 'on a file' ? ['--db', 'changes.db'] : ['--url', server.url])], { cwd: place.path, stdin });
  const calendar = () => (how === 'on a file' ? join(place.path, 'changes.db') : server);
  beforeEach(startOf(calendar, () => at('events create --data - --quiet', JSON.stringify(events))));

  it.each([
    ["talk --start-date '+1 hour'", '2027-03-27 23:00 2027-03-28 00:00 2026-01-31 12:00'],
    // Clocks go forward at 02:00 on March 28: hours are elapsed time, days keep the time of day.
    ["talk --start-date '+5 hours'", '2027-03-28 04:00 2027-03-28 05:00 2026-01-31 12:00'],
    ["talk --start-date '+1 day'", '2027-03-28 22:00 2027-03-28 23:00 2026-01-31 12:00'],
    ["talk --start-date '+1 day -2 hours'", '2027-03-28 20:00 2027-03-28 21:00 2026-01-31 12:00'],
    ["talk --end-date '+90 minutes'", '2027-03-27 22:00 2027-03-28 00:30 2026-01-31 12:00'],
    // With both dates, each moves from its own value.
    ["talk --start-date '-1 hour' --end-date '+1 hour'", '2027-03-27 21:00 2027-03-28 00:00 2026-01-31 12:00'],
    // Unsigned steps and durations count from the start.
    ["talk --end-date '2 hours'", '2027-03-27 22:00 2027-03-28 00:00 2026-01-31 12:00'],
    ['talk --duration 30m', '2027-03-27 22:00 2027-03-27 22:30 2026-01-31 12:00'],
    ["fair --start-date '+1 month'", '2027-06-30 10:00 2027-06-30 18:00 2026-01-31 12:00'],
    ["talk --date '+1 day'", '2027-03-27 22:00 2027-03-27 23:00 2026-02-01 12:00'],
    ["talk --set start_date='+1 hour'", '2027-03-27 23:00 2027-03-28 00:00 2026-01-31 12:00'],
    ["talk --start-date '+1h'", '2027-03-27 23:00 2027-03-28 00:00 2026-01-31 12:00'],
    ["talk --start-date '-1d2h' --end-date +1w", '2027-03-26 20:00 2027-04-03 23:00 2026-01-31 12:00'],
    [`talk --data '{"start_date":"+1.5 hours"}'`, '2027-03-27 23:30 2027-03-28 00:30 2026-01-31 12:00'],
    // A start that is only a time stays on its day.
    ['talk --start-date 20:00', '2027-03-27 20:00 2027-03-27 21:00 2026-01-31 12:00'],
    ['talk --start-date 8pm --end-date 10pm', '2027-03-27 20:00 2027-03-27 22:00 2026-01-31 12:00'],
    ['talk --date 9:00', '2027-03-27 22:00 2027-03-27 23:00 2026-01-31 09:00'],
    [`talk --data '{"start_date":"-1 hour","end_date":"-1 hour"}'`, '2027-03-27 21:00 2027-03-27 22:00 2026-01-31 12:00'],
  ])('update %s', async (line, dates) => {
    const template = "--template '{{start_date}} {{end_date}} {{date}}'";
    expect((await at(`events update ${line} ${template}`)).stdout).toBe(`${dates.replace(/(\d\d:\d\d)/g, '$1:00')}\n`);
  });

  it('several events each move from their own date', async () => {
    const { stdout } = await at("events update talk fair --start-date '+1 week' --template '{{start_date}}'");
    expect(stdout).toBe('2027-04-03 22:00:00\n2027-06-07 10:00:00\n');
  });

  it('steps of a new event count from now, and of its end from its start', async () => {
    const { stdout } = await at("events create --title New --start-date '+1 hour' --end-date '+45 minutes' --json=start_date,end_date");
    expect(JSON.parse(stdout)).toEqual({ start_date: '2026-11-20 17:05:00', end_date: '2026-11-20 17:50:00' });
  });

  it('a dry run prints what would change, and changes nothing', async () => {
    const before = (await at('events list --all --json')).stdout;
    const changes = "--start-date '+1 hour' --cost 5 --featured --dry-run";
    expect(await at(`events update talk fair ${changes}`)).toEqual({
      stdout: expect.stringMatching(
        /^Would update event \d+ \(Talk\): start_date 2027-03-27 22:00:00 → 2027-03-27 23:00:00, cost \(empty\) → 5, featured no → yes, end_date .*\nWould update event \d+ \(Fair\): .*\n$/,
      ),
      stderr: '',
      exit: 0,
    });
    expect((await at(`events update talk --title Talk --dry-run`)).stdout).toMatch(/^Would not change event \d+ \(Talk\)\n$/);
    expect(JSON.parse((await at('events update talk --title New --dry-run --json=title')).stdout)).toEqual({ title: 'New' });
    expect(JSON.parse((await at(`events update talk --start-date '+1 hour' --dry-run --json`)).stdout)).toEqual(
      expect.not.objectContaining({ utc_start_date: expect.anything() }),
    );
    expect(await at('events update talk nothing --title New --dry-run')).toMatchObject({ stdout: '', exit: 3 });
    expect((await at('events list --all --json')).stdout).toBe(before);
  });

  it('a dry run of restore changes nothing', async () => {
    await at('events delete talk fair --yes');
    expect((await at('events restore talk fair --dry-run')).stdout).toMatch(
      /^Would restore event \d+ \(Talk\) with status publish\nWould restore/,
    );
    expect((await at('events list --status trash --format count --all')).stdout).toBe('2\n');
    expect(withoutUndo(await at('events restore talk fair'))).toMatchObject({ exit: 0, stderr: '' });
    expect((await at('events list --all --format count')).stdout).toBe('2\n');
  });

  it.each([
    [
      "events update talk --venue 'New Hall'",
      "To create it, pass --create-missing or --set venue.venue='New Hall', or use calendar venues create.",
    ],
    [
      'events update talk --organizer Ada',
      'To create it, pass --create-missing or --set organizer.organizer=Ada, or use calendar organizers create.',
    ],
    ['events list --venue New', 'No venue has the slug or name'],
  ])('%s fails with the next step', async (line, hint) => {
    expect(await at(line)).toEqual({ stdout: '', stderr: expect.stringContaining(hint), exit: 2 });
  });

  it('--create-missing creates venues and organizers', async () => {
    const fields = '--json=venue.venue,organizer.organizer';
    const made = await at(
      `events create --title X --start-date 2027-01-01 --venue 'Hall, East' --organizer Ada --organizer Bob --create-missing ${fields}`,
    );
    expect(JSON.parse(made.stdout)).toEqual({ venue: { venue: 'Hall, East' }, organizer: [{ organizer: 'Ada' }, { organizer: 'Bob' }] });
    await at("events update talk --venue 'hall, east' --create-missing --add-organizer Cy");
    expect((await at('venues list --format count')).stdout).toBe('1\n');
    expect((await at('organizers list --format count')).stdout).toBe('3\n');
    expect(await at('events update talk --venue 99 --create-missing')).toMatchObject({ stdout: '', exit: 2 });
  });
});
