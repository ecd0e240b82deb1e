import { afterEach, describe, expect, it } from 'vitest';
import { serveCalendar } from '../../../src/data/serving/serve.ts';
import { type Shelf, StoredWorld } from '../../../src/data/serving/stored-world.ts';
import { ownCopyPath } from '../../../src/model/web-page.ts';
import { openCalendar } from '../../../src/store/calendar.ts';
import { StorageError } from '../../../src/store/sqlite/sql.ts';
import type { CalendarOptions } from '../../../src/testing/options.ts';
import { calendarOf, servedOptions } from '../../../src/testing/serve.ts';

/** The database of one browser. */
class Browser {
  stored = new Map<string, unknown>();
  #owner = 0;
  isFull = false;
  writes: { names: string[]; isDurable: boolean }[] = [];

  shelf(): Shelf {
    let owner: number;
    return {
      read: async () => {
        owner = ++this.#owner;
        return structuredClone(this.stored);
      },
      write: async (changes, isDurable) => {
        const copy = structuredClone(changes);
        await Promise.resolve();
        if (owner !== this.#owner) throw new StorageError('conflict', 'Another version has taken over');
        if (this.isFull) throw new StorageError('io', 'The disk is full');
        this.writes.push({ names: [...copy.keys()], isDurable });
        for (const [name, value] of copy)
          if (value === undefined) this.stored.delete(name);
          else this.stored.set(name, value);
      },
    };
  }
}

/** The site as it was published. */
interface Site {
  data: string;
  options: CalendarOptions;
}

const opened: StoredWorld[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) if (!each.isOver) await each.end();
});

