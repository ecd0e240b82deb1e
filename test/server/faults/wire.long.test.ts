import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FaultAnswer, FaultInput } from '../../../src/model/operation-types.ts';
import type { ConnectionFault } from '../../../src/model/operations/connection-faults.ts';
import { type Served, served } from '../../support/served.ts';
import { limit } from '../../support/timeouts.ts';

/**
 * What clients see of faults: curl, node's fetch and python's urllib, each on a server whose next answer is clean again.
 */
let server: Served;
let events: string;
beforeAll(async () => {
  server = await served();
  events = `${server.url}/calendar/events/v1/events`;
});
afterAll(() => server.close());
beforeEach(() => server.faults.clear());

const execute = promisify(execFile);
type Seen = { code: number; stdout: string };

/** Runs a program to its end. */
const ran = (command: string, ...args: string[]): Promise<Seen> =>
  execute(command, args).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );

/** Seconds that a client waits: long, but where nothing comes. */
const usual = limit(10_000) / 1000;
const brief = 1;

const curl = (patience = usual): Promise<Seen> =>
  ran('curl', '-sS', '--max-time', String(patience), '-w', '%{http_code}', '-o', '/dev/null', events);

const python = async (patience = usual): Promise<string> =>
  (
    await ran(
      'python3',
      '-c',
      `
import sys, urllib.request, urllib.error
try:
    with urllib.request.urlopen(sys.argv[1], timeout=float(sys.argv[2])) as answer: answer.read(); print(answer.status)
except urllib.error.HTTPError as error: print(error.code)
except urllib.error.URLError as error: print(type(error.reason).__name__)
except Exception as error: print(type(error).__name__)
`,
      events,
      String(patience),
    )
  ).stdout.trim();

const fetched = async (patience = usual): Promise<string> => {
  try {
    const answer = await fetch(events, { signal: AbortSignal.timeout(patience * 1000) });
    await answer.text();
    return String(answer.status);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string; name: string } };
    return cause?.code ?? cause?.name ?? name;
  }
};

const add = (input: FaultInput) => server.faults.add({ times: 1, ...input });

describe('a connection', () => {
  // Where another test of the same process has loaded undici, node's fetch goes through it, and failures of its parser have a name but no code.
  // Exit codes of curl: 56 reset, 52 empty, 1 no HTTP, 18 cut, 28 too late.
  it.each<[ConnectionFault, number, RegExp, RegExp]>([
    ['reset', 56, /^ECONNRESET$/, /^ConnectionResetError$/],
    ['empty', 52, /^UND_ERR_SOCKET$/, /^RemoteDisconnected$/],
    ['garbage', 1, /^HPE_INVALID_CONSTANT$|^HTTPParserError$/, /^BadStatusLine$/],
    ['malformed', 56, /^HPE_INVALID_CHUNK_SIZE$|^HTTPParserError$/, /^IncompleteRead$/],
    ['truncate', 18, /^UND_ERR_SOCKET$/, /^IncompleteRead$/],
    ['hang', 28, /^TimeoutError$/, /^TimeoutError$/],
  ])('%s: what curl, fetch and python see, and the next request', async (fault, code, byFetch, byPython) => {
    const patience = fault === 'hang' ? brief : usual;
    add({ then: fault });
    expect((await curl(patience)).code).toBe(code);
    expect(await curl()).toEqual({ code: 0, stdout: '200' });
    add({ then: fault });
    expect(await fetched(patience)).toMatch(byFetch);
    expect(await fetched()).toBe('200');
    add({ then: fault });
    expect(await python(patience)).toMatch(byPython);
    expect(await python()).toBe('200');
  });
});

