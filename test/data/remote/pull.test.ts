import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generate } from '../../../src/data/generate.ts';
import { seed } from '../../../src/data/seed.ts';
import { seedNamed } from '../../../src/data/seeds.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import type { Handle, ServerRequest } from '../../../src/server/http.ts';
import { textBody } from '../../../src/server/http.ts';
import { type Listening, listen } from '../../../src/server/listen.ts';
import { createHandler } from '../../../src/server/router.ts';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { serviceOf } from '../../../src/store/service.ts';
import type { StoreImage } from '../../../src/store/snapshots.ts';
import { now } from '../../support/calendars.ts';
import { serverWith } from '../../support/server.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const options = { basePath: '/wp-json', namespace: 'brand/events/v1', headerPrefix: 'X-Brand' };

/** Another calendar, behind a server with another namespace; `fault` breaks answers off. */
let store: Store;
let server: Listening;
/** Answers in place of that calendar. */
let current: Handle;
let fault: ((request: ServerRequest) => boolean) | undefined;
let asked: string[] = [];
let count = 0;
let db = '';
/** The states that it starts with. */
const images = new Map<Fill, Promise<StoreImage>>();
const fills = {
  none: async () => {},
  minimal: async () => void (await seed(store, await seedNamed('minimal'), 'append')),
  'edge-cases': async () => void (await seed(store, await seedNamed('edge-cases'), 'append')),
  pages: async () => void (await generate(store, { counts: { events: 101 }, from: '2026-12-01' })),
  party: async () =>
    void (await store.change(({ events }) =>
      events.create({ title: 'Party', slug: 'party', start_date: '2027-01-01', end_date: '2027-01-02' }),
    )),
};
type Fill = keyof typeof fills;
let handle: Handle;

/** Fills the other calendar. */
async function fill(name: Fill): Promise<void> {
  const made = async () => {
    await fills[name]();
    return store.image();
  };
  if (!images.has(name)) images.set(name, made());
  await store.restore(await images.get(name)!);
}

