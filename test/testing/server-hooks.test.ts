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
        throw new Error('out of order');
      },
    };
    const response = await create(calendar, 'never');
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      500,
      expect.stringMatching(new RegExp(`^The hook ${name} in \\S*server-hooks\\.test\\.ts:\\d+ failed: out of order$`)),
    ]);
  });

  it.each([[{ changes: () => undefined }], [{ change: 'yes' }], [[]]])('%j is invalid', async (invalid) => {
    await expect(createCalendar({ hooks: invalid as never })).rejects.toThrow(
      'must be an object with the functions request, response, change',
    );
  });
});
