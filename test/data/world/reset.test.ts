import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../src/data/seed.ts';
import { seedNamed } from '../../../src/data/seeds.ts';
import { defaultServing } from '../../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../../src/data/serving/serve.ts';
import { openCalendar } from '../../../src/store/calendar.ts';
import type { StoreImage } from '../../../src/store/snapshots.ts';
import { dump } from '../../support/dump.ts';
import { unconnected } from '../../support/unconnected.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-reset-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A password that was hashed before, so that two calendars have the same. */
const secret = 'scrypt:AAAAAAAAAAAAAAAAAAAAAA==:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

/** The state that each of them starts with. */
let start: StoreImage;
beforeAll(async () => {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2027-03-01T09:00:00Z') });
  await seed(store, await seedNamed('minimal'), 'append');
  await store.change((local) => {
    const { id } = local.events.create({ title: 'Called off', start_date: '2027-03-09', end_date: '2027-03-09' }) as { id: number };
    local.events.delete({ id });
    local.users.add({ name: 'ada', role: 'editor', password: 'x' }, secret);
  });
  start = store.image();
  await store.close();
});

/** Serves what a seed makes, with a user and a record in the trash, by a clock that stands still. */
const serve = (file?: string): Promise<RunningServer> =>
  serveCalendar({
    ...defaultServing,
    file,
    port: 0,
    timeout: 1000,
    open: true,
    seed: 'minimal',
    system: () => Date.parse('2027-03-01T09:00:00Z'),
    now: Date.parse('2027-03-01T09:00:00Z'),
    node: unconnected,
    prepare: (store) => store.restore(start),
  });

