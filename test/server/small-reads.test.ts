import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

let calendar: Awaited<ReturnType<typeof createCalendar>>;
const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const authorization = `Basic ${btoa('ada:password')}`;
const send = (path: string, body?: object) =>
  calendar.fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
beforeAll(async () => {
  // In Auckland, it is the next day.
  const users = [{ name: 'ada', role: 'editor' as const, password: 'password' }];
  calendar = await createCalendar({ now: '2026-11-27T20:00Z', timezone: 'Pacific/Auckland', users, listen: false });
  const tag = await calendar.tags.create({ name: '18+', slug: '18' });
  await calendar.events.create({ title: 'Adults', tags: [tag.id], ...dates });
});
afterAll(() => calendar.close());

it.each([
  ['events?_fields=id', []],
  ['events?_fields=events.id', { events: [] }],
  ['events?_fields=total', { total: 1 }],
  ['tags?_fields=nothing', []],
])('%s selects %j', async (path, expected) => expect(await (await send(path)).json()).toEqual(expected));

it('an envelope has the headers of a list, which the response does not have', async () => {
  const [plain, wrapped] = [await send('events'), await send('events?_envelope=1')];
  const { headers } = (await wrapped.json()) as { headers: Record<string, unknown> };
  expect(headers).toMatchObject({ 'X-Calendar-Total': 1, 'X-Calendar-TotalPages': 1 });
  for (const name of Object.keys(headers)) expect([plain.headers.has(name), wrapped.headers.has(name)]).toEqual([true, false]);
});

describe('a number as a tag of a list', () => {
  it.each(['18', '18,18', '[]=18'])('is an ID over HTTP: %s', async (value) =>
    expect((await send(`events?tags${value.startsWith('[') ? value : `=${value}`}`)).status).toBe(400),
  );
  it('is the ID that exists', async () => {
    const { id } = (await calendar.tags.list()).tags[0]!;
    expect(await (await send(`events?tags=${id}&_fields=total`)).json()).toEqual({ total: 1 });
  });
  it('is a slug in TypeScript', async () => expect((await calendar.events.list({ tags: '18' })).total).toBe(1));
});

it('the end of the default dates is in UTC in the index', async () => {
  const { routes } = (await (await send('')).json()) as {
    routes: Record<string, { endpoints: { args: Record<string, { default: string }> }[] }>;
  };
  const { end_date } = routes['/calendar/events/v1/events']!.endpoints[0]!.args;
  expect(end_date!.default).toBe('2028-11-27 20:00:00');
});

describe('an author, on a calendar with users', () => {
  it.each([
    [999, 400],
    [1, 201],
    ['1', 201],
    [2, 201],
  ])('%j is %i', async (author, status) => expect((await send('events', { title: 'A', author, ...dates })).status).toBe(status));

  it('may be that of the record, which is sent back, and that of another record', async () => {
    const other = await createCalendar({ listen: false });
    const { id } = await other.events.create({ title: 'Old', author: 77, ...dates });
    await other.users.add({ name: 'ada', role: 'editor', password: 'password' });
    const write = async (path: string, body: object) =>
      (
        await other.fetch(path, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status;
    const record = await other.events.get(id);
    expect(record.author).toBe('77');
    expect([await write(`events/${id}`, record), await write('events', { title: 'B', author: 77, ...dates })]).toEqual([200, 201]);
    expect(await write('events', { title: 'B', author: 99, ...dates })).toBe(400);
    await other.close();
  });
});
