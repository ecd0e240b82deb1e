import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo } from '../../../src/client/remote.ts';
import { nodeParts } from '../../../src/data/node-parts.ts';
import { defaultServing, type ServingOptions } from '../../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../../src/data/serving/serve.ts';
import { Failure } from '../../../src/model/error.ts';
import { behindSite, type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { folder, moment } from '../../support/transcript.ts';

const place = folder();

let nowMs = Date.parse(moment);
let site: LiveSite;
let isOnline = true;
const open: RunningServer[] = [];
const notices: string[] = [];

beforeAll(async () => {
  site = await liveSite('minimal');
});
afterAll(async () => {
  await site.close();
  place.remove();
});
beforeEach(async () => {
  [nowMs, isOnline] = [Date.parse(moment), true];
  notices.length = 0;
  await site.reset();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const basic = (name: string) => `Basic ${btoa(`${name}:x`)}`;

async function serve(options: Partial<ServingOptions> = {}, user?: string): Promise<RunningServer> {
  const served = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    keepsStart: true,
    open: user === undefined,
    durability: 'none',
    system: () => nowMs,
    namespace,
    node: nodeParts(async (root, authorization) => {
      if (!isOnline) throw new Failure('unreachable', `Cannot reach ${root}`);
      const [signal, now] = [new AbortController().signal, () => nowMs];
      return connectTo(root, authorization, { timeout: 2000, userAgent: 'test', env: {}, signal, now, random: () => 0, maxWaitMs: 0 });
    }),
    notice: (text) => notices.push(text),
    every: '1h',
    pull: { root: `${site.url}/${namespace}`, ...(user ? { authorization: basic(user), isUser: true } : {}) },
    ...options,
  });
  open.push(served);
  return served;
}

/** The options of a copy whose namespace is not named. */
const unnamed = (): Partial<ServingOptions> => ({
  ...{ namespace: defaultServing.namespace, isDefaultNamespace: true },
  pull: { root: new URL(site.url).origin, namespace: defaultServing.namespace },
});

/** Serves the site, and waits for the first pull. */
async function copied(options: Partial<ServingOptions> = {}, user?: string): Promise<RunningServer> {
  const served = await serve(options, user);
  await served.followed!.ready;
  // A request to pull while one runs gets that one.
  await setImmediate();
  return served;
}

const all = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50';
const host = () => new URL(site.url).host;
const event = { title: 'New', start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 11:00:00' };
const pulled = ({ followed }: RunningServer) => followed!.pullNow();

async function get({ root }: RunningServer, path: string, authorization?: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${root}${path}`, { headers: { ...behindSite, ...(authorization ? { authorization } : {}) } });
  return { status: response.status, headers: response.headers, ...((await response.json()) as object) };
}

async function send(
  { root }: Pick<RunningServer, 'root'>,
  method: string,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  const headers = { ...behindSite, 'content-type': 'application/json' };
  const response = await fetch(`${root}${path}`, { method, headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

/** Changes the calendar behind the site. */
const there = (method: string, path: string, body?: object) => send({ root: `${site.origin.root}` }, method, path, body);

async function titles(served: RunningServer): Promise<string[]> {
  const { events } = (await get(served, `/events?${all}`)) as { events: { title: string }[] };
  return (events ?? []).map(({ title }) => title);
}

const eventId = async () => ((await get(site.origin, `/events?${all}`)) as { events: { id: number }[] }).events[0]!.id;

describe('a server that pulls from a site', () => {
  it('is not ready until the first pull is complete', async () => {
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    site.quirks.request = () => held;
    const served = await serve();
    const { status, headers, code, message } = await get(served, '/events');
    expect([status, code, message]).toEqual([503, 'not-ready', `Copying ${host()}: 0 records so far`]);
    expect((headers as Headers).get('retry-after')).toBe('1');
    const page = await fetch(new URL('/', served.listening.url), { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining(`Copying ${host()}`)]);
    await expect(served.control.ready({})).rejects.toThrow('Copying');
    release();
    await served.followed!.ready;
    expect(await titles(served)).toEqual(['Summer Concert']);
    expect(notices).toEqual([`Copied ${host()}: 5 records.`]);
  });

  it('has the namespace of the site as soon as that has answered, if none is named', async () => {
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    site.quirks.request = () => held;
    const served = await serve(unnamed());
    const statusAt = async (path: string) => (await fetch(served.listening.url + path, { headers: behindSite })).status;
    const paths = ['/', '/calendar/events/v1/events', `/${namespace}/events`];
    expect(await Promise.all(paths.map(statusAt))).toEqual([503, 503, 503]);
    await expect(served.control.createWorld({})).rejects.toMatchObject({ code: 'not-ready' });
    await served.control.addFault({ match: { method: 'GET' }, then: 418, times: 1 });
    release();
    await served.followed!.ready;
    expect(new URL(served.root).pathname).toBe(`/${namespace}`);
    expect(notices).toContain(`Serving the copy at ${served.root}`);
    expect(await Promise.all(paths.slice(1).map(statusAt))).toEqual([404, 418]);
    expect((await get(served, '/events')) as object).toMatchObject({ status: 200, total: 1 });
    const { url } = await served.control.createWorld({});
    expect(url).toContain(`/${namespace}`);
  });

  it('keeps the namespace of the site in the file, and requests nothing with a set clock', async () => {
    const file = join(place.path, 'unnamed.db');
    const first = await copied({ ...unnamed(), file });
    await first.close();
    site.log.length = 0;
    for (const options of [{ now: nowMs }, { pull: undefined }]) {
      const again = await serve({ ...unnamed(), file, ...options });
      expect([new URL(again.root).pathname, (await get(again, '/events')).status]).toEqual([`/${namespace}`, 200]);
      await again.close();
    }
    const other = await serve({ ...unnamed(), now: nowMs });
    expect([new URL(other.root).pathname, (await get(other, '/events')).status]).toEqual(['/calendar/events/v1', 200]);
    expect(site.log).toEqual([]);
  });

  it('answers from its file, with the IDs of the site and the time of the pull', async () => {
    const served = await copied();
    expect((await send(served, 'POST', '/events', { ...event, status: 'draft' })).url).toMatch(/\?post_type=brand_events&p=1000000000$/);
    const requests = site.log.length;
    const [mine, theirs] = [await get(served, `/events?${all}`), await get(site.origin, `/events?${all}`)];
    const ids = ({ events }: Record<string, unknown>) =>
      (events as { id: number; venue: { id: number } }[]).map(({ id, venue }) => [id, venue.id]);
    expect(ids(mine)).toEqual(ids(theirs));
    expect((mine.headers as Headers).get('x-calendar-as-of')).toBe(new Date(nowMs).toISOString());
    expect(await send(served, 'POST', '/events', event)).toMatchObject({ id: 1_000_000_001 });
    expect(await send(served, 'POST', '/tags', { name: 'new' })).toMatchObject({ id: 1_000_000_000 });
    expect(site.log).toHaveLength(requests);
    expect(await served.control.health({})).toMatchObject({ copy: { site: host(), text: `Copy of ${host()}, 0 s old.` } });
  });

  it('keeps local changes, takes those of the site, and deletes what it deletes', async () => {
    const served = await copied();
    const id = await eventId();
    await send(served, 'POST', '/events', event);
    await send(served, 'POST', `/events/${id}`, { cost: '9' });
    await there('POST', `/events/${id}`, { title: 'Changed' });
    const { tags } = (await get(site.origin, '/tags?hide_empty=false')) as { tags: { id: number }[] };
    await there('DELETE', `/tags/${tags[0]!.id}`);
    expect(await pulled(served)).toMatchObject({ updated: 1, deleted: 1 });
    expect((await titles(served)).sort()).toEqual(['Changed', 'New']);
    expect(await get(served, `/events/${id}`)).toMatchObject({ cost: '$9', title: 'Changed' });
    await there('POST', `/events/${id}`, { cost: '7' });
    await pulled(served);
    await pulled(served);
    expect(notices.filter((line) => line.startsWith('Conflict'))).toEqual([
      `Conflict: events ${id} (Changed) was changed on both sides. See: calendar conflicts list`,
    ]);
  });

  it('makes neither a step of undo nor a message for a pull that changes nothing', async () => {
    const served = await copied();
    const before = await served.control.snapshots({});
    await pulled(served);
    expect(await served.control.snapshots({})).toEqual(before);
    expect(notices).toHaveLength(1);
  });

  it('goes back to the state after the first pull', async () => {
    const served = await copied();
    await send(served, 'POST', '/events', event);
    await served.control.reset({});
    expect(await titles(served)).toEqual(['Summer Concert']);
  });

  it('says once that the site does not respond, and when it responds again', async () => {
    const served = await copied();
    isOnline = false;
    nowMs += 600_000;
    for (let time = 0; time < 2; time++) await expect(pulled(served)).rejects.toThrow('Cannot reach');
    const time = (ms: number) => new Date(ms).toTimeString().slice(0, 5);
    const at = time(nowMs - 600_000);
    expect(notices.slice(1)).toEqual([
      `${host()} has not responded since ${time(nowMs)}. Serving the copy from ${at}. Next attempt in 1 h.`,
    ]);
    expect((await served.control.health({})).copy!.text).toContain('has not responded since');
    expect(await titles(served)).toEqual(['Summer Concert']);
    isOnline = true;
    await pulled(served);
    expect(notices.slice(2)).toEqual([`${host()} responds again. Serving the copy from ${time(nowMs)}.`]);
  });

  it.each([
    [401, 'rejects requests'],
    [403, 'rejects requests'],
    [429, 'rejects requests'],
    [200, 'fails'],
  ])('goes on when the site returns a page with %i', async (status, text) => {
    const served = await copied();
    site.quirks.request = () => ({ status, headers: { 'Content-Type': 'text/html' }, body: '<html>Checking your browser</html>' });
    await expect(pulled(served)).rejects.toThrow(`returned ${status}`);
    expect(notices.slice(1)).toEqual([expect.stringContaining(`${host()} ${text}: `)]);
    expect(await titles(served)).toEqual(['Summer Concert']);
  });

  it('ends if the only pull into an empty calendar fails, and tries again with an interval', async () => {
    isOnline = false;
    const once = await serve({ every: undefined });
    await expect(once.followed!.ready).rejects.toThrow('Cannot reach');
    const again = await serve({ every: '10ms' });
    expect(await get(again, '/events')).toMatchObject({ status: 503, code: 'not-ready' });
    isOnline = true;
    await again.followed!.ready;
    expect(await titles(again)).toEqual(['Summer Concert']);
  });

  it('serves a calendar with records at once, and says that IDs differ', async () => {
    isOnline = false;
    const served = await serve({ prepare: (store) => store.change((local) => void local.events.create(event)) });
    await served.followed!.ready;
    expect(await titles(served)).toEqual(['New']);
    expect(notices[0]).toBe(`The calendar has other records: its IDs differ from those of ${host()}.`);
  });

  it('sends nothing with another clock, and nothing from worlds', async () => {
    const served = await copied();
    const requests = site.log.length;
    const world = await served.control.createWorld({});
    await fetch(`${served.root}/events?${all}`, { headers: { 'X-Calendar-World': world.id } });
    const fixed = await copied({ now: nowMs });
    expect(await titles(fixed)).toEqual([]);
    await expect(fixed.control.pullNow({})).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('The clock of the server is set'),
    });
    await expect(fixed.control.pull({ root: `${site.url}/brand/events/v1` })).rejects.toThrow('The clock of the server is set');
    expect(notices.slice(1)).toEqual([`Nothing is requested from ${host()}, because the clock is stopped.`]);
    expect(site.log).toHaveLength(requests);
  });

  it('can’t be read-only', async () => {
    await expect(serve({ readOnly: true })).rejects.toThrow('Use either --pull or --read-only');
  });

  it('follows an event that the site withdraws and publishes again', async () => {
    const served = await copied();
    const id = await eventId();
    await there('POST', `/events/${id}`, { status: 'draft' });
    await pulled(served);
    expect(await titles(served)).toEqual([]);
    await there('POST', `/events/${id}`, { status: 'publish' });
    await pulled(served);
    expect(await titles(served)).toEqual(['Summer Concert']);
  });
});

describe('a copy with credentials', () => {
  beforeEach(async () => {
    await there('POST', '/events', { ...event, title: 'Draft', status: 'draft' });
    await there('POST', '/events', { ...event, title: 'Private', status: 'private' });
    await there('POST', '/events', { ...event, title: 'Locked', description: 'behind', post_password: 'secret' });
    await there('POST', '/events', { ...event, title: 'Later', status: 'future', date: '2026-11-20 17:30:00' });
    await site.origin.control.addUser({ name: 'ada', role: 'administrator', password: 'x' });
  });

  it('shows visitors what visitors of the site see', async () => {
    const served = await copied({}, 'ada');
    await served.control.addUser({ name: 'eve', role: 'administrator', password: 'x' });
    expect((await titles(served)).sort()).toEqual((await titles(site.origin as RunningServer)).sort());
    const { events } = (await get(served, `/events?${all}&status=publish,draft,private,future`, basic('eve'))) as {
      events: { title: string }[];
    };
    expect(events.map(({ title }) => title).sort()).toEqual(
      ['Draft', 'Later', 'Locked', 'Private', 'Summer Concert'].map((each) => expect.stringContaining(each)),
    );
    // The password is not known, so the text stays locked.
    const locked = (await get(served, `/events?${all}&search=Locked`)) as { events?: object[] };
    expect(JSON.stringify(locked)).not.toContain('behind');
    // Its time has come here, but the site has not published it.
    nowMs += 86_400_000;
    expect(await titles(served)).not.toContain('Later');
  });

  it('is not published, locked or unlocked by a push', async () => {
    const served = await copied({}, 'ada');
    const { push } = await import('../../../src/data/remote/push.ts');
    const { pull: target } = { pull: { root: `${site.url}/${namespace}` } };
    const signal = new AbortController().signal;
    const remote = connectTo(target.root, basic('ada'), {
      ...{ timeout: 2000, userAgent: 'test', env: {}, signal, now: () => nowMs, random: () => 0 },
    });
    site.log.length = 0;
    const summary = await push(served.store, remote);
    expect([summary.problems, summary.conflicts, summary.counts.updated, summary.counts.created]).toEqual([[], [], 0, 0]);
    expect(site.log.filter((line) => !line.startsWith('GET'))).toEqual([]);
    await remote.close();
  });
});