/** A request to `/_calendar` or the API. */
async function ask({ listening, root }: RunningServer, line: string, body?: unknown): Promise<{ status: number; text: string }> {
  const [method, path] = line.split(' ') as [string, string];
  const headers = { 'Content-Type': 'application/json' };
  const url = `${path.startsWith('/_') ? listening.url : root}${path}`;
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

/** All that can be seen of a calendar from outside, and all that is in it. */
async function everything(served: RunningServer) {
  const { uptime: _, url: _u, file: _f, ...health } = JSON.parse((await ask(served, 'GET /_calendar/health')).text);
  return {
    health: JSON.stringify(health),
    export: (await ask(served, 'GET /_calendar/export')).text,
    list: (await ask(served, 'GET /events?start_date=2000-01-01')).text.replaceAll(new URL(served.root).host, 'HOST'),
    settings: (await ask(served, 'GET /_calendar/settings')).text,
    faults: (await ask(served, 'GET /_calendar/faults')).text,
    users: JSON.stringify(await served.control.users({})),
    tables: dump(served.store),
  };
}
type Everything = Awaited<ReturnType<typeof everything>>;

/** Removes the UIDs, which differ in every calendar. */
const plain = (all: Everything): unknown =>
  JSON.parse(JSON.stringify(all).replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'));

const event = { title: 'One more', start_date: '2027-03-02 10:00', end_date: '2027-03-02 11:00', categories: ['New'], tags: ['Newer'] };

/** Each changes something of a calendar. */
const changes: [what: string, change: (served: RunningServer) => Promise<unknown>][] = [
  ['a record that is made', (served) => served.store.change((local) => local.events.create(event))],
  [
    'a record that is changed',
    (served) =>
      served.store.change((local) => local.venues.update({ id: firstOf(served, 'venues') }, { venue: 'Elsewhere', slug: 'there' })),
  ],
  ['a record in the trash', (served) => served.store.change((local) => local.events.delete({ id: firstOf(served, 'events') }))],
  [
    'a record that is gone, with its links',
    (served) => served.store.change((local) => local.categories.delete({ id: firstOf(served, 'categories') })),
  ],
  [
    'the next ID alone',
    (served) => served.store.change((local) => local.tags.delete({ id: (local.tags.create({ name: 'Brief' }) as { id: number }).id })),
  ],
  ['a user that is added', (served) => served.control.addUser({ name: 'bob', role: 'author', password: 'y' })],
  ['a user that is changed', (served) => served.control.changeUser({ name: 'ada', role: 'subscriber' })],
  ['a user that is removed', (served) => served.control.removeUser({ name: 'ada' })],
  ['settings', (served) => ask(served, 'PATCH /_calendar/settings', { timezone: 'Asia/Tokyo', title: 'Other' })],
  ['a clock that was set', (served) => ask(served, 'PUT /_calendar/clock', { now: '2030-01-01T00:00:00Z' })],
  ['a clock that runs', (served) => ask(served, 'POST /_calendar/clock/resume')],
  [
    'what a clock that went on has published',
    async (served) => {
      await served.store.change((local) => local.events.create({ ...event, date: '2027-03-01 20:00' }));
      await ask(served, 'POST /_calendar/clock/advance', { by: 'P1D' });
    },
  ],
  ['a fault', (served) => ask(served, 'POST /_calendar/faults', { match: { path: '/doc' }, then: { status: 503 } })],
  ['generated records', (served) => ask(served, 'POST /_calendar/generate', { events: 20 })],
  ['another seed', (served) => ask(served, 'POST /_calendar/seed', { seed: 'conference', replace: true })],
  ['all days', (served) => ask(served, 'POST /_calendar/shift', { by: 'P7D' })],
  [
    'an import',
    (served) => ask(served, 'POST /_calendar/import', { name: 'x.csv', text: 'title,start_date,end_date\nA,2027-03-04,2027-03-04\n' }),
  ],
  [
    'another snapshot',
    async (served) => {
      await served.store.change((local) => local.tags.create({ name: 'In between' }));
      await ask(served, 'PUT /_calendar/snapshots/between', { replace: true });
      await ask(served, 'POST /_calendar/reset');
      await ask(served, 'POST /_calendar/snapshots/between/restore');
    },
  ],
  ['everything that there was', (served) => ask(served, 'POST /_calendar/reset', { to: 'empty' })],
];

const firstOf = ({ store }: RunningServer, table: string): number => store.db.get<{ id: number }>(`select min(id) as id from ${table}`)!.id;

describe.each([
  ['in memory', undefined],
  ['in a file', join(folder, 'served.db')],
])('a reset of a calendar %s', (_where, file) => {
  let served: RunningServer;
  let start: Everything;
  beforeAll(async () => {
    served = await serve(file);
    start = await everything(served);
  });
  afterAll(() => served.close());

  it.each(changes)('restores %s, byte by byte', async (_what, change) => {
    await change(served);
    expect(await everything(served)).not.toEqual(start);
    const { status, text } = await ask(served, 'POST /_calendar/reset');
    expect([status, JSON.parse(text)]).toMatchObject([200, { took: expect.any(Number), dry_run: false }]);
    expect(await everything(served)).toEqual(start);
  });

  it('restores the initial state, including the next IDs', async () => {
    for (const [, change] of changes) await change(served).catch(() => {});
    await ask(served, 'POST /_calendar/reset');
    const fresh = await serve(file && join(folder, 'fresh.db'));
    try {
      expect(plain(await everything(served))).toEqual(plain(await everything(fresh)));
      const make = (each: RunningServer) => each.store.change((local) => local.events.create(event) as { id: number });
      expect((await make(served)).id).toBe((await make(fresh)).id);
      await ask(served, 'POST /_calendar/reset');
    } finally {
      await fresh.close();
    }
  });

  if (file)
    it('and whatever else is done with everything at the same moment leave a way back from each', async () => {
      const before = (await everything(served)).export;
      const asked = await Promise.all([
        ask(served, 'POST /_calendar/reset', { to: 'empty' }),
        ask(served, 'POST /_calendar/reset', { to: 'empty' }),
        ask(served, 'POST /_calendar/import', { name: 'x.csv', text: 'title,start_date,end_date\nA,2027-03-04,2027-03-04\n' }),
        ask(served, 'POST /_calendar/seed', { seed: 'conference', replace: true }),
        ask(served, 'POST /_calendar/shift', { by: 'P7D' }),
      ]);
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const ways = asked.flatMap(({ text }) => JSON.parse(text).undo ?? []);
      const kept = JSON.parse((await ask(served, 'GET /_calendar/snapshots')).text).snapshots.map(({ name }: { name: string }) => name);
      expect(ways.length).toBeGreaterThanOrEqual(3);
      expect(new Set(ways).size).toBe(ways.length);
      expect(kept).toEqual(expect.arrayContaining(ways));
      const undone = await Promise.all(ways.map(() => ask(served, 'POST /_calendar/undo', { discard: true })));
      expect(undone.map(({ text }) => JSON.parse(text).restored).sort()).toEqual([...ways].sort());
      expect((await everything(served)).export).toBe(before);
      await ask(served, 'POST /_calendar/reset');
    });

  it('keeps one of several snapshots that are saved under a name at the same moment', async () => {
    const saved = await Promise.all(['a', 'b', 'c'].map(() => ask(served, 'PUT /_calendar/snapshots/mine', {})));
    expect(saved.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await ask(served, 'DELETE /_calendar/snapshots/mine')).status).toBe(200);
  });

  it('forgets the requests that were answered', async () => {
    await ask(served, 'GET /tags');
    const kept = async () => JSON.parse((await ask(served, 'GET /_calendar/requests')).text).total;
    expect(await kept()).toBeGreaterThan(0);
    await ask(served, 'POST /_calendar/reset');
    expect(await kept()).toBe(0);
  });

  it.each<[string, string, Record<string, string>, string, number]>([
    [
      'a page of another origin',
      'POST /_calendar/reset',
      { Origin: 'https://evil.example', 'Content-Type': 'application/json' },
      '{"to": "empty"}',
      403,
    ],
    ['its preflight', 'OPTIONS /_calendar/reset', { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }, '', 403],
    [
      'a name that was made to lead here',
      'POST /_calendar/reset',
      { Host: 'evil.example', 'Content-Type': 'application/json' },
      '{"to": "empty"}',
      403,
    ],
    ['such a name and its own origin', 'POST /_calendar/reset', { Host: 'evil.example', Origin: 'http://evil.example' }, '', 403],
    ['a form', 'POST /_calendar/reset', { 'Content-Type': 'text/plain' }, '{"to": "empty"}', 415],
    ['another form', 'POST /_calendar/seed', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'seed=demo&replace=true', 415],
    ['a link', 'GET /_calendar/reset', {}, '', 405],
    ['a link with a method', 'GET /_calendar/reset?_method=POST', {}, '', 405],
  ])('is not for %s, which changes nothing', async (_who, line, headers, body, status) => {
    const [method, path] = line.split(' ') as [string, string];
    const before = await everything(served);
    const answer = await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const sent = request(`${served.listening.url}${path}`, { method, headers }, (got) => {
        got.resume();
        got.on('end', () => resolve({ status: got.statusCode!, headers: got.headers }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    expect(await everything(served)).toEqual(before);
  });

  it('does not delay a clock that passes scheduled events', async () => {
    const scheduled = await served.store.change(
      (local) => local.events.create({ ...event, date: '2027-03-01 20:00' }) as { id: number; status: string },
    );
    const listed = async () => {
      const answer = await fetch(`${served.root}/events?search=${encodeURIComponent(event.title)}`);
      return { tag: answer.headers.get('etag'), total: ((await answer.json()) as { total: number }).total };
    };
    const upcoming = async () => ((await (await fetch(`${served.root}/categories?search=New`)).json()) as { total: number }).total;
    const before = await listed();
    expect([scheduled.status, before.total, await upcoming()]).toEqual(['future', 0, 0]);
    const { text } = await ask(served, 'POST /_calendar/clock/advance', { by: 'P1D' });
    expect(JSON.parse(text)).toMatchObject({ now: '2027-03-02T09:00:00.000Z', frozen: true });
    const after = await listed();
    expect([after.total, await upcoming()]).toEqual([1, 1]);
    expect(after.tag).not.toBe(before.tag);
    await ask(served, 'POST /_calendar/reset');
    expect(await listed()).toEqual(before);
  });
});
