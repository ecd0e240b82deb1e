import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeParts } from '../../src/data/node-parts.ts';
import { createControl } from '../../src/data/operations/control.ts';
import { Summary } from '../../src/data/summary.ts';
import { SettableClock } from '../../src/data/world/clock.ts';
import { World } from '../../src/data/world/world.ts';
import { addressesOf } from '../../src/model/addresses.ts';
import { type OperationName, operations } from '../../src/model/operations/all.ts';
import { namespace } from '../../src/model/routes.ts';
import { owner as everybody } from '../../src/model/viewer.ts';
import { UndoLog } from '../../src/server/changes/undo-log.ts';
import type { ControlAccess } from '../../src/server/control/access.ts';
import { FaultList } from '../../src/server/faults/fault-list.ts';
import { handleDirectly } from '../../src/server/handle.ts';
import { type Handle, noBody } from '../../src/server/http.ts';
import { Journal } from '../../src/server/journal/journal.ts';
import { MessageLog } from '../../src/server/journal/message-log.ts';
import { createHandler } from '../../src/server/router.ts';
import type { Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { memory, now } from '../support/calendars.ts';
import { OpenApiCheck } from '../support/openapi-check.ts';
import { serverWith } from '../support/server.ts';

const host = '127.0.0.1:8787';
const owner = { authorization: 'Bearer owner' };
const token = { authorization: 'Bearer control' };

let store: Store;
/** A calendar elsewhere. */
let other: Store;
let check: OpenApiCheck;
const handles = new Map<string, Handle>();
beforeAll(async () => {
  [store, other] = await Promise.all([memory(), memory()]);
  const handle = createHandler(serviceOf(store), { basePath: '', namespace, headerPrefix: 'X-Calendar', control: 'everyone' });
  const response = await handle({ method: 'GET', path: '/openapi.json', query: '', headers: { host }, body: Buffer.from('') });
  check = new OpenApiCheck(JSON.parse(bodyText(response)));
});
afterAll(() => Promise.all([store.close(), other.close()]));

/** The journaled requests. */
const journal = new Journal({ system: () => now, now: () => now, basePath: '', namespace });
const answered = {
  request: { method: 'GET', path: '/x', query: 'y=1', headers: { host }, body: noBody },
  response: { status: 200, headers: { 'Content-Type': 'text/plain' }, body: [Buffer.from('x')] },
};

/** A server over the one calendar, set up as `access` says, with a base path that tries to shadow the control. */
function handleFor(access: Partial<ControlAccess>): Handle {
  const key = JSON.stringify(access);
  if (!handles.has(key)) {
    const options = { basePath: '/_calendar', namespace: 'health', headerPrefix: 'X-Calendar', cors: ['*'] };
    const connectTo = async (root: string) => ({
      calendar: other.calendarFor(everybody, { home: root, root }),
      root,
      about: async () => ({ name: '', timezone: '' }),
      greet: async () => ({ root, mayWrite: true }),
      close: async () => {},
    });
    const faults = new FaultList(options);
    const clock = new SettableClock(() => now);
    const world = new World(store, { clock, faults, messages: new MessageLog('s'), journal, undoLog: new UndoLog() });
    world.start = store.image();
    const control = createControl({ store, world, version: '1.2.3', node: nodeParts(connectTo), worlds, followed });
    const controlled = { control: () => control, access: { loopback: true, open: true, ownerToken: 'owner', ...access } };
    const api = createHandler(serviceOf(store), options);
    const server = serverWith(api, { options, faults, controlled });
    handles.set(key, (request) => handleDirectly({ server, request }));
  }
  return handles.get(key)!;
}

/** A site that the server pulls from, and that never changes. */
const followed = {
  ...{ host: 'example.org', pulled: '2027-03-01T09:00:00.000Z', pending: undefined, text: 'Copy of example.org, 0 s old.' },
  isAt: () => true,
  failsAt: () => false,
  pullNow: async () => new Summary().done(1),
};

/** A registry with one world, which is described as the real one does it. */
const world = {
  ...{
    id: 'a',
    name: null,
    ...addressesOf('http://127.0.0.1:1/_worlds/a/calendar/events/v1'),
    header: 'X-Calendar-World: a',
    cookie: 'calendar_world=a',
  },
  created: '2027-03-01T09:00:00.000Z',
  idle: 0,
  requests: 0,
};
const worlds = {
  list: () => [world],
  get: () => world,
  create: async () => world,
  delete: async () => world,
  hints: () => [],
  cover: () => {},
  refusedSince: () => [],
};

interface Sent {
  method?: string;
  path: string;
  query?: string;
  headers?: Record<string, string>;
  json?: unknown;
  body?: string;
}

/** Returns a JSON value; undefined for other texts. */
function parsed(text: string) {
  try {
    return JSON.parse(text || 'null');
  } catch {
    return undefined;
  }
}

const lowered = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Sends a request; its answer is as `/openapi.json` says. */
async function send({ method = 'GET', path, query = '', headers = {}, json, body }: Sent, access: Partial<ControlAccess> = {}) {
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  const text = json === undefined ? (body ?? '') : JSON.stringify(json);
  const request = { method, path: `/_calendar${path}`, query, headers: { host, ...type, ...headers }, body: Buffer.from(text) };
  const answer = await handleFor(access)(request);
  const answerText = bodyText(answer);
  const exchanged = { ...request, body: text, status: answer.status, answered: { headers: lowered(answer.headers), body: answerText } };
  expect(check.faults(exchanged, 'answer'), `${method} ${path} -> ${answer.status} ${answerText.slice(0, 500)}`).toEqual([]);
  return { status: answer.status, headers: answer.headers, body: parsed(answerText) };
}

describe('rejected requests', () => {
  it.each<[string, string, unknown, Record<string, string>]>([
    ['POST', '/reset', { to: 5, kep: 1 }, { to: 'must be text', kep: 'unknown field. Did you mean keep?' }],
    ['POST', '/reset', { keep: ['usrs'] }, { 'keep[0]': 'must be one of users, settings, ids, clock, faults, requests' }],
    ['POST', '/seed', {}, { seed: 'is required' }],
    ['POST', '/seed', { seed: 5 }, { seed: 'must be text or an object' }],
    [
      'POST',
      '/generate',
      { events: -1, zones: ['Mars'] },
      { events: 'must be at least 0', 'zones[0]': 'must be a time zone, like Europe/Paris' },
    ],
    ['PUT', '/clock', {}, { now: 'is required' }],
    ['POST', '/faults', { then: 'boom' }, { then: expect.stringMatching(/^must be one of reset, .* \{"status"/) }],
    ['POST', '/faults', { then: { status: '503', zz: 1 } }, { 'then.status': 'must be a number', 'then.zz': 'unknown field' }],
    ['POST', '/faults', { then: { status: 99 } }, { 'then.status': 'must be at least 200' }],
    ['POST', '/faults', { times: 1.5, probability: 2 }, { times: 'must be a whole number', probability: 'must be at most 1' }],
    ['POST', '/faults', { delay: { lognormal: { median: 1 } } }, { 'delay.lognormal.sigma': 'is required' }],
    ['POST', '/faults', { delay: { gauss: 1 } }, { 'delay.gauss': 'unknown field', 'delay.lognormal': 'is required' }],
    ['POST', '/faults', { match: { method: [] }, delay: 1 }, { 'match.method': 'must not be empty' }],
    ['POST', '/faults', { match: { headers: { 'x y': '1' } }, delay: 1 }, { 'match.headers.x y': 'must be a header name' }],
    ['POST', '/import', { text: '', delimiter: 'ab', base64: '!' }, { delimiter: 'must be one character', base64: 'must be base64' }],
    [
      'POST',
      '/requests/verify',
      { exactly: -1, match: { status: 9.5 } },
      { exactly: 'must be at least 0', 'match.status': 'must be a status such as 404 or 4xx' },
    ],
  ])('rejects %s %s %j with the name of the member', async (method, path, json, params) => {
    const { status, body } = await send({ method, path, json });
    expect([status, body.data.params]).toEqual([400, params]);
  });

  it.each(['', '/', '/api', '/assets/x'])('to pages of other origins is leave to read the page: %s', async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { host, origin: 'http://127.0.0.1:3000', 'access-control-request-method': 'POST' };
      const answer = await handleFor({})({ method, path: `/_calendar${path}`, query: '', headers, body: Buffer.from('') });
      expect(Object.keys(answer.headers).filter((name) => /access-control/i.test(name))).toEqual([]);
    }
  });
});

