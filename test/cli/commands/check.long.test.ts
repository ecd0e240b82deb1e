import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SaxesParser } from 'saxes';
import { Parser as TapParser } from 'tap-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../src/data/check/run.ts';
import { seed } from '../../../src/data/seed.ts';
import { seedNamed } from '../../../src/data/seeds.ts';
import { namespace } from '../../../src/model/routes.ts';
import type { Handle, ServerRequest, ServerResponse } from '../../../src/server/http.ts';
import { textBody } from '../../../src/server/http.ts';
import { type Listening, listen } from '../../../src/server/listen.ts';
import { createHandler } from '../../../src/server/router.ts';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { serviceOf } from '../../../src/store/service.ts';
import { bodyText } from '../../support/body-text.ts';
import type { Json } from '../../support/contract-server.ts';
import { serverWith } from '../../support/server.ts';
import { moment, run, words } from '../../support/transcript.ts';

/** Breaks a request on its way in, or an answer on its way out. */
interface Fault {
  request?(request: ServerRequest): ServerRequest | undefined;
  answer?(body: Json, response: ServerResponse, request: ServerRequest): void;
}

let fault: Fault | undefined;
let store: Store;
let listening: Listening;
beforeAll(async () => {
  store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse(moment) });
  await seed(store, await seedNamed('demo'), 'append');
  const handle = createHandler(serviceOf(store), { basePath: '', namespace, headerPrefix: 'X-Calendar' });
  const broken: Handle = async (request) => {
    const sent = fault?.request?.(request) ?? request;
    const { status, headers, body } = await handle(sent);
    const response: ServerResponse = { status, headers: { ...headers }, body };
    if (!fault?.answer || body.length === 0) return response;
    const json = JSON.parse(bodyText(response));
    fault.answer(json, response, request);
    return { ...response, body: textBody(JSON.stringify(json)) };
  };
  listening = await listen(serverWith(broken), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await listening.close();
  await store.close();
});

const check = (...args: string[]) => run(['check', listening.url, ...args]);
const rows = () =>
  ['events', 'venues', 'organizers'].map(
    (name) => store.db.get<{ n: number }>(`select count(*) as n from ${name} where status <> 'trash'`)!.n,
  );
const terms = () => ['categories', 'tags'].map((name) => store.db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n);

describe('this server', () => {
  it('follows the specification, skips nothing and deletes its records', async () => {
    fault = undefined;
    const before = [rows(), terms()];
    const { exit, stdout, stderr } = await check('--write', '--format', 'json');
    const report = JSON.parse(stdout);
    expect(report.checks.filter(({ outcome }: Json) => outcome !== 'ok')).toEqual([]);
    expect([exit, stderr, report.ok, report.left]).toEqual([0, '', checks.length, []]);
    expect([rows(), terms()]).toEqual(before);
  });
  it('is only read unless --write is given', async () => {
    const seen: string[] = [];
    fault = { request: (request) => void seen.push(request.method) };
    const { exit, stdout } = await check('--format', 'json');
    expect([exit, new Set(seen)]).toEqual([0, new Set(['GET', 'HEAD', 'OPTIONS'])]);
    const skipped = JSON.parse(stdout).checks.filter(({ outcome }: Json) => outcome === 'skipped');
    expect(skipped.map(({ name }: Json) => name)).toEqual(checks.filter(({ writes }) => writes).map(({ name }) => name));
    expect(skipped[0].reason).toBe('creates records; pass --write to run it');
  });
});

const isList = (request: ServerRequest, name = '\\w+') => request.method === 'GET' && new RegExp(`/v1/${name}/?$`).test(request.path);
const listOf = (body: Json): Json[] => body.events ?? body.venues ?? body.organizers ?? body.categories ?? body.tags;
const without = (name: string): Fault => ({
  request: (request) => ({ ...request, query: request.query.replace(new RegExp(`(^|&)${name}=[^&]*`), '') }),
});
const onList = (name: string, change: (body: Json, response: ServerResponse) => void): Fault => ({
  answer: (body, response, request) => {
    if (isList(request, name) && response.status === 200) change(body, response);
  },
});
const status = (from: number, to: number, method?: string): Fault => ({
  answer: (_body, response, request) => {
    if (response.status === from && (!method || request.method === method)) response.status = to;
  },
});
const whenRefused = (change: (body: Json, response: ServerResponse) => unknown): Fault => ({
  answer: (body, response) => {
    if (body.code === 'rest_invalid_param') change(body, response);
  },
});
const eachEvent = (change: (event: Json) => void): Fault => ({
  answer: (body) => {
    for (const event of body.events ?? (body.title ? [body] : [])) change(event);
  },
});

