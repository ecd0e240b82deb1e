import { describe, expect, it } from 'vitest';
import { conflictsIn } from '../../../src/data/remote/conflicts.ts';
import { diff } from '../../../src/data/remote/diff.ts';
import { sitesIn } from '../../../src/data/remote/status.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import { setColumns } from '../../../src/store/records/queries.ts';
import { readExchanges } from '../../reference/exchange.ts';
import { pageOf } from '../../support/live-site.ts';
import { conflictsOf, countsOf, day, event, reasonsOf, SiteCopy } from '../../support/site-copy.ts';
import { siteRules } from '../../support/site-rules.ts';

const copy = new SiteCopy();
const create = (side: 'here' | 'there', title: string, more = {}) =>
  copy.change(side, (local) => local.events.create({ title, ...day, ...more }));
async function differences(remote = copy.site.remote('administrator')): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const difference of diff(copy.here, remote, { problems: [] })) found.push(difference);
  return found;
}
/** Cuts the connections of all writes, before the site stores them or after. */
const cutWrites = (at: 'before' | 'after') => copy.site.origin.control.addFault({ match: { method: 'POST' }, then: 'reset', at });
const idThere = () => copy.shown('there')!.id;

it('a refused field loses neither a new record nor an update', async () => {
  await create('here', 'Poster', { image: 'https://example.org/a.jpg' });
  await copy.update('here', { title: 'Renamed', image: 'https://example.org/b.jpg' });
  const { problems } = await copy.push();
  expect(reasonsOf(problems).sort()).toEqual(['events (Poster): not accepted: image', 'events (Renamed): not accepted: image']);
  expect(copy.shown('there', 'events', 'poster')).toMatchObject({ title: 'Poster', image: false });
  expect(copy.shown('there')).toMatchObject({ title: 'Renamed' });
});

it('a record with a password is not published on a site that keeps none', async () => {
  await create('here', 'Secret', { post_password: 'hidden' });
  await copy.update('here', { title: 'Locked', post_password: 'hidden' });
  const { problems, notes } = await copy.push();
  const reason = 'has a password, which a site does not keep; not sent';
  expect([problems, reasonsOf(notes).sort()]).toEqual([[], [`events (Locked): ${reason}`, `events (Secret): ${reason}`]]);
  expect([copy.shown('there', 'events', 'secret'), copy.shown('there')?.title]).toEqual([undefined, 'Summer Concert']);
  await copy.update('here', { post_password: '' }, 'events', 'secret');
  await copy.push();
  expect(copy.shown('there', 'events', 'secret')).toMatchObject({ title: 'Secret' });
});

it.each([{ timezone: 'Asia/Tokyo' }, { end_date: '2027-07-05 23:45:00' }])('dates travel together: %j', async (change) => {
  await copy.update('here', { start_date: '2027-07-05 20:00:00', end_date: '2027-07-05 22:00:00' });
  await copy.push();
  await copy.update('here', change);
  expect(countsOf(await copy.push())).toBe('1 updated, 4 unchanged');
  const { utc_start_date, utc_end_date } = copy.shown('here')!;
  expect(copy.shown('there')).toMatchObject({ ...change, utc_start_date, utc_end_date });
  expect(countsOf(await copy.push())).toBe('5 unchanged');
});

it('taking the site’s side of a record that was deleted here restores it', async () => {
  await copy.delete('here');
  await copy.update('there', { title: 'Edited' });
  expect(conflictsOf(await copy.pull())).toEqual(['deleted-here']);
  await copy.resolve('theirs');
  expect([copy.shown('here')?.title, copy.conflicts]).toEqual(['Edited', []]);
  await copy.push({ delete: true });
  expect(copy.shown('there')).toMatchObject({ title: 'Edited' });
});

it('a record that is created here, pushed and deleted here leaves no conflict', async () => {
  const venue = copy.shown('here', 'venues', 'town-hall')!.id;
  await create('here', 'Short', { venue });
  expect((await copy.push()).counts.created).toBe(1);
  await copy.delete('here', 'events', 'short');
  expect([conflictsOf(await copy.pull()), countsOf(await copy.push({ delete: true }))]).toEqual([[], '5 unchanged, 1 deleted']);
  expect(copy.conflicts).toEqual([]);
});

