import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import type { SendRequest } from '../../../src/data/check/check.ts';
import { runChecks } from '../../../src/data/check/run.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { type RecordedSite, recordedSite, recordings } from '../../support/recorded-site.ts';

/* Records of a site that were made in its form, by older releases or by an import. */

let site: RecordedSite;
let copy: Calendar;
let ids: number[];
beforeEach(async () => {
  site = await recordedSite(recordings.find(({ id }) => id === 'site-16')!);
  copy = await createCalendar({ listen: false });
  ids = [...site.records.get('events')!.keys()];
});
afterEach(async () => {
  await copy.close();
  await site.close();
});

const pull = () => copy.data.pull({ root: `${site.address}/wp-json/calendar/events/v1` });
const read = async (path: string) => (await (await copy.fetch(path)).json()) as Entry;
function onSite(id: number, members: object): void {
  const { single, listed } = site.records.get('events')!.get(id)!;
  for (const form of [single, listed]) Object.assign(form, members);
}

describe('events with one slug', () => {
  it.each(['first to last', 'last to first'])(
    'that are listed %s all show it, and by-slug finds the one that the site finds',
    async (order) => {
      const events = site.records.get('events')!;
      const entries = [...events].sort(([a], [b]) => (order === 'first to last' ? a - b : b - a));
      events.clear();
      for (const [id, forms] of entries) events.set(id, forms);
      for (const id of ids) onSite(id, { slug: 'yearly', url: `${site.address}/event/yearly/` });
      const { notes, problems } = await pull();
      expect([notes, problems]).toEqual([[], []]);
      for (const id of ids) expect(await read(`events/${id}`)).toMatchObject({ slug: 'yearly' });
      expect(await read('events/by-slug/yearly')).toMatchObject({ id: Math.min(...ids), slug: 'yearly' });
      expect(await pull()).toMatchObject({ updated: 0, unchanged: expect.any(Number) });
      // One that is changed here has its own slug.
      await copy.events.update(Math.min(...ids), { slug: 'once' });
      expect(await read('events/by-slug/once')).toMatchObject({ id: Math.min(...ids), slug: 'once' });
      expect(await read('events/by-slug/yearly')).toMatchObject({ id: ids.sort((a, b) => a - b)[1], slug: 'yearly' });
    },
  );
});

describe('an event in a zone with an offset', () => {
  const [start_date, end_date] = ['2024-07-01 10:00:00', '2024-07-01 12:00:00'];
  const dates = { start_date, end_date, all_day: false, timezone: 'UTC-5', timezone_abbr: 'UTC-5' };
  const rows = [
    ['the form', { utc_start_date: '2024-07-01 15:00:00', utc_end_date: '2024-07-01 17:00:00' }, '-05:00', '2024-07-02 15:00:00'],
    ['the API', { utc_start_date: '2024-07-01 14:00:00', utc_end_date: '2024-07-01 16:00:00' }, '-04:00', '2024-07-02 14:00:00'],
  ] as const;

  it.each(rows)('made by %s keeps its offset, also when it is changed here', async (_, utc, offset, moved) => {
    const id = ids[0]!;
    onSite(id, { ...dates, ...utc, json_ld: undefined });
    await pull();
    const own = async () => (await read(`events/${id}`)) as Entry & { json_ld: Entry };
    expect(await own()).toMatchObject({ ...dates, ...utc, json_ld: { startDate: `2024-07-01T10:00:00${offset}` } });
    await copy.events.update(id, { title: 'Another title' });
    expect(await own()).toMatchObject(utc);
    await copy.events.update(id, { start_date: '2024-07-02 10:00:00', end_date: '2024-07-02 12:00:00' });
    expect(await own()).toMatchObject({ utc_start_date: moved, json_ld: { startDate: `2024-07-02T10:00:00${offset}` } });
    await copy.clock.set('2024-06-01T00:00Z');
    const send: SendRequest = async (method, path, query = '') => {
      const response = await copy.fetch(`${copy.url}${path}${query && `?${query}`}`, { method });
      return { status: response.status, headers: Object.fromEntries(response.headers), json: await response.json() } as never;
    };
    const options = { write: false, bail: false, only: ['events.utc'], prefix: 'check', signal: new AbortController().signal };
    expect((await runChecks(send, options)).results).toMatchObject([{ name: 'events.utc', outcome: 'ok' }]);
  });
});

describe('a text of a site', () => {
  const image = '<img src="https://example.org/a.jpg" alt="A" width="10" height="10" loading="lazy" />';
  const texts = [
    `<p>One</p>\n<p>${image}</p>`,
    `<p>One ${image} two<br />\nthree</p>\n`,
    '<div>\n\n<p>One</p>\n\n</div>',
    'No paragraph\n\nand another line',
    `<figure>${image}<figcaption>A</figcaption></figure>\n\n\n<ul>\n<li>One</li>\n</ul>`,
    '<p>&#8220;One&#8221; &amp; two &#8211; three</p>',
  ];
  it.each(texts)('is shown as it is: %j', async (description) => {
    const id = ids[0]!;
    onSite(id, { description, excerpt: description });
    await pull();
    const { events } = (await read('events?start_date=1000-01-01&per_page=50')) as unknown as { events: Entry[] };
    for (const entry of [await read(`events/${id}`), events.find((each) => each.id === id)])
      expect(entry).toMatchObject({ description, excerpt: description });
    await copy.events.update(id, { title: 'Another title', cost: '7' });
    expect(await read(`events/${id}`)).toMatchObject({ description, excerpt: description });
  });
});
