import type { Input, ResourceName } from '../../src/model/calendar.ts';
import { cleanTermName } from '../../src/model/html/sanitize.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { imported, memory } from './calendars.ts';

/** A sequence of random numbers from 0 to 1 (mulberry32), the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

// biome-ignore format: a table
const words = [
  'Jazz', 'Soul', 'Hall', 'hall', 'Town Hall', 'town-hall', '12', '2027', 'C#', 'C++', 'c', '18+', "O'Brien's", "Makers' Yard", '"The Loft"', '5\' 6"', "rock ''n'' roll",
  'a - b', 'a -- b', 'a---b', 'wait...', 'Acme (tm)', '10x20', 'R & B', 'R&amp;B', 'AT&T', '&lt;b&gt;', 'a < b', '1 > 0', 'Food > Drinks', 'x, y', 'x; y', 'x | y', 'Arena (main)',
  'Hall (hall)', 'Hall (hall-2)', '=1+1', '+49 30', '-5', '@home', "'quoted", "''double", '#1', 'a\\nb', 'C:\\new', '%20', '100%', '[gallery]', ':)', '{{x}}', '<!-- note -->',
  'مرحبا', '日本語', 'עברית', 'Ελληνικά', 'Привет', 'हिन्दी', 'ไทย', '한국어', 'ქართული', 'Ünïcödé', 'Cafe', 'Café', 'Cafe\u0301', '🎉', '👩‍👩‍👧', 'ﬁ', 'no\u00a0break', 'zero\u200bwidth', '\u202ertl',
] as const;
const separators = [' ', ' ', ', ', '; ', ' – ', ' / ', ': ', '  '];
const breaks = ['\n', '\n\n', '\n\n\n', ' ', '\t', '. '];
const markup = [
  '<strong>b</strong>',
  '<em>i</em>',
  '<a href="https://x.test/?a=1&amp;b=2">l</a>',
  '<ul><li>one</li><li>two</li></ul>',
  '<p>p</p>',
  '<br />',
  '<h2>h</h2>',
  '<!-- wp:paragraph --><p>block</p><!-- /wp:paragraph -->',
];
// biome-ignore format: a table
const costs = [
  [], ['0'], ['Free'], ['12'], ['12.50'], ['€5'], ['5 €'], ['€5', '€7'], ['CHF20'], ['CHF 20'], ['20 CHF'], ['$1,000'], ['Donation'], ['10', '20'], ['Free', '€10'], ['€8 – €12'], ['-5'],
  ['from 5'], ['5-10'], ['VVK 12 €', 'AK 15 €'], ['1.5'], ['£3', '£4', '£5'], ['kr 100'], ['100 kr'], ['Members: free'], ['pay what you want'], ['5 / 7'], ['€10 / $12'], ['¥500'], ['R$ 5'], ['12,50'],
];
// biome-ignore format: a table
const zones = ['UTC', 'Europe/Berlin', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'UTC+5.5', 'UTC-3', 'UTC+14', '+05:30', '-03:30'];
/** Local times, some of them skipped or repeated in a time zone above. */
const walls = [
  '2027-03-28 02:30:00',
  '2027-10-31 02:30:00',
  '2027-03-14 02:30:00',
  '2027-11-07 01:30:00',
  '2027-01-01 00:00:00',
  '2027-06-15 19:00:00',
  '2028-02-29 10:00:00',
  '2027-12-31 23:59:59',
];

/** Random records that have broken formats before, as inputs for a calendar. */
export class OddRecords {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  maybe<T>(make: () => T, share = 0.4): T | undefined {
    return this.#random() < share ? make() : undefined;
  }

  line(): string {
    const count = this.pick([1, 1, 1, 2, 3]);
    return Array.from({ length: count }, () => this.pick(words)).join(this.pick(separators));
  }

