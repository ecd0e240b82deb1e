import { afterEach, describe, expect, it } from 'vitest';
import { pull } from '../../../src/data/remote/pull.ts';
import type { Entry, ResourceName } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { imported, memory } from '../../support/calendars.ts';
import { conflictsOf, countsOf, SiteCopy } from '../../support/site-copy.ts';

/** A member with another value in all records of a resource, also where other records embed them. */
let odd: { name: ResourceName; member: string; value: unknown } | undefined;

const members: Partial<Record<ResourceName, string>> = { venues: 'venue', organizers: 'organizer' };

/** Replaces the member in every record of a body. */
function shows(body: unknown): unknown {
  if (!odd || typeof body !== 'object' || body === null) return body;
  const { name, member, value } = odd;
  const walk = (each: unknown, at: string): unknown => {
    if (Array.isArray(each)) return each.map((inner) => walk(inner, at));
    if (typeof each !== 'object' || each === null) return each;
    const copied = Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, walk(inner, key)]));
    const isRecord = 'id' in copied && (at === name || at === members[name]);
    return isRecord ? { ...copied, [member]: value } : copied;
  };
  const isSingle = 'id' in body;
  return walk(body, isSingle ? nameOf(body as Entry) : '');
}
const nameOf = (entry: Entry): string => /\/(\w+)\/\d+$/.exec(String(entry.rest_url ?? ''))?.[1] ?? ('title' in entry ? 'events' : '');

const copy = new SiteCopy({ shows });
afterEach(() => {
  odd = undefined;
});

const addresses = [
  ...['www.example.org', 'example.org/a', 'www.', '27410-3231', 'https://example.org/\\a'],
  ...[' https://example.org', 'https://example.org\u00a0', 'https://example.org/é', 'mailto:box@example.org'],
];
const rows: [ResourceName, string, unknown][] = [
  ...addresses.flatMap((value) =>
    (['events', 'venues', 'organizers'] as const).map((name): (typeof rows)[number] => [name, 'website', value]),
  ),
  ['events', 'image', { id: 7, url: 'https://example.org/é a.jpg', sizes: {} }],
  ['events', 'status', 'calendar-ignored'],
  ['venues', 'status', 'calendar-ignored'],
  ['events', 'timezone', 'Middle-earth/Shire'],
  ['events', 'start_date', '0000-00-00 00:00:00'],
  ['events', 'end_date', 'soon'],
  ['events', 'date', 'never'],
  ['events', 'date_utc', '0000-00-00 00:00:00'],
  ['venues', 'date_utc', '0000-00-00 00:00:00'],
  ['events', 'global_id_lineage', 0],
  ['venues', 'global_id_lineage', { a: 1 }],
  ['events', 'cost', 'www.example.org'],
  ['events', 'cost_details', { values: 0 }],
  ['categories', 'name', []],
  ['categories', 'slug', 'Live-Music'],
  ['tags', 'slug', 'Live & more'],
  ['events', 'show_map', null],
  ['events', 'title', ''],
  ['events', 'title', undefined],
  ['events', 'author', 'ada'],
  ['events', 'slug', undefined],
  ['events', 'cost_details', undefined],
  ['venues', 'venue', undefined],
  ['venues', 'geo_lat', 'north'],
  ['organizers', 'email', 'box at example'],
  ['categories', 'name', undefined],
  ['categories', 'parent', 'top'],
];

const count = (store: Store, name: ResourceName) => [...store.local(owner, { home: '', root: '' }).entries(name)].length;

describe.each(rows)('%s with the %s %j', (name, member, value) => {
  it('are copied by a pull', async () => {
    odd = { name, member, value };
    const here = await memory();
    const { problems } = await pull(here, copy.site.remote());
    expect([problems, count(here, name)]).toEqual([[], copy.count('there', name)]);
    expect(countsOf(await pull(here, copy.site.remote()))).toBe('5 unchanged');
  });

  it('are copied by a later pull, without a conflict', async () => {
    odd = { name, member, value };
    const { problems, conflicts } = await copy.pull();
    expect([problems, conflicts, copy.count('here', name)]).toEqual([[], [], copy.count('there', name)]);
    expect(countsOf(await copy.pull())).toBe('5 unchanged');
  });
});

// A record in a response is recognized by its name.
const named = rows.filter(([name, member, value]) => value !== undefined || member !== resources[name].label);

it.each(named)('%s with the %s %j are imported from a response', async (name, member, value) => {
  odd = { name, member, value };
  const { entries } = await copy.site.remote().calendar[name].list(name === 'events' ? { start_date: '2000-01-01' } : {});
  const here = await memory();
  const { problems } = await imported(here, 'json', JSON.stringify({ [name]: entries, rest_url: '', total: 1, total_pages: 1 }));
  expect([problems, count(here, name)]).toEqual([[], entries.length]);
});

it.each(['all', 'website'])('a conflict takes a value of the site that a field can’t hold (%s)', async (what) => {
  await copy.update('here', { website: 'https://here.example' });
  odd = { name: 'events', member: 'website', value: 'www.example.org' };
  expect(conflictsOf(await copy.pull())).toEqual(['edited website']);
  const { id } = copy.shown('here')!;
  await copy.resolve(what === 'all' ? 'theirs' : { resource: 'events', id, fields: { ours: [], theirs: [what] } });
  expect([copy.conflicts, copy.shown('here')?.website]).toEqual([[], expect.not.stringContaining('here.example')]);
  expect(countsOf(await copy.pull())).toBe('5 unchanged');
});
