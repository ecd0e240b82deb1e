import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, type CalendarHooks, createCalendar } from '../../bin/library.ts';

describe('hooks of createCalendar', () => {
  let hooks: CalendarHooks = {};
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({
      seed: 'minimal',
      listen: false,
      hooks: {
        request: (request) => hooks.request?.(request),
        response: (response, request) => hooks.response?.(response, request),
        change: (fields, action) => hooks.change?.(fields, action),
      },
    });
  });
  beforeEach(() => {
    hooks = {};
  });
  afterAll(() => calendar.close());
  const create = (at: Pick<Calendar, 'fetch'>, name: string) => at.fetch('tags', { method: 'POST', body: new URLSearchParams({ name }) });

  it('run around requests of every world and of forks', async () => {
    hooks = {
      request: ({ query }) => (query.search === 'teapot' ? { status: 418, body: { code: 'teapot' } } : undefined),
      response: (response) => ({ ...response, body: { ...(response.body as object), sponsor: 'Acme' } }),
    };
    const world = await calendar.worlds.create();
    const fork = await calendar.fork();
    for (const each of [calendar, world, fork]) {
      expect((await each.fetch('tags?search=teapot')).status).toBe(418);
      expect(await (await each.fetch('tags?hide_empty=false')).json()).toMatchObject({ tags: expect.anything(), sponsor: 'Acme' });
    }
    expect(await calendar.tags.list({ hide_empty: false })).not.toHaveProperty('sponsor');
    await Promise.all([world.close(), fork.close()]);
  });

  it('change the fields of a change, or reject it', async () => {
    hooks = {
      change: ({ name, ...fields }, { resource, action }) =>
        name === 'bad' ? { status: 422, body: { code: `no-${action}-of-${resource}` } } : { ...fields, name: String(name).toUpperCase() },
    };
    expect(await (await create(calendar, 'loud')).json()).toMatchObject({ name: 'LOUD' });
    const rejected = await create(calendar, 'bad');
    expect([rejected.status, await rejected.json()]).toEqual([422, { code: 'no-create-of-tags' }]);
  });

  it.each(['request', 'response', 'change'] as const)('a %s that throws gives 500 with file and line', async (name) => {
    hooks = {
      [name]: () => {
        JSON.parse('out of order');
      },
    };
    const response = await create(calendar, 'never');
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      500,
      expect.stringMatching(new RegExp(`^The hook ${name} in \\S*server-hooks\\.test\\.ts:\\d+ failed: Unexpected token`)),
    ]);
  });

  const withStatus = /must return a status from 200 to 599/;
  it.each<[name: string, result: unknown, message: RegExp]>([
    ['request', {}, /must return a request with method, path, query and headers/],
    ['request', { path: '/' }, /must return a request/],
    ['request', { status: 99 }, withStatus],
    ['request', { status: 200, headers: { 'X-A': 'a\nb' } }, /returned the invalid header X-A/],
    ['request', { status: 200, headers: { 'X A': 'a' } }, /returned the invalid header X A/],
    ['response', { body: {} }, withStatus],
    ['response', 'text', withStatus],
    ['response', { status: 200, body: {} }, /must return headers/],
    ['change', 'text', /must return fields/],
    ['change', [], /must return fields/],
    ['change', { status: 1000 }, withStatus],
    ['change', Promise.resolve({ name: 'other' }), /must be synchronous, and returned a promise/],
  ])('a %s that returns %j gives 500', async (name, result, message) => {
    hooks = { [name]: () => result };
    const response = await create(calendar, 'never');
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([500, expect.stringMatching(message)]);
    hooks = {};
    expect((await calendar.tags.list({ hide_empty: false, search: 'other' })).total).toBe(0);
  });

  it('survives an asynchronous change that fails', async () => {
    hooks = { change: (() => Promise.reject(new Error('late'))) as never };
    expect((await create(calendar, 'never')).status).toBe(500);
  });

  it.each([undefined, null, false, ''])('a change that returns %j changes nothing', async (result) => {
    hooks = { change: () => result as never };
    expect(await (await create(calendar, `"${result}"`)).json()).toMatchObject({ name: `"${result}"` });
  });

  it('see an invalid body as text, and the complete response to HEAD', async () => {
    const seen: unknown[] = [];
    hooks = {
      request: ({ body }) => void seen.push(body),
      response: (response) => ({ ...response, body: { ...(response.body as object), sponsor: 'Acme' } }),
    };
    const invalid = await calendar.fetch('tags', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"na' });
    expect([invalid.status, await invalid.json(), seen]).toEqual([400, expect.objectContaining({ sponsor: 'Acme' }), ['{"na']]);
    const [head, get] = await Promise.all([calendar.fetch('tags', { method: 'HEAD' }), calendar.fetch('tags')]);
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, get.headers.get('etag'), '']);
  });

  it('a request without a body removes it', async () => {
    hooks = { request: ({ body: _, ...request }) => ({ ...request, query: { name: 'from the query' }, body: undefined }) };
    expect(await (await create(calendar, 'from the body')).json()).toMatchObject({ name: 'from the query' });
  });

  it.each([[{ changes: () => undefined }], [{ change: 'yes' }], [[]]])('%j is invalid', async (invalid) => {
    await expect(createCalendar({ hooks: invalid as never })).rejects.toThrow(
      'must be an object with the functions request, response, change',
    );
  });
});
