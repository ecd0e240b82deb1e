import { afterEach, expect, it } from 'vitest';
import { Failure } from '../../src/model/error.ts';
import { serverOptionRows } from '../../src/model/server-options.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import type { CalendarOptions } from '../../src/testing/options.ts';
import { createServed } from '../../src/testing/serve.ts';

const calendars: ControlledCalendar[] = [];
afterEach(async () => {
  for (const calendar of calendars.splice(0)) await calendar.close();
});

/** Opens a calendar as a browser does. */
async function create(options: CalendarOptions = {}): Promise<ControlledCalendar> {
  const open = (name: string) => Promise.reject(new Failure('not-found', `${name} is not here`));
  const calendar = await createServed(options, { open });
  calendars.push(calendar);
  return calendar;
}

const text = { file: 'x.db', tlsCert: 'x.pem', tlsKey: 'x.pem', media: 'images', pull: 'https://example.org', durability: 'none' };
const values: Record<string, unknown> = { ...text, host: '127.0.0.1', port: 0, every: '5m' };

it.each(serverOptionRows.filter(([, { needsNode }]) => needsNode).map(([name]) => name))('the option %s needs Node', async (name) => {
  await expect(create({ [name]: values[name] ?? true })).rejects.toMatchObject({
    code: 'bad-request',
    message: `${name} is only available in Node`,
  });
});

it('options that turn off what only Node has are valid', async () => {
  const calendar = await create({ listen: false, page: false, config: false, compress: false });
  expect((await calendar.health()).url).toMatch(/^http:\/\/calendar\.localhost\//);
});

it('a calendar without Node answers, is reset, forked and divided into worlds', async () => {
  const calendar = await create({ seed: 'demo' });
  const countOf = async (each: Pick<ControlledCalendar, 'health'>) => (await each.health()).records.events;
  const count = await countOf(calendar);
  const world = await calendar.worlds.create();
  const fork = await calendar.fork();
  calendars.push(fork);
  await calendar.events.create({ title: 'A', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' });
  expect([count! > 0, await countOf(world), await countOf(fork)]).toEqual([true, count, count]);
  expect(await countOf(calendar)).toBe(count! + 1);
  await calendar.reset();
  expect(await countOf(calendar)).toBe(count);
  const { headers } = await calendar.handler(new Request(`${calendar.url}/events`, { headers: { 'accept-encoding': 'gzip' } }));
  expect(headers.get('content-encoding')).toBe(null);
});

const hosts = ['example.org', 'app.example:8443', 'localhost:5173', '192.168.1.20', '[2001:db8::1]:3000', 'xn--fiqs8s.example'];
const places = hosts.flatMap((host) => ['', '/wp-json', '/blog/wp-json'].map((basePath) => [`https://${host}`, basePath] as const));

it.each(places)('a handler answers requests for any host: %s%s', async (origin, basePath) => {
  const calendar = await create({ basePath });
  const world = await calendar.worlds.create();
  const at = `${basePath}/calendar/events/v1`;
  for (const each of [calendar, world]) {
    const tags = new URL(`${at}/tags`, origin);
    const created = await each.handler(
      new Request(tags, { method: 'POST', body: new URLSearchParams({ name: each === world ? 'B' : 'A' }) }),
    );
    expect([created.status, await created.json()]).toEqual([
      201,
      expect.objectContaining({ urls: expect.objectContaining({ self: expect.stringContaining(`${origin}${at}/tags/`) }) }),
    ]);
  }
  const namesIn = async ({ tags }: ControlledCalendar) => (await tags.list({ hide_empty: false })).tags.map(({ name }) => name);
  expect([await namesIn(calendar), await namesIn(world)]).toEqual([['A'], ['B']]);
});

it('a host that is not a name is refused, and fetch answers only for its calendar', async () => {
  const calendar = await create();
  const { status } = await calendar.handler(new Request('http://a!b.example/calendar/events/v1/events'));
  expect(status).toBe(403);
  await expect(calendar.fetch('https://example.org/calendar/events/v1/events')).rejects.toMatchObject({
    code: 'bad-request',
    hint: 'Pass a path, or a URL that starts with the url of the calendar. Its handler takes requests for other hosts.',
  });
});

it.each([
  ['pull', (calendar: ControlledCalendar) => calendar.data.pull({ root: 'https://example.org' })],
  ['push', (calendar: ControlledCalendar) => calendar.data.push({ root: 'https://example.org' })],
  ['conflicts', (calendar: ControlledCalendar) => calendar.data.conflicts()],
  ['resolveConflicts', (calendar: ControlledCalendar) => calendar.data.resolveConflicts({ prefer: 'ours' })],
  ['pullNow', (calendar: ControlledCalendar) => calendar.data.pullNow()],
  ['sites', (calendar: ControlledCalendar) => calendar.data.sites()],
  ['The import of a file', (calendar: ControlledCalendar) => calendar.data.import({ file: 'x.json' })],
])('%s needs Node', async (name, run) => {
  const calendar = await create();
  await expect(run(calendar)).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining(`${name} is only available in Node`),
  });
});

it('the files of seeds and users are opened by the surroundings', async () => {
  await expect(create({ seed: './x.json' })).rejects.toThrow('./x.json is not here');
  await expect(create({ users: 'users.json' })).rejects.toThrow('users.json is not here');
  const calendar = await create();
  await expect(calendar.data.seed('./x.json')).rejects.toThrow('./x.json is not here');
  await expect(calendar.worlds.create({ users: 'users.json' })).rejects.toThrow('users.json is not here');
});