beforeAll(async () => {
  store = await openCalendar(':memory:', { mode: 'write', now: () => now });
  await fill('none');
  handle = createHandler(serviceOf(store), options);
  const answer = (request: ServerRequest) => {
    asked.push(`${request.method} ${request.path}`);
    if (fault?.(request)) return Promise.resolve({ status: 500, headers: {}, body: textBody('broken off') });
    return current(request);
  };
  server = await listen(serverWith(answer), { host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  asked = [];
  fault = undefined;
  db = `local-${++count}.db`;
  current = handle;
  await fill('none');
});
afterAll(async () => {
  await server.close();
  await store.close();
});

const env = { CALENDAR_NAMESPACE: options.namespace };
const local = (line: string, stdin?: string) => run([...words(line), '--db', db], { cwd, env, stdin });
const url = () => `${server.url}/wp-json`;
const sameAsThere = async () => expect(await local(`diff ${url()}`)).toMatchObject({ exit: 0, stdout: '' });

describe('pull', () => {
  it('copies all five resources with their links, keeps IDs, and is equal afterwards', async () => {
    await fill('edge-cases');
    const { exit, stderr } = await local(`pull ${url()}`);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^calendar: Pulled from .*: \d+ created(, 1 skipped)?\n/)]);
    await sameAsThere();
    const there = await store.calendarFor({ id: 0, name: '', role: 'anonymous' }, { home: '', root: '' }).events.list({ per_page: 3 });
    const namesOf = ({ categories, venue }: Entry) => [categories, venue].flat().map((each) => (each as Entry)?.slug);
    for (const entry of there.entries) {
      const here = JSON.parse((await local(`events get ${entry.id} --json`)).stdout);
      expect([here.id, here.slug, namesOf(here)]).toEqual([entry.id, entry.slug, namesOf(entry)]);
    }
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: \d+ unchanged(, 1 skipped)?\n/);
  });

  it.each([
    ['', 'America/Lima', 'Town'],
    ['--calendar-timezone Asia/Tokyo', 'Asia/Tokyo', 'Town'],
  ])('gives a new file the time zone and the title of the site, unless %j', async (option, zone, title) => {
    await fill('minimal');
    await store.change(({ settings }) => {
      settings.set('timezone', 'America/Lima');
      settings.set('title', 'Town');
    });
    const setting = async (name: string) => (await local(`settings get ${name}`)).stdout.trim();
    expect((await local(`pull ${url()} --dry-run ${option}`)).exit).toBe(0);
    fault = ({ path }) => path.includes('/venues');
    expect((await local(`pull ${url()} ${option}`)).exit).toBe(7);
    expect(readdirSync(cwd)).not.toContain(db);
    fault = undefined;
    expect((await local(`pull ${url()} ${option}`)).exit).toBe(0);
    expect([await setting('timezone'), await setting('title')]).toEqual([zone, title]);
    // Later it is the user's.
    await local('settings set timezone Europe/Oslo');
    await local(`pull ${url()}`);
    expect(await setting('timezone')).toBe('Europe/Oslo');
  });

  it('assigns other IDs for used ones, and remembers them', async () => {
    await fill('minimal');
    await local('venues create --venue Other');
    await local('seed minimal --append');
    await local(`pull ${url()}`);
    const { stdout } = await local(`diff ${url()} --json`);
    // Their slugs are those of other records here.
    const isOwn = ({ remote, fields }: { remote?: number; fields: object }) =>
      remote === undefined || Object.keys(fields).join() === 'slug';
    expect(JSON.parse(stdout).every(isOwn)).toBe(true);
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: 5 unchanged\n/);
  });

  it('goes on where it was broken off, and has counted the events of terms until then', async () => {
    await fill('pages');
    let pages = 0;
    fault = ({ path }) => path.endsWith('/events') && ++pages > 2;
    const broken = await local(`pull ${url()} --timeout 2`);
    expect(broken.exit).toBe(7);
    const { categories } = JSON.parse((await local('request /categories?per_page=50')).stdout) as {
      categories: { slug: string; count: number }[];
    };
    const { events, total } = JSON.parse(
      (await local('request /events?start_date=2000-01-01&end_date=2100-01-01&per_page=100')).stdout,
    ) as { events: { categories: { slug: string }[] }[]; total: number };
    expect([events.length > 40, events.length, total < 101]).toEqual([true, total, true]);
    const slugs = events.flatMap((event) => event.categories.map(({ slug }) => slug));
    for (const { slug, count } of categories) expect([slug, count]).toEqual([slug, slugs.filter((each) => each === slug).length]);
    expect(categories.reduce((sum, each) => sum + each.count, 0)).toBeGreaterThan(0);
    fault = undefined;
    asked = [];
    expect((await local(`pull ${url()}`)).exit).toBe(0);
    // Then it looks for changes in what the first one had read.
    const [firstEvents, venues] = ['/events', '/venues'].map((end) => asked.findIndex((path) => path.endsWith(end)));
    expect(firstEvents).toBeLessThan(venues!);
    await sameAsThere();
  });

  it('copies only changes, and has a dry run', async () => {
    await fill('minimal');
    await local(`pull ${url()}`);
    await local('events update summer-concert --cost 99');
    const [event] = [...store.local({ id: 1, name: 'owner', role: 'owner' }, { home: '', root: '' }).sources('events')];
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: 5 unchanged\n/);
    await store.change((there) => void there.events.update({ id: event!.id }, { title: 'Changed & “there”' }), undefined, {
      now: now + 60_000,
    });
    const { stdout } = await local(`diff ${url()} --json`);
    expect(JSON.parse(stdout)).toEqual([
      {
        resource: 'events',
        local: event!.id,
        remote: event!.id,
        name: 'Summer Concert',
        fields: {
          title: { local: 'Summer Concert', remote: 'Changed &#038; “there”', direction: 'there' },
          cost: { local: '$99', remote: 'Free', direction: 'here' },
        },
      },
    ]);
    expect((await local(`pull ${url()} --dry-run`)).stderr).toMatch(/: 1 updated, 4 unchanged \(dry run, nothing was written\)\n$/);
    expect((await local(`diff ${url()}`)).exit).toBe(1);
    expect((await local(`pull ${url()} --only events`)).stderr).toMatch(/: 1 updated\n/);
    // The local change stays.
    expect((await local(`diff ${url()}`)).stdout).toMatch(/^! events \d+ Changed & “there”\n {4}cost: here → "\$99" -> "Free"\n$/);
    expect((await local(`push ${url()}`)).stderr).toMatch(/: 1 updated, 4 unchanged\n/);
    await sameAsThere();
  });
});