/** Defects of other servers, each with the check that finds it. */
const faults: [what: string, fault: Fault, found: string][] = [
  ['a total that is one too large', onList('events', (body) => (body.total += 1)), 'events.list.total'],
  ['total_pages rounded down', onList('venues', (body) => (body.total_pages = Math.floor(body.total_pages / 2))), 'venues.list.per_page'],
  ['no header of totals', onList('events', (_, response) => delete response.headers['X-Calendar-Total']), 'events.list.headers'],
  [
    'a header of pages that says something else',
    onList('tags', (body, { headers }) => (headers['X-Calendar-TotalPages'] = String(body.total + 1))),
    'tags.list.headers',
  ],
  [
    'pages counted from 0',
    { request: (r) => ({ ...r, query: r.query.replace(/(^|&)page=(\d+)/, (_, mark, n) => `${mark}page=${Number(n) + 1}`) }) },
    'events.list.page',
  ],
  ['per_page ignored', without('per_page'), 'organizers.list.per_page'],
  ['a lost filter: categories', without('categories'), 'events.list.categories'],
  ['a lost filter: venue', without('venue'), 'events.list.venue'],
  ['a lost filter: featured', without('featured'), 'events.list.featured'],
  ['a lost filter: include', without('include'), 'events.list.include'],
  ['a lost search', without('search'), 'events.list.search'],
  ['a lost bound: starts_after', without('starts_after'), 'events.list.starts_after'],
  [
    'starts_after that takes the day itself',
    { request: (r) => ({ ...r, query: r.query.replace('starts_after=', 'start_date=') }) },
    'events.list.starts_after',
  ],
  ['UTC dates that are the local ones', eachEvent((event) => (event.utc_start_date = event.start_date)), 'events.utc'],
  ['a next page that does not exist', onList('events', (body) => delete body.next_rest_url), 'events.list.links'],
  ['a link to a previous page that is null', onList('events', (body) => (body.previous_rest_url ??= null)), 'events.list.links'],
  ['an empty page beyond the last', status(404, 200), 'events.list.beyond'],
  ['another code', whenRefused((body) => Object.assign(body, { code: 'invalid' })), 'events.list.bad-page'],
  [
    '422 in place of 400',
    whenRefused((body, response) => [response, body.data].map((each) => Object.assign(each, { status: 422 }))),
    'venues.list.bad-page',
  ],
  ['an author that is a number', eachEvent((event) => (event.author = Number(event.author))), 'events.form'],
  ['dates in ISO 8601', eachEvent((event) => (event.start_date = event.start_date.replace(' ', 'T'))), 'events.form'],
  [
    'a venue without its empty members left out',
    onList('venues', (body) => {
      for (const venue of body.venues) venue.phone ??= '';
    }),
    'venues.form',
  ],
  ['events in another order', onList('events', (body) => body.events.reverse()), 'events.order'],
  [
    'empty terms shown',
    {
      request: (r) =>
        isList(r, 'categories') && !r.query.includes('hide_empty') ? { ...r, query: `${r.query}&hide_empty=false` } : undefined,
    },
    'categories.hide_empty',
  ],
  ['200 for a record that is made', status(201, 200), 'events.create'],
  [
    'an update that resets what is left out',
    {
      answer: (body, _, { method }) => {
        if (['PUT', 'PATCH'].includes(method)) body.description = '';
      },
    },
    'events.update',
  ],
  ['a second DELETE that succeeds', status(410, 200), 'events.delete'],
  ['no Location', { answer: (_, response) => delete response.headers.Location }, 'terms.location'],
  [
    'a wall time read in UTC',
    {
      request: (r) =>
        r.method === 'POST' ? { ...r, body: Buffer.from(Buffer.from(r.body).toString().replace('Europe/Paris', 'UTC')) } : undefined,
    },
    'events.zones',
  ],
  [
    'whole days that keep their times',
    {
      request: (r) =>
        r.method === 'POST'
          ? { ...r, body: Buffer.from(Buffer.from(r.body).toString().replace('"all_day":true', '"all_day":false')) }
          : undefined,
    },
    'events.all_day',
  ],
];

