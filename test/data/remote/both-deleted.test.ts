import { expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import { conflictsOf, countsOf, SiteCopy } from '../../support/site-copy.ts';

const copy = new SiteCopy();
const trashed = [
  ['events', 'summer-concert'],
  ['venues', 'town-hall'],
  ['organizers', 'music-club'],
] as const;
const restore = (side: 'here' | 'there', name: (typeof trashed)[number][0], id: number) =>
  copy.change(side, (local) => local[name].update({ id }, { status: 'publish' }));

it.each(trashed)('%s that both sides deleted are one record again when both restore it', async (name, slug) => {
  const { id } = copy.shown('here', name, slug)!;
  for (const side of ['there', 'here'] as const) await copy.delete(side, name, slug);
  for (const command of ['pull', 'push'] as const) await copy[command]({ delete: true });
  await restore('there', name, id);
  await copy.push({ delete: true });
  expect(copy.count('there', name)).toBe(1);
  await copy.pull();
  expect(copy.shown('here', name, slug)).toMatchObject({ id });
  expect([countsOf(await copy.pull()), countsOf(await copy.push())]).toEqual(Array(2).fill(expect.stringMatching(/^\d unchanged$/)));
  expect([copy.count('here', name), copy.count('there', name)]).toEqual([1, 1]);
});

it.each(trashed)('%s that a pull deleted and that are restored here are sent', async (name, slug) => {
  const { id } = copy.shown('here', name, slug)!;
  await copy.delete('there', name, slug);
  await copy.pull({ delete: true });
  await restore('here', name, id);
  await copy.pull({ delete: true });
  await copy.push({ delete: true });
  expect([copy.count('here', name), copy.count('there', name)]).toEqual([1, 1]);
});

it('the parent of a category whose copy was deleted here does not conflict', async () => {
  const ids: number[] = [];
  await copy.change('there', (local) => {
    for (const title of ['above', 'below']) ids.push(local.categories.create({ name: title }).id);
  });
  const [above, below] = ids;
  await copy.pull();
  await copy.delete('here', 'categories', 'above');
  await copy.change('there', (local) => {
    local.categories.update({ id: above! }, { description: 'Edited' });
    local.categories.update({ id: below! }, { parent: above! });
  });
  expect(conflictsOf(await copy.pull())).toEqual(['deleted-here']);
  await copy.resolve('theirs');
  await copy.pull();
  expect(copy.shown('here', 'categories', 'below')).toMatchObject({ parent: copy.shown('here', 'categories', 'above')!.id });
});

it('a pull notes a tag that was deleted here once, also if changed events of the site have it', async () => {
  await using site = await createCalendar();
  await using copy = await createCalendar({ listen: false });
  const { id } = await site.tags.create({ name: 'Free' });
  const dates = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };
  const events = await Promise.all(['a', 'b'].map((title) => site.events.create({ title, tags: [id], ...dates })));
  await copy.data.pull({ root: site.url });
  await copy.tags.delete((await copy.tags.list({ hide_empty: false })).tags[0]!.id);
  for (const event of events) await site.events.update(event.id, { title: `${event.title} again` });
  const { notes } = await copy.data.pull({ root: site.url });
  expect(notes).toEqual([{ at: `tags ${id} (Free)`, reason: expect.stringContaining('deleted here') }]);
});