/** Starts the worker of a site in a browser, in a folder. Another may still run. */
async function start(browser: Browser, { data, options }: Site) {
  const kept = await StoredWorld.open(browser.shelf(), { data, hasSeed: options.seed !== undefined }, async (image) => {
    const from = image ? { ...options, seed: undefined, image } : options;
    const folder = '/preview';
    const served = await servedOptions(
      { basePath: '/wp-json', ...from, control: true },
      { folder, open: () => Promise.reject(new Error()) },
    );
    const running = await serveCalendar(served);
    const { handler, close } = calendarOf(running, served);
    return { world: running.world, handler, close };
  });
  opened.push(kept);
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const request = new Request(`https://example.org/preview${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    } as RequestInit);
    const { response, saved } = await kept.handle(request);
    await saved;
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, value: isJson ? JSON.parse(text) : text };
  };
  const get = async (path: string) => (await send('GET', path)).value;
  return { kept, send, get };
}

const api = '/wp-json/calendar/events/v1';
const event = { title: 'Mine', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };

/** A site with an image of one event. */
async function siteWith(title: string): Promise<Site> {
  const store = await openCalendar(':memory:', { mode: 'write', now: Date.now });
  try {
    await store.change((local) => local.events.create({ ...event, title }));
    return { data: title, options: { image: store.image() } };
  } finally {
    await store.close();
  }
}

const titles = async ({ get }: Awaited<ReturnType<typeof start>>) =>
  (await get(`${api}/events?start_date=2000-01-01`)).events.map(({ title }: { title: string }) => title);

type Worker = Awaited<ReturnType<typeof start>>;

/** Things that a worker must not lose: how they are made, and how they are read. */
const states: [name: string, make: (worker: Worker) => Promise<unknown>, read: (worker: Worker) => Promise<unknown>][] = [
  ['a record', ({ send }) => send('POST', `${api}/events`, event), titles],
  ['a setting', ({ send }) => send('PATCH', '/_calendar/settings', { title: 'Ours' }), ({ get }) => get('/_calendar/settings')],
  ['a stopped clock', ({ send }) => send('POST', '/_calendar/clock/freeze'), ({ get }) => get('/_calendar/clock')],
  [
    'a moved clock',
    ({ send }) => send('POST', '/_calendar/clock/advance', { by: '1d' }),
    async ({ get }) => (await get('/_calendar/clock')).ahead,
  ],
  [
    'a fault and its count',
    async ({ send }) => {
      await send('POST', '/_calendar/faults', { then: 503, times: 3, match: { path: '/venues' } });
      await send('GET', `${api}/venues`);
    },
    ({ get }) => get('/_calendar/faults'),
  ],
  ['a snapshot', ({ send }) => send('POST', '/_calendar/snapshots', { what: 'reset' }), ({ get }) => get('/_calendar/snapshots')],
  [
    'its start',
    async ({ send }) => {
      await send('POST', `${api}/events`, event);
      await send('POST', '/_calendar/reset', { as_start: true });
      await send('DELETE', `${api}/events/12`);
    },
    async (worker) => {
      await worker.send('POST', '/_calendar/reset', {});
      return titles(worker);
    },
  ],
  [
    'requests with their bodies and mistakes',
    async ({ send }) => {
      await send('GET', `${api}/events?unknown=1`);
      await send('POST', `${api}/tags`, { name: 'New' });
    },
    ({ get }) => get('/_calendar/requests'),
  ],
];

describe('a calendar of a static site in a browser', () => {
  it.each(states)('keeps %s when its worker is stopped', async (_, make, read) => {
    const browser = new Browser();
    const site = await siteWith('Theirs');
    const untouched = JSON.stringify(await read(await start(new Browser(), site)));
    const first = await start(browser, site);
    await make(first);
    const before = await start(browser, site);
    const made = JSON.stringify(await read(before));
    expect(made).not.toBe(untouched);
    expect(JSON.stringify(await read(await start(browser, site)))).toBe(made);
  });

  it('has links of its origin and its folder', async () => {
    const { get } = await start(new Browser(), await siteWith('Theirs'));
    const [{ url, rest_url }] = (await get(`${api}/events?start_date=2000-01-01`)).events;
    expect([url, rest_url]).toEqual([
      expect.stringMatching(/^https:\/\/example\.org\/preview\/event\/theirs\/$/),
      expect.stringMatching(/^https:\/\/example\.org\/preview\/wp-json\/calendar\/events\/v1\/events\/\d+$/),
    ]);
    expect((await get('/_calendar/health')).url).toBe('https://example.org/preview/wp-json/calendar/events/v1');
  });

  it('stores a change before its response, and the log of a read after it', async () => {
    const browser = new Browser();
    const { send, kept } = await start(browser, await siteWith('Theirs'));
    await send('GET', '/_calendar/health');
    browser.writes = [];
    await send('GET', `${api}/events`);
    expect(browser.writes).toEqual([{ names: ['request 1'], isDurable: false }]);
    const request = new Request(`https://example.org/preview${api}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'New' }) });
    await kept.handle(request);
    expect(browser.writes.at(-1)).toEqual({ names: ['state', 'image', 'request 2'], isDurable: true });
  });

  it('acknowledges no change that could not be stored, and shows none', async () => {
    const browser = new Browser();
    const site = await siteWith('Theirs');
    const first = await start(browser, site);
    await first.send('POST', `${api}/events`, { ...event, title: 'Before' });
    browser.isFull = true;
    const sent = [1, 2, 3].map((each) => first.send('POST', `${api}/events`, { ...event, title: `Lost ${each}` }));
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    browser.isFull = false;
    await expect(first.send('POST', `${api}/events`, event)).rejects.toThrow();
    expect(first.kept.isOver).toBe(true);
    expect((await titles(await start(browser, site))).sort()).toEqual(['Before', 'Theirs']);
  });

  it('many changes at once are all stored', async () => {
    const browser = new Browser();
    const site = await siteWith('Theirs');
    const first = await start(browser, site);
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, each) => first.send('POST', `${api}/events`, { ...event, title: `Event ${each}` })),
    );
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = new Set(sent.map(({ value }) => value.id));
    const second = await start(browser, site);
    const { events } = await second.get(`${api}/events?start_date=2000-01-01&per_page=50`);
    expect(events.filter(({ id }: { id: number }) => ids.has(id))).toHaveLength(20);
  });

  it('a worker writes nothing once another one has read', async () => {
    const browser = new Browser();
    const site = await siteWith('Theirs');
    const first = await start(browser, site);
    await start(browser, site);
    await expect(first.send('POST', `${api}/events`, event)).rejects.toMatchObject({ code: 'store-changed' });
    expect(await titles(await start(browser, site))).toEqual(['Theirs']);
  });

  it('has no worlds', async () => {
    const { send } = await start(new Browser(), await siteWith('Theirs'));
    await expect(send('POST', '/_calendar/worlds', {})).rejects.toMatchObject({ code: 'bad-request' });
  });
});

