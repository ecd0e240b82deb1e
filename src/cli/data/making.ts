import { generatedCategory, generatedEvent, generatedOrganizer, generatedTag, generatedVenue, type Setting } from '../../model/generate.ts';
import { type Random, randomFrom } from '../../model/random.ts';
import type { Input, ResourceName } from '../../model/resource.ts';
import { slugOf } from '../../model/slug.ts';
import type { DateTime } from '../../model/time.ts';
import { citiesIn } from '../../model/words.ts';
import type { Desk } from '../../store/open.ts';
import { labelOf } from './plant.ts';
import type { Tally } from './tally.ts';

/** How many records of each resource are made. */
export type Made = Record<ResourceName, number>;

/** When and where events are made, and the seed of chance. */
interface Range {
  from: DateTime;
  until: DateTime;
  /** Zones that venues are in; all that have cities where none is named. */
  zones: string[];
  /** The calendar's own zone. */
  zone: string;
  seed: string;
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Makes records up. Events are linked to those made with them; of a resource that none is made of, to those that are there. */
export function making(desk: Desk, made: Made, range: Range, tally: Tally, done: (count: number) => void): void {
  // Each resource has chance of its own, so that more venues leave the organizers as they were.
  const chance = (name: ResourceName): Random => randomFrom(`${range.seed}:${name}`);
  const add = (name: ResourceName, input: Input, slug?: string): number => {
    const id = desk[name].add({ ...input, ...(slug ? { slug } : {}), generated: 1 });
    tally.add('created', name, labelOf(name, input), id);
    done(tally.total);
    return id;
  };
  const cities = citiesIn(range.zones);
  const random = { venues: chance('venues'), organizers: chance('organizers'), events: chance('events') };
  const venues = numbers(made.venues).map((at) => {
    const city = cities[Math.floor(random.venues() * cities.length)]!;
    return { id: add('venues', generatedVenue(random.venues, at, city)), zone: city.zone };
  });
  const organizers = numbers(made.organizers).map((at) => add('organizers', generatedOrganizer(random.organizers, at)));
  const categories: { id: number; name: string }[] = [];
  for (const at of numbers(made.categories)) {
    const { input, parent } = generatedCategory(at);
    const above = parent === undefined ? {} : { parent: categories[parent]!.id };
    categories.push({ id: add('categories', { ...input, ...above }), name: String(input.name) });
  }
  const tags = numbers(made.tags).map((at) => add('tags', generatedTag(at)));
  const known = (name: ResourceName) => [...desk.sources(name)].filter((source) => source.status === undefined);
  const setting: Setting = {
    venues: made.venues ? venues : known('venues').map(({ id }) => ({ id, zone: range.zone })),
    organizers: made.organizers ? organizers : known('organizers').map(({ id }) => id),
    categories: made.categories ? categories : known('categories').map(({ id, name }) => ({ id, name: String(name) })),
    tags: made.tags ? tags : known('tags').map(({ id }) => id),
    zones: range.zones.length ? range.zones : [range.zone],
    from: range.from,
    until: range.until,
  };
  for (const at of numbers(made.events)) {
    const input = generatedEvent(random.events, setting);
    // With a number in each slug, none has to be looked for that is free.
    add('events', input, `${slugOf(String(input.title))}-${at + 1}`);
  }
}
