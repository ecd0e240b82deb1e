import { beforeAll, describe, expect, it } from 'vitest';
import { contract, type Json, namespace, start } from '../support/contract-server.ts';

const event = (title: string, more: object = {}) => ({
  title,
  description: 'Words '.repeat(200),
  start_date: '2027-03-01 10:00',
  end_date: '2027-03-01 12:00',
  ...more,
});

contract('answers that are known already', {}, (server) => {
  let one: Json;
  beforeAll(async () => {
    one = await server.make(
      'events',
      event('One', { venue: { venue: 'Hall' }, organizer: { organizer: 'Ada' }, tags: ['Tag'], categories: ['Category'] }),
    );
    await server.make('events', event('Draft', { status: 'draft' }));
  });
  const tagOf = async (path: string, as?: string) => (await server.send({ path, as })).headers.etag;

  it.each(['/events', '/venues', '/organizers', '/categories', '/tags', '/events/{id}', '', '/doc'])(
    'are not sent again: %s',
    async (pattern) => {
      const path = pattern.replace('{id}', one.id);
      const etag = await tagOf(path);
      if (etag === undefined) return;
      const reply = await server.send({ path, headers: { 'if-none-match': etag } });
      expect([reply.status, reply.body, reply.headers.etag]).toEqual([304, '', etag]);
      for (const other of ['W/"x"', '"', etag.slice(0, -2), 'x'.repeat(5000)])
        expect((await server.send({ path, headers: { 'if-none-match': other } })).status).toBe(200);
    },
  );
  it('are not sent again to fetch, which asks caches for nothing old', async () => {
    const etag = await tagOf('/tags');
    if (etag === undefined) return;
    const headers = { 'if-none-match': etag, 'cache-control': 'no-cache', pragma: 'no-cache' };
    expect((await server.send({ path: '/tags', headers })).status).toBe(304);
  });
  it('are sent to who may see more', async () => {
    const etag = await tagOf('/events');
    if (etag === undefined) return;
    const reply = await server.send({ path: '/events', headers: { 'if-none-match': etag }, as: 'editor' });
    expect([reply.status, JSON.parse(reply.body).total]).toEqual([200, 2]);
  });

  /** Every list and record, asked for by everybody, after every kind of change: nothing that was kept is served in its place. */
  const changes: [what: string, change: () => Promise<Json>][] = [
    ['an event is made', () => server.make('events', event('Two', { featured: true }))],
    ['an event is renamed', () => server.change('events', one.id, { title: 'Renamed' })],
    ['its venue is renamed', () => server.change('venues', one.venue.id, { venue: 'Other hall' })],
    ['its organizer is renamed', () => server.change('organizers', one.organizer[0].id, { organizer: 'Bob' })],
    ['its tag is renamed', () => server.change('tags', one.tags[0].id, { name: 'Other tag' })],
    ['its category is renamed', () => server.change('categories', one.categories[0].id, { name: 'Other category' })],
    ['its venue is hidden', () => server.change('venues', one.venue.id, { status: 'draft' })],
    ['its organizer is deleted', () => server.drop('organizers', one.organizer[0].id)],
    ['it moves', () => server.change('events', one.id, { start_date: '2027-02-01 10:00' })],
    ['it gets a password', () => server.change('events', one.id, { post_password: 'x' })],
    ['it loses it', () => server.change('events', one.id, { post_password: '' })],
    ['it is hidden from lists', () => server.change('events', one.id, { hide_from_listings: true })],
    ['it is shown again', () => server.change('events', one.id, { hide_from_listings: false })],
    ['its tag is deleted', () => server.drop('tags', one.tags[0].id)],
    ['it is unpublished', () => server.change('events', one.id, { status: 'private' })],
    ['it is deleted', () => server.drop('events', one.id)],
  ];
  const asked = () => [
    '/events',
    '/events?search=words',
    '/events?featured=true',
    '/venues',
    '/venues?has_events=1',
    '/organizers',
    '/tags',
    '/categories',
    `/events/${one.id}`,
  ];
  const look = async () => {
    const seen: Record<string, string> = {};
    for (const path of asked())
      for (const as of [undefined, 'editor', 'subscriber']) {
        const [at = '', query = ''] = path.split('?');
        seen[`${path} ${as}`] = (await server.send({ path: at, query, as })).body;
      }
    return seen;
  };
  let fresh: Record<string, string> | undefined;
  it.each(changes)('are not those of before a change: %s', async (what, change) => {
    const kept = fresh ?? (await look());
    expect(await look(), what).toEqual(kept);
    await change();
    fresh = await look();
    // A parameter that means nothing makes another address of the same list: what it answers was not kept.
    for (const path of asked())
      for (const as of [undefined, 'editor', 'subscriber']) {
        const [at = '', query = ''] = path.split('?');
        const reread = (await server.send({ path: at, query: `${query}&nothing=${Math.random()}`, as })).body;
        expect(reread, `${what}: ${path} as ${as}`).toBe(fresh[`${path} ${as}`]);
      }
    expect(fresh, what).not.toEqual(kept);
  });
});

contract('lists while time passes', {}, (server) => {
  beforeAll(async () => {
    await server.make('events', { title: 'Yesterday', start_date: '2026-11-19 10:00', end_date: '2026-11-19 11:00' });
    await server.make('events', {
      title: 'At noon',
      start_date: '2026-11-20 12:00',
      end_date: '2026-11-20 13:00',
      venue: { venue: 'Hall' },
    });
    await server.make('events', { title: 'In two years', start_date: '2028-11-21 10:00', end_date: '2028-11-21 11:00' });
  });
  it.each([
    [0, 'Yesterday, At noon', 'Hall'],
    [54 * 60, 'Yesterday, At noon', 'Hall'],
    [56 * 60, 'Yesterday, At noon', ''],
    [86_400, 'At noon, In two years', ''],
    [2 * 86_400, 'In two years', ''],
    [0, 'Yesterday, At noon', 'Hall'],
  ])('after %i seconds: %s; upcoming: %s', async (seconds, events, venues) => {
    server.now = start + seconds * 1000;
    for (let time = 0; time < 2; time++) {
      expect((await server.names('events')).join(', ')).toBe(events);
      expect((await server.names('venues', 'only_with_upcoming=1')).join(', ')).toBe(venues);
      expect((await server.names('events', 'start_date=yesterday&end_date=%2B3 years'.replace(' ', '%20')))[0]).toBe(events.split(', ')[0]);
    }
  });
});

contract('large answers', { handler: { compress: true } }, (server) => {
  beforeAll(async () => {
    for (const title of ['One', 'Two', 'Three']) await server.make('events', event(`${title} – Zürich 日本`));
  });
  describe('over HTTP', () => {
    it.each([
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
      ['x-unknown', null],
      ['', null],
    ])('to who takes %j come as %s', async (accepted, coding) => {
      if (server.way !== 'over HTTP') return;
      const reply = await fetch(`http://127.0.0.1:${server.port}/${namespace}/events`, { headers: { 'accept-encoding': accepted } });
      expect(reply.headers.get('content-encoding')).toBe(coding);
      expect(await reply.json()).toEqual(await server.get('/events'));
    });
  });
});
