import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { withAllDates } from '../../../src/data/remote/pair.ts';
import type { Entry, Input, ResourceName } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { leavesOf, type RecordedSite, recordedSite, recordings } from '../../support/recorded-site.ts';
import { folder, run, words } from '../../support/transcript.ts';

const recording = recordings.find(({ id }) => id === 'site-16')!;
let site: RecordedSite;
let copy: Calendar;
let root = '';

beforeEach(async () => {
  site = await recordedSite(recording);
  root = `${site.address}/wp-json/calendar/events/v1`;
  copy = await createCalendar({ listen: false });
});
afterEach(async () => {
  await copy.close();
  await site.close();
});

/** Gives the first record of a resource other members on the site. Returns its ID. */
function onSite(name: ResourceName, members: Record<string, unknown>): number {
  const [[id, forms]] = [...site.records.get(name)!] as [[number, { single: Entry; listed: Entry }]];
  for (const form of [forms.single, forms.listed])
    for (const [member, value] of Object.entries(members))
      if (value === undefined) delete form[member];
      else form[member] = value;
  return id;
}
const pull = () => copy.data.pull({ root });
const push = (more = {}) => copy.data.push({ root, authorization: `Basic ${btoa('ada:x')}`, yes: true, ...more });
const read = async (path: string) => (await (await copy.fetch(path)).json()) as Entry;
const withCost = (cost: string, position: string, values: string[]) => ({
  cost,
  cost_details: { currency_symbol: '€', currency_code: 'EUR', currency_position: position, values },
});

describe('an update of the title', () => {
  it.each([
    ['a price behind which the sign is', withCost('8€ – 12€', 'suffix', ['8', '12']), { cost: ['8€', '12€'] }],
    ['a range from nothing', withCost('Free – 12€', 'suffix', ['0', '12']), { cost: ['0€', '12€'] }],
    ['nothing to pay, with a sign', withCost('Free', 'suffix', ['0']), { cost: ['0€'] }],
    ['a sign before the price', withCost('€8', 'prefix', ['8']), { cost: ['€8'] }],
    ['a comma in the price', withCost('8,50€', 'suffix', ['8.50']), { cost: ['8,50€'] }],
    [
      'a sign of the site',
      { cost: '12 kr', cost_details: { currency_symbol: '', currency_position: '', values: ['12'] } },
      { cost: ['12'] },
    ],
    ['no price', { cost: '', cost_details: { currency_symbol: '€', currency_position: 'suffix', values: [] } }, { cost: [] }],
  ])('repeats %s', async (_, members, repeated) => {
    const id = onSite('events', members);
    await pull();
    expect(await read(`events/${id}`)).toMatchObject(members);
    await copy.events.update(id, { title: 'New title' });
    await push();
    expect(site.bodies).toMatchObject([{ title: 'New title', ...repeated }]);
  });

  it('sends no slug to a site that shows none', async () => {
    const id = onSite('events', { slug: undefined });
    await pull();
    const { url } = await read(`events/${id}`);
    await copy.events.update(id, { title: 'New title' });
    expect((await read(`events/${id}`)).url).toBe(url);
    await push();
    expect(site.bodies.map((body) => [body.title, 'slug' in body])).toEqual([['New title', false]]);
  });

  it('is not sent, and the record a problem that names the field, if the API refuses what an update repeats', async () => {
    const id = onSite('events', { website: 'www.example.org' });
    await pull();
    expect((await read(`events/${id}`)).website).toBe('www.example.org');
    await copy.events.update(id, { title: 'New title' });
    for (const dry_run of [true, false]) {
      const { problems } = await push({ dry_run });
      expect(problems.map(({ reason }) => reason).join()).toContain('website is "www.example.org" on the site');
    }
    expect(site.bodies).toEqual([]);
    await copy.events.update(id, { website: 'https://www.example.org/' });
    await push();
    expect(site.bodies).toMatchObject([{ title: 'New title', website: 'https://www.example.org/' }]);
  });
});

it.each(['venues', 'organizers'] as const)('a new name of %s that were imported there sends no date of publication', async (name) => {
  const id = onSite(name, { date_utc: '0000-00-00 00:00:00', status: 'publish' });
  await pull();
  const field = name === 'venues' ? 'venue' : 'organizer';
  await copy[name].update(id, { [field]: 'New name' } as never);
  expect(await read(`${name}/${id}`)).toMatchObject({ [field]: 'New name', date_utc: '0000-00-00 00:00:00' });
  await push();
  expect(site.bodies).toMatchObject([{ [field]: 'New name' }]);
  expect(site.bodies.some((body) => 'date' in body || 'date_utc' in body)).toBe(false);
});

