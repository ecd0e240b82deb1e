import { describe, expect, it } from 'vitest';
import { noBody } from '../../../src/server/http.ts';
import { createHandler } from '../../../src/server/router.ts';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { serviceOf } from '../../../src/store/service.ts';
import { bodyText } from '../../support/body-text.ts';

const event = {
  title: 'Opening',
  start_date: '2027-01-01',
  end_date: '2027-01-01',
  venue: { venue: 'Hall' },
  organizer: { organizer: 'Us' },
};
const uuid = /^[\da-f]{8}-[\da-f]{4}-[48][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const open = (file: string, mode: 'read' | 'write' = 'write') =>
  openCalendar(file, { mode, now: () => Date.parse('2026-11-20T16:05:00Z'), notice: () => {} });
const uidsIn = ({ db }: Store): string[] =>
  ['events', 'venues', 'organizers'].flatMap((table) =>
    db.all<{ uid: string }>(`select uid from ${table} order by id`).map(({ uid }) => uid),
  );

describe('UIDs', () => {
  it('are given once to events, venues and organizers, and no two calendars have the same', async () => {
    const stores = [await open(':memory:'), await open(':memory:')];
    for (const store of stores) await store.change((local) => local.events.create(event));
    const all = stores.flatMap(uidsIn);
    expect(all).toHaveLength(6);
    expect(new Set(all).size).toBe(6);
    for (const uid of all) expect(uid).toMatch(uuid);
    const [store] = stores as [Store, Store];
    const before = uidsIn(store);
    await store.change((local) => local.events.update({ slug: 'opening' }, { title: 'Other', uid: 'mine' }));
    expect(uidsIn(store)).toEqual(before);
  });
});

describe('UIDs over the API', () => {
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
  async function answers() {
    const store = await open(':memory:');
    const handle = createHandler(serviceOf(store), options);
    await store.change(() => store.users.add({ name: 'ed', role: 'editor', password: 'p' }));
    await store.change(() => store.users.add({ name: 'con', role: 'contributor', password: 'p' }));
    return async (method: string, path: string, user = '', body?: object) => {
      const [at, query = ''] = path.split('?');
      const headers = { 'content-type': 'application/json', ...(user ? { authorization: `Basic ${btoa(`${user}:p`)}` } : {}) };
      const sent = body ? Buffer.from(JSON.stringify(body)) : noBody;
      const response = await handle({ method, path: `/calendar/events/v1${at}`, query, headers, body: sent });
      return JSON.parse(bodyText(response));
    };
  }

  it('are shown only on request, in embedded records too', async () => {
    const ask = await answers();
    const made = await ask('POST', '/events', 'ed', event);
    expect(JSON.stringify(made)).not.toContain('"uid"');
    expect(JSON.stringify(await ask('GET', '/events'))).not.toContain('"uid"');
    const { events } = await ask('GET', '/events?_uid=1');
    expect(events[0]).toMatchObject({ uid: expect.stringMatching(uuid), venue: { uid: expect.stringMatching(uuid) } });
    expect((await ask('GET', `/events/${made.id}?_uid=1`)).uid).toBe(events[0].uid);
  });

  it('are kept where an editor sends them, unless they are taken', async () => {
    const ask = await answers();
    expect((await ask('POST', '/events', 'ed', { ...event, uid: 'from-elsewhere' })).uid).toBe('from-elsewhere');
    expect((await ask('POST', '/events', 'ed', { ...event, uid: 'from-elsewhere' })).uid).toMatch(uuid);
    expect((await ask('POST', '/events', 'con', { ...event, uid: 'claimed', venue: 0, organizer: [] })).uid).toMatch(uuid);
    expect((await ask('POST', '/venues', 'ed', { venue: 'Other', uid: 'a venue' })).uid).toBe('a venue');
    expect((await ask('POST', '/venues', 'ed', { venue: 'Third', uid: 'line\nbreak' })).uid).toMatch(uuid);
  });
});
