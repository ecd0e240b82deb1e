import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { internal, type TestCalendarOptions } from '../../bin/library.ts';
import { sharedServers, withServer } from '../../src/data/shared-servers.ts';
import { run } from '../support/transcript.ts';

const { sharedServerFor, shareServer, worldSource } = internal;
let stop: () => Promise<void>;
let url: string;
beforeAll(async () => {
  stop = await shareServer();
  url = (await sharedServerFor({}))!;
});
afterAll(async () => {
  await stop();
  expect(process.env[sharedServers]).toBeUndefined();
});

/** Opens a calendar for a test of a file with these options. */
const open = (options: TestCalendarOptions) => worldSource(options).open('a test');

describe('a server that the files of a run share', () => {
  it.each<[TestCalendarOptions]>([
    [{}],
    [{ seed: 'demo', now: '2027-03-01T09:00Z', timezone: 'Europe/Paris', settings: { title: 'Town' } }],
    [{ users: [{ name: 'ada', role: 'editor', password: 'lovelace' }], faults: [{ delay: 1 }], timeout: '5s' }],
    [{ seed: undefined, hooks: undefined }],
  ])('is used with options of a world: %j', async (options) => {
    const { calendar, close } = await open(options);
    expect(calendar.url).toMatch(new RegExp(`^${new URL(url).origin}/_worlds/`));
    await close();
  });

  it.each<[string, TestCalendarOptions]>([
    ['hooks', { hooks: {} }],
    ['a size of its log', { journal: 10 }],
    ['a base path', { basePath: '/wp-json' }],
    ['a port', { port: 0 }],
    ['a function as a fault', { faults: [{ then: { patch: (response: object) => response } } as never] }],
    ['no server', { server: false }],
  ])('is not used with %s', async (_, options) => {
    const { calendar, close } = await open(options);
    expect(new URL(calendar.url).origin).not.toBe(new URL(url).origin);
    await close();
  });

  it.each<[string, string | undefined]>([
    ['another version', JSON.stringify([{ url: 'http://127.0.0.1:9', version: '0.0.1', shape: '[]' }])],
    ['another shape', withServer(undefined, 'http://127.0.0.1:9', { basePath: '/wp-json' })],
    ['another program', '5'],
    ['a person', 'http://127.0.0.1:8787'],
    ['no set-up', undefined],
  ])('is not that of %s', async (_, value) => {
    const before = process.env[sharedServers];
    if (value === undefined) delete process.env[sharedServers];
    else process.env[sharedServers] = value;
    try {
      expect(await sharedServerFor({})).toBeUndefined();
    } finally {
      process.env[sharedServers] = before;
    }
  });

  it('is started once for a shape', async () => {
    const [again, other] = [await shareServer(), await shareServer({ basePath: '/wp-json' })];
    expect(await sharedServerFor({})).toBe(url);
    await other();
    await again();
    expect(await sharedServerFor({})).toBe(url);
    expect((await fetch(`${url}/events`)).status).toBe(400);
  });

  it('gives an empty calendar whose clock runs, and whose handler answers', async () => {
    const { calendar, close } = await open({});
    expect((await calendar.clock.get()).frozen).toBe(false);
    expect((await calendar.tags.list({ hide_empty: false })).total).toBe(0);
    const at = (path: string, init?: RequestInit) => calendar.handler(new Request(`http://site.example/calendar/events/v1/${path}`, init));
    expect((await at('tags', { method: 'POST', body: new URLSearchParams({ name: 'Ünique' }) })).status).toBe(201);
    const list = await at('tags?hide_empty=false');
    expect(await list.json()).toMatchObject({ total: 1, tags: [{ name: 'Ünique' }] });
    expect([(await at('tags', { method: 'HEAD' })).status, (await at('events/99999')).status]).toEqual([200, 404]);
    await calendar.faults.add({ then: 'reset', times: 1 });
    expect((await at('tags')).type).toBe('error');
    await calendar.requests.verify({ path: '/tags' }, { exactly: 4 });
    await close();
  });

  it('refuses a function as a fault, which it cannot call', async () => {
    const { calendar, close } = await open({});
    await expect(calendar.faults.add({ then: { patch: (response: object) => response } } as never)).rejects.toThrow(
      /cannot be a function[\s\S]*server: false/,
    );
    await close();
  });
});

it.each([
  ['exec --memory', true],
  ['exec --memory --now 2027-03-01', false],
])('calendar %s shares its server: %s', async (line, isShared) => {
  const program = `const [one] = JSON.parse(process.env.${sharedServers} ?? '[]'); process.exit(one?.url === process.env.CALENDAR_URL ? 10 : 20)`;
  const { exit } = await run([...line.split(' '), '--', process.execPath, '-e', program], { env: { CALENDAR_NOW: '' } });
  expect(exit).toBe(isShared ? 10 : 20);
});
