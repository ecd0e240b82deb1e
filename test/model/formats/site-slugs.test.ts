import { expect, it } from 'vitest';
import type { Entry, ResourceName } from '../../../src/model/calendar.ts';
import { pageBases, siteSlugs } from '../../../src/model/formats/site-slugs.ts';

const record = (url: string, slug: string, more: object = {}) =>
  ({ id: 1, url: `https://example.org${url}`, slug, ...more }) as unknown as Entry;

it.each<[Partial<Record<ResourceName, Entry[]>>, string, object]>([
  [{}, '', {}],
  [{ events: [record('/event/a/', 'a')], categories: [record('/events/category/a/', 'a')] }, '', {}],
  [{ events: [record('/termin/a/', 'a')] }, '', { event_slug: 'termin' }],
  [{ events: [record('/termin/a/', 'a'), record('/event/b/', 'b'), record('/event/c/', 'c')] }, '', {}],
  [{ events: [record('/blog/evento/a/', 'a')] }, '/blog', { event_slug: 'evento' }],
  // What is before the words is before those that were not seen, too.
  [
    { events: [record('/index.php/event/a/', 'a')] },
    '',
    {
      events_slug: 'index.php/events',
      event_slug: 'index.php/event',
      venue_slug: 'index.php/venue',
      organizer_slug: 'index.php/organizer',
      tag_slug: 'index.php/tag',
    },
  ],
  // An occurrence has its day at the end, unless that is its slug.
  [{ events: [record('/termin/a/2027-03-01/', 'a')] }, '', { event_slug: 'termin' }],
  [{ events: [record('/termin/2027-03-01/', '2027-03-01')] }, '', { event_slug: 'termin' }],
  [{ events: [record('/termin/caf%C3%A9/', 'caf%c3%a9')] }, '', { event_slug: 'termin' }],
  // Addresses that say nothing: another slug, none, another folder, parameters.
  [{ events: [record('/termin/b/', 'a'), record('/a/', 'a'), record('/?post_type=calendar_events&p=7', 'a')] }, '', {}],
  [{ events: [record('/termin/a/', 'a')] }, '/blog', {}],
  [{ events: [record('/wp-json/a/', 'a')] }, '', {}],
  [
    { events: [record('/event/a/', 'a', { venue: record('/lugar/b/', 'b'), organizer: [record('/gente/c/', 'c')] })] },
    '',
    { venue_slug: 'lugar', organizer_slug: 'gente' },
  ],
  [
    {
      categories: [record('/es/eventos/tema/a/b/', 'b', { parent: 3 }), record('/es/eventos/tema/a/', 'a')],
      tags: [record('/es/tag/a/', 'a')],
    },
    '',
    {
      events_slug: 'es/eventos',
      event_slug: 'es/event',
      venue_slug: 'es/venue',
      organizer_slug: 'es/organizer',
      category_slug: 'tema',
      tag_slug: 'es/tag',
    },
  ],
])('the words of the pages %j in the folder %j are %j', (lists, folder, expected) => {
  const bases = Object.entries(lists).map(([name, entries]) => pageBases(name as ResourceName, entries, folder));
  expect(siteSlugs(Object.assign({}, ...bases))).toEqual(expected);
});