describe('an answer', () => {
  it('has the status, as the page of a proxy or in the API’s own form where nothing else is given', async () => {
    add({ then: { status: 503 } });
    const answer = await fetch(events);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([503, 'text/html', null]);
    expect(await answer.text()).toContain('<title>503 Service Unavailable</title></head><body><h1>503 Service Unavailable</h1>');
    add({ then: { status: 500 } });
    const own = await (await fetch(events)).json();
    expect(own).toEqual({ code: 'server-failure', message: expect.stringContaining('fault'), data: { status: 500 } });
    expect(await fetched()).toBe('200');
    add({ then: { status: 429 } });
    expect((await curl()).stdout).toBe('429');
    add({ then: { status: 418 } });
    expect(await python()).toBe('418');
    expect(await python()).toBe('200');
  });

  it.each<[FaultAnswer, string | null, string]>([
    [{ status: 200, body: { events: [] } }, 'application/json; charset=UTF-8', '{"events":[]}'],
    [{ status: 200, body: '{"events": [' }, 'text/plain; charset=UTF-8', '{"events": ['],
    [{ status: 502, body: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } }, 'text/html', '<h1>Bad Gateway</h1>'],
    [{ status: 500, body: null }, 'application/json; charset=UTF-8', 'null'],
    [{ status: 204 }, null, ''],
    [{ status: 200 }, null, ''],
  ])('%j', async (then, type, body) => {
    add({ then });
    const answer = await fetch(events);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, body]);
  });

  it('has the headers', async () => {
    add({ then: { status: 503, headers: { 'Retry-After': '7', 'X-One': 'a' } } });
    const { headers } = await fetch(events);
    expect([headers.get('retry-after'), headers.get('x-one')]).toEqual(['7', 'a']);
  });

  it('can be read by a page of another origin, whose question before it is let be', async () => {
    add({ then: { status: 503 } });
    const asked = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    expect((await fetch(events, { method: 'OPTIONS', headers: asked })).status).toBe(200);
    const answer = await fetch(events, { headers: { origin: 'http://localhost:3000' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([503, 'http://localhost:3000']);
  });

  it('can be late', async () => {
    add({ delay: 300 });
    const start = performance.now();
    expect(await fetched()).toBe('200');
    expect(performance.now() - start).toBeGreaterThan(290);
    add({ delay: 60_000 });
    expect((await curl(brief)).code).toBe(28);
  });

  it('can be slow, whole in the end', async () => {
    const whole = await (await fetch(events)).text();
    add({ slow_body: 400 });
    const start = performance.now();
    const answer = await fetch(events);
    const head = performance.now() - start;
    expect(await answer.text()).toBe(whole);
    const all = performance.now() - start;
    expect(head).toBeLessThan(all - 200);
    expect(all).toBeGreaterThan(390);
    add({ slow_body: 60_000, then: { status: 500 } });
    expect((await curl(brief)).code).toBe(28);
    expect((await curl()).code).toBe(0);
  });
});

describe('a change', () => {
  const created = (title: string) => {
    const body = JSON.stringify({ title, start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 10:00:00' });
    return fetch(events, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      ({ status }) => status,
      () => 'broken',
    );
  };
  const found = async (title: string) =>
    ((await (await fetch(`${events}?search=${title}&starts_after=2020-01-01`)).json()) as { events: { title: string }[] }).events.map(
      (event) => event.title,
    );

  it.each<[string, FaultInput, string | number, string[]]>([
    ['Before', { then: 'reset' }, 'broken', []],
    ['After', { then: 'reset', at: 'after' }, 'broken', ['After']],
    ['Refused', { then: { status: 503 } }, 503, []],
    ['Lost', { then: { status: 503 }, at: 'after' }, 503, ['Lost']],
    ['Cut', { then: 'truncate' }, 201, ['Cut']],
    ['Late', { delay: 20, at: 'after' }, 201, ['Late']],
  ])('%s: %j', async (title, input, seen, there) => {
    add({ match: { method: 'POST' }, ...input });
    expect(await created(title)).toBe(seen);
    expect(await found(title)).toEqual(there);
  });
});

it('a server closes immediately despite hanging responses', async () => {
  const own = await served();
  const root = `${own.url}/calendar/events/v1`;
  own.faults.add({ then: 'hang', match: { path: '/events' } });
  own.faults.add({ slow_body: 60_000, match: { path: '/venues' } });
  own.faults.add({ delay: 60_000, match: { path: '/tags' } });
  const ends = ['events', 'venues', 'tags'].map((path) =>
    fetch(`${root}/${path}`)
      .then((answer) => answer.text())
      .then(
        () => 'whole',
        () => 'cut',
      ),
  );
  await expect.poll(() => own.faults.list().map(({ hits }) => hits)).toEqual([1, 1, 1]);
  using cut = vi.spyOn(http.Server.prototype, 'closeAllConnections');
  await own.close();
  expect(cut).not.toHaveBeenCalled();
  expect(await Promise.all(ends)).toEqual(['cut', 'cut', 'whole']);
});
