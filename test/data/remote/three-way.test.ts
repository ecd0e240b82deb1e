import { describe, expect, it } from 'vitest';
import { conflictsIn } from '../../../src/data/remote/conflicts.ts';
import { diff } from '../../../src/data/remote/diff.ts';
import { sitesIn } from '../../../src/data/remote/status.ts';
import { reset } from '../../../src/data/world/reset.ts';
import { withExtras } from '../../support/live-site.ts';
import { conflictsOf, countsOf, day, event, reasonsOf, SiteCopy } from '../../support/site-copy.ts';

const copy = new SiteCopy({ shows: withExtras });
const both = () => [copy.shown('here'), copy.shown('there')];
/** Returns what a comparison finds. */
async function differences(): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const difference of diff(copy.here, copy.site.remote(), { problems: [] })) found.push(difference);
  return found;
}

describe('edits', () => {
  it('of different fields are merged, with a frozen clock too', async () => {
    await copy.update('here', { cost: '99' });
    await copy.update('there', { title: 'Changed' });
    expect(countsOf(await copy.pull())).toBe('1 updated, 4 unchanged');
    expect(copy.shown('here')).toMatchObject({ title: 'Changed', cost: '$99' });
    expect(countsOf(await copy.push())).toBe('1 updated, 4 unchanged');
    expect(copy.shown('there')).toMatchObject({ title: 'Changed', cost: '$99' });
    expect([countsOf(await copy.pull()), countsOf(await copy.push())]).toEqual(['5 unchanged', '5 unchanged']);
  });

  it('all arrive if a push that fails is repeated', async () => {
    let writes = 0;
    copy.site.quirks.request = ({ method }) => (method !== 'GET' && ++writes % 2 ? { status: 502, body: '' } : undefined);
    await copy.update('here', { cost: '99' });
    await copy.change('here', (local) => {
      local.venues.create({ venue: 'New hall' });
      local.tags.create({ name: 'new' });
    });
    const problems: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) problems.push((await copy.push()).problems.length);
    copy.site.quirks.request = () => undefined;
    expect(problems).toEqual([2, 1, 0]);
    expect([copy.shown('there')?.cost, copy.count('there', 'venues')]).toEqual(['$99', 2]);
    await copy.pull();
    expect(countsOf(await copy.pull())).toBe('7 unchanged');
  });

  it.each(['pull', 'push'] as const)('of one field conflict: %s writes nothing', async (command) => {
    await copy.update('here', { cost: '99', featured: true });
    await copy.update('there', { cost: '7', sticky: true });
    const { conflicts } = await copy[command]();
    expect(conflicts).toMatchObject([{ kind: 'edited', fields: { cost: { base: 'Free', local: '$99', remote: '$7' } } }]);
    expect(both()).toMatchObject([
      { cost: '$99', featured: true, sticky: false },
      { cost: '$7', featured: false, sticky: true },
    ]);
    expect([copy.writes, copy.conflicts]).toEqual([[], ['edited']]);
  });

  it('that are equal on both sides don’t conflict', async () => {
    for (const side of ['here', 'there'] as const) await copy.update(side, { cost: '99' });
    expect([conflictsOf(await copy.pull()), countsOf(await copy.push())]).toEqual([[], '5 unchanged']);
  });

  it.each([
    ['pull', 'ours', '$99'],
    ['pull', 'theirs', '$7'],
    ['push', 'ours', '$99'],
    ['push', 'theirs', '$7'],
    ['resolve', 'ours', '$99'],
    ['resolve', 'theirs', '$7'],
  ] as const)('conflict until %s --%s decides', async (command, prefer, cost) => {
    await copy.update('here', { cost: '99', featured: true });
    await copy.update('there', { cost: '7', sticky: true });
    await copy.pull();
    copy.site.log.length = 0;
    await (command === 'resolve' ? copy.resolve(prefer) : copy[command]({ prefer }));
    // No connection is needed to resolve them.
    if (command === 'resolve') expect(copy.site.log).toEqual([]);
    expect([conflictsOf(await copy.pull()), conflictsOf(await copy.push()), conflictsOf(await copy.pull())]).toEqual([[], [], []]);
    const merged = { cost, featured: true, sticky: true };
    expect(both()).toMatchObject([merged, merged]);
    expect(copy.conflicts).toEqual([]);
  });

  it('survive a site that rewrites texts', async () => {
    copy.site.quirks.rewrites = '<p>Read more</p>';
    await copy.update('here', { description: 'Changed here' });
    expect((await copy.push()).problems).toEqual([]);
    expect([countsOf(await copy.push()), countsOf(await copy.pull())]).toEqual(['5 unchanged', '5 unchanged']);
    await copy.update('there', { title: 'There' });
    await copy.pull();
    expect(copy.shown('here')).toMatchObject({ title: 'There', description: '<p>Changed here</p>' });
  });

  it('in a dry run are only reported', async () => {
    await copy.update('here', { cost: '99' });
    await copy.update('there', { cost: '7' });
    await copy.change('there', (local) => local.tags.create({ name: 'fresh' }));
    for (const command of ['pull', 'push'] as const) expect(conflictsOf(await copy[command]({ dryRun: true }))).toEqual(['edited cost']);
    expect([copy.conflicts, copy.count('here', 'tags')]).toEqual([[], 1]);
  });
});