it('a copy has the UTC dates of the site while its local ones are the same', async () => {
  const utc = { utc_start_date: '2027-01-01 01:23:00', utc_end_date: '2027-01-01 02:23:00' };
  await copy.change('there', (local) => setColumns(local.context.db, 'events', idThere(), utc));
  expect(await differences()).toMatchObject([{ fields: { utc_start_date: { remote: utc.utc_start_date } } }]);
  await copy.pull();
  await copy.update('here', { title: 'Changed' });
  expect(copy.shown('here')).toMatchObject(utc);
  await copy.update('there', { cost: '5' });
  await copy.pull();
  expect(copy.shown('here')).toMatchObject(utc);
  await copy.update('here', { start_date: '2027-07-05 20:00:00', end_date: '2027-07-05 22:00:00' });
  expect(copy.shown('here')?.utc_start_date).not.toBe(utc.utc_start_date);
});

it('events that lists hide are copied and named', async () => {
  await create('there', 'Backstage', { hide_from_listings: true });
  copy.remote = {
    ...copy.site.remote('administrator'),
    allEvents: async () =>
      [...copy.site.origin.store.local(owner, { home: '', root: '' }).entries('events')].map(({ id, title }) => ({
        id,
        title: String(title),
      })),
  };
  expect(reasonsOf((await copy.pull()).notes)).toEqual(["events: 1 that lists of the site don't show: Backstage"]);
  expect(copy.shown('here', 'events', 'backstage')).toMatchObject({ title: 'Backstage', hide_from_listings: true });
  expect([(await copy.pull()).notes, await differences()]).toEqual([[], []]);
});

it('records that would become pending are counted before a push', async () => {
  await create('here', 'News');
  await copy.update('here', { title: 'Changed' });
  const question = '1 new record would become a draft, 1 published record would become pending. Continue?';
  await expect(copy.push({ as: 'contributor' })).rejects.toThrow(question);
  expect(reasonsOf((await copy.push({ as: 'contributor', dryRun: true })).notes).join()).toContain(question);
  await copy.change('here', (local) => local.tags.create({ name: 'fresh' }));
  expect(countsOf(await copy.push({ as: 'contributor', unpublished: true }))).toBe('1 created, 4 unchanged, 2 skipped');
  copy.site.log.splice(0);
  expect([copy.writes, copy.shown('there')?.title]).toEqual([[], 'Summer Concert']);
  expect((await copy.push({ as: 'contributor', yes: true })).problems.map(({ reason }) => reason)).toEqual(
    Array(2).fill('not accepted: status'),
  );
  await copy.push({ as: 'administrator' });
});

describe('after a push of which the site refuses a part', () => {
  const forbids: typeof copy.site.quirks.request = ({ method }) =>
    method === 'GET'
      ? undefined
      : { status: 403, body: { code: 'event-not-accessible', message: 'The requested event is not accessible', data: { status: 403 } } };

  it('a record that the user may not change is one problem, and a line in later pushes', async () => {
    copy.site.quirks.request = forbids;
    await copy.update('here', { title: 'Renamed', cost: '99' });
    expect(reasonsOf((await copy.push()).problems)).toEqual([
      'events (Renamed): The requested event is not accessible; not accepted: title, cost',
    ]);
    copy.site.log.length = 0;
    const { problems, notes } = await copy.push();
    expect([problems, copy.writes, reasonsOf(notes)]).toEqual([[], [], [expect.stringContaining('2 values that the site did not accept')]]);
    expect(conflictsIn(copy.here)).toMatchObject([
      { kind: 'not-accepted', fields: { title: { local: 'Renamed' }, cost: { local: '$99' } } },
    ]);
    // An edit of another field is sent.
    copy.site.quirks.request = () => undefined;
    await copy.update('there', { featured: true });
    await copy.pull();
    await copy.resolve('ours');
    await copy.push();
    expect(copy.shown('there')).toMatchObject({ title: 'Renamed', cost: '$99', featured: true });
  });

  it('a page of a firewall is not the answer of the site: the record is sent again', async () => {
    copy.site.quirks.request = ({ method }) => (method === 'GET' ? undefined : pageOf('site:challenge'));
    await copy.update('here', { title: 'Renamed' });
    expect((await copy.push()).problems).toHaveLength(1);
    copy.site.quirks.request = () => undefined;
    expect([countsOf(await copy.push()), copy.shown('there')?.title]).toEqual(['1 updated, 4 unchanged', 'Renamed']);
  });

  it.each(['update', 'create'] as const)('the copy has the UTC dates of the site (%s)', async (what) => {
    const utc = { utc_start_date: '2027-07-05 01:23:00', utc_end_date: '2027-07-05 02:23:00' };
    copy.site.quirks.shows = (body) => {
      const entries = [(body as { events?: Entry[] }).events ?? body].flat() as Entry[];
      for (const each of entries) if (each.start_date === '2027-07-05 20:00:00') Object.assign(each, utc);
      return body;
    };
    const dates = { start_date: '2027-07-05 20:00:00', end_date: '2027-07-05 22:00:00' };
    if (what === 'update') await copy.update('here', dates);
    else await create('here', 'New', dates);
    await copy.push();
    expect(copy.shown('here', 'events', what === 'update' ? event : 'new')).toMatchObject(utc);
    expect([await differences(), countsOf(await copy.pull())]).toEqual([[], `${what === 'update' ? 5 : 6} unchanged`]);
  });

  it.each([
    ['here', 'there', 'deleted-there', '1 created, 4 unchanged'],
    ['there', 'here', 'deleted-here', '4 unchanged'],
  ] as const)('a conflict that --ours settles is not listed any more: edited %s, deleted %s', async (edited, deleted, kind, counts) => {
    await copy.update(edited, { title: 'Edited' });
    await copy.delete(deleted);
    await copy.push();
    expect(copy.conflicts).toEqual([kind]);
    expect([countsOf(await copy.push({ prefer: 'ours' })), copy.conflicts]).toEqual([counts, []]);
    expect(conflictsOf(await copy.push())).toEqual([]);
  });
});