  text(): string {
    return Array.from({ length: 1 + this.below(4) }, () => (this.#random() < 0.3 ? this.pick(markup) : this.line())).join(
      this.pick(breaks),
    );
  }

  some<T>(items: readonly T[]): T[] {
    const count = this.pick([0, 1, 1, 2, 3]);
    return [...new Set(Array.from({ length: Math.min(count, items.length) }, () => this.pick(items)))];
  }

  event(linked: Record<'venues' | 'organizers' | 'categories' | 'tags' | 'events', number[]>): Input {
    const start =
      this.#random() < 0.5
        ? this.pick(walls)
        : new Date(Date.UTC(2026, 0) + this.below(1e8) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const minutes = this.pick([0, 30, 60, 90, 600, 1440, 4000]);
    const allDay = this.#random() < 0.25;
    const end = new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    return {
      title: this.line(),
      start_date: allDay ? `${start.slice(0, 10)} 00:00:00` : start,
      end_date: allDay ? `${end.slice(0, 10)} 23:59:59` : end,
      all_day: allDay,
      timezone: this.pick(zones),
      description: this.maybe(() => this.text(), 0.7),
      excerpt: this.maybe(() => this.text()),
      status: this.pick(['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'trash']),
      cost: this.maybe(() => this.pick(costs), 0.7),
      website: this.maybe(() => this.pick(['https://x.test/', 'https://x.test/?a=1&b=2', 'https://x.test/%C3%A9#top'])),
      image: this.maybe(() => 'https://x.test/a.png', 0.2),
      poster: this.maybe(() => true, 0.2),
      post_password: this.maybe(() => this.pick(['secret', " o'pen, sesame"]), 0.1),
      featured: this.#random() < 0.2,
      sticky: this.#random() < 0.2,
      hide_from_listings: this.#random() < 0.2,
      show_map: this.#random() < 0.5,
      post_parent: this.maybe(() => this.pick(linked.events), 0.1),
      venue: this.some(linked.venues),
      organizer: this.some(linked.organizers),
      categories: this.some(linked.categories),
      tags: this.some(linked.tags),
      age_group: this.maybe(() => this.line()),
      // The later one is a scheduled event.
      date: this.maybe(() => this.pick(['2025-02-03 04:05:06', '2035-02-03 04:05:06']), 0.2),
      ticketed: this.maybe(() => true, 0.1),
    };
  }

  /** A recurring event, as an iCalendar file. */
  series(at: number): string {
    const zone = this.pick(zones);
    const start = `2027${this.pick(['0328T023000', '0101T000000', '0615T190000', '1031T023000'])}`;
    const rule = this.pick([
      'FREQ=WEEKLY;COUNT=5',
      'FREQ=MONTHLY;BYMONTHDAY=1,31;COUNT=6',
      'FREQ=DAILY;INTERVAL=9;COUNT=4',
      'FREQ=WEEKLY;BYDAY=MO,FR;COUNT=6',
    ]);
    const isDay = this.maybe(() => true, 0.2);
    const begin = isDay
      ? `DTSTART;VALUE=DATE:${start.slice(0, 8)}`
      : zone === 'UTC'
        ? `DTSTART:${start}Z`
        : `DTSTART;TZID="${zone}":${start}`;
    const title = this.line().replace(/[\\;,]/g, '\\$&');
    return [
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `UID:series-${at}@x.test`, begin, `DURATION:${isDay ? 'P1D' : 'PT90M'}`, `RRULE:${rule}`],
      ...[`SUMMARY:${title}`, ...(this.maybe(() => true) ? ['CATEGORIES:Jazz,Soul'] : []), 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n');
  }

  venue(): Input {
    return {
      venue: this.line(),
      description: this.maybe(() => this.text()),
      address: this.maybe(() => this.line()),
      city: this.maybe(() => this.line()),
      zip: this.maybe(() => this.pick(['01234', '3011 WH', '-1'])),
      phone: this.maybe(() => '+31 10 555 0110'),
      country: this.maybe(() => this.line()),
      website: this.maybe(() => 'https://x.test/?a=1&b=2'),
      geo_lat: this.maybe(() => this.pick([51.9166, -33.1, 0.5])),
      geo_lng: this.maybe(() => this.pick([4.4894, -70.25, 0.5])),
      status: this.pick(['publish', 'publish', 'publish', 'draft', 'private']),
      show_map: this.pick(['true', 'false']),
      poster: this.maybe(() => true, 0.2),
    };
  }

  organizer(): Input {
    return {
      organizer: this.line(),
      description: this.maybe(() => this.text()),
      email: this.maybe(() => this.pick(['info@town.example', 'ada@x.test', "o'brien@x.test"])),
      phone: this.maybe(() => '+31 10 555 0110'),
      website: this.maybe(() => 'https://x.test/'),
      status: this.pick(['publish', 'publish', 'publish', 'draft']),
    };
  }
}

const withoutUndefined = (input: Input): Input => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

const site = { home: 'http://x', root: 'http://x/v1' };

/** Returns a calendar in memory with odd records: the same for the same seed. `events` is their number. */
export async function oddCalendar(seed: number, events = 12): Promise<Store> {
  const odd = new OddRecords(seed);
  const store = await memory();
  await store.change((local) => {
    local.settings.set('timezone', 'Europe/Berlin');
    local.declare({ events: { age_group: { type: 'string' } } });
  });
  await store.change(
    (local) => {
      const ids = {
        venues: [] as number[],
        organizers: [] as number[],
        categories: [] as number[],
        tags: [] as number[],
        events: [] as number[],
      };
      const add = (name: ResourceName, input: Input) => {
        ids[name].push(local[name].add(withoutUndefined(input)).id);
      };
      const count = () => 1 + odd.below(6);
      for (let left = count(); left > 0; left--) add('venues', odd.venue());
      for (let left = count(); left > 0; left--) add('organizers', odd.organizer());
      const term = (parent?: number) => {
        const name = odd.line().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        return {
          name: cleanTermName(name) === '' ? 'Term' : name,
          parent,
          description: odd.maybe(() => odd.line()),
          slug: odd.maybe(() => odd.pick(['jazz', 'other', 'x-1', 'c']), 0.2),
        };
      };
      for (let left = count(); left > 0; left--) add('categories', term(odd.maybe(() => odd.pick(ids.categories)) ?? undefined));
      for (let left = count(); left > 0; left--) add('tags', term());
      for (let left = events; left > 0; left--) add('events', odd.event(ids));
    },
    undefined,
    { copying: true },
  );
  if (odd.below(2)) await imported(store, 'ics', odd.series(seed));
  return store;
}

/** The records of a calendar as a format can compare them: by UID, or by slug for terms, with linked records by theirs. */
export function recordsOf(store: Store): Record<ResourceName, Map<string, Input>> {
  const local = store.local(owner, site);
  const names = ['venues', 'organizers', 'categories', 'tags', 'events'] as const;
  const all = new Map(names.map((name) => [name, [...local.sources(name)]] as const));
  const keyOf = (source: Input) => String(source.uid ?? source.slug ?? source.name);
  const keys = new Map(names.flatMap((name) => all.get(name)!.map((each) => [`${name}:${each.id}`, keyOf(each)] as [string, string])));
  const linked: Record<string, ResourceName> = {
    venue: 'venues',
    organizer: 'organizers',
    categories: 'categories',
    tags: 'tags',
    parent: 'categories',
    post_parent: 'events',
  };
  return Object.fromEntries(
    names.map((name) => [
      name,
      new Map(
        all.get(name)!.map(({ id: _, ...source }) => [
          keyOf(source),
          Object.fromEntries(
            Object.entries(source).map(([field, value]) => {
              const to = linked[field];
              if (!to || (name === 'venues' && field === 'venue') || (name === 'organizers' && field === 'organizer'))
                return [field, value];
              const items = [value].flat().map((each) => keys.get(`${to}:${each}`));
              return [field, Array.isArray(value) && (field === 'categories' || field === 'tags') ? items.sort() : items];
            }),
          ),
        ]),
      ),
    ]),
  ) as Record<ResourceName, Map<string, Input>>;
}
