import { beforeEach, expect, it } from 'vitest';
import { pull } from '../../../src/data/remote/pull.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { imported, memory } from '../../support/calendars.ts';
import { countsOf, event, SiteCopy } from '../../support/site-copy.ts';

const ownBase = (body: unknown): unknown => JSON.parse(JSON.stringify(body)?.replaceAll('/events/category/', '/termine/rubrik/') ?? 'null');

/** A site with its own addresses of categories, of which each was created before the one that it is below. */
const copy = new SiteCopy({ shows: ownBase });
beforeEach(() =>
  copy.change('there', ({ categories, events }) => {
    const names = ['Chamber music', 'Music', 'Stage'];
    const [chamber, music, stage] = names.map((name) => categories.create({ name }).id);
    categories.update({ id: music! }, { parent: stage! });
    categories.update({ id: chamber! }, { parent: music! });
    events.update({ slug: event }, { categories: names });
  }),
);

/** The paths of the pages of categories. */
async function pathsIn(store: Store): Promise<string[]> {
  const { categories } = store.calendarFor(owner, { home: 'http://here', root: 'http://here/wp-json' });
  const { entries } = await categories.list({ hide_empty: 'false' });
  return entries.map(({ url }) => String(url).replace('http://here', '')).sort();
}
const expected = ['concerts/', 'stage/', 'stage/music/', 'stage/music/chamber-music/'].map((path) => `/termine/rubrik/${path}`);

it('categories that come before those that they are below have the addresses of their site', async () => {
  const here = await memory();
  await pull(here, copy.site.remote());
  expect(await pathsIn(here)).toEqual(expected);
  expect(countsOf(await pull(here, copy.site.remote()))).toMatch(/^\d+ unchanged$/);
  expect(await pathsIn(here)).toEqual(expected);
});

const orders: [string, (categories: Entry[], events: Entry[]) => Entry[]][] = [
  ['children before parents', (categories, events) => [...categories, ...events]],
  ['events before categories', (categories, events) => [...events, ...categories]],
  ['parents before children', (categories, events) => [...categories.toReversed(), ...events]],
];

it.each(orders)('lines of responses with %s are imported as they are', async (_, order) => {
  const { calendar } = copy.site.remote();
  const { entries: categories } = await calendar.categories.list({ hide_empty: 'false', orderby: 'id' });
  const { entries: events } = await calendar.events.list({ start_date: '2000-01-01' });
  const text = order(categories, events)
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('');
  const here = await memory();
  await imported(here, 'ndjson', text);
  expect(await pathsIn(here)).toEqual(expected);
  expect(countsOf(await imported(here, 'ndjson', text))).toMatch(/^\d+ unchanged$/);
  expect(await pathsIn(here)).toEqual(expected);
});
