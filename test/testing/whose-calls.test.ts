import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, type ConnectedCalendar, connectCalendar, createCalendar, internal } from '../../bin/library.ts';
import { resourceNames } from '../../src/model/resources/names.ts';

const { shareServer, worldSource } = internal;
const open: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of open.reverse()) await close();
});

const day = { start_date: '2027-03-01', end_date: '2027-03-02' };
const inputs = {
  events: { title: 'x', ...day },
  venues: { venue: 'x' },
  organizers: { organizer: 'x' },
  categories: { name: 'x' },
  tags: { name: 'x' },
};

/** Creates a calendar with the users that it has from the start. */
const created = async (users: 'roles' | undefined, options = {}) => {
  const calendar = await createCalendar({ users, ...options });
  open.push(() => calendar.close());
  return calendar;
};
const connected = async (...args: Parameters<typeof connectCalendar>) => {
  const calendar = await connectCalendar(...args);
  open.push(() => calendar.close());
  return calendar;
};

/** A calendar whose methods send requests with the mark of a test, as the fixtures of other languages do. */
const marked = (url: string, mark: string): Pick<ConnectedCalendar, 'url' | 'fetch'> => ({
  url,
  fetch: (path, init) => fetch(`${url}/${path}`, { ...init, headers: { 'Content-Type': 'application/json', 'X-Calendar-Page': mark } }),
});

const controlToken = 'a-token-of-control';
const ways: Record<string, (users?: 'roles') => Promise<ConnectedCalendar>> = {
  'its own calendar': created,
  'its own calendar without a socket': (users) => created(users, { listen: false }),
  'an address': async (users) => connected((await created(users)).url),
  'an address with a token': async (users) => connected((await created(users, { controlToken })).url, { controlToken }),
  'a world of a calendar here': async (users) => (await created(undefined)).worlds.create({ users }),
  'a world of an address': async (users) => (await connected((await created(undefined)).url)).worlds.create({ users }),
  'the address of a world': async (users) => connected((await (await created(undefined)).worlds.create({ users })).url),
  'a shared server': async (users) => {
    open.push(await shareServer());
    const { calendar, close } = await worldSource({ users }).open('a test');
    open.push(async () => close());
    return calendar;
  },
  'a fork': async (users) => {
    const fork = await (await created(users)).fork();
    open.push(() => fork.close());
    return fork;
  },
};

/** The methods besides those of records and users. */
const steps: Record<string, (calendar: ConnectedCalendar) => Promise<unknown>> = {
  'set the clock': async ({ clock }) => {
    await clock.set('2027-03-01T09:00Z');
    await clock.advance('1h');
    await clock.freeze();
    await clock.resume();
    await clock.reset();
  },
  'seed, generate, import, shift, export and undo': async ({ data }) => {
    await data.seed('minimal');
    await data.generate({ events: 2 });
    await data.import({ text: 'title,start_date\nA,2027-03-01\n', format: 'csv' });
    await data.shift('1d');
    expect(JSON.stringify(await data.export())).toContain('2027-03-02');
    // A shift of a few records leaves no snapshot.
    await expect(data.undo()).rejects.toThrow('Nothing to undo');
  },
  'add, hold, list and remove faults': async ({ faults }) => {
    const { id } = await faults.add({ then: { status: 503 } });
    expect((await faults.get(id)).id).toBe(id);
    await faults.remove(id);
    await (await faults.hold({ path: '/tags' })).release();
    expect(await faults.list()).toEqual([]);
    await faults.clear();
  },
  'read and clear the log': async ({ requests }) => {
    expect((await requests.list()).total).toBe(0);
    await requests.verify({}, { never: true });
    expect([await requests.count({}), await requests.hints()]).toEqual([0, []]);
    await requests.coverage();
    await requests.har();
    await requests.clear();
  },
  'save, restore and delete snapshots': async ({ snapshots }) => {
    await snapshots.save('one');
    expect((await snapshots.list()).map(({ name }) => name)).toContain('one');
    await snapshots.restore('one');
    await snapshots.delete('one');
  },
  'change settings and fields': async ({ settings, fields }) => {
    await settings.change({ title: 'Town' });
    expect((await settings.list()).find(({ name }) => name === 'title')).toMatchObject({ value: 'Town' });
    await fields.add({ resource: 'events', name: 'seats', type: 'integer' });
    await fields.remove('events.seats');
  },
  'say how it is': async ({ health, ready }) => {
    await health();
    await ready();
  },
};

