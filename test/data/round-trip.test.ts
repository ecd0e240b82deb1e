import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import conference from '../../fixtures/conference.json' with { type: 'json' };
import demo from '../../fixtures/demo.json' with { type: 'json' };
import edgeCases from '../../fixtures/edge-cases.json' with { type: 'json' };
import { icalEvent } from '../../src/model/ical/event.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { calendars, calendarWith, exported, imported, memory } from '../support/calendars.ts';
import { cases } from '../support/cases.ts';
import { limit } from '../support/timeouts.ts';

const seeds: [string, unknown][] = [
  ['demo', demo],
  ['conference', conference],
  ['edge-cases', edgeCases],
];

/** The members of every event that iCalendar can represent, by UID. */
function icalEvents(store: Store) {
  const home = store.settings.get('home');
  return Object.fromEntries(
    [...store.local(owner, { home, root: home }).entries('events')].map((entry) => {
      const { uid, html: _, created: _c, modified: _m, url, website, ...event } = icalEvent(entry);
      // Pages of organizers are the site's own.
      return [uid, { ...event, contacts: event.contacts.map(({ name, email }) => `${name} <${email}>`), website: website || url }];
    }),
  );
}

describe.each(['json', 'ndjson'] as const)('%s', (format) => {
  async function checkSame(document: unknown) {
    const store = await calendarWith(document);
    const text = exported(store, format);
    const copy = await memory();
    const first = await imported(copy, format, text);
    expect(exported(copy, format)).toBe(text);
    expect(first.counts.created).toBe(first.total);
    const again = await imported(copy, format, text);
    expect(again.counts.unchanged).toBe(again.total);
    const own = await imported(store, format, text);
    expect(own.counts.unchanged).toBe(own.total);
    expect(exported(store, format)).toBe(text);
    await Promise.all([store.close(), copy.close()]);
  }
  it(
    'export, import, export: the same bytes, for any calendar',
    () => fc.assert(fc.asyncProperty(calendars, checkSame), { numRuns: cases(12) }),
    limit(60_000),
  );
  it.each(seeds)('and for the seed %s', (_, document) => checkSame(document));

  it('restores changed and deleted records', async () => {
    const store = await calendarWith(demo);
    const text = exported(store, format);
    const before = JSON.parse(exported(store, 'json'));
    await store.change((local) => {
      const [event] = [...local.sources('events')];
      local.events.update({ id: event!.id }, { title: 'Changed', featured: true, organizer: [], cost: '99' });
      local.venues.update({ slug: 'harbour-hall' }, { phone: '', website: '', city: 'Elsewhere' });
    });
    const summary = await imported(store, format, text);
    expect([summary.counts.updated, summary.counts.created]).toEqual([2, 0]);
    expect(JSON.parse(exported(store, 'json'))).toEqual(before);
  });
});

describe('ics', () => {
  async function checkSame(document: unknown) {
    const store = await calendarWith(document);
    const text = exported(store, 'ics');
    const copy = await memory();
    await copy.change((local) => local.settings.set('timezone', store.settings.get('timezone')));
    await imported(copy, 'ics', text);
    const [here, there] = [icalEvents(store), icalEvents(copy)];
    expect(there).toEqual(here);
    const again = await imported(copy, 'ics', text);
    expect(again.counts.unchanged).toBe(again.total);
    const own = await imported(store, 'ics', text);
    expect([own.counts.unchanged, icalEvents(store)]).toEqual([own.total, here]);
    await Promise.all([store.close(), copy.close()]);
  }
  it(
    'the same events as far as it can say them, for any calendar',
    () => fc.assert(fc.asyncProperty(calendars, checkSame), { numRuns: cases(12) }),
    limit(60_000),
  );
  it.each(seeds.slice(0, 2))('and for the seed %s', (_, document) => checkSame(document));
});

describe('csv', () => {
  async function checkSame(document: unknown) {
    const store = await calendarWith(document);
    const copy = await memory();
    await copy.change((local) => local.settings.set('timezone', store.settings.get('timezone')));
    for (const name of ['venues', 'organizers', 'categories', 'tags', 'events'] as const) {
      const text = exported(store, 'csv', [name]);
      await imported(copy, 'csv', text, [name]);
      expect(exported(copy, 'csv', [name])).toBe(text);
      const again = await imported(copy, 'csv', text, [name]);
      expect(again.counts.unchanged).toBe(again.total);
    }
    await Promise.all([store.close(), copy.close()]);
  }
  it('the same tables, for any calendar', () => fc.assert(fc.asyncProperty(calendars, checkSame), { numRuns: cases(12) }), limit(60_000));
  it.each(seeds.slice(0, 2))('and for the seed %s', (_, document) => checkSame(document));

  it('a table without IDs and slugs is the same one the second time', async () => {
    const store = await memory();
    const text =
      'Title,Start date,End date,Venue,Categories\nA,2027-01-01 10:00,2027-01-01 11:00,"Hall, Main Street","Music, Jazz"\nB,2027-01-02,2027-01-02,,\n';
    expect((await imported(store, 'csv', text)).counts.created).toBe(2);
    expect((await imported(store, 'csv', text)).counts.unchanged).toBe(2);
    expect((await imported(store, 'csv', text.replace('11:00', '12:00'))).counts.updated).toBe(1);
    expect(exported(store, 'csv', ['venues'])).toContain('"Hall, Main Street"');
  });
});