it('the first push says that the API of the site changes the currency of events', async () => {
  const id = onSite('events', withCost('8€', 'suffix', ['8']));
  await pull();
  await copy.events.update(id, { title: 'New title' });
  await expect(push({ yes: false })).rejects.toThrow(/derives the position of the currency .* in 1 event/);
  expect(site.bodies).toEqual([]);
  await push();
  await copy.events.update(id, { title: 'Newer title' });
  await push({ yes: false });
  expect(site.bodies).toHaveLength(2);
});

/** A change of each field of an event, and the members that depend on it. */
const changes: [Input, RegExp][] = [
  [{ title: 'Another title' }, /^(title|json_ld\.name)$/],
  [{ description: '<p>Another text</p>' }, /^(description|json_ld\.description)$/],
  [{ excerpt: 'Short' }, /^(excerpt|json_ld\.description)$/],
  [{ slug: 'another-slug' }, /^(slug|url|website|json_ld\.url|json_ld\.offers\..*)$/],
  [{ start_date: '2024-01-01 10:00:00' }, /^((utc_)?(start|end)_date(_details\..*)?|json_ld\.(start|end)Date|timezone_abbr)$/],
  [{ cost: '7' }, /^(cost(_details\..*|_details)?|json_ld\.offers.*)$/],
  [{ website: 'https://another.example/' }, /^(website)$/],
  [{ featured: true }, /^featured$/],
  [{ sticky: true }, /^sticky$/],
  [{ hide_from_listings: true }, /^hide_from_listings$/],
  [{ show_map: false }, /^show_map$/],
  [{ all_day: true }, /^(all_day|(utc_)?(start|end)_date(_details\..*)?|json_ld\.(start|end)Date)$/],
  [{ organizer: [] }, /^(organizer.*|json_ld\.organizer.*)$/],
  [{ show_map_link: false }, /^show_map_link$/],
];

describe.each(changes)('a change of %j', (change, dependent) => {
  it('changes only what depends on it, returns with an undo, and is all that is sent', async () => {
    await pull();
    const [id] = site.records.get('events')!.keys();
    const before = leavesOf(await read(`events/${id}`));
    await copy.snapshots.save('before');
    await copy.events.update(id!, change as never);
    const after = leavesOf(await read(`events/${id}`));
    const different = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);
    expect(different.filter((path) => !/^modified/.test(path) && !dependent.test(path))).toEqual([]);
    await push({ dry_run: true });
    await push();
    const sent = site.bodies.filter((body) => Object.keys(change).some((field) => field in body));
    expect(sent).toHaveLength(1);
    // What an update has to repeat is as it was.
    const isRepeated = (field: string) => field in resources.events.resets! || withAllDates('events', Object.keys(change)).includes(field);
    expect(Object.keys(sent[0]!).filter((field) => !(field in change) && !isRepeated(field))).toEqual([]);
    await copy.snapshots.restore('before');
    expect(leavesOf(await read(`events/${id}`))).toEqual(before);
  });
});

it('a change of a venue changes it in all events, and an undo returns it', async () => {
  await pull();
  const [venue] = site.records.get('venues')!.keys();
  const events = [...site.records.get('events')!.keys()];
  const all = () => Promise.all(events.map(async (id) => leavesOf(await read(`events/${id}`))));
  const before = await all();
  await copy.snapshots.save('before');
  await copy.venues.update(venue!, { city: 'Newtown' });
  for (const [at, after] of (await all()).entries()) {
    const different = Object.keys({ ...before[at], ...after }).filter((path) => before[at]![path] !== after[path]);
    expect(different.filter((path) => !/^venue\.(city|modified|modified_utc|json_ld)|^json_ld\.location/.test(path))).toEqual([]);
  }
  await copy.snapshots.restore('before');
  expect(await all()).toEqual(before);
});

it('a new file has the currency of the site, and one of a user stays', async () => {
  for (const { single, listed } of site.records.get('events')!.values())
    for (const form of [single, listed]) Object.assign(form, withCost('', 'suffix', []));
  const { path: cwd, remove } = folder();
  try {
    const settings = async (db: string) => {
      expect((await run(words(`pull ${root} --db ${db}`), { cwd })).exit).toBe(0);
      const get = async (name: string) => (await run(words(`settings get ${name} --db ${db}`), { cwd })).stdout.trim();
      return [await get('currency'), await get('currency_position'), await get('currency_code')];
    };
    expect(await settings('new.db')).toEqual(['€', 'postfix', 'EUR']);
    await run(words('settings set currency kr --db own.db'), { cwd });
    expect(await settings('own.db')).toEqual(['kr', 'prefix', '']);
  } finally {
    remove();
  }
});