describe('records of a site', () => {
  it('are known by its own address, under every spelling', async () => {
    await fill('minimal');
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: 5 created\n/);
    const { port } = new URL(url());
    for (const address of [`http://localhost:${port}/wp-json`, `http://127.0.0.1:${port}/wp-json/${options.namespace}/`]) {
      expect((await local(`pull ${address}`)).stderr).toMatch(/: 5 unchanged\n/);
      expect((await local(`push ${address}`)).stderr).toMatch(/: 5 unchanged\n/);
    }
  });

  it('that are gone are created again only with --ours', async () => {
    await fill('minimal');
    await local(`pull ${url()}`);
    await fill('none');
    expect((await local(`push ${url()}`)).stderr).toMatch(
      /: 5 unchanged\n(calendar: .*: deleted on the site; .*\n){5}calendar: Not in step with .*: 5 changes of the site not copied\n$/,
    );
    expect((await local(`push ${url()} --ours`)).stderr).toMatch(/: 5 created\n/);
  });

  it('are known by address and ID, and by nothing else', async () => {
    await fill('party');
    await local('organizers create --organizer First');
    await local('events create --title "My own" --slug party --start-date 2027-01-01 --end-date 2027-01-02');
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: 1 created\n/);
    expect((await local(`pull ${url()}`)).stderr).toMatch(/: 1 unchanged\n/);
    const { stdout } = await local('events list --start-date 2027-01-01 --end-date 2027-12-31 --format count');
    expect(stdout).toBe('2\n');
  });
});

describe('push', () => {
  it('creates, updates and, with its option, deletes', async () => {
    await local('seed minimal');
    const rehearsed = await local(`push ${url()} --dry-run`);
    expect(rehearsed.stderr).toMatch(/: 5 created \(dry run, nothing was written\)\n$/);
    expect((await local(`push ${url()}`)).exit).toBe(0);
    await sameAsThere();
    expect((await local(`push ${url()}`)).stderr).toMatch(/: 5 unchanged\n/);
    await local('events update summer-concert --title Marathon --venue 0');
    await local('tags create --name brand-new');
    expect((await local(`push ${url()}`)).stderr).toMatch(/: 1 created, 1 updated, 4 unchanged\n/);
    await sameAsThere();
    await local('events delete summer-concert --yes');
    expect((await local(`push ${url()}`)).stderr).toMatch(
      /: 5 unchanged\ncalendar: events \d+ \(Marathon\): deleted here; .*\ncalendar: Not in step with .*: 1 edit not sent\n$/,
    );
    expect((await local(`diff ${url()}`)).stdout).toMatch(/^> events \d+ Marathon: only remote\n$/);
    expect((await local(`push ${url()} --delete`)).exit).toBe(2);
    expect((await local(`push ${url()} --delete --yes`)).stderr).toMatch(/: 5 unchanged, 1 deleted\n/);
    await sameAsThere();
  });

  it('reports rejected records, and continues', async () => {
    await local('seed minimal');
    fault = ({ method, path }) => method === 'POST' && path.endsWith('/venues');
    const { exit, stderr } = await local(`push ${url()} --timeout 2`);
    expect(exit).toBe(8);
    expect(stderr).toMatch(/: 4 created\ncalendar: venues \d+ \(Town Hall\): /);
  });
});

describe('diff', () => {
  it('lists records on one side, and fields that differ', async () => {
    await fill('minimal');
    await local(`pull ${url()}`);
    await local('organizers create --organizer "Only here"');
    await store.change((there) => void there.tags.create({ name: 'only there' }));
    await local('venues update town-hall --city Elsewhere --phone 123');
    const { exit, stdout } = await local(`diff ${url()}`);
    expect(exit).toBe(1);
    expect(stdout.replace(/ \d+ /g, ' N ')).toBe(
      '! venues N Town Hall\n    city: here → "Elsewhere" -> "Springfield"\n    phone: here → "123" -> ""\n< organizers N Only here: only local\n> tags N only there: only remote\n',
    );
    expect((await local(`diff ${url()} --only categories`)).exit).toBe(0);
    // The environment may name a server: the file is meant all the same.
    expect(await run(['diff', url()], { cwd, env: { ...env, CALENDAR_URL: url(), CALENDAR_DB: db } })).toMatchObject({ exit: 1, stdout });
  });
});