describe('who may control', () => {
  const network = { loopback: false };
  const served = { open: false };
  const guarded = { controlToken: 'control' };
  const health = { path: '/health' };
  const reset = { method: 'POST', path: '/reset', json: { dry_run: true } };
  const pull = { method: 'POST', path: '/pull', json: { root: 'http://x.test', dry_run: true, bad: 1 } };
  const file = { path: '/file' };
  it.each<[string, Sent, Partial<ControlAccess>, Record<string, string>, number]>([
    ['anybody on loopback looks', health, {}, {}, 200],
    ['anybody on loopback resets what is in memory', reset, {}, {}, 200],
    ['visitors cannot reset a file', reset, served, {}, 403],
    ['its owner resets a file', reset, served, owner, 200],
    ['anybody looks at a file’s server', health, served, {}, 200],
    ['only the owner gets information about the file', file, {}, {}, 403],
    ['a token for control does not ask for the file', file, guarded, token, 403],
    ['the owner asks for the file', file, guarded, owner, 200],
    ['visitors cannot make it send requests', pull, {}, {}, 403],
    ['a token has it speak to others', pull, guarded, token, 400],
    ['nothing is there for the network', health, network, {}, 404],
    ['nothing is there for the network to change', reset, network, {}, 404],
    ['the owner may over the network', reset, network, owner, 200],
    ['a token opens the network', reset, { ...network, ...guarded, ...served }, token, 200],
    ['a control token is required', health, guarded, {}, 404],
    ['a wrong token is none', health, { ...network, ...guarded }, owner && { authorization: 'Bearer wrong' }, 404],
    ['a foreign page looks not', health, {}, { origin: 'https://evil.example' }, 403],
    ['a page of another port looks not', health, {}, { origin: 'http://127.0.0.1:3000' }, 403],
    ['a page without an origin looks not', health, {}, { origin: 'null' }, 403],
    ['a picture in a foreign page looks not', health, {}, { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port that hides looks not', health, {}, { 'sec-fetch-site': 'same-site' }, 403],
    ['a foreign page with the token may not', reset, guarded, { ...token, origin: 'https://evil.example' }, 403],
    ['the server’s own page may', reset, {}, { origin: `http://${host}` }, 200],
    ['a person who types the address looks', health, {}, { 'sec-fetch-site': 'none' }, 200],
  ])('%s', async (_, sent, access, headers, status) => {
    const answer = await send({ ...sent, headers }, access);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).filter((name) => /access-control/i.test(name))).toEqual([]);
  });

  it('does not respond to preflight requests', async () => {
    const answer = await send({
      method: 'OPTIONS',
      path: '/reset',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(403);
    expect((await send({ method: 'OPTIONS', path: '/reset' })).status).toBe(405);
  });

  it('is not who names a file of the machine', async () => {
    const json = { file: '/etc/passwd', format: 'csv' };
    expect((await send({ method: 'POST', path: '/import', json })).body.code).toBe('control-not-allowed');
    expect((await send({ method: 'POST', path: '/import', json, headers: token }, guarded)).status).toBe(403);
  });
});

describe('control over HTTP', () => {
  it.each<[Partial<ControlAccess>, Record<string, string>, string, string]>([
    [{}, {}, '/snapshots', 'GET, POST'],
    [{ open: false }, {}, '/snapshots', 'GET'],
    [{ open: false }, owner, '/snapshots', 'GET, POST'],
    [{ open: false, controlToken: 'control' }, token, '/clock', 'GET, PUT'],
    [{ open: false }, {}, '/clock', 'GET'],
    [{ readOnly: true }, {}, '/snapshots', 'GET'],
    [{ readOnly: true }, {}, '/clock', 'GET, PUT'],
  ])('Allow lists the methods that the caller may use: %j, %j at %s', async (access, headers, path, allow) =>
    expect((await send({ path, headers }, access)).headers.Allow).toBe(allow),
  );

  it.each([
    [{ path: '/reset' }, 'POST'],
    [{ method: 'POST', path: '/health' }, 'GET'],
    [{ method: 'DELETE', path: '/snapshots' }, 'GET, POST'],
    [{ method: 'POST', path: '/snapshots/x' }, 'PUT, GET, DELETE'],
  ])('another method is 405: %j', async (sent, allow) => {
    const answer = await send(sent);
    expect([answer.status, answer.headers.Allow]).toEqual([405, allow]);
    expect(answer.body).toMatchObject({ code: 'method-not-allowed', data: { status: 405 } });
  });

  it.each<[Sent, number, object]>([
    [{ path: '/nothing' }, 404, { code: 'rest_no_route' }],
    [{ path: '/nothing' }, 404, { code: 'rest_no_route' }],
    [
      { method: 'POST', path: '/reset', json: { too: 'start' } },
      400,
      { code: 'rest_invalid_param', data: { params: { too: 'unknown field. Did you mean to?' } } },
    ],
    [{ method: 'POST', path: '/reset', json: { to: 5 } }, 400, { code: 'rest_invalid_param' }],
    [{ method: 'POST', path: '/reset', json: { to: 'nowhere' } }, 404, { code: 'not-found' }],
    [{ method: 'POST', path: '/reset', json: [] }, 400, { code: 'bad-request' }],
    [{ method: 'POST', path: '/reset', body: '{', headers: { 'content-type': 'application/json' } }, 400, { code: 'rest_invalid_json' }],
    [
      { method: 'POST', path: '/reset', body: '{"to":"empty"}', headers: { 'content-type': 'text/plain' } },
      415,
      { code: 'unsupported-encoding' },
    ],
    [{ method: 'POST', path: '/reset', body: 'to=empty', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, {}],
    [{ method: 'POST', path: '/reset', body: '{}' }, 415, {}],
    [{ method: 'POST', path: '/reset', query: 'to=empty' }, 400, { code: 'bad-request' }],
    [{ path: '/health', query: 'x=1' }, 400, { code: 'rest_invalid_param' }],
    [{ method: 'PATCH', path: '/settings', json: { zone: 'UTC' } }, 400, { code: 'bad-request' }],
    [{ method: 'PATCH', path: '/settings', json: { constructor: 'x' } }, 400, { code: 'bad-request' }],
    [{ method: 'PATCH', path: '/settings', json: { toString: 'x' } }, 400, { code: 'bad-request' }],
    ...['{"__proto__":1}', '{"match":{"query":{"__proto__":"x"}},"delay":0}'].map((body): [Sent, number, object] => [
      { method: 'POST', path: '/faults', body, headers: { 'content-type': 'application/json' } },
      400,
      { code: 'bad-request', message: 'The body must not have a member named __proto__' },
    ]),
    [{ method: 'PUT', path: '/clock', json: { now: 'next monday 5' } }, 400, { code: 'bad-request' }],
    [{ method: 'PUT', path: '/clock', json: { now: '2027-02-30T10:00:00Z' } }, 400, { code: 'bad-request' }],
    [{ method: 'POST', path: '/clock/advance', json: { by: 'P99999Y' } }, 400, { code: 'bad-request' }],
    [{ method: 'POST', path: '/shift', json: { by: 'tomorrow' } }, 400, { code: 'bad-request' }],
    [{ method: 'POST', path: '/seed', json: { seed: '/etc/passwd' } }, 404, { code: 'not-found' }],
    [{ method: 'POST', path: '/import', json: {} }, 400, { code: 'bad-request' }],
    [
      { method: 'POST', path: '/import', json: { text: 'title\nFair\n' } },
      400,
      { code: 'invalid-data', data: { problems: [{ at: 'line 1' }] } },
    ],
    [{ method: 'POST', path: '/seed', json: { seed: { events: { a: {} } } } }, 400, { code: 'invalid-data' }],
    [{ method: 'PUT', path: '/snapshots/..%2Fx' }, 400, { code: 'bad-request' }],
  ])('refuses %j with %i', async (sent, status, body) => {
    expect(await send(sent)).toMatchObject({ status, body });
  });

  it('seeds, snapshots, changes and restores', async () => {
    const post = (path: string, json: object) => send({ method: 'POST', path, json });
    expect((await post('/seed', { seed: 'minimal' })).body).toMatchObject({ created: 5, dry_run: false });
    expect((await post('/seed', { seed: 'minimal' })).body.code).toBe('conflict');
    expect((await send({ method: 'PUT', path: '/snapshots/clean' })).body).toMatchObject({ name: 'clean', automatic: false });
    expect((await post('/generate', { events: 3 })).body.created).toBeGreaterThan(3);
    expect((await post('/import', { text: 'title,start_date,end_date\nFair,2026-12-01,2026-12-01\n' })).body).toMatchObject({ created: 1 });
    expect((await post('/shift', { by: 'P1D', list: true })).body.records).toHaveLength(5);
    expect((await send({ method: 'PATCH', path: '/settings', json: { title: 'Other' } })).status).toBe(200);
    expect((await send({ path: '/health' })).body).toMatchObject({ version: '1.2.3', records: { events: 5 } });
    expect((await send({ path: '/export', query: 'format=json&only=tags,events' })).body.settings.title).toBe('Other');
    expect((await post('/reset', { to: 'clean', keep: ['settings'] })).body.created).toBe(5);
    expect((await send({ path: '/export' })).body).toMatchObject({ settings: { title: 'Other' }, events: [{ title: 'Summer Concert' }] });
    expect((await post('/snapshots/clean/restore', {})).body).toMatchObject({ restored: 'clean' });
    expect((await send({ path: '/export' })).body.settings.title).not.toBe('Other');
    expect((await post('/reset', {})).body).toMatchObject({ deleted: 5, created: 0 });
    expect((await send({ method: 'DELETE', path: '/snapshots/clean' })).status).toBe(200);
    expect((await send({ path: '/snapshots' })).body).toEqual({ snapshots: [] });
  });

  it('returns a snapshot as a file that SQLite reads', async () => {
    await send({ method: 'PUT', path: '/snapshots/file' });
    const answer = await handleFor({})({
      method: 'GET',
      path: '/_calendar/snapshots/file',
      query: '',
      headers: { host },
      body: Buffer.from(''),
    });
    expect(answer.headers['Content-Type']).toBe('application/vnd.sqlite3');
    expect(Buffer.from(answer.body[0]!).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('has a row for every operation, each with a different path', () => {
    const places = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

/** Requests for each operation besides method and path, in an order in which all of them succeed. */
const asked: Record<OperationName, { name?: string; query?: string; json?: object }> = {
  seed: { json: { seed: 'minimal', list: true } },
  generate: { json: { events: 2 } },
  import: { json: { text: 'title,start_date,end_date\nFair,2026-12-01,2026-12-01\n,x,x\n', lenient: true, list: true } },
  shift: { json: { by: 'P1D' } },
  countHidden: { json: { filters: { search: 'x' } } },
  events: { query: 'types=change' },
  pullNow: {},
  conflicts: {},
  resolveConflicts: { json: { prefer: 'ours' } },
  sites: {},
  fields: {},
  addField: { json: { resource: 'events', name: 'age_group', type: 'string' } },
  removeField: { name: 'events.age_group' },
  requests: { query: 'limit=1' },
  hints: {},
  coverage: {},
  setStrict: { json: { strict: 'names' } },
  countRequests: { json: {} },
  verifyRequests: { json: { match: { method: 'GET' }, atMost: 99 } },
  clearRequests: {},
  export: { query: 'format=json' },
  health: {},
  ready: {},
  saveSnapshot: { name: 'clean' },
  keepSnapshot: { json: { what: 'seed' } },
  settleSnapshot: { name: 'clean' },
  snapshots: {},
  snapshotFile: { name: 'clean' },
  undo: {},
  restoreSnapshot: { name: 'clean' },
  deleteSnapshot: { name: 'clean' },
  reset: { json: { keep: ['settings'] } },
  beginTest: { json: {} },
  endTest: {},
  pull: { json: { root: 'http://other.test/api', list: true } },
  push: { json: { root: 'http://other.test/api', list: true } },
  setClock: { json: { now: '2027-03-01T09:00:00Z' } },
  clock: {},
  advanceClock: { json: { by: 'PT1H' } },
  resumeClock: {},
  freezeClock: {},
  resetClock: {},
  addFault: {
    json: {
      match: { method: ['POST', 'PUT'], query: { page: 2 } },
      then: { status: 503, body: { a: 1 } },
      delay: [1, 2],
      times: 3,
    },
  },
  faults: {},
  fault: { name: '1' },
  removeFault: { name: '1' },
  clearFaults: {},
  releaseFault: { name: 'new', json: { response: { status: 503 } } },
  // Waits for a request: test/testing/hold.test.ts.
  awaitFault: {},
  awaitRequests: { json: { match: { method: 'GET' }, times: 1 } },
  changeSettings: { json: { title: 'Other' } },
  settings: {},
  info: {},
  checkpoint: {},
  backup: { json: { file: `${tmpdir()}/calendar-control-${process.pid}.db` } },
  addUser: { json: { name: 'ada', role: 'editor', password: 'long enough' } },
  users: {},
  changeUser: { name: 'ada', json: { role: 'author' } },
  removeUser: { name: 'ada' },
  createWorld: { json: { name: 'a test', from: 'demo', ttl: '10m', faults: [{ delay: 5 }] } },
  worlds: {},
  world: { name: 'a' },
  deleteWorld: { name: 'a' },
};

describe('the control API in /openapi.json', () => {
  afterAll(() => rm(`${tmpdir()}/calendar-control-${process.pid}.db`, { force: true }));
  it.each(Object.entries(asked).filter(([id]) => id !== 'awaitFault') as [OperationName, (typeof asked)[OperationName]][])(
    '%s answers',
    async (operation, { name = '', ...sent }) => {
      const { method, path } = operations[operation];
      journal.end(journal.arrive('GET', answered.request, false), answered.response, 1);
      const added = name === 'new' ? await send({ method: 'POST', path: '/faults', json: { then: 'hold' }, headers: owner }) : undefined;
      const part = added ? String(added.body.id) : name;
      const { status, body } = await send({ ...sent, method, path: path.replace(/\{\w+\}/, part), headers: owner });
      expect([status, body], JSON.stringify(body)).toEqual([200, body]);
    },
  );
  it('detects responses with an undocumented member or without a documented one', async () => {
    const { status, body } = await send({ path: '/health' });
    const exchanged = { method: 'GET', path: '/_calendar/health', query: '', headers: {}, body: '', status };
    const headers = { 'content-type': 'application/json' };
    for (const changed of [
      { ...body, color: 'red' },
      { ...body, clock: undefined },
      { ...body, uptime: 'long' },
    ])
      expect(check.faults({ ...exchanged, answered: { headers, body: JSON.stringify(changed) } })).toHaveLength(1);
  });
});