describe('sites that reset omitted fields', () => {
  it('keep them', async () => {
    const [, { date, organizer }] = both() as [unknown, { date: string; organizer: { id: number }[] }];
    const others = { website: 'https://example.org/', cost: '12', featured: true, show_map: true, timezone: 'Europe/Berlin' };
    await copy.update('there', others);
    await copy.pull();
    await copy.update('here', { title: 'Changed' });
    expect((await copy.push()).problems).toEqual([]);
    const expected = { ...others, cost: '$12', title: 'Changed', status: 'publish', date, organizer: organizer.map(({ id }) => ({ id })) };
    expect(copy.shown('there')).toMatchObject(expected);
    expect(countsOf(await copy.pull())).toBe('5 unchanged');
  });

  it('are read again immediately before an update', async () => {
    await copy.update('here', { title: 'Changed' });
    // Someone edits the event between the list and the update.
    copy.site.quirks.request = async ({ path }) => {
      if (!/\/events\/\d+$/.test(path)) return undefined;
      copy.site.quirks.request = () => undefined;
      await copy.update('there', { cost: '12', featured: true });
      return undefined;
    };
    expect((await copy.push()).problems).toEqual([]);
    await copy.pull();
    const merged = { title: 'Changed', cost: '$12', featured: true };
    expect(both()).toMatchObject([merged, merged]);
  });
});

describe('fields that a site does not take', () => {
  it('are listed once, and not sent again', async () => {
    await copy.update('here', { venue: 0, title: 'Changed' });
    expect(reasonsOf((await copy.push()).problems)).toEqual(['events (Changed): not accepted: venue']);
    copy.site.log.length = 0;
    const { problems, notes } = await copy.push();
    expect([problems, copy.writes, reasonsOf(notes)]).toEqual([
      [],
      [],
      [expect.stringContaining('1 value that the site did not accept was not sent again.')],
    ]);
    expect(await differences()).toMatchObject([{ fields: {}, refused: ['venue'] }]);
    // A pull doesn't bring the venue back.
    await copy.pull();
    expect(both()).toMatchObject([{ venue: [] }, { title: 'Changed', venue: { slug: 'town-hall' } }]);
  });

  it('include ignored ones, until they are changed here', async () => {
    copy.site.quirks.ignores = ['cost'];
    await copy.update('here', { cost: '99', title: 'Changed' });
    expect(reasonsOf((await copy.push()).problems)).toEqual(['events (Changed): not accepted: cost']);
    expect(conflictsIn(copy.here)).toMatchObject([
      { kind: 'not-accepted', fields: { cost: { base: 'Free', local: '$99', remote: 'Free' } } },
    ]);
    copy.site.quirks.ignores = [];
    await copy.push();
    expect(copy.shown('there')).toMatchObject({ cost: 'Free' });
    await copy.update('here', { cost: '98' });
    await copy.push();
    expect([copy.shown('there')!.cost, conflictsIn(copy.here)]).toEqual(['$98', []]);
  });

  it.each([
    ['theirs', 'Free'],
    ['ours', '$99'],
  ] as const)('are resolved with --%s', async (prefer, cost) => {
    copy.site.quirks.ignores = ['cost'];
    await copy.update('here', { cost: '99' });
    await copy.push();
    await copy.resolve(prefer);
    copy.site.quirks.ignores = [];
    await copy.push();
    expect(both()).toMatchObject([{ cost }, { cost }]);
    expect(conflictsIn(copy.here)).toEqual([]);
  });

  it('are resolved by field', async () => {
    copy.site.quirks.ignores = ['cost', 'website', 'featured'];
    await copy.update('here', { cost: '99', website: 'https://example.org/x', featured: true });
    await copy.push();
    const { id } = conflictsIn(copy.here)[0]!;
    const { conflicts } = await copy.resolve({ id, fields: { ours: ['cost'], theirs: ['featured'] } });
    expect(conflicts).toMatchObject([{ kind: 'not-accepted', fields: { website: {} } }]);
    expect(conflictsIn(copy.here).map(({ fields }) => Object.keys(fields))).toEqual([['website']]);
    copy.site.quirks.ignores = [];
    await copy.push();
    expect(both()).toMatchObject([
      { cost: '$99', featured: false, website: 'https://example.org/x' },
      { cost: '$99', featured: false, website: '' },
    ]);
  });
});

