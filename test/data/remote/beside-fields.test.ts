import { beforeEach, describe, expect, it } from 'vitest';
import { type Difference, diff } from '../../../src/data/remote/diff.ts';
import type { Entry, ResourceName } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import { countsOf, SiteCopy } from '../../support/site-copy.ts';

/** Changes each record of a resource in the body of a response. */
let change: ((record: Entry) => void) | undefined;
let name: ResourceName = 'events';
const copy = new SiteCopy({
  shows: (body) => {
    const list = (body as Record<string, unknown> | undefined)?.[name];
    if (Array.isArray(list)) for (const record of list) change?.(record as Entry);
    return body;
  },
});
beforeEach(() => {
  name = 'events';
  change = undefined;
});

const image = (width: number) => ({
  ...{ url: 'https://example.org/a.jpg', id: 70, extension: 'jpg', width, height: 300, filesize: 1000 + width },
  sizes: { medium: { width: 100, height: 100, 'mime-type': 'image/jpeg', filesize: 100, url: 'https://example.org/a-100x100.jpg' } },
});
const details = (currency_code: string) => ({ currency_symbol: '', currency_code, currency_position: '', values: ['free'] });

/** Changes of a site without a change of a field: before, after, and the paths in `diff` with both values. */
const rows: [string, ResourceName, object, object, object | string][] = [
  ['an abbreviation', 'events', { timezone_abbr: 'UTC' }, { timezone_abbr: 'ABC' }, { timezone_abbr: ['UTC', 'ABC'] }],
  [
    'a currency',
    'events',
    { cost_details: details('') },
    { cost_details: details('NOK') },
    { cost_details: [details(''), details('NOK')] },
  ],
  [
    'the size of an image',
    'events',
    { image: image(400) },
    { image: image(500) },
    { 'image.width': [400, 500], 'image.filesize': [1400, 1500] },
  ],
  ['a member of an add-on', 'events', { is_virtual: false }, { is_virtual: true }, { is_virtual: [false, true] }],
  ['an add-on that goes', 'events', { is_virtual: false }, {}, 'is_virtual'],
  ['an add-on that comes', 'venues', {}, { map_hint: 'north' }, { map_hint: [undefined, 'north'] }],
  [
    'an address',
    'venues',
    {},
    { url: 'https://example.org/v/' },
    { url: [expect.stringMatching('/venue/town-hall/$'), 'https://example.org/v/'] },
  ],
  ['the count of a category', 'categories', { count: 1 }, { count: 5 }, { count: [1, 5] }],
  ['the count of a tag', 'tags', { count: 4 }, { count: 1 }, { count: [4, 1] }],
];

async function differences(): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const difference of diff(copy.here, copy.site.remote(), { problems: [] })) found.push(difference as Difference);
  return found;
}

describe.each(rows)('%s', (_, resource, before, after, paths) => {
  it('is shown by diff and taken by the next pull, although no field has it', async () => {
    name = resource;
    change = (record) => Object.assign(record, before);
    await copy.pull();
    expect(await differences()).toEqual([]);
    change = (record) => Object.assign(record, after);
    // A member that all records lack is one line.
    if (typeof paths === 'string') expect(await differences()).toEqual([{ resource, field: paths, records: 1 }]);
    const fields =
      typeof paths === 'string'
        ? []
        : Object.entries(paths).map(([path, [local, remote]]) => [path, { local, remote, direction: 'there' }]);
    if (fields.length) expect(await differences()).toMatchObject([{ resource, fields: Object.fromEntries(fields) }]);
    await copy.pull();
    expect(await differences()).toEqual([]);
    const site = { home: 'http://site', root: 'http://site/wp-json' };
    const { entries } = await copy.here.calendarFor(owner, site)[resource].list({ hide_empty: 'false' });
    expect(entries).toMatchObject([after]);
    if (typeof paths === 'string') expect(entries[0]).not.toHaveProperty(paths);
    expect(countsOf(await copy.pull())).toBe('5 unchanged');
  });
});

it('a change here is not a difference in other members', async () => {
  await copy.update('here', { title: 'New', cost: '5' });
  change = (record) => Object.assign(record, { timezone_abbr: 'ABC' });
  expect((await differences()).flatMap(({ fields }) => Object.keys(fields))).toEqual(['title', 'cost']);
});

it('a link that was changed here changes only the count here, also after a pull', async () => {
  await copy.update('here', { tags: [] });
  await copy.change('there', (local) => local.tags.update({ slug: 'free' }, { name: 'Free of charge' }));
  await copy.pull();
  expect((await differences()).map(({ fields }) => Object.keys(fields))).toEqual([['tags']]);
  expect([copy.shown('there', 'tags', 'free'), copy.shown('here', 'tags', 'free')]).toMatchObject([{ count: 1 }, { count: 0 }]);
  await copy.push({ as: 'administrator' });
  expect([copy.shown('there', 'tags', 'free'), copy.shown('here', 'tags', 'free')]).toMatchObject([{ count: 0 }, { count: 0 }]);
  expect(await differences()).toEqual([]);
});