describe('a server with a fault', () => {
  it.each(faults)('%s is found', async (_what, broken, found) => {
    fault = broken;
    const before = [rows(), terms()];
    const { exit, stdout } = await check('--write', '--only', found, '--format', 'json');
    const report = JSON.parse(stdout);
    expect([exit, report.checks.find(({ name }: Json) => name === found)?.outcome], stdout).toEqual([8, 'wrong']);
    fault = undefined;
    expect([rows(), terms()], 'what is left').toEqual(before);
  });
  it('the same checks hold without it', async () => {
    fault = undefined;
    const { exit, stdout } = await check(
      '--write',
      '--only',
      [...new Set(faults.map(([, , found]) => found))].join(','),
      '--format',
      'json',
    );
    expect([exit, JSON.parse(stdout).wrong]).toEqual([0, 0]);
  });
  it('no list in the answer is a failed check, not a broken command', async () => {
    fault = onList('events', (body) => (body.events = null));
    const { exit, stdout } = await check('--only', 'events', '--format', 'json');
    expect(exit).toBe(8);
    expect(JSON.parse(stdout).wrong).toBeGreaterThan(3);
    expect(listOf({ events: [] })).toEqual([]);
  });
});

describe('a server that supports only a part', () => {
  it('that refuses every change has no fault: what writes is skipped', async () => {
    fault = {
      request: (request) => (request.method === 'POST' ? { ...request, path: `${request.path}/nothing` } : request),
      answer: (body, response, { method }) => {
        if (method !== 'POST') return;
        response.status = 403;
        Object.assign(body, { code: 'read-only', message: 'read only', data: { status: 403 } });
      },
    };
    const { exit, stdout } = await check('--write', '--format', 'json');
    const report = JSON.parse(stdout);
    expect([exit, report.wrong]).toEqual([0, 0]);
    expect(report.skipped).toBe(checks.filter(({ writes }) => writes).length);
  });
  it('that requires authentication ends the run', async () => {
    fault = {
      answer: (body, response) => {
        response.status = 401;
        body.code = 'incorrect_password';
      },
    };
    expect(await check()).toMatchObject({
      exit: 4,
      stdout: '',
      stderr: expect.stringContaining(`${namespace} requires authentication: GET /events returned 401 (incorrect_password)\n  Pass --user`),
    });
  });
  it('that is not a calendar, or has another namespace or base path, is reported in one line', async () => {
    fault = undefined;
    for (const [url, reason] of [
      [`${listening.url}/wp-json`, '/wp-json/calendar/events/v1: GET /events returned 404 (rest_no_route)'],
      [`${listening.url}/other/events/v1`, 'GET /events returned 404 (rest_no_route)'],
    ])
      expect(await run(['check', url!])).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining(reason!) });
    const site = createServer((_request, response) => void response.end('<h1>Hello</h1>'));
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    const { exit, stdout, stderr } = await run(['check', `http://127.0.0.1:${(site.address() as AddressInfo).port}`]);
    site.close();
    expect([exit, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^calendar: No calendar at http:\S+: GET \/events returned 200\n {2}Check the base path/);
  });
});

