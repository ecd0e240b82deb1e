import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';

describe.each(['in this process', 'over HTTP'])('the worlds of a calendar %s', (where) => {
  let server: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z' });
    calendar = where === 'over HTTP' ? await connectCalendar(server.url) : server;
  });
  afterAll(async () => {
    if (calendar !== server) await calendar.close();
    await server.close();
  });

  it('are separate, and are deleted when they are closed', async () => {
    const [one, two] = await Promise.all([calendar.worlds.create({ name: 'one' }), calendar.worlds.create({ from: 'demo' })]);
    await one.tags.create({ name: 'of one' });
    await one.clock.advance('P1D');
    await expect(two.tags.get('of-one')).rejects.toMatchObject({ code: 'not-found' });
    await expect(calendar.tags.get('of-one')).rejects.toMatchObject({ code: 'not-found' });
    expect((await two.events.list({ search: 'jazz' })).total).toBe(7);
    expect(await one.tags.get('of-one')).toMatchObject({ urls: { collection: `${one.url}/tags` } });
    await one.reset();
    await expect(one.tags.get('of-one')).rejects.toMatchObject({ code: 'not-found' });
    const { url, control, root } = one;
    expect(await calendar.worlds.get(one.id)).toMatchObject({ id: one.id, name: 'one', url, control, root });
    expect([url, control]).toEqual([`${root}/calendar/events/v1`, `${root}/_calendar`]);
    expect((await fetch(`${control}/health`)).status).toBe(200);
    expect([one.name, two.name]).toEqual(['one', null]);
    const ids = async () => (await calendar.worlds.list()).map(({ id }) => id);
    const before = await ids();
    await one.close();
    await expect(one.events.list()).rejects.toThrow('closed');
    expect(before.length - (await ids()).length).toBe(1);
    // What was deleted by another is closed without an error.
    const [last] = (await ids()).slice(-1);
    await calendar.worlds.delete(last!);
    await two.close();
    await expect(calendar.worlds.get(last!)).rejects.toMatchObject({ code: 'unknown-world' });
  });

  it('of two tests keep apart what a client with one connection queues', async () => {
    const agent = new Agent({ maxSockets: 1 });
    const first = await calendar.worlds.create();
    const post = () =>
      new Promise<number | undefined>((resolve) => {
        const headers = { 'Content-Type': 'application/json' };
        const request = httpRequest(`${first.url}/tags`, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', () => resolve(undefined)).end('{"name":"queued"}');
      });
    const held = await first.faults.hold({ method: 'POST' });
    const sent = [post(), post(), post()];
    await held.arrived();
    await first.close();
    const second = await calendar.worlds.create();
    expect((await Promise.all(sent)).slice(1)).toEqual([404, 404]);
    expect([(await second.tags.list({ hide_empty: false })).total, await second.requests.count()]).toEqual([1, 0]);
    await second.close();
    agent.destroy();
  });

  it('take options, and reject wrong ones', async () => {
    const world = await calendar.worlds.create({
      now: '2030-05-06 12:00',
      timezone: 'Europe/Paris',
      settings: { title: 'Ours' },
      users: [{ name: 'ada', role: 'editor', password: 'lovelace' }],
      faults: [{ times: 1, then: { status: 503 } }],
      from: { venues: { hall: { venue: 'Hall' } } },
    });
    expect([(await world.fetch('venues')).status, (await world.fetch('venues')).status]).toEqual([503, 200]);
    expect((await world.clock.get()).now).toBe('2030-05-06T10:00:00.000Z');
    expect((await world.venues.list()).venues.map(({ venue }) => venue)).toEqual(['Hall']);
    expect((await world.fetch('venues', { method: 'POST', body: new URLSearchParams({ venue: 'x' }) })).status).toBe(401);
    await world.reset();
    expect((await world.fetch('venues')).status).toBe(503);
    await world.close();
    await expect(calendar.worlds.create({ seed: 'demo' } as object)).rejects.toThrow('Unknown option "seed" of worlds.create');
    await expect(calendar.worlds.create({ color: 'red' } as object)).rejects.toThrow('Unknown option "color" of worlds.create');
    await expect(calendar.worlds.create({ from: 'nothing-like-it' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('get the requests of their fetch, whose address may lack the prefix', async () => {
    const world = await calendar.worlds.create();
    const before = await server.requests.count();
    for (const address of [
      'events',
      '/calendar/events/v1/events',
      `${world.url}/events`,
      `${server.url}/events`,
      new URL(`${server.url}/events`),
    ])
      expect((await world.fetch(address)).status).toBe(200);
    await world.requests.verify({ path: '/events' }, { exactly: 5 });
    expect(await server.requests.count()).toBe(before);
    await world.close();
  });

  it('have copies, and worlds of the same server', async () => {
    const world = await calendar.worlds.create();
    await world.tags.create({ name: 'copied' });
    const copy = await world.fork();
    expect((await copy.tags.get('copied')).name).toBe('copied');
    expect(copy.url).not.toContain('_worlds');
    const sibling = await world.worlds.create();
    expect(new URL(sibling.url).host).toBe(new URL(world.url).host);
    await expect(sibling.tags.get('copied')).rejects.toMatchObject({ code: 'not-found' });
    await Promise.all([copy, sibling, world].map((each) => each.close()));
  });

  it('are many at the same time', async () => {
    const titles = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const world = await calendar.worlds.create();
        try {
          await world.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: `tag ${i}` }) });
          const { tags } = await world.tags.list({ hide_empty: false });
          return tags.map(({ name }) => name).filter((name: string) => name.startsWith('tag '));
        } finally {
          await world.close();
        }
      }),
    );
    expect(titles).toEqual(Array.from({ length: 20 }, (_, i) => [`tag ${i}`]));
  });
});
