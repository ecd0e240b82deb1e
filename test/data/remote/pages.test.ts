import { expect, it } from 'vitest';
import { generate } from '../../../src/data/generate.ts';
import { pull } from '../../../src/data/remote/pull.ts';
import { push } from '../../../src/data/remote/push.ts';
import type { Site } from '../../../src/data/remote/site.ts';
import { type Calendar, type Collection, type ResourceName, resourceNames } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { LocalCalendar, Store } from '../../../src/store/calendar.ts';
import { memory } from '../../support/calendars.ts';

/** Returns a calendar with 120 events. `onList` is called before each list, with the resource and the page. */
async function siteWith(onList: (list: string) => void): Promise<{ there: Store; remote: Site }> {
  const there = await memory();
  await generate(there, { counts: { events: 120 } });
  const own = there.calendarFor(owner, { home: 'http://site', root: 'http://site' });
  const collection = (name: ResourceName): Collection => ({
    ...own[name],
    list: async (query = {}) => {
      onList(`${name} ${query.page}`);
      return own[name].list(query);
    },
  });
  const calendar = Object.fromEntries(resourceNames.map((name) => [name, collection(name)])) as unknown as Calendar;
  const about = async () => ({ name: '', timezone: '' });
  return { there, remote: { calendar, root: 'http://site', about, greet: async () => ({ root: 'http://site', mayWrite: true }) } };
}

it('a pull requests the next page before it writes one', async () => {
  const here = await memory();
  const log: string[] = [];
  const { remote } = await siteWith((list) => log.push(list));
  const summary = await pull(here, remote, { onProgress: () => log.at(-1) !== 'written' && log.push('written') });
  expect(summary.counts.created).toBeGreaterThan(120);
  expect(log.slice(log.indexOf('events 1'))).toEqual(['events 1', 'events 2', 'written', 'events 3', 'written']);
});

it('the rest of an interrupted pull is followed by what changed in the lists before', async () => {
  const here = await memory();
  let failing = 'events 3';
  const { there, remote } = await siteWith((list) => {
    if (list === failing) throw new Failure('unreachable', 'interrupted');
  });
  await expect(pull(here, remote)).rejects.toThrow('interrupted');
  failing = '';
  const change = (local: LocalCalendar) => {
    const { venues, tags } = local;
    const venue = venues.list().entries[0]!;
    venues.update({ id: venue.id }, { city: 'Elsewhere' });
    tags.create({ name: 'Between' });
    return { id: venue.id };
  };
  const ref = await there.change(change);
  const { counts } = await pull(here, remote);
  expect(counts).toMatchObject({ created: 21, updated: 1, deleted: 0 });
  const total = await there.change((local) => resourceNames.flatMap((name) => [...local.entries(name)]).length);
  expect(counts.created + counts.updated + counts.unchanged).toBe(total);
  await here.change((local) => expect(local.venues.get(ref)).toMatchObject({ city: 'Elsewhere' }));
});

it('a push sends the other fields of a term whose description it cannot clear', async () => {
  const [here, { there, remote }] = [await memory(), await siteWith(() => {})];
  await there.change((local) => local.tags.create({ name: 'Loud', slug: 'loud', description: 'Very' }));
  await here.change((local) => local.tags.create({ name: 'LOUD!', slug: 'loud' }));
  const { problems } = await push(here, remote, { prefer: 'ours' });
  expect(problems).toEqual([{ at: expect.stringContaining('(LOUD!)'), reason: 'not accepted: description' }]);
  await there.change((local) => expect(local.tags.get({ slug: 'loud' })).toMatchObject({ name: 'LOUD!', description: 'Very' }));
});
