import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { servers } from '../support/serving.ts';
import { folder, type Given, run, words } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
const start = servers(place.path);

it.each([
  ['events shift --all', undefined],
  ['shift --al', undefined],
  ['events list --serch x', '--search'],
  ['events list --fromat csv', '--format'],
])('an unknown option suggests only names that resemble it: %s', async (line, option) => {
  const { exit, stderr } = await at(line);
  expect(exit).toBe(2);
  if (option === undefined) expect(stderr).not.toContain('Did you mean');
  else expect(stderr).toContain(`Did you mean ${option}?`);
});

it('help lists its topics', async () => {
  const { stdout } = await at('help');
  for (const topic of ['dates', 'formats', 'exit-codes', 'environment', 'agents']) {
    expect(stdout).toMatch(new RegExp(`^  ${topic} +[A-Z]`, 'm'));
    expect((await at(`help ${topic}`)).exit).toBe(0);
  }
});

it.each(['import', 'seed', 'generate', 'serve', 'export', 'pull', 'undo'])(
  '%s has at most one option for the time zone of a new file',
  async (command) => {
    const { stdout } = await at(`${command} --help --all`);
    expect(stdout).not.toContain('--calendar-timezone');
    expect(stdout.includes('--timezone <zone>')).toBe(['import', 'seed', 'generate', 'serve'].includes(command));
  },
);

it('commands on records list --calendar-timezone', async () => {
  expect((await at('events create --help')).stdout).toContain('--calendar-timezone <zone>');
});

describe('a missing calendar', () => {
  it('suggests the server on the default port', async () => {
    const server = await start('--memory');
    const { port, url } = server.said;
    expect(await at('events list', { env: { PORT: String(port) } })).toEqual({
      exit: 3,
      stdout: '',
      stderr: `calendar: ${join(place.path, 'calendar.db')}: no such calendar\n  A server runs at ${url}: pass --url :${port}.\n`,
    });
    expect((await at(`events list --url :${port}`)).exit).toBe(0);
  });

  it('does not suggest a server of another program', async () => {
    const other = http.createServer((_, response) => response.end('{"url":1}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { stderr } = await at('events list', { env: { PORT: String((other.address() as AddressInfo).port) } });
    other.close();
    expect(stderr).toContain('Create one with calendar seed or calendar serve');
  });
});

describe('create --dry-run', () => {
  it('prints what would be created, and writes nothing', async () => {
    const line = 'events create --title Concert --start-date 2027-06-01T20:00 --end-date 2027-06-01T22:00 --cost €5 --dry-run';
    expect(await at(`${line} --db dry.db`)).toEqual({
      exit: 0,
      stdout: 'Would create event Concert: start_date 2027-06-01 20:00:00, end_date 2027-06-01 22:00:00, cost €5\n',
      stderr: '',
    });
    expect(await at('events list --db dry.db')).toMatchObject({ exit: 3 });
    const { stdout } = await at(`${line} --db dry.db --json`);
    expect(JSON.parse(stdout)).toEqual({
      title: 'Concert',
      start_date: '2027-06-01 20:00:00',
      end_date: '2027-06-01 22:00:00',
      cost: ['€5'],
    });
  });

  it.each([
    ['tags create --dry-run', 'Missing required field: name'],
    ['events create --title A --start-date 2027-06-01 --end-date 2027-05-01 --dry-run', 'end_date'],
    ['events create --title A --start-date 2027-06-01 --duration 1d --website nonsense --dry-run', 'website'],
    ['events create --title A --start-date 2027-06-01 --duration 1d --venue Nowhere --dry-run', 'Nowhere'],
  ])('fails where the creation would: %s', async (line, reason) => {
    const [dry, real] = [await at(`${line} --db fails.db`), await at(`${line.replace(' --dry-run', '')} --db fails.db`)];
    expect(dry).toMatchObject({ exit: real.exit, stdout: '' });
    expect(dry.stderr).toContain(reason);
    expect(real.stderr).toContain(reason);
  });

  it('of a series prints the dates', async () => {
    const line =
      "events create --title Yoga --start-date 2027-06-01T18:00 --duration 1h --repeat 'FREQ=WEEKLY;COUNT=2' --dry-run --db dry.db";
    const { exit, stdout } = await at(line);
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(/created +events +Yoga +Tue 1 Jun 2027.*\n.*created +events +Yoga +Tue 8 Jun 2027/s),
    ]);
  });
});

describe('serve', () => {
  it('reports a missing file before a port that is in use', async () => {
    const { port } = (await start('--memory')).said;
    for (const [line, reason] of [
      ['--seed nope.json', 'nope.json: no such file'],
      ['--users people.json', 'people.json: no such file'],
    ])
      expect(await at(`serve --memory --port ${port} ${line}`)).toMatchObject({ exit: 3, stderr: expect.stringContaining(reason!) });
  });

  it('says how to replace the records that a seed does not', async () => {
    await at('seed minimal --db stale.db');
    const server = await start('--db stale.db --seed demo');
    const { stderr } = await server.stop();
    expect(stderr).toContain(
      `The calendar has records. Ignoring --seed demo. To replace them: calendar seed demo --replace --db ${join(place.path, 'stale.db')}`,
    );
  });
});

describe('a repeated parameter', () => {
  it.each([
    ['categories=music&categories=jazz', 'Only the last value of categories is used. Separate several values with commas: categories=a,b'],
    ['categories[]=music&categories[]=jazz', null],
    ['categories=music,jazz&search=x', null],
    ['per_page=1&per%5Fpage=2', 'Only the last value of per_page is used. Separate several values with commas: per_page=a,b'],
  ])('%s is named in a hint', async (query, hint) => {
    writeFileSync(join(place.path, 'one.json'), '{"categories":{"music":{"name":"Music"},"jazz":{"name":"Jazz"}}}');
    const { url } = (await start('--memory --seed one.json')).said;
    expect((await fetch(`${url}/events?${query}`)).headers.get('x-calendar-hint')).toBe(hint);
  });
});

it('import, validate and generate name the year of a date without one', async () => {
  writeFileSync(join(place.path, 'days.csv'), 'title,start_date\nA,2027-05-01 10:00\n');
  for (const command of ['import days.csv --db years.db', 'validate days.csv'])
    expect(await at(`${command} --from 1.5. --until 7.6.`, { env: { CALENDAR_NOW: '2027-03-01' } })).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/--from: is 2027-05-01\n--until: is 2027-06-07\n/),
    });
  const generated = await at('generate --db years.db --events 2 --from 1.5. --until 7.6.', { env: { CALENDAR_NOW: '2027-03-01' } });
  expect(generated.stderr).toMatch(/--from: is 2027-05-01\n--until: is 2027-06-07\n/);
});
