import { afterAll, describe, expect, it } from 'vitest';
import { servers } from '../../support/serving.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });

const start = servers(place.path);
const serve = async (line: string) => (await start(line)).said;

describe('clock', () => {
  it('publishes due events before it responds, and applies to lists, cached responses and commands', async () => {
    const { url } = await serve('--db owned.db --now 2027-03-01T09:00:00Z');
    const on = (line: string) => at(`${line} --db owned.db`);
    const titles = async () =>
      ((await (await fetch(`${url}/events`)).json()) as { events: { title: string }[] }).events.map(({ title }) => title);
    await on("events create --title Later --start-date 2027-03-10 --end-date 2027-03-11 --date '2027-03-02 08:00:00'");
    await on('events create --title Soon --start-date 2027-03-05 --end-date 2027-03-06');
    const read = async () => (await fetch(`${url}/events`)).headers.get('etag');
    const before = [await read(), await read(), await read()];
    expect(await titles()).toEqual(['Soon']);
    expect((await on('clock get')).stdout).toBe('2027-03-01T09:00:00.000Z frozen\n');
    expect(await on('clock advance P1D')).toEqual({ stdout: '2027-03-02T09:00:00.000Z frozen\n', stderr: '', exit: 0 });
    expect(await titles()).toEqual(['Soon', 'Later']);
    expect([await read(), before[1]]).not.toEqual([before[0], before[0]]);
    expect((await on('clock advance 2027-03-07T00:00:00Z')).stdout).toBe('2027-03-07T00:00:00.000Z frozen\n');
    expect((await on('events list --starts-after today --fields title')).stdout).toContain('Later');
    expect((await on('next')).stdout).toContain('Later');
    expect((await on('clock set 2030-01-01T00:00:00Z --json')).stdout).toBe('{"now":"2030-01-01T00:00:00.000Z","frozen":true,"ahead":0}\n');
    expect((await on('clock resume')).stdout).toMatch(/^2030-01-01T00:0\d:\d\d\.\d{3}Z running\n$/);
    expect((await on('clock freeze')).stdout).toMatch(/^2030-01-01T00:0\d:\d\d\.\d{3}Z frozen\n$/);
    expect((await on('clock reset')).stdout).toBe('2027-03-01T09:00:00.000Z frozen\n');
  });

  it('is what words are read by at an address too, unless --now takes its place', async () => {
    const { url } = await serve('--memory --now 2031-03-03T09:00:00Z --timezone Asia/Tokyo');
    const on = (line: string, now = '') => at(`${line} --url ${url}`, { env: { CALENDAR_NOW: now } });
    const start = async (line: string, now?: string) => {
      const made = await on(`events create --title X --json ${line}`, now);
      return JSON.parse(made.stdout).start_date;
    };
    const tomorrow = "--start-date 'tomorrow 10:00' --duration 1h";
    expect(await start(tomorrow)).toBe('2031-03-04 10:00:00');
    expect(await start(`${tomorrow} --timezone Pacific/Honolulu`)).toBe('2031-03-03 10:00:00');
    expect(await start(`${tomorrow} --now 2031-05-05T09:00:00Z`)).toBe('2031-05-06 10:00:00');
    expect(await start(tomorrow, '2031-05-05T09:00:00Z')).toBe('2031-05-06 10:00:00');
    expect((await on('events list --starts-after today --format count')).stdout).toBe('3\n');
    expect((await on('events list --starts-after tomorrow --format count')).stdout).toBe('2\n');
    expect((await on('agenda')).stdout).toContain('March 3, 2031, today');
    expect((await on('clock advance P1M')).exit).toBe(0);
    expect(await start(tomorrow)).toBe('2031-04-04 10:00:00');
    await on('clock resume');
    expect(await start(tomorrow)).toBe('2031-04-04 10:00:00');
  });

  it('advances by days of the calendar, and by hours as they pass', async () => {
    const { url } = await serve('--memory --now 2027-03-27T12:00:00Z --timezone Europe/Paris');
    const on = (line: string) => at(`${line} --url ${url}`);
    expect((await on('clock advance P1D')).stdout).toBe('2027-03-28T11:00:00.000Z frozen\n');
    expect((await on('clock advance PT24H')).stdout).toBe('2027-03-29T11:00:00.000Z frozen\n');
    expect((await on('clock advance P1M')).stdout).toBe('2027-04-29T11:00:00.000Z frozen\n');
    expect((await at(`clock advance --url ${url} -- -P1DT1H`)).stdout).toBe('2027-04-28T10:00:00.000Z frozen\n');
    expect((await on('clock advance 2027-05-01T09:00:00+02:00')).stdout).toBe('2027-05-01T07:00:00.000Z frozen\n');
    expect((await on('clock advance PT0.5S')).stdout).toBe('2027-05-01T07:00:00.500Z frozen\n');
    expect((await on('clock advance P1D')).stdout).toBe('2027-05-02T07:00:00.500Z frozen\n');
  });

  it.each([
    ['clock set yesterday', 2, 'Invalid now "yesterday"'],
    ['clock set 2027-02-30T00:00:00Z', 2, 'Invalid now'],
    ['clock advance nonsense', 2, 'Invalid to "nonsense"'],
    ['clock advance P999999Y', 2, 'is outside the years 1 to 9999'],
    ['clock advance PT999999999H', 2, 'The clock can be set to the years 1 to 9999'],
  ])('refuses %s', async (line, exit, message) => {
    const { url } = await serve('--memory');
    expect(await at(`${line} --url ${url}`)).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(message) });
    expect((await at(`clock get --url ${url}`)).exit).toBe(0);
  });

  it('is not kept in a file', async () => {
    await at('seed minimal --db plain.db');
    expect(await at('clock set 2030-01-01T00:00:00Z --db plain.db')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/^calendar: No server is running for .*plain\.db/),
    });
    expect((await at('clock get --db plain.db')).stdout).toMatch(/Z running\n$/);
  });
});

