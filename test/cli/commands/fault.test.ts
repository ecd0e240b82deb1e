import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { siteFaultNames } from '../../../src/model/operations/connection-faults.ts';
import { servers } from '../../support/serving.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });

const start = servers(place.path);
const serve = async (line: string) => {
  const server = await start(line);
  const { url } = server.said;
  return { url, on: (command: string) => at(`${command} --url ${url}`), stop: () => server.stop() };
};
const statusOf = (address: string, init?: RequestInit) =>
  fetch(address, init).then(
    ({ status }) => status,
    () => 'broken',
  );

describe('fault', () => {
  it('adds, lists, removes and clears', async () => {
    const { url, on } = await serve('--memory');
    expect(await on('fault add 503 --path /events -X get --times 2')).toEqual({
      stdout: '1  GET /events  status 503  2 of 2 left  used: 0\n',
      stderr: '',
      exit: 0,
    });
    expect([await statusOf(`${url}/events`), await statusOf(`${url}/venues`)]).toEqual([503, 200]);
    await on("fault add reset:50% --header 'X-Test' --query '!page' --after 3 --rng-seed 7 --at after");
    await on('fault add --delay 1-2 --slow-body 0.01s --every 2 -X POST,PUT');
    expect((await on('fault list')).stdout.replace(/ {2,}/g, '  ')).toBe(
      [
        '1  GET /events  status 503  1 of 2 left  used: 1\n',
        '2  no page X-Test: *  reset, after the change  50 %, skipping the first 3  used: 0\n',
        '3  POST,PUT  after 1-2 ms, body over 10 ms  1 in 2  used: 0\n',
      ].join(''),
    );
    expect((await on('fault remove 1 3')).stdout).toBe('Removed fault 1\nRemoved fault 3\n');
    expect(JSON.parse((await on('fault list --json')).stdout)).toEqual([
      {
        id: 2,
        match: { query: { page: null }, headers: { 'X-Test': '*' } },
        after: 3,
        probability: 0.5,
        rng_seed: '7',
        then: 'reset',
        at: 'after',
        hits: 0,
        remaining: null,
      },
    ]);
    expect((await on('fault clear')).stdout).toBe('Removed all faults\n');
    expect(await on('fault list')).toEqual({ stdout: '', stderr: '', exit: 0 });
    expect(await on('fault rm 2')).toMatchObject({ exit: 3, stdout: '', stderr: expect.stringContaining('Fault 2 not found') });
  });

  it('serve and exec start with what live sites do', async () => {
    const { url, on } = await serve('--memory --fail site:challenge --fail site:same-page:50%');
    expect((await on('fault list')).stdout.replace(/ {2,}/g, '  ')).toBe(
      '1  every request  site:challenge  always  used: 0\n2  every request  site:same-page  50 %  used: 0\n',
    );
    expect(await statusOf(`${url}/events`)).toBe(403);
    expect(await on('fault add site:chalenge')).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean site:challenge?') });
  });

  it.each<[string, object]>([
    ['503', { then: { status: 503 } }],
    [`200 --body '{"events": []}'`, { then: { status: 200, body: { events: [] } } }],
    [`200 --body '{"events": ['`, { then: { status: 200, body: '{"events": [' } }],
    ["429 --response-header 'Retry-After: 5' --response-header 'X: y'", { then: { status: 429, headers: { 'Retry-After': '5', X: 'y' } } }],
    ['hang:2.5%', { then: 'hang', probability: 0.025 }],
    ['truncate --probability .5', { then: 'truncate', probability: 0.5 }],
    ['hold --hold-for 1m --path /events', { match: { path: '/events' }, then: 'hold', timeout: '1m', held: 0 }],
    [`patch --body '{"total": 0}'`, { then: { patch: { total: 0 } } }],
    ['--delay 200ms', { delay: 200 }],
    ['--delay 100ms-2s', { delay: [100, 2000] }],
    ['--delay 1.5s', { delay: 1500 }],
    ['--delay lognormal:200,0.5', { delay: { lognormal: { median: 200, sigma: 0.5 } } }],
    ["empty --query page=2 --query 'search=a=b'", { then: 'empty', match: { query: { page: '2', search: 'a=b' } } }],
    ["empty -H 'X-Test: a:b'", { then: 'empty', match: { headers: { 'X-Test': 'a:b' } } }],
  ])('add %s', async (line, expected) => {
    const { on } = await serve('--memory');
    const { id: _, hits: __, remaining: ___, ...made } = JSON.parse((await on(`fault add ${line} --json`)).stdout);
    expect(made).toEqual({ match: {}, ...expected });
  });

  it.each([
    ['fault add hold --timeout 1s', /--timeout limits the command, not .* --hold-for 1s/],
    ['fault --timeout 1 add hold:50% --hold-for 5s', /--timeout limits the command/],
    ['fault add explode', /explode.*Expected a status from 200 to 599, hold, patch, preamble, query, or one of reset, empty/],
    ['fault add rest', /Did you mean reset/],
    ['fault add 503:200%', /Expected a share, e\.g\. 10% or 0\.1/],
    ['fault add 99', /Expected a status from 200 to 599/],
    ['fault add', /one of then, delay and slow_body is required/],
    ['fault add --delay 300-100', /Expected milliseconds up to 600000, e\.g\. 200, 1\.5s, 100-300/],
    ['fault add --delay soon', /Expected milliseconds/],
    ['fault add reset --body x', /--body and --response-header require a status/],
    ['fault add 503:10% --probability 5%', /Use either a share or --probability/],
    ['fault add reset --slow-body 5', /slow_body: cannot be combined with then: reset/],
    ['fault add 503 --path events', /match\.path: must be a path like \/events\/\*/],
    ['fault add 503 --query !page=1', /Expected name=value, name or !name/],
    ['fault remove first', /Expected a whole number of at least 1/],
    ['serve --memory --fail 5033', /Expected a status from 200 to 599/],
    ['exec --delay=-5 -- true', /Expected milliseconds/],
  ])('refuses %s', async (line, message) => {
    const { on } = await serve('--memory');
    const { stdout, stderr, exit } = line.startsWith('fault') ? await on(line) : await at(line);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(message);
  });

  it('holds requests, waits for them and releases them with the true response or another one', async () => {
    const { url, on } = await serve('--memory');
    await on('fault add hold --path /events --times 2');
    const pending = [fetch(`${url}/events`), fetch(`${url}/events`)];
    expect((await on('fault wait 1 --times 2')).stdout).toBe('1  /events  hold  used up  used: 2\n');
    expect(JSON.parse((await on('fault wait 1 --json')).stdout)).toMatchObject({ id: 1, held: 2 });
    const late = await on('fault wait 1 --times 3 --wait-for PT0.2S');
    expect(late).toMatchObject({
      exit: 6,
      stdout: '',
      stderr: expect.stringMatching(/^calendar: 3 requests should match .* and be held by fault \d+ within \S+( ms)?, and 2 arrived/),
    });
    const body = ['--status', '503', '--body', '{"busy":true}', '--response-header', 'Retry-After: 5'];
    expect((await run(['fault', 'release', '1', ...body, '--url', url], { cwd: place.path })).stdout).toBe('Released 2 requests\n');
    for (const response of await Promise.all(pending))
      expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([503, '5', { busy: true }]);
    await on('fault add 503');
    expect(await on('fault wait 2')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/Fault 2 holds no requests\n {2}Add one with/),
    });
    expect(await on('fault wait 1')).toMatchObject({ exit: 3, stdout: '', stderr: expect.stringContaining('Fault 1 not found') });
    expect(await on('fault release 1 --body x')).toMatchObject({ exit: 2, stderr: expect.stringContaining('require a status') });
  });

  it('requires a server, and fails for a file', async () => {
    await at('seed minimal --db plain.db');
    for (const line of [
      'fault add 503',
      'fault list',
      'fault remove 1',
      'fault wait 1',
      'fault clear',
      'clock set 2030-01-01',
      'clock freeze',
      'requests',
    ])
      for (const file of ['plain.db', 'none.db']) {
        const { stdout, stderr, exit } = await at(`${line} --db ${file}`);
        expect([stdout, exit]).toEqual(['', 2]);
        expect(stderr).toMatch(
          new RegExp(`^calendar: No server is running for .*${file}\n  Start one with calendar serve, or pass --url.\n$`),
        );
      }
    expect(readdirSync(place.path)).not.toContain('none.db');
  });

  it('reaches the server that owns a file, which others may not have fail', async () => {
    const server = await serve('--db owned.db');
    expect((await at('fault add 503 --db owned.db')).exit).toBe(0);
    expect(await statusOf(`${server.url}/events`)).toBe(503);
    expect(await server.on('fault clear')).toMatchObject({ exit: 4, stdout: '' });
    expect(await statusOf(`${server.url}/events`)).toBe(503);
    expect((await at('fault clear --db owned.db')).exit).toBe(0);
    expect(await statusOf(`${server.url}/events`)).toBe(200);
  });
});

