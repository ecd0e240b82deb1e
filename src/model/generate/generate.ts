import type { Input } from '../calendar.ts';
import { capitalized } from '../grammar.ts';
import { addDays, type DateTime, instantOf, startOfDay, utcOf } from '../time/datetime.ts';
import { between, fraction, happens, oneOf, type Random, someOf } from './random.ts';
import {
  adjectives,
  type City,
  eventTopics,
  firstNames,
  halls,
  lastNames,
  places,
  type Scene,
  scenes,
  streets,
  tagWords,
  things,
} from './vocabulary.ts';

const person = (random: Random) => `${oneOf(random, firstNames)} ${oneOf(random, lastNames)}`;

/** Fills in the placeholders of a pattern. */
function fill(random: Random, pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
    if (placeholder === 'person') return person(random);
    if (placeholder === 'Name') return oneOf(random, lastNames);
    if (placeholder === 'place') return oneOf(random, places);
    if (placeholder === 'topic') return oneOf(random, eventTopics);
    return capitalized(oneOf(random, placeholder === 'thing' ? things : adjectives));
  });
}

const digits = (random: Random, pattern: string) => pattern.replaceAll('#', () => String(between(random, 0, 9)));
const plainName = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-z]+/gi, '')
    .toLowerCase();

/** Generates a venue in a city. `number` makes names unique. */
export function generateVenue(random: Random, number: number, { zone: _, latitude, longitude, zip, ...city }: City): Input {
  const near = (degrees: number) => Math.round((degrees + (fraction(random) - 0.5) / 10) * 1e5) / 1e5;
  const name = `${oneOf(random, happens(random, 0.5) ? lastNames : places)} ${oneOf(random, halls)}`;
  return {
    venue: number < 60 ? name : `${name} ${number}`,
    description: happens(random, 0.5)
      ? `A ${oneOf(random, adjectives)} house by the ${oneOf(random, places)}, with room for ${between(random, 3, 90)}0 people.`
      : '',
    address: `${between(random, 1, 180)} ${oneOf(random, streets)}`,
    ...Object.fromEntries(Object.entries(city).filter(([, value]) => value)),
    zip: digits(random, zip),
    phone: happens(random, 0.6) ? `+${between(random, 1, 99)} ${between(random, 100, 999)} ${between(random, 1000, 9999)}` : '',
    website: happens(random, 0.5) ? `https://venue-${number + 1}.example.org/` : '',
    ...(latitude || longitude ? { geo_lat: near(latitude), geo_lng: near(longitude) } : {}),
  };
}

export function generateOrganizer(random: Random, number: number): Input {
  const single = happens(random, 0.5);
  const name = single
    ? person(random)
    : `${oneOf(random, lastNames)} ${oneOf(random, ['Society', 'Collective', 'Ensemble', 'Association', 'School'])}`;
  return {
    organizer: number < 40 ? name : `${name} ${number}`,
    description: happens(random, 0.4) ? `At home in ${oneOf(random, eventTopics)} since ${between(random, 1890, 2024)}.` : '',
    email: `${plainName(name)}${number + 1}@example.org`,
    phone: happens(random, 0.4) ? `+${between(random, 1, 99)} ${between(random, 100, 999)} ${between(random, 1000, 9999)}` : '',
    website: happens(random, 0.4) ? `https://${plainName(name)}.example.net/` : '',
  };
}

/** The categories of the scenes, followed by their subcategories: the first of each, the second of each, … */
const tree: { name: string; above?: string }[] = [
  ...scenes.map(({ category }) => ({ name: category })),
  ...[0, 1, 2, 3].flatMap((at) => scenes.flatMap(({ category, below }) => (below[at] ? [{ name: below[at], above: category }] : []))),
];

/** A category: those of the scenes first, then numbered ones. `parent` is the number of its parent. */
export function generateCategory(number: number): { input: Input; parent?: number } {
  const node = tree[number];
  if (!node) return { input: { name: `${eventTopics[number % eventTopics.length]} ${number + 1}` } };
  return { input: { name: node.name }, ...(node.above ? { parent: tree.findIndex(({ name }) => name === node.above) } : {}) };
}

export const generateTag = (number: number): Input => ({
  name: tagWords[number] ?? `${tagWords[number % tagWords.length]}-${number + 1}`,
});

/** The IDs of records to link events to, and their dates. */
export interface Setting {
  /** IDs with time zones. */
  venues: { id: number; zone: string }[];
  organizers: number[];
  categories: { id: number; name: string }[];
  tags: number[];
  /** Time zones of events without a venue. */
  zones: string[];
  /** First and last day, as local time. */
  from: DateTime;
  until: DateTime;
}

/** Generates an event: most on evenings and weekends, some all-day or multi-day, few drafts. */
export function generateEvent(random: Random, setting: Setting): Input {
  const scene = oneOf(random, scenes);
  const venue = setting.venues.length && happens(random, 0.9) ? oneOf(random, setting.venues) : undefined;
  const status = happens(random, 0.96) ? 'publish' : oneOf(random, ['draft', 'pending', 'private']);
  const title = fill(random, oneOf(random, scene.titles));
  const description = descriptionOf(random, scene);
  const excerpt = happens(random, 0.2) ? fill(random, oneOf(random, scene.texts)) : undefined;
  const { all_day, start_date, end_date } = timesOf(random, scene, setting);
  return {
    title,
    description,
    excerpt,
    all_day,
    start_date,
    end_date,
    timezone: venue?.zone ?? oneOf(random, setting.zones),
    status,
    cost: oneOf(random, scene.costs),
    website: happens(random, 0.3) ? `https://events.example.org/${between(random, 1000, 999_999)}` : '',
    featured: happens(random, 0.06),
    sticky: happens(random, 0.02),
    show_map: venue !== undefined,
    show_map_link: venue !== undefined,
    venue: venue && [venue.id],
    organizer: someOf(random, setting.organizers, happens(random, 0.15) ? 2 : 1),
    categories: categoriesOf(random, scene, setting),
    tags: someOf(random, setting.tags, between(random, 0, 3)),
  };
}

function descriptionOf(random: Random, scene: Scene): string {
  return someOf(random, scene.texts, between(random, 1, 3))
    .map((text) => fill(random, text))
    .join('\n\n');
}

function categoriesOf(random: Random, scene: Scene, { categories }: Setting): number[] {
  const fitting = categories.filter(({ name }) => name === scene.category || scene.below.includes(name));
  return someOf(random, fitting.length ? fitting : categories, happens(random, 0.25) ? 2 : 1).map(({ id }) => id);
}

function timesOf(random: Random, scene: Scene, { from, until }: Setting): Input {
  const days = Math.max(0, Math.floor((instantOf(until) - instantOf(from)) / 86_400_000));
  let day = addDays(startOfDay(from), between(random, 0, days));
  const weekday = new Date(instantOf(day)).getUTCDay();
  // Moves half of the events on workdays to the weekend.
  if (weekday > 0 && weekday < 5 && happens(random, 0.5) && addDays(day, 6 - weekday) <= until) day = addDays(day, 6 - weekday);
  if (happens(random, 0.04)) return { all_day: true, start_date: day, end_date: addDays(day, between(random, 0, 3)) };
  const start = instantOf(day) + (between(random, scene.hours[0], scene.hours[1]) * 60 + oneOf(random, [0, 0, 15, 30, 30, 45])) * 60_000;
  return { start_date: utcOf(start), end_date: utcOf(start + oneOf(random, scene.minutes) * 60_000) };
}