describe('a choice by field', () => {
  it.each([
    [{ id: 1, prefer: 'ours', fields: { ours: ['cost'] } }, 'either prefer or fields'],
    [{ id: 1 }, 'either prefer or fields'],
    [{ fields: { ours: ['cost'] } }, 'one record'],
  ] as const)('%j is refused', async (choice, message) => {
    await expect(copy.resolve(choice as never)).rejects.toThrow(message);
  });

  it('is refused for a record that one side deleted', async () => {
    await copy.update('here', { cost: '99' });
    await copy.change('there', ({ events }) => events.delete({ slug: event }));
    await copy.pull({ delete: true });
    const { id } = conflictsIn(copy.here)[0]!;
    await expect(copy.resolve({ id, fields: { ours: ['cost'] } })).rejects.toThrow('has no fields');
  });
});

describe('deletions', () => {
  it('on the site are reported, and copied with --delete', async () => {
    await copy.delete('there');
    await copy.delete('there', 'tags', 'free');
    const reported = await copy.pull();
    expect(reasonsOf(reported.notes).filter((reason) => reason.includes('deleted on the site; pull --delete'))).toHaveLength(2);
    expect([copy.shown('here')?.slug, (await copy.push()).counts.created]).toEqual(['summer-concert', 0]);
    expect(countsOf(await copy.pull({ delete: true }))).toBe('3 unchanged, 2 deleted');
    expect([copy.shown('here'), countsOf(await copy.pull())]).toEqual([undefined, '3 unchanged']);
  });

  it('here are reported, and copied with --delete', async () => {
    await copy.delete('here');
    for (const command of ['pull', 'push'] as const)
      expect(reasonsOf((await copy[command]()).notes)).toEqual([expect.stringContaining('deleted here; push --delete')]);
    expect([copy.shown('here'), countsOf(await copy.push({ delete: true }))]).toEqual([undefined, '4 unchanged, 1 deleted']);
    expect(copy.shown('there')).toBeUndefined();
  });

  it('never concern records that were not copied', async () => {
    for (const side of ['here', 'there'] as const) await copy.change(side, (local) => local.tags.create({ name: `new ${side}` }));
    expect(countsOf(await copy.push({ delete: true }))).toBe('1 created, 5 unchanged');
    // A site with extensions adds members to the new record.
    expect(countsOf(await copy.pull({ delete: true }))).toBe('1 created, 1 updated, 5 unchanged');
    expect([copy.count('there', 'tags'), copy.count('here', 'tags')]).toEqual([3, 3]);
  });

  it('are not inferred from a site that hides a record', async () => {
    await copy.update('there', { status: 'draft' });
    const { notes } = await copy.pull({ delete: true });
    expect(reasonsOf(notes)).toEqual([expect.stringContaining('withdrawn by the site, and hidden here until it is public again')]);
    expect(copy.shown('here')).toMatchObject({ status: 'private' });
    expect(countsOf(await copy.push())).toBe('4 unchanged');
    await copy.update('there', { status: 'publish' });
    await copy.pull();
    expect(copy.shown('here')).toMatchObject({ status: 'publish' });
  });

  it('conflict with edits on the other side', async () => {
    await copy.update('here', { title: 'Edited' });
    await copy.delete('there');
    for (const command of ['pull', 'push'] as const) expect(conflictsOf(await copy[command]({ delete: true }))).toEqual(['deleted-there']);
    expect(copy.shown('here')).toBeDefined();
    await copy.pull({ prefer: 'ours' });
    expect(countsOf(await copy.push())).toBe('1 created, 4 unchanged');
  });

  it('here conflict with edits on the site', async () => {
    await copy.delete('here', 'tags', 'free');
    await copy.update('there', { description: 'Edited' }, 'tags', 'free');
    for (const command of ['push', 'pull'] as const) expect(conflictsOf(await copy[command]({}))).toEqual(['deleted-here']);
    await copy.pull({ prefer: 'theirs' });
    expect([copy.shown('here', 'tags', 'free')?.description, countsOf(await copy.push())]).toEqual(['Edited', '5 unchanged']);
  });

  it('don’t include records that were cleared', async () => {
    await reset(copy.here, undefined, { to: 'empty' }, {});
    expect((await copy.push({ delete: true })).counts.deleted).toBe(0);
    expect(countsOf(await copy.pull())).toBe('5 created');
  });
});