it('faults are completed', async () => {
  const connection = 'reset\nempty\nmalformed\ngarbage\ntruncate\nhang\n';
  const site = siteFaultNames.map((name) => `${name}\n`).join('');
  expect((await at("complete -- serve --fail ''")).stdout).toBe(connection + site);
  expect((await at("complete -- fault add ''")).stdout).toBe(`${connection}hold\npatch\npreamble\nquery\n${site}`);
  expect((await at("complete -- fault add --at ''")).stdout).toBe('before\nafter\n');
});

describe('faults of the start', () => {
  it('are options of serve, and a reset restores them, their counts and their chance', async () => {
    const { url, on } = await serve('--memory --delay 1-2 --fail 503:50% --fail reset:10%');
    const { origin } = new URL(url);
    const seen = async () => {
      const statuses: unknown[] = [];
      for (let i = 0; i < 30; i++) statuses.push(await statusOf(`${url}/tags`));
      return statuses;
    };
    const first = await seen();
    expect(new Set(first)).toEqual(new Set([200, 503, 'broken']));
    const list = JSON.parse((await on('fault list --json')).stdout);
    expect(list).toMatchObject([
      { id: 1, delay: [1, 2], hits: 30 },
      { id: 2, then: { status: 503 }, probability: 0.5 },
      { id: 3, then: 'reset', probability: 0.1 },
    ]);
    await on('fault clear');
    await on('fault add 418');
    expect(await statusOf(`${url}/tags`)).toBe(418);
    // Control is never hit.
    expect(await statusOf(`${origin}/_calendar/reset`, { method: 'POST' })).toBe(200);
    expect(JSON.parse((await on('fault list --json')).stdout)).toEqual(list.map((fault: object) => ({ ...fault, hits: 0 })));
    expect(await seen()).toEqual(first);
    await on('fault add 418');
    const kept = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"keep":["faults"]}' };
    expect(await statusOf(`${origin}/_calendar/reset`, kept)).toBe(200);
    expect(JSON.parse((await on('fault list --json')).stdout)).toHaveLength(4);
  });

  it('are options of exec', async () => {
    const script = 'fetch(process.env.CALENDAR_URL + "/events").then(({ status }) => process.exit(status - 400))';
    const { exit } = await run(['exec', '--fail', '418', '--', process.execPath, '-e', script], {
      cwd: place.path,
      env: { PATH: process.env.PATH! },
    });
    expect(exit).toBe(18);
  });

  it('the log of requests names the fault of the connection', async () => {
    const { url, stop } = await serve('--memory --fail reset');
    await statusOf(`${url}/events`);
    expect((await stop()).stderr).toMatch(/GET \/calendar\/events\/v1\/events reset \d/);
  });
});