describe('a site that is published again with another calendar', () => {
  it.each([
    ['a visitor who has read', (worker: Worker) => titles(worker)],
    ['a visitor who has moved the clock', ({ send }: Worker) => send('POST', '/_calendar/clock/advance', { by: '1d' })],
    [
      'a visitor who has reset their changes',
      async ({ send }: Worker) => {
        await send('POST', `${api}/events`, event);
        await send('POST', '/_calendar/reset', {});
      },
    ],
  ])('is shown to %s', async (_, visit) => {
    const browser = new Browser();
    await visit(await start(browser, await siteWith('Old')));
    const worker = await start(browser, await siteWith('New'));
    expect([await titles(worker), worker.kept.foot.actions]).toEqual([['New'], []]);
    expect(await titles(await start(browser, await siteWith('New')))).toEqual(['New']);
  });

  /** A visitor who has changed the old calendar comes to the new one. */
  async function visitAgain() {
    const browser = new Browser();
    const [old, site] = [await siteWith('Old'), await siteWith('New')];
    await (await start(browser, old)).send('POST', `${api}/events`, event);
    return { browser, site, worker: await start(browser, site) };
  }

  it('leaves the changes of a visitor, and says it until they confirm it', async () => {
    const { browser, site, worker } = await visitAgain();
    expect((await titles(worker)).sort()).toEqual(['Mine', 'Old']);
    const again = await start(browser, site);
    expect(again.kept.foot).toMatchObject({
      text: expect.stringContaining('with your changes'),
      actions: [
        ['Discard my changes', 'DELETE'],
        ['Keep them', 'POST'],
      ],
    });
    expect((await again.send('POST', ownCopyPath)).status).toBe(204);
    const later = await start(browser, site);
    expect([(await titles(later)).sort(), later.kept.foot.actions]).toEqual([['Mine', 'Old'], []]);
  });

  it('is shown when a visitor discards their changes, which they can undo', async () => {
    const { browser, site, worker } = await visitAgain();
    await worker.send('POST', '/_calendar/clock/freeze');
    expect((await worker.send('DELETE', ownCopyPath)).status).toBe(204);
    const later = await start(browser, site);
    expect([await titles(later), later.kept.foot.actions, (await later.get('/_calendar/clock')).frozen]).toEqual([['New'], [], false]);
    await later.send('POST', '/_calendar/undo', {});
    const last = await start(browser, site);
    expect([(await titles(last)).sort(), last.kept.foot.actions, (await last.get('/_calendar/clock')).frozen]).toEqual([
      ['Mine', 'Old'],
      [],
      true,
    ]);
  });

  it('is shown after a reset', async () => {
    const { browser, site, worker } = await visitAgain();
    await worker.send('POST', '/_calendar/reset', {});
    expect([await titles(worker), worker.kept.foot.actions]).toEqual([['New'], []]);
    expect(await titles(await start(browser, site))).toEqual(['New']);
  });

  it.each([
    [
      'records',
      ({ stored }: Browser) => {
        const later = new Uint8Array(stored.get('image') as Uint8Array);
        // The user_version in the header of the file.
        later.set([0, 0, 3, 232], 60);
        stored.set('image', later);
      },
    ],
    [
      'faults',
      ({ stored }: Browser) => {
        const { parts, ...state } = stored.get('state') as { parts: object };
        stored.set('state', { ...state, parts: { ...parts, faults: { faults: [{ id: 1, input: {} }], next: 2 } } });
      },
    ],
  ])('says that %s of a later version of the program are lost', async (_, change) => {
    const { browser, site } = await visitAgain();
    change(browser);
    browser.stored.set('state', { ...(browser.stored.get('state') as object), version: '99.0.0' });
    const worker = await start(browser, site);
    expect([await titles(worker), worker.kept.foot.text]).toEqual([['New'], expect.stringContaining('a later version')]);
    await worker.send('POST', ownCopyPath);
    expect((await start(browser, site)).kept.foot.actions).toEqual([]);
  });
});

describe('a site with a seed', () => {
  const site: Site = { data: 'minimal', options: { seed: 'minimal' } };
  const uids = async ({ get }: Worker) =>
    (await get(`${api}/events?start_date=2000-01-01`)).events.map(
      (each: { global_id: string; date: string }) => each.global_id + each.date,
    );
  /** As if the browser had filled it on the day before. */
  const yesterday = ({ stored }: Browser) => stored.set('seed', { ...(stored.get('seed') as object), day: '2026-11-28' });

  it('has the same records on the same day', async () => {
    const browser = new Browser();
    const first = await start(browser, site);
    const exported = (await first.send('GET', '/_calendar/export')).value;
    await uids(first);
    expect((await (await start(browser, site)).send('GET', '/_calendar/export')).value).toEqual(exported);
  });

  it('is filled again on another day, unless the visitor has changed it', async () => {
    const browser = new Browser();
    await uids(await start(browser, site));
    const image = (browser.stored.get('seed') as { image: unknown }).image;
    yesterday(browser);
    const second = await start(browser, site);
    await second.send('POST', `${api}/events`, event);
    const filled = browser.stored.get('seed') as { image: unknown };
    expect(filled.image).not.toEqual(image);
    yesterday(browser);
    const third = await start(browser, site);
    expect(await titles(third)).toContain('Mine');
    expect((browser.stored.get('seed') as { image: unknown }).image).toEqual(filled.image);
    await third.send('POST', '/_calendar/reset', {});
    expect(await titles(third)).not.toContain('Mine');
  });
});
