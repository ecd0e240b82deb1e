import { expect, it } from 'vitest';
import demo from '../../../fixtures/demo.json' with { type: 'json' };
import { type Entry, type ResourceName, resourceNames } from '../../../src/model/calendar.ts';
import type { Query } from '../../../src/model/fields/list.ts';
import { anonymous, owner, type Viewer } from '../../../src/model/viewer.ts';
import { calendarWith } from '../../support/calendars.ts';

const site = { home: 'http://x', root: 'http://x/v1' };
const store = await calendarWith(demo);

async function pagesOf(viewer: Viewer, name: ResourceName, query: Query): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const found = await store.calendarFor(viewer, site)[name].list({ ...query, per_page: '7', page: String(page) });
    entries.push(...found.entries);
    if (page >= found.total_pages) return entries;
  }
}

it.each([
  ...resourceNames.map((name): [ResourceName, Query] => [name, {}]),
  ['events', { start_date: '2000-01-01', end_date: '2100-01-01', status: 'publish,draft,private' }],
  ['events', { featured: 'true' }],
  ['venues', { orderby: 'title', order: 'desc' }],
  ['categories', { hide_empty: 'false' }],
] as [ResourceName, Query][])('%s %j: one query gives what the pages give, in the same order', async (name, query) => {
  for (const viewer of [anonymous, owner]) {
    const paged = await pagesOf(viewer, name, query).catch((error) => String(error));
    const all = () => [...store.calendarFor(viewer, site)[name].listAll!(query)];
    if (typeof paged === 'string') expect(all).toThrow();
    else expect(all()).toEqual(paged);
  }
});
