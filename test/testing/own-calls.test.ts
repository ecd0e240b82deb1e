import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';

const users = [
  { name: 'ada', role: 'administrator' as const, password: 'lovelace' },
  { name: 'bob', role: 'contributor' as const, password: 'builder' },
];
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
async function open(options: Parameters<typeof createCalendar>[0], connection?: Parameters<typeof connectCalendar>[1]) {
  const server = await createCalendar(options);
  const calendar = await connectCalendar(server.url, connection);
  opened.push(server, calendar);
  return { server, calendar };
}
const logged = async (calendar: Calendar) => (await calendar.requests.list()).requests.map(({ method }) => method);

it('calls of records over HTTP meet no faults and no hooks, are not logged, and cause changes', async () => {
  const hooked: string[] = [];
  const { server, calendar } = await open({
    hooks: {
      request: ({ method }) => void hooked.push(method),
      change: (_, { action }) => void hooked.push(action),
    },
  });
  const fault = await server.faults.add({ then: { status: 503 }, times: 1 });
  const stop = new AbortController();
  const changes = await server.follow({ types: ['change'], signal: stop.signal });
  const { id } = await calendar.tags.create({ name: 'jazz' });
  await calendar.tags.update(id, { name: 'Jazz' });
  expect((await calendar.tags.list({ hide_empty: false })).tags).toMatchObject([{ name: 'Jazz' }]);
  await calendar.tags.delete('jazz');
  const seen: unknown[] = [];
  for await (const { data } of changes) {
    seen.push((data as { action: string }).action);
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(['created', 'updated', 'deleted']);
  expect(await server.faults.get(fault.id)).toMatchObject({ hits: 0, remaining: 1 });
  expect([hooked, await logged(server)]).toEqual([[], []]);
  expect((await calendar.fetch('tags')).status).toBe(503);
  expect(await logged(server)).toEqual(['GET']);
});

it.each([undefined, 'secret'])('calls of records have the role of their user; control token: %s', async (controlToken) => {
  const { server, calendar } = await open({ users, controlToken }, { user: { name: 'bob', password: 'builder' }, controlToken });
  expect(await calendar.events.create(concert)).toMatchObject({ status: 'draft', author: '3' });
  await expect(calendar.tags.create({ name: 'jazz' })).rejects.toMatchObject({ code: 'rest_forbidden' });
  expect(await logged(server)).toEqual([]);
});

it.each<[string, Parameters<typeof createCalendar>[0], Record<string, string>]>([
  ['a page of another site', {}, { origin: 'http://127.0.0.1:1' }],
  ['a caller without the control token', { controlToken: 'secret' }, {}],
  ['a caller with another token', { controlToken: 'secret' }, { 'x-calendar-page': 'api other' }],
])('%s cannot hide its requests', async (_, options, headers) => {
  const { server } = await open(options);
  await server.faults.add({ match: { method: 'POST' }, then: { status: 503 } });
  for (const method of ['GET', 'POST'])
    await fetch(`${server.url}/tags`, { method, headers: { 'x-calendar-page': 'api', ...headers } }).then((response) => response.text());
  expect(await logged(server)).toEqual(['GET', 'POST']);
  const { requests } = await server.requests.list();
  expect(requests.map(({ status }) => status)).toEqual([200, 503]);
  expect(JSON.stringify(requests)).not.toContain('api other');
});

it('calls of records need a world where requests need one', async () => {
  const { server, calendar } = await open({ requireWorld: true });
  await expect(calendar.tags.list()).rejects.toMatchObject({ code: 'world-required' });
  expect((await fetch(`${server.url}/tags`, { headers: { 'x-calendar-page': 'page' } })).status).toBe(200);
  const world = await calendar.worlds.create();
  await world.tags.create({ name: 'jazz' });
  expect((await world.requests.list()).total).toBe(0);
  expect((await server.tags.list({ hide_empty: false })).total).toBe(0);
});

it('calls of records on another server are requests, sent once', async () => {
  let count = 0;
  const server = http.createServer((_, response) => {
    count += 1;
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const calendar = await connectCalendar(`http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar/events/v1`);
  opened.push(calendar, { close: async () => void server.close() });
  await expect(calendar.tags.list()).rejects.toThrow();
  expect(count).toBe(1);
});