describe('a record whose push was cut', () => {
  const fresh = async () => {
    await copy.change('here', (local) => {
      const venue = local.venues.create({ venue: 'New hall' }) as Entry;
      local.tags.create({ name: 'fresh' });
      local.events.create({ title: 'Fresh', ...day, venue: venue.id, tags: ['fresh'] });
    });
  };

  it.each(['pull', 'push'] as const)('is adopted by the next %s', async (command) => {
    await fresh();
    await cutWrites('after');
    expect((await copy.push()).problems).toHaveLength(3);
    await copy.site.origin.control.clearFaults({});
    for (const each of [command, 'push'] as const) expect((await copy[each]()).problems).toEqual([]);
    for (const side of ['here', 'there'] as const)
      expect((['events', 'venues', 'tags'] as const).map((name) => copy.count(side, name))).toEqual([2, 2, 2]);
    const shown = { venue: { slug: 'new-hall' }, tags: [{ slug: 'fresh' }] };
    expect([copy.shown('there', 'events', 'fresh'), await differences()]).toMatchObject([shown, []]);
  });

  it('before the site stored it is sent again', async () => {
    await create('here', 'Fresh');
    await cutWrites('before');
    expect((await copy.push()).problems).toHaveLength(1);
    await copy.site.origin.control.clearFaults({});
    expect(countsOf(await copy.push())).toBe('1 created, 5 unchanged');
  });

  it('and of which the site may have two is neither copied nor sent', async () => {
    await create('here', 'Fresh');
    await cutWrites('after');
    await copy.push();
    await copy.site.origin.control.clearFaults({});
    await create('there', 'Fresh');
    for (const command of ['push', 'pull'] as const)
      expect(reasonsOf((await copy[command]()).problems)).toEqual([
        expect.stringMatching(/^events \(Fresh\): the site may have it as \d+ or \d+/),
      ]);
    expect(copy.count('here', 'events')).toBe(2);
  });
});

it('records that lose a link by a deletion are named', async () => {
  await create('here', 'Local', { venue: copy.shown('here', 'venues', 'town-hall')!.id });
  await copy.update('there', { venue: 0 });
  await copy.delete('there', 'venues', 'town-hall');
  expect(reasonsOf((await copy.pull({ delete: true })).notes)).toEqual([
    expect.stringMatching(/^events \(Local\): lost its link to venues \d+ \(Town Hall\), which the site deleted$/),
  ]);
});