describe('wait', () => {
  it('ends when a server answers', async () => {
    const later = at('wait --db waited.db --timeout 30s');
    const { url } = await serve('--db waited.db');
    expect(await later).toEqual({ stdout: `${url}\n`, stderr: '', exit: 0 });
    expect((await at(`wait ${url}`)).exit).toBe(0);
  });

  it('tries once in no time', async () => {
    const { url } = await serve('--memory');
    expect(await at(`wait ${url} --timeout 0`)).toEqual({ stdout: `${url}\n`, stderr: '', exit: 0 });
    expect((await at('wait http://127.0.0.1:9 --timeout 0')).exit).toBe(5);
  });

  it('fails in the time that it has', async () => {
    expect(await at('wait http://127.0.0.1:9 --timeout 0.3')).toMatchObject({
      exit: 5,
      stdout: '',
      stderr: expect.stringContaining('No server is ready after 0.3 s: Cannot reach http://127.0.0.1:9'),
    });
    expect(await at('wait --db unserved.db --timeout 0.3')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('no server is running for'),
    });
  });
});

describe.each(['on a file', 'through the server that owns it'])('a change of several records %s', (how) => {
  it('can be undone', async () => {
    const db = how === 'on a file' ? 'several.db' : 'several-served.db';
    if (how !== 'on a file') await serve(`--db ${db}`);
    const on = (line: string) => at(`${line} --db ${db}`);
    for (const name of ['One', 'Two']) await on(`tags create --name ${name}`);
    const before = (await on('export')).stdout;
    expect((await on('tags update one --name One')).stderr).not.toContain('Saved');
    const updated = await on('tags update one two --description Changed');
    expect(updated).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/Saved snapshot before-update-\d\. Undo with: calendar undo --db \S+\n$/),
    });
    expect((await on('undo')).stdout).toMatch(/^Restored before-update-\d\n$/);
    expect((await on('export')).stdout).toBe(before);
    expect((await on('tags delete one two --yes')).stderr).toMatch(/before-delete-\d\. Undo/);
    expect((await on('tags delete one two --yes')).stderr).not.toContain('before-delete');
    await on('undo');
    expect((await on('export')).stdout).toBe(before);
  });
});
