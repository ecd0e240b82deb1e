import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CalendarOptions, connectCalendar, internal, type TestCalendarOptions } from '../../bin/library.ts';
import { serversIn, shapeOf, sharedServers, withServer } from '../../src/data/shared-servers.ts';
import { configuredShape } from '../../src/testing/here.ts';
import { inFolder } from '../support/items.ts';
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
    expect((await calendar.handler(new Request(`${calendar.url}/tags`))).status).toBe(200);
    await calendar.faults.add({ then: 'reset', times: 1 });
    expect((await at('tags')).type).toBe('error');
    await calendar.requests.verify({ path: '/tags' }, { exactly: 5 });
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

it.each<[Parameters<typeof shareServer>[0], Record<string, string>, RegExp | undefined, RegExp | undefined]>([
  [{}, { CI: '' }, undefined, undefined],
  [{}, { CI: '1' }, /^calendar: The app met 1 of 23 .*: calendarServer\(\{ coverage: true \}\) lists them$/, undefined],
  [{ coverage: true }, { CI: '' }, /operations:\n {2}an event without[\s\S]*\n {2}status 404 {2,}1 request\n/, undefined],
  [{ minCoverage: 4 }, { CI: '' }, /status 404/, undefined],
  [{ minCoverage: 5 }, { CI: '' }, /status 404/, /^The app met 4 % of the variants, less than 5 %$/],
])('at the end of a run with %j and %j, what its files met is printed', async (options, env, printed, failure) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const texts: string[] = [];
  const end = await shareServer({ headerPrefix: 'X-Other', ...options });
  const [server] = serversIn(process.env[sharedServers]).slice(-1);
  await using calendar = await connectCalendar(server!.url);
  const world = await calendar.worlds.create();
  expect((await world.fetch('events/999999')).status).toBe(404);
  await world.reset();
  await world.close();
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  const ended = await end().then(
    () => undefined,
    (error: Error) => error.message,
  );
  stderr.mockRestore();
  vi.unstubAllEnvs();
  expect(serversIn(process.env[sharedServers])).toHaveLength(1);
  if (printed) expect(texts.join('').trimEnd()).toMatch(printed);
  else expect(texts).toEqual([]);
  if (failure) expect(ended).toMatch(failure);
  else expect(ended).toBeUndefined();
});

describe('calendar exec', () => {
  const configs: Record<string, { config?: CalendarOptions; line?: string; env?: Record<string, string>; isShared: boolean }> = {
    'without options': { isShared: true },
    'with the defaults': { line: '--base-path / --header-prefix X-Calendar --namespace calendar/events/v1', isShared: true },
    'with the shape of the project': {
      config: { basePath: 'blog/wp-json/', namespace: '/town/events/v1/', headerPrefix: 'X-Town', taxonomy: 'kinds', without: ['tickets'] },
      isShared: true,
    },
    'with another namespace of the environment': { env: { CALENDAR_NAMESPACE: 'town/events/v1' }, isShared: false },
    'with another base path': { line: '--base-path /wp-json', isShared: false },
    'with a stopped clock': { line: '--now 2027-03-01', isShared: false },
  };
  it.each(Object.entries(configs))(
    '%s shares its server with files that have its shape only',
    async (_, { config = {}, line, env, isShared }) =>
      inFolder(async (folder) => {
        writeFileSync(join(folder, 'calendar.config.json'), JSON.stringify({ serve: config }));
        const program = `fs.writeFileSync('seen.json', JSON.stringify([process.env.${sharedServers}, process.env.CALENDAR_URL]))`;
        const words = ['exec', '--memory', ...(line?.split(' ') ?? []), '--', process.execPath, '-e', program];
        const { stderr } = await run(words, { cwd: folder, env: { CALENDAR_NOW: '', ...env } });
        expect(stderr).toBe('');
        const [value, address] = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
        const shape = shapeOf(await configuredShape(true, folder));
        const shared = serversIn(value ?? undefined).find((server) => server.shape === shape);
        expect(shared?.url).toBe(isShared ? address : undefined);
      }),
  );
});
