import { between, createRandom, happens, oneOf } from '../src/model/generate/random.ts';
import { addDays } from '../src/model/time/datetime.ts';
import type { Store } from '../src/store/calendar.ts';

/** A scenario: different paths below the namespace, and the equivalent paths of json-server. */
export interface Scenario {
  name: string;
  paths: string[];
  /** Undefined if json-server has no equivalent. */
  theirs?: string[];
}

/** More different responses than the server caches. */
const different = 1000;
/** Number of records to read repeatedly. */
const favourites = 200;
const windowStart = '2027-02-28 00:00:00';

/** Returns the scenarios for the records of a store. */
export function scenariosOf(store: Store): Scenario[] {
  const random = createRandom('requests');
  const idsOf = (sql: string) => store.db.all<{ id: number }>(sql).map(({ id }) => id);
  const some = <T>(make: () => T): T[] => Array.from({ length: different }, make);
  const ids = idsOf(`select id from events where status = 'publish' order by (id * 7919) % 10007 limit ${favourites}`);
  const categories = store.db.all<{ slug: string }>('select slug from categories where count > 0').map(({ slug }) => slug);
  const venues = idsOf(`select id from venues order by (id * 7919) % 10007 limit ${different}`);
  const words = [
    'workshop',
    'jazz',
    'evening',
    'piano',
    'garden',
    'friends',
    'quartet',
    'river',
    'beginners',
    'open',
    'art',
    'winter',
    'light',
    'ings',
    'amp',
  ];
  const pages = (total: number) => between(random, 1, Math.max(1, Math.min(20, total)));
  const count = (where: string) =>
    Math.ceil(
      store.db.get<{ n: number }>(`select count(*) n from events where status = 'publish' and start_date >= '${windowStart}' and ${where}`)!
        .n / 10,
    );
  const ofCategory = new Map(
    categories.map((slug) => [
      slug,
      count(`id in (select event_id from event_categories join categories on categories.id = category_id where slug = '${slug}')`),
    ]),
  );
  const featured = count('featured = 1');
  const plain = count('featured = 0');
  const dates = (): string => {
    const from = addDays(windowStart, between(random, 0, 500));
    return `/events?start_date=${from.slice(0, 10)}&end_date=${addDays(from, between(random, 5, 60)).slice(0, 10)}`;
  };
  // Small stores have few pages of each kind: an unused parameter makes each request different.
  const each = (paths: string[]) => Array.from({ length: different }, (_, i) => `${paths[i % paths.length]}&_=${i}`);
  return [
    { name: 'one event', paths: ids.map((id) => `/events/${id}`), theirs: ids.map((id) => `/events/${id}`) },
    { name: 'list of 10', paths: ['/events'], theirs: ['/events?_page=1&_limit=10'] },
    { name: 'list of 50', paths: ['/events?per_page=50'], theirs: ['/events?_page=1&_limit=50'] },
    {
      name: 'by category',
      paths: each(
        some(() => oneOf(random, categories)).map((slug) => `/events?categories=${slug}&page=${pages(ofCategory.get(slug)! - 1)}`),
      ),
    },
    {
      name: 'by venue',
      paths: each(venues.map((id) => `/events?venue=${id}`)),
      theirs: venues.map((id) => `/events?venue.id=${id}&_page=1&_limit=10`),
    },
    { name: 'by dates', paths: each(some(dates)) },
    {
      name: 'featured',
      paths: each(
        some(() =>
          happens(random, 0.5) ? `/events?featured=true&page=${pages(featured - 1)}` : `/events?featured=false&page=${pages(plain - 1)}`,
        ),
      ),
      theirs: some(() => `/events?featured=true&_page=${pages(featured - 1)}&_limit=10`),
    },
    {
      name: 'search',
      paths: each(words.map((word) => `/events?search=${word}`)),
      theirs: words.map((word) => `/events?q=${word}&_page=1&_limit=10`),
    },
  ];
}

/** Returns the body of an event of typical size. */
export function newEvents(store: Store): string[] {
  const one = (table: string) => store.db.get<{ id: number }>(`select id from ${table} order by id limit 1`)!.id;
  const [venue, organizer, category, tag] = ['venues', 'organizers', 'categories', 'tags'].map(one);
  return Array.from({ length: different }, (_, number) =>
    JSON.stringify({
      title: `A new evening ${number}`,
      description: 'New pieces and old favourites, played without amplification.\n\nDoors open an hour before. Seats are not numbered.',
      start_date: `2027-0${1 + (number % 9)}-1${number % 10} 19:30:00`,
      end_date: `2027-0${1 + (number % 9)}-1${number % 10} 21:30:00`,
      timezone: 'Europe/Paris',
      cost: '12',
      venue: [venue],
      organizer: [organizer],
      categories: [category],
      tags: [tag],
    }),
  );
}
