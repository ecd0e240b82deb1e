import { describe, expect, it } from 'vitest';
import { reset } from '../../../src/data/world/reset.ts';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { conflictsOf, countsOf, day, SiteCopy } from '../../support/site-copy.ts';

const copy = new SiteCopy();

/** Ways back to the state of a snapshot. */
const ways: Record<string, (name: string) => Promise<unknown>> = {
  undo: () => copy.here.snapshots.undo(true),
  'snapshot restore': (name) => copy.here.snapshots.restore(name),
  reset: (name) => reset(copy.here, undefined, { to: name }, {}),
};
const create = (name: ResourceName) =>
  copy.change('here', (local) => {
    if (name === 'events') local.events.create({ title: 'New', ...day });
    else if (name === 'venues') local.venues.create({ venue: 'New' });
    else local.tags.create({ name: 'New' });
  });

describe.each(Object.keys(ways))('a record that was pushed after the state of %s', (way) => {
  it.each(['events', 'venues', 'tags'] as const)('is not created a second time: %s', async (name) => {
    await create(name);
    const { name: snapshot } = await copy.here.snapshots.keep('test');
    await copy.push();
    await ways[way]!(snapshot);
    expect([countsOf(await copy.push()), copy.count('there', name)]).toEqual(['6 unchanged', 2]);
    await copy.update('there', name === 'tags' ? { description: 'x' } : { website: 'https://example.org/x' }, name, 'new');
    expect(countsOf(await copy.pull())).toBe('1 updated, 5 unchanged');
  });

  it('is not created a second time if the site deleted the record that it was before', async () => {
    await copy.delete('there', 'events', 'summer-concert');
    const { name } = await copy.here.snapshots.keep('test');
    await copy.push({ prefer: 'ours' });
    await ways[way]!(name);
    expect([countsOf(await copy.push()), copy.count('there', 'events')]).toEqual(['5 unchanged', 1]);
  });

  it('is not created a second time if the site changed the slug of a tag', async () => {
    await create('tags');
    const { name } = await copy.here.snapshots.keep('test');
    await copy.push();
    await copy.update('there', { slug: 'other' }, 'tags', 'new');
    await copy.pull();
    await ways[way]!(name);
    await copy.push();
    expect(copy.count('there', 'tags')).toBe(2);
  });

  it('is a conflict that can be resolved if it is in the trash in that state', async () => {
    for (const side of ['there', 'here'] as const) await copy.delete(side, 'events', 'summer-concert');
    const { name } = await copy.here.snapshots.keep('test');
    const { id } = copy.here.db.get<{ id: number }>("select id from events where slug like 'summer-concert%'")!;
    await copy.change('here', (local) => local.events.update({ id }, { status: 'publish' }));
    await copy.pull();
    await copy.push({ prefer: 'ours' });
    await ways[way]!(name);
    expect(conflictsOf(await copy.pull())).toEqual(['deleted-here']);
    await copy.resolve('ours');
    expect([conflictsOf(await copy.pull()), conflictsOf(await copy.push({ delete: true })), copy.count('there', 'events')]).toEqual([
      [],
      [],
      0,
    ]);
  });

  it('is not created a second time if its push was cut', async () => {
    await create('events');
    const { name } = await copy.here.snapshots.keep('test');
    await copy.site.origin.control.addFault({ match: { method: 'POST' }, then: 'reset', at: 'after' });
    await copy.push();
    await copy.site.origin.control.clearFaults({});
    await ways[way]!(name);
    expect([countsOf(await copy.push()), copy.count('there', 'events')]).toEqual(['6 unchanged', 2]);
  });

  it('and changed since is a conflict', async () => {
    await create('events');
    const { name } = await copy.here.snapshots.keep('test');
    await copy.update('here', { cost: '99' }, 'events', 'new');
    await copy.push();
    await ways[way]!(name);
    expect(conflictsOf(await copy.push())).toEqual(['edited cost']);
    await copy.resolve('ours');
    await copy.push();
    expect([copy.shown('there', 'events', 'new')?.cost, copy.count('there', 'events')]).toEqual(['', 2]);
  });

  it('is created there if it is another record with the same ID', async () => {
    const { name } = await copy.here.snapshots.keep('test');
    await create('tags');
    await copy.push();
    await ways[way]!(name);
    await copy.change('here', (local) => local.tags.create({ name: 'Other' }));
    expect(countsOf(await copy.push())).toBe('1 created, 5 unchanged');
  });
});
