import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { type Entry, resourceNames } from '../../../src/model/calendar.ts';
import { leavesOf, type RecordedSite, recordedSite, recordings } from '../../support/recorded-site.ts';
import { folder, run } from '../../support/transcript.ts';

let site: RecordedSite;
const calendars: Calendar[] = [];
afterEach(async () => {
  for (const calendar of calendars.splice(0)) await calendar.close();
  await site.close();
});

type Options = NonNullable<Parameters<typeof createCalendar>[0]>;

/** A copy of the site; by default in the same folder. */
async function copyOf(options: Options = {}): Promise<Calendar> {
  const calendar = await createCalendar({ listen: false, basePath: `${site.folder}/wp-json`, ...options });
  calendars.push(calendar);
  await pull(calendar);
  return calendar;
}
const pull = (calendar: Calendar) => calendar.data.pull({ root: `${site.address}/wp-json/calendar/events/v1` });
const read = async (calendar: Calendar, path: string): Promise<Entry> => (await calendar.fetch(path)).json() as Promise<Entry>;

/** The members of a record that differ from the site; `home` is where the copy is. */
function differing(theirs: Entry, mine: Entry, home: string, isListed: boolean): string[] {
  const [a, b] = [leavesOf(theirs), leavesOf(JSON.parse(JSON.stringify(mine).replaceAll(home, site.address)))];
  // Not every single record was recorded, and lists have no schema.org data.
  const isUnknown = (path: string) =>
    (path.includes('json_ld') && (isListed || theirs.json_ld === undefined)) || (path.startsWith('_links') && (isListed || !theirs._links));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path] && !isUnknown(path));
}

const all = 'per_page=50&start_date=1000-01-01&end_date=9999-12-31&hide_empty=false';

/** The members of all single records and lists that differ from the site. */
async function differences(calendar: Calendar, home = calendar.url.replace(/\/wp-json\/.*$/, '')): Promise<string[]> {
  const found: string[] = [];
  for (const name of resourceNames) {
    const listed = (await read(calendar, `${name}?${all}`))[name] as Entry[] | undefined;
    for (const [id, forms] of site.records.get(name)!) {
      const mine = { single: await read(calendar, `${name}/${id}`), listed: listed?.find((each) => each.id === id) };
      for (const form of ['single', 'listed'] as const)
        if (mine[form])
          found.push(...differing(forms[form], mine[form], home, form === 'listed').map((path) => `${name} ${id} ${form} ${path}`));
    }
  }
  return found;
}

describe.each(recordings)('a copy of the recorded $id', (recording) => {
  beforeEach(async () => {
    site = await recordedSite(recording);
  });

  it('answers as the site', async () => {
    const copy = await copyOf();
    expect(await differences(copy)).toEqual([]);
  });

  it.each([
    ['another host', { publicUrl: 'https://shop.test' }, 'https://shop.test'],
    ['another folder', { basePath: '/deep/folder/wp-json' }, '/deep/folder'],
    ['the root', { basePath: '/wp-json' }, ''],
  ])('answers as the site at %s', async (_, options, home) => {
    const copy = await copyOf({ basePath: `${site.folder}/wp-json`, ...options });
    const origin = new URL(copy.url).origin;
    const at = home.startsWith('https') ? `${home}${site.folder}` : `${origin}${home}`;
    expect(await differences(copy, at)).toEqual([]);
  });

  it('answers as the site in a world, from an export and after an undo', async () => {
    const copy = await copyOf({ listen: true });
    await copy.snapshots.save('pulled');
    const world = await copy.worlds.create({ from: 'pulled' });
    expect(await differences(world as never, world.url.replace(/\/wp-json\/.*$/, ''))).toEqual([]);
    for (const format of ['json', 'ndjson'] as const) {
      const other = await createCalendar({ listen: false, basePath: `${site.folder}/wp-json` });
      calendars.push(other);
      await other.data.import({ text: await copy.data.export({ format }), format });
      // An export names an image by its address.
      expect([format, (await differences(other)).filter((path) => !path.includes(' image.'))]).toEqual([format, []]);
    }
    const [id] = site.records.get('events')!.keys();
    await copy.events.update(id!, { title: 'Changed here' });
    expect(await differences(copy)).not.toEqual([]);
    await copy.snapshots.restore('pulled');
    expect(await differences(copy)).toEqual([]);
  });

  it('is unchanged: nothing differs, and nothing is sent', async () => {
    const copy = await copyOf();
    expect(await pull(copy)).toMatchObject({ updated: 0, created: 0, unchanged: expect.any(Number) });
    const root = `${site.address}/wp-json/calendar/events/v1`;
    expect(await copy.data.push({ root, authorization: `Basic ${btoa('ada:x')}`, yes: true })).toMatchObject({ updated: 0, created: 0 });
    expect(site.bodies).toEqual([]);
    expect(await differences(copy)).toEqual([]);
  });

  it('has no difference on the command line', async () => {
    const place = folder();
    const at = (command: string) => run([command, `${site.address}/wp-json/calendar/events/v1`, '--db', 'a.db'], { cwd: place.path });
    expect(await at('pull')).toMatchObject({ exit: 0, stderr: expect.stringContaining('In step') });
    expect(await at('diff')).toMatchObject({ exit: 0, stdout: '' });
    place.remove();
  });

  it('takes what only a member has that is not stored', async () => {
    const copy = await copyOf();
    for (const { listed, single } of site.records.get('events')!.values())
      for (const form of [listed, single]) {
        form.timezone_abbr = 'ABC';
        form.cost_details = { ...(form.cost_details as object), currency_code: 'NOK' };
      }
    const events = site.records.get('events')!.size;
    expect(await pull(copy)).toMatchObject({ updated: events, created: 0 });
    expect(await differences(copy)).toEqual([]);
    expect(await pull(copy)).toMatchObject({ updated: 0 });
  });

  it('has the pages at the addresses of the site', async () => {
    const copy = await copyOf({ listen: true });
    for (const name of resourceNames)
      for (const [id] of site.records.get(name)!) {
        const { url } = await read(copy, `${name}/${id}`);
        if (typeof url !== 'string' || !/^publish$/.test(String((await read(copy, `${name}/${id}`)).status ?? 'publish'))) continue;
        const response = await fetch(url, { redirect: 'manual', headers: { Accept: 'text/html' } });
        expect([name, id, url, response.status]).toEqual([name, id, url, 200]);
      }
  });

  it('keeps no address that its own words give', async () => {
    const copy = await copyOf();
    const data = JSON.parse(await copy.data.export({ format: 'json' })) as Record<string, { extra?: { site?: { url?: string[] } } }[]>;
    // Occurrences have the slug of another event and a day; drafts an ID.
    for (const name of resourceNames)
      for (const { extra } of data[name] ?? []) expect(extra?.site?.url?.[1] ?? '/2020-10-12/').toMatch(/\/\d{4}-\d\d-\d\d\/$|\?/);
  });
});
