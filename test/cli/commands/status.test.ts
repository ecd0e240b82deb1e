import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCalendar } from '../../../src/store/calendar.ts';
import { type Served, served } from '../../support/served.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const cwd = realpathSync(place.path);
const at = (line: string, given: Given = {}) => run(words(line), { cwd, ...given });
const rows = (text: string) =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  );
let server: Served;

beforeAll(async () => {
  server = await served();
  await at('seed minimal');
  await at("settings set title 'Town hall'");
  mkdirSync(join(cwd, 'below'));
  const profiles = { far: { url: server.url, user: 'ada', password: 'secret' }, odd: 7, near: { db: 'calendar.db' } };
  writeFileSync(join(cwd, 'calendar.config.json'), JSON.stringify({ profile: 'near', profiles }), { mode: 0o600 });
});
afterAll(async () => {
  await server.close();
  place.remove();
});

describe('status', () => {
  it('shows the selected calendar, the reason, its server and the number of records', async () => {
    const { stdout, exit } = await at('status', { cwd: join(cwd, 'below') });
    expect(exit).toBe(0);
    expect(rows(stdout)).toEqual({
      calendar: join(cwd, 'calendar.db'),
      'selected by': `profile "near" in ${join(cwd, 'calendar.config.json')}`,
      'signed in as': 'owner',
      server: 'not running',
      title: 'Town hall',
      'time zone': 'UTC',
      events: expect.stringMatching(/^[1-9]/),
      venues: expect.stringMatching(/^[1-9]/),
      organizers: expect.stringMatching(/^[1-9]/),
      categories: expect.stringMatching(/^[1-9]/),
      tags: expect.stringMatching(/^[1-9]/),
    });
  });

  it('shows the program, Node, the platform, SQLite and the file format with -v', async () => {
    const facts = JSON.parse((await at('--version --json')).stdout);
    expect(facts).toEqual({
      version: (await at('--version')).stdout.trim(),
      runtime: `Node ${process.versions.node}`,
      platform: `${process.platform} ${process.arch}`,
      sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
      file_format: expect.any(Number),
    });
    const { file_format, ...others } = facts;
    expect(rows((await at('status -v')).stdout)).toMatchObject({ ...others, 'file format': String(file_format) });
    expect(JSON.parse((await at('status -v --json')).stdout).program).toEqual(facts);
    expect(JSON.parse((await at('status --json')).stdout)).not.toHaveProperty('program');
  });

  it.each<[string, Record<string, string>, string]>([
    ['--db calendar.db', {}, '--db'],
    ['', { CALENDAR_DB: 'calendar.db' }, 'CALENDAR_DB'],
  ])('says what chose it: %s %j', async (options, env, source) => {
    expect(JSON.parse((await at(`status --json ${options}`, { env })).stdout)).toMatchObject({
      chosen_by: source,
      served_at: null,
      process: null,
    });
  });

  it('names the process that holds a file without answering', async () => {
    const held = await openCalendar(join(cwd, 'held.db'), { mode: 'write', now: Date.now });
    try {
      expect(rows((await at('status --db held.db')).stdout).server).toBe(`not running; process ${process.pid} has the file open`);
      expect(JSON.parse((await at('status --db held.db --json')).stdout)).toMatchObject({ served_at: null, process: process.pid });
    } finally {
      await held.close();
    }
    expect(rows((await at('status --db held.db')).stdout).server).toBe('not running');
  });

  it('shows the address of a server', async () => {
    expect(JSON.parse((await at(`status --json --url ${server.url}`)).stdout)).toMatchObject({
      calendar: `${server.url}/`,
      chosen_by: '--url',
      user: null,
      served_at: `${server.url}/calendar/events/v1`,
      records: { events: 0, tags: 0 },
    });
  });

  it('shows the selection for a missing calendar too, and fails like other commands', async () => {
    const { stdout, stderr, exit } = await at('status --db nowhere.db');
    expect([rows(stdout).calendar, rows(stdout)['selected by'], exit]).toEqual([join(cwd, 'nowhere.db'), '--db', 3]);
    expect(stderr).toContain('no such calendar');
    const json = await at('status --json --url http://127.0.0.1:9 --timeout 3');
    expect([JSON.parse(json.stdout).problem.code, json.exit]).toEqual(['unreachable', 5]);
  });
});

describe('config list', () => {
  const env = { CALENDAR_DB: 'a.db', CALENDAR_PASSWORD: 'pw', CALENDAR_URL: 'http://ada:pw@example.org/' };

  it('shows the state, and no secret', async () => {
    const { stdout } = await at('config list', { env });
    expect(stdout.split('\n').filter((line) => !line.includes('CALENDAR_NOW'))).toEqual([
      'CALENDAR_DB=a.db',
      'CALENDAR_PASSWORD=***',
      'CALENDAR_URL=http://ada:***@example.org/',
      'profile=near',
      `profiles.far.url=${server.url}`,
      'profiles.far.user=ada',
      'profiles.far.password=***',
      'profiles.near.db=calendar.db',
      '',
    ]);
  });

  it('shows the origin of each value', async () => {
    const { stdout } = await at('config list --show-origin', { env });
    expect(stdout).toMatch(/^environment +CALENDAR_DB=a\.db$/m);
    expect(stdout).toContain(`${join(cwd, 'calendar.config.json')}  profile=near`);
    expect(JSON.parse((await at('config list --json')).stdout)).toContainEqual({
      name: 'profiles.near.db',
      value: 'calendar.db',
      origin: join(cwd, 'calendar.config.json'),
    });
  });
});