describe('the command', () => {
  const only = ['--only', 'events.list.headers,events.list.page,events.create'];
  const broken = onList('events', (_, response) => delete response.headers['X-Calendar-Total']);
  it('tells people what does not hold, why, and where that is said', async () => {
    fault = broken;
    const { exit, stdout } = await check(...only);
    expect([exit, stdout]).toEqual([
      8,
      `FAIL events.list.headers: Two headers contain total and total_pages
       missing header X-…-total
       specification: Endpoints, Events: "Query parameters of"; observed: X-…-Total, X-…-TotalPages
ok   events.list.page: Each record is on exactly one page
skip events.create: creates records; pass --write to run it
skip events.create.missing: creates records; pass --write to run it

${listening.url}/${namespace}: 1 passed, 1 failed, 2 skipped
`,
    ]);
  });
  it('tells programs in TAP, as its parser reads it', async () => {
    fault = broken;
    const { stdout } = await check(...only, '--format', 'tap');
    expect(stdout).toContain('TAP version 14\n1..4\nnot ok 1 - events.list.headers\n  ---\n  message: "missing header X-…-total"\n');
    const results: Json[] = [];
    const parser = new TapParser((final) =>
      expect(final).toMatchObject({ ok: false, count: 4, pass: 3, fail: 1, skip: 2, failures: [{}] }),
    );
    parser.on('assert', (result) => results.push(result));
    parser.on('extra', (line) => expect(line).toBe('no line that is not TAP'));
    parser.end(stdout);
    expect(results.map(({ ok, name, skip }) => [ok, name, skip])).toEqual([
      [false, 'events.list.headers', false],
      [true, 'events.list.page', false],
      [true, 'events.create', 'creates records; pass --write to run it'],
      [true, 'events.create.missing', 'creates records; pass --write to run it'],
    ]);
    expect(results[0].diag).toMatchObject({
      message: 'missing header X-…-total',
      specification: expect.stringMatching(/^Endpoints, Events: "/),
    });
  });
  it('writes well-formed JUnit XML for any response', async () => {
    fault = onList('events', (body) => (body.rest_url = body.total = '<&">\u0001\ud800\uffff]]> \u2028'));
    const { stdout } = await check('--only', 'events.list', '--format', 'junit');
    const open: Json[] = [];
    const cases: Json[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      if (name === 'testcase') cases.push(attributes);
      open.push({ ...attributes, name });
    });
    parser.write(stdout).close();
    const count = (name: string) => open.filter((tag) => tag.name === name).length;
    expect(open[0]).toMatchObject({
      name: 'testsuites',
      tests: String(cases.length),
      failures: String(count('failure')),
      skipped: '0',
      errors: '0',
    });
    expect(count('failure')).toBeGreaterThan(2);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
  it('stops at the first with --bail', async () => {
    fault = broken;
    const { exit, stdout } = await check(...only, '--bail', '--format', 'json');
    expect([exit, JSON.parse(stdout).checks.length]).toEqual([8, 1]);
  });
  it('ends when the server stops responding, with the results so far and the records it could not delete', async () => {
    const tags = () => store.db.all<{ name: string }>("select name from tags where name like 'Calendar check%'");
    fault = undefined;
    let gone = false;
    const stopping = createServer(async (request, response) => {
      gone ||= request.method === 'PUT';
      if (gone) return void request.socket.destroy();
      const body = Buffer.concat(await request.toArray());
      const { method, headers } = request;
      const sent = { method, headers: { 'content-type': headers['content-type'] ?? '' }, body: body.length ? body : undefined };
      const answer = await fetch(`http://127.0.0.1:${listening.port}${request.url}`, sent);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => void stopping.listen(0, '127.0.0.1', resolve));
    const { port } = stopping.address() as AddressInfo;
    const { exit, stdout, stderr } = await run(
      words(`check http://127.0.0.1:${port} --write --only tags.get,tags.update,tags.delete --format json --timeout 3`),
    );
    stopping.close();
    const { checks: results, left } = JSON.parse(stdout);
    expect(results.map(({ name, outcome }: Json) => [name, outcome])).toEqual([
      ['tags.get', 'ok'],
      ['tags.get.missing', 'ok'],
      ['tags.update', 'wrong'],
    ]);
    expect([exit, left.length, tags().length]).toEqual([5, 1, 1]);
    expect(stderr).toContain(`calendar: Could not delete ${left[0]}\ncalendar: `);
    for (const path of left) store.db.run('delete from tags where id = ?', Number(path.split('/').at(-1)));
  });
  it('deletes its records when it is interrupted, and has the exit code of a signal', async () => {
    const interruption = new AbortController();
    fault = {
      request: ({ method }) => {
        if (method === 'POST') interruption.abort('SIGINT');
        return undefined;
      },
    };
    const before = [rows(), terms()];
    const { exit, stdout } = await run(['check', listening.url, '--write', '--only', 'tags.create,tags.update', '--format', 'json'], {
      interrupted: interruption.signal,
    });
    fault = undefined;
    expect([exit, JSON.parse(stdout).checks.map(({ name }: Json) => name)]).toEqual([130, ['tags.create']]);
    expect([rows(), terms()]).toEqual(before);
  });
  it('writes to other machines only where that is said', async () => {
    const { exit, stdout, stderr } = await run(['check', 'https://staging.example.org', '--write']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Refusing to create records on staging.example.org');
  });
  it.each([
    [['check'], 2, 'Missing URL'],
    [['check', 'http://127.0.0.1:1', '--only', 'events.lits'], 2, 'calendar check --list|Did you mean'],
    [['check', 'http://127.0.0.1:1', '--timeout', '2'], 5, ''],
    [['check', 'nonsense'], 2, ''],
  ] as const)('%j ends with %d', async (args, code, said) => {
    const { exit, stdout, stderr } = await run([...args]);
    expect([exit, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(new RegExp(said, 'i'));
  });
  it('names every check', async () => {
    const { exit, stdout } = await run(['check', '--list']);
    expect([exit, stdout.trim().split('\n').length]).toEqual([0, checks.length]);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    for (const { name, about, specification } of checks)
      expect([/^[a-z]+([.-][a-z_-]+)*$/.test(name), about.length > 10, specification.length > 5], name).toEqual([true, true, true]);
  });
});