describe.each(Object.keys(ways))('calls of a test on %s', (way) => {
  describe.each([undefined, 'roles' as const])('with the users %s', (users) => {
    let calendar: ConnectedCalendar;
    beforeAll(async () => {
      calendar = await ways[way]!(users);
    });

    it.each(resourceNames)('are those of the owner for %s', async (name) => {
      const collection = calendar[name] as Calendar['venues'];
      const [status, filter] = ['categories', 'tags'].includes(name)
        ? [{}, { hide_empty: false }]
        : [{ status: 'draft' }, { status: 'draft' }];
      const { id } = await collection.create({ ...inputs[name], ...status } as never);
      expect((await collection.get(id)).id).toBe(id);
      expect((await collection.update(id, { description: 'x' })).id).toBe(id);
      expect(await collection.list(filter as never)).toMatchObject({ total: 1 });
      await collection.delete(id);
    });

    it.each(Object.keys(steps))('may %s', async (name) => {
      await calendar.reset();
      await steps[name]!(calendar);
      await calendar.reset();
    });

    it('manage users', async () => {
      const before = (await calendar.users.list()).length;
      await calendar.users.add({ name: 'eve', role: 'author', password: 'x' });
      await calendar.users.change({ name: 'eve', role: 'editor' });
      await calendar.users.remove('eve');
      expect(await calendar.users.list()).toHaveLength(before);
    });

    it('leave the app without a user', async () => {
      const response = await calendar.fetch('tags', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"name":"x"}',
      });
      expect([401, 403].includes(response.status)).toBe(users !== undefined);
    });
  });
});

describe.each(['api', `api ${controlToken}`])('a request of another language with the mark %s', (mark) => {
  it.each([undefined, 'roles' as const])('is the owner, with the users %s', async (users) => {
    const { url } = await created(users, mark === 'api' ? {} : { controlToken });
    const response = await marked(url, mark).fetch('tags', { method: 'POST', body: '{"name":"x"}' });
    expect(response.status).toBe(201);
    const seen = await fetch(`${url}/events?status=draft`, { headers: { 'X-Calendar-Page': mark } });
    expect(seen.status).not.toBe(401);
  });
});

describe('a call that may not be the owner', () => {
  const create = (calendar: ConnectedCalendar) => calendar.tags.create({ name: 'x' });

  it('names a user', async () => {
    const { url } = await created('roles');
    const reader = await connected(url, { user: { name: 'subscriber', password: 'subscriber' } });
    await expect(create(reader)).rejects.toThrow();
    const editor = await connected(url, { user: { name: 'editor', password: 'editor' } });
    expect(await create(editor)).toMatchObject({ name: 'x' });
  });

  it.each([
    ['has no token', {}, { controlToken }],
    ['has a wrong token', { controlToken: 'another-token' }, { controlToken }],
    ['may not use the control API', {}, { control: false }],
  ])('%s', async (_, given, options) => {
    const { url } = await created('roles', options);
    await expect(create(await connected(url, given))).rejects.toThrow();
  });

  it('is not cached for visitors', async () => {
    const calendar = await connected((await created('roles')).url);
    const { id } = await calendar.events.create({ ...inputs.events, status: 'draft' } as never);
    for (let count = 0; count < 3; count++) {
      expect((await calendar.events.get(id)).id).toBe(id);
      expect([401, 403]).toContain((await fetch(`${calendar.url}/events/${id}`)).status);
    }
  });
});