describe('commands against a server that fails', () => {
  it('make a record once where the answer is lost, and say that it did not come', async () => {
    const { url, on } = await serve('--memory');
    await on('fault add reset -X POST --at after');
    const made = await on('events create --title Once --start-date 2027-03-01 --end-date 2027-03-02');
    expect(made).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining('connection closed') });
    const { events } = (await (await fetch(`${url}/events?search=Once`)).json()) as { events: unknown[] };
    expect(events).toHaveLength(1);
    expect(JSON.parse((await on('fault list --json')).stdout)).toMatchObject([{ hits: 1 }]);
  });

  it.each(['reset --times 2', '503 --times 2', 'truncate --times 1', 'malformed --times 2', 'garbage --times 1'])(
    'read again after %s',
    async (line) => {
      const { on } = await serve('--memory --seed minimal');
      await on(`fault add ${line}`);
      expect(await on('events list --fields title --format csv')).toMatchObject({ exit: 0, stdout: expect.stringContaining('Concert') });
      expect(JSON.parse((await on('fault list --json')).stdout)).toMatchObject([{ remaining: 0 }]);
    },
  );

  it('give up on what hangs in the time that they have', async () => {
    const { on } = await serve('--memory --fail hang');
    expect(await on('events list --timeout 0.2')).toMatchObject({ exit: 5, stderr: expect.stringContaining('no response within 0.2 s') });
  });
});
