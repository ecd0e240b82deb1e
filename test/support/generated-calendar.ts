import type { Entry } from '../../src/model/calendar.ts';
import {
  generateCategory,
  generateEvent,
  generateOrganizer,
  generateTag,
  generateVenue,
  type Setting,
} from '../../src/model/generate/generate.ts';
import { createRandom, oneOf, type Random } from '../../src/model/generate/random.ts';
import { citiesIn } from '../../src/model/generate/vocabulary.ts';
import type { Viewer } from '../../src/model/viewer.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';

export const site = { home: 'http://127.0.0.1:8787', root: 'http://127.0.0.1:8787/calendar/events/v1' };
export const viewers: Viewer[] = [
  { id: 0, name: '', role: 'anonymous' },
  { id: 1, name: 'owner', role: 'owner' },
  { id: 2, name: 'eva', role: 'editor' },
  { id: 3, name: 'ada', role: 'author' },
  { id: 4, name: 'sub', role: 'subscriber' },
];

/** A city of generated events in memory, with a setting for more of them. */
export async function city(events: number): Promise<{ store: Store; random: Random; setting: Setting }> {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2027-03-01T10:00:00Z') });
  const random = createRandom(`city of ${events}`);
  const cities = citiesIn([]);
  const setting: Setting = {
    venues: [],
    organizers: [],
    categories: [],
    tags: [],
    zones: ['UTC'],
    from: '2026-06-01 00:00:00',
    until: '2028-06-01 00:00:00',
  };
  await store.change((local) => {
    const id = (entry: unknown) => (entry as Entry).id;
    for (let i = 0; i < 12; i += 1) {
      const place = oneOf(random, cities);
      setting.venues.push({ id: id(local.venues.create(generateVenue(random, i, place))), zone: place.zone });
      setting.organizers.push(id(local.organizers.create(generateOrganizer(random, i))));
      const { input, parent } = generateCategory(i);
      const above = parent === undefined ? undefined : setting.categories[parent]?.id;
      setting.categories.push({
        id: id(local.categories.create({ ...input, ...(above ? { parent: above } : {}) })),
        name: String(input.name),
      });
      setting.tags.push(id(local.tags.create(generateTag(i))));
    }
    for (let i = 0; i < events; i += 1) local.events.create(generateEvent(random, setting));
  });
  return { store, random, setting };
}
