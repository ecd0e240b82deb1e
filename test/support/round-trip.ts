import { expect } from 'vitest';
import { icalEvent } from '../../src/model/ical/event.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { calendarWith, exported, imported, memory } from './calendars.ts';

/** Fails unless export, import, export of a calendar gives the same bytes, and importing them again changes nothing. */
export async function expectSameJson(document: unknown, format: 'json' | 'ndjson') {
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

/** Fails unless an import of an exported calendar gives the same events, as far as iCalendar can represent them. */
export async function expectSameIcal(document: unknown) {
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

/** Fails unless an import of exported tables gives the same tables. */
export async function expectSameTables(document: unknown) {
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