it('status counts local changes and conflicts', async () => {
  await copy.change('here', (local) => {
    local.tags.create({ name: 'new' });
    local.venues.update({ slug: 'town-hall' }, { city: 'Elsewhere' });
    local.organizers.delete({ slug: 'music-club' });
  });
  await copy.update('here', { cost: '99' });
  await copy.update('there', { cost: '7' });
  await copy.pull();
  expect(sitesIn(copy.here, () => false)).toMatchObject([
    { pulled: '2026-11-20T16:05:00.000Z', pushed: null, local: { created: 1, updated: 2, deleted: 1 }, conflicts: 1 },
  ]);
});

describe('a scheduled event whose last change is in the future', () => {
  const as = 'administrator';
  const may = Date.parse('2027-05-01T12:00:00Z');
  const schedule = (side: 'here' | 'there') =>
    copy.change(side, (local) => local.events.create({ title: 'Gala', slug: 'gala', ...day, date: '2027-04-01 10:00:00' }));
  const gala = (side: 'here' | 'there') => copy.shown(side, 'events', 'gala');
  /** Ends with a copy of an event that the site edits then. */
  const copied = async (from: 'here' | 'there') => {
    await schedule(from);
    await (from === 'here' ? copy.push({ as }) : copy.pull({ as }));
    await copy.pull({ as });
    const { modified_utc, date_utc } = gala(from)!;
    expect([gala('there')?.status, from === 'there' && modified_utc]).toEqual(['future', from === 'there' && date_utc]);
    copy.site.origin.world.served.clock.moveTo(Date.parse('2026-11-27T10:00:00Z'));
    await copy.update('there', { title: 'Ball' }, 'events', 'gala');
  };

  it.each([
    ['here', 'before its date', undefined],
    ['there', 'before its date', undefined],
    ['here', 'after its date', may],
    ['there', 'after its date', may],
    ['here', 'after a push and its date', 'push'],
    ['there', 'after a push and its date', 'push'],
  ] as const)('is made %s and pulled %s: its edit arrives', async (from, _, when) => {
    await copied(from);
    if (when === 'push') {
      for (const now of ['2026-11-28T10:00:00Z', '2027-04-02T10:00:00Z']) {
        copy.now = Date.parse(now);
        expect((await copy.push({ as })).problems).toEqual([]);
      }
      copy.now = may;
    } else if (when) copy.now = when;
    const { notes } = await copy.pull({ as });
    expect([gala('here')?.title, notes]).toEqual(['Ball', []]);
  });

  it('takes an edit from here and one from there', async () => {
    await copied('there');
    await copy.update('here', { cost: '12' }, 'events', 'gala');
    expect((await copy.push({ as })).problems).toEqual([]);
    await copy.pull({ as });
    for (const side of ['here', 'there'] as const) expect(gala(side)).toMatchObject({ title: 'Ball', cost: '$12' });
  });

  it.each(['pull', 'push'] as const)('is edited beside a %s of other records: its edit arrives', async (command) => {
    await copied('there');
    copy.now = Date.parse('2027-04-02T10:00:00Z');
    await copy[command]({ as, only: ['tags'] });
    copy.now = may;
    await copy.pull({ as });
    expect(gala('here')?.title).toBe('Ball');
  });
});