it('a site with another host than the typed one is confirmed once', async () => {
  copy.remote = { ...copy.site.remote(), greet: async () => ({ root: 'http://calendar.example/brand/events/v1', mayWrite: false }) };
  await expect(copy.push()).rejects.toThrow(' says that it is calendar.example. Are both the same site?');
  expect(reasonsOf((await copy.push({ yes: true })).notes)[0]).toContain(
    'says that it is calendar.example. Both are treated as the same site',
  );
  expect(reasonsOf((await copy.push()).notes).join()).not.toContain('says that');
});

it('many new records with slugs of the site are confirmed', async () => {
  for (const side of ['here', 'there'] as const)
    await copy.change(side, (local) => {
      for (let at = 0; at < 21; at++) local.events.create({ title: `Record ${at}`, ...day });
    });
  await expect(copy.push()).rejects.toThrow('21 new records have slugs that');
  expect(copy.writes).toEqual([]);
});

it('a list with fewer records than its total is a problem', async () => {
  await copy.change('there', (local) => {
    for (let at = 0; at < 60; at++) local.tags.create({ name: `Tag ${at}` });
  });
  await copy.site.origin.control.addFault({ then: 'site:same-page' });
  expect(reasonsOf((await copy.pull()).problems)).toEqual(['tags: the site has 61, and its lists show only 50 of them']);
});

it('a cached response does not undo what was pushed', async () => {
  const cached = new Map<string, unknown>();
  copy.site.quirks.shows = (body, { method, path, query }) => {
    const key = path + JSON.stringify(query);
    if (method === 'GET' && !cached.has(key)) cached.set(key, structuredClone(body));
    return method === 'GET' ? cached.get(key) : body;
  };
  await copy.pull();
  copy.now = Date.parse('2026-11-20T16:06:05Z');
  await copy.site.origin.control.setClock({ now: '2026-11-20T16:06:05Z' });
  await copy.update('here', { title: 'Changed' });
  await copy.push();
  expect(reasonsOf((await copy.pull()).notes)).toEqual([
    expect.stringContaining('1 record is older than at the last pull or push, as in a cached response. Skipped'),
  ]);
  expect(copy.shown('here')).toMatchObject({ title: 'Changed' });
  copy.site.quirks.shows = (body) => body;
  expect(await differences()).toEqual([]);
});

it.each([0, -1, 9_007_199_254_740_991])('the ID %i is reported and not copied', async (id) => {
  copy.site.quirks.shows = (body) => {
    for (const tag of (body as { tags?: Entry[] }).tags ?? []) if (tag.slug === 'odd') tag.id = id;
    return body;
  };
  await copy.change('there', (local) => local.tags.create({ name: 'odd' }));
  expect((await copy.pull()).problems).toEqual([
    { at: `tags ${id}`, reason: expect.stringContaining('not copied: an ID is a whole number from 1 to') },
  ]);
  await copy.change('here', (local) => local.tags.create({ name: 'later' }));
  expect(copy.count('here', 'tags')).toBe(2);
});

describe.each([
  ['a title', { title: 'Changed' }],
  ['a status', { status: 'draft' }],
  ['both', { title: 'Changed', status: 'private' }],
])('an event that the site withdraws, with %s that was changed here,', (_, edit) => {
  /** The differences for visitors, without values that the site did not accept. */
  const open = async () =>
    (await differences(copy.site.remote())).filter((each) => Object.keys((each as { fields: object }).fields).length > 0);
  const line = () => sitesIn(copy.here, () => false, copy.now)[0]!.text.replace(/, just now$/, '');

  it.each([
    ['ours', edit],
    ['theirs', { ...edit, status: 'private' }],
  ] as const)('is a conflict that is resolved in favor of %s, and stays resolved', async (side, after) => {
    await copy.update('here', edit);
    await copy.update('there', { status: 'draft' });
    expect(conflictsOf(await copy.pull())).toEqual(['withdrawn']);
    expect(await copy.resolve(side)).toMatchObject({ conflicts: [] });
    for (let time = 0; time < 2; time++) {
      expect(conflictsOf(await copy.pull())).toEqual([]);
      expect(await open()).toEqual([]);
      expect((await copy.push()).problems).toEqual([]);
      expect([copy.shown('here'), line()]).toEqual([expect.objectContaining(after), expect.stringMatching(/^In step with localhost/)]);
    }
    // Once it is public again, what was changed here is an edit like others.
    await copy.update('there', { status: 'publish' });
    await copy.pull();
    await copy.push();
    if ('title' in edit) expect(copy.shown('there')).toMatchObject({ title: edit.title });
    expect(await open()).toEqual([]);
  });
});

it('an event that the site withdraws and that was changed here is a conflict', async () => {
  await copy.update('here', { title: 'Changed' });
  await copy.update('there', { status: 'draft' });
  expect(conflictsOf(await copy.pull())).toEqual(['withdrawn']);
  expect(copy.shown('here')).toMatchObject({ status: 'publish' });
  await copy.resolve('theirs');
  expect(copy.shown('here')).toMatchObject({ status: 'private', title: 'Changed' });
  expect(conflictsOf(await copy.pull())).toEqual([]);
});

it('a field that the site lacks in all records is one line of diff', async () => {
  await copy.update('here', { sticky: true });
  copy.site.quirks.shows = (body) => {
    for (const each of (body as { events?: Entry[] }).events ?? []) delete each.sticky;
    return body;
  };
  expect(await differences()).toEqual([{ resource: 'events', field: 'sticky', records: 1 }]);
});

it('slugs that two events exchanged are exchanged on the site', async () => {
  for (const slug of ['bach', 'liszt']) await create('here', slug, { slug });
  await copy.push();
  const titles = (side: 'here' | 'there') => ['bach', 'liszt'].map((slug) => copy.shown(side, 'events', slug)?.title);
  for (const [before, slug] of [
    ['bach', 'ravel'],
    ['liszt', 'bach'],
    ['ravel', 'liszt'],
  ])
    await copy.update('here', { slug }, 'events', before);
  expect([titles('here'), titles('there')]).toEqual([
    ['liszt', 'bach'],
    ['bach', 'liszt'],
  ]);
  expect((await copy.push()).problems).toEqual([]);
  expect(titles('there')).toEqual(['liszt', 'bach']);
  expect(countsOf(await copy.push())).toBe('7 unchanged');
});

it('a slug that can’t be sent is not a difference, unless the site changed it', async () => {
  const { id } = copy.shown('here', 'venues', 'town-hall')!;
  for (const [side, slug] of [
    ['here', 'ours'],
    ['there', 'theirs'],
  ] as const) {
    await copy.change(side, ({ context }) => setColumns(context.db, 'venues', id, { slug }));
    expect(await differences()).toMatchObject([side === 'here' ? { fields: {}, refused: ['slug'] } : { fields: { slug: {} } }]);
  }
});

it('a page in place of a response ends a pull, which changes nothing', async () => {
  await copy.update('there', { title: 'Changed' });
  copy.site.quirks.request = ({ path }) => (path.endsWith('/tags') ? pageOf('site:challenge') : undefined);
  await expect(copy.pull()).rejects.toThrow('returned 403');
  expect(copy.shown('here', 'events', event)).toBeDefined();
});

it('the rules of a site are in the recordings of the real service, or were tried with it', () => {
  const recorded = new Set(readExchanges('exchanges.ndjson').map(({ name }) => name));
  expect(siteRules.filter(({ shownBy }) => shownBy !== 'trial' && !recorded.has(shownBy))).toEqual([]);
});

it('a list that is empty for a while is not believed, and asks for one page of single records', async () => {
  await copy.site.change((local) => {
    for (let count = 0; count < 138; count++) local.tags.create({ name: `tag ${count}` });
  });
  await copy.pull();
  const count = copy.count('here', 'tags');
  copy.site.quirks.shows = (body) => {
    const { tags } = body as { tags?: Entry[] };
    return tags && (body as { total?: number }).total !== undefined ? { ...(body as object), tags: [], total: 0, total_pages: 0 } : body;
  };
  for (const command of ['pull', 'push'] as const) {
    copy.site.log.splice(0);
    await expect(copy[command]({ delete: true })).rejects.toMatchObject({
      code: 'unreachable',
      message: `localhost lists no tags, but the first 50 of ${count} copied ones are still there`,
    });
    expect(copy.site.log.filter((line) => /tags\/\d+/.test(line)).length).toBe(50);
  }
  expect([copy.count('here', 'tags'), copy.writes]).toEqual([count, []]);
  // Records that were deleted are missed one by one.
  copy.site.quirks.shows = (body) => body;
  await copy.change('there', (local) => {
    for (const { id } of [...local.entries('tags')]) local.tags.delete({ id });
  });
  await copy.pull({ delete: true });
  expect(copy.count('here', 'tags')).toBe(0);
});
