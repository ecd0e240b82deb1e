import fc from 'fast-check';
import * as z from 'zod';
import { type DataFormat, type ExportFormat, exportCalendar } from '../../src/data/export.ts';
import { applyFixture } from '../../src/data/ingest/fixture.ts';
import { importData } from '../../src/data/ingest/import.ts';
import type { ImportOptions } from '../../src/data/ingest/options.ts';
import { repeatEvent } from '../../src/data/ingest/repeat.ts';
import { Summary } from '../../src/data/summary.ts';
import { inTransaction } from '../../src/data/transaction.ts';
import type { ResourceName } from '../../src/model/calendar.ts';
import { dataFailure, type Problem } from '../../src/model/error.ts';
import { readFixture } from '../../src/model/formats/fixture.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import type { StoreImage } from '../../src/store/snapshots.ts';

export const now = Date.parse('2026-11-20T16:05:00Z');
export const memory = (): Promise<Store> => openCalendar(':memory:', { mode: 'write', now: () => now });

const concert = {
  title: 'Concert',
  start_date: '2027-03-05 20:00',
  end_date: '2027-03-05 22:00',
  categories: ['jazz'],
  venue: { venue: 'Hall' },
};
/** A seed with an event, its venue and its category. */
export const oneOfEach = { name: 'one of each', document: { events: { concert }, categories: { jazz: { name: 'Jazz' } } } };

/** A calendar in a format, as text. */
export const exported = (store: Store, format: ExportFormat, only?: readonly ResourceName[]): string =>
  [...exportCalendar(store, { format, only })].join('');

/** Imports a text into a calendar; fails with all that is wrong. */
export function imported(
  store: Store,
  format: DataFormat,
  text: string,
  only?: ResourceName[],
  more: ImportOptions = {},
): Promise<Summary> {
  const bytes = Buffer.from(text);
  const chunks = () => Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, at) => bytes.subarray(at * 4096, (at + 1) * 4096));
  return importData(store, { name: 'test', chunks, end: async () => {} }, { format, only, listChanges: true, ...more });
}

/** The states that fixtures made of an empty calendar. */
const images = new WeakMap<object, StoreImage>();

/** A calendar in memory that holds what a fixture says; fails with all that is wrong. */
export async function calendarWith(document: unknown): Promise<Store> {
  const image = images.get(document as object);
  const store = await openCalendar(':memory:', { mode: 'write', now: () => now, image });
  if (image) return store;
  const problems: Problem[] = [];
  const fixture = readFixture(document, problems, z);
  await inTransaction(store, false, (local) => {
    const summary = new Summary();
    applyFixture(local, fixture, 'append', summary, repeatEvent);
    problems.push(...summary.problems);
    if (problems.length) throw dataFailure('test', problems);
  });
  images.set(document as object, store.image());
  return store;
}

const word = fc.constantFrom(
  'Concert',
  "Don't",
  'AT&T',
  '"quoted"',
  'Ünïcödé',
  '日本語',
  '🎉',
  'x, y',
  '=1+1',
  '<b>bold</b>',
  '...',
  'a -- b',
  "'quoted",
  '+49 30',
  '2027',
);
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const prose = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .chain((lines) => fc.constantFrom('\n', '\n\n', ' \\n ', '; ').map((between) => lines.join(between)));
const zone = fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'UTC+5.5', 'Pacific/Auckland');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const several = (section: string, count: number) =>
  fc.uniqueArray(
    fc.integer({ min: 0, max: Math.max(0, count - 1) }).map((at) => `@${section}${at}`),
    { maxLength: Math.min(2, count) },
  );
const date = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) })
  .map((at) => new Date(at).toISOString().slice(0, 19).replace('T', ' '));

/** Addresses. Those of fast-check take a second to prepare. */
const address = fc
  .tuple(fc.domain(), fc.constantFrom('', '/', '/a/b.html', '/a%20b/', '/?q=1&r=%2F', '/#top'))
  .map(([domain, path]) => `https://${domain}${path}`);

/** Names kept apart: what is called the same is the same to formats without IDs. */
const apart = (record: object, at: number): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      name === 'venue' && typeof value === 'string'
        ? `${value} ${at}`
        : name === 'organizer' && typeof value === 'string'
          ? `${value} ${at}`
          : value,
    ]),
  );

/** Sections with their keys; undefined members left out, as JSON does. */
const section = (name: string, record: fc.Arbitrary<object>, maxLength: number) =>
  fc.array(record, { maxLength }).map((records) => Object.fromEntries(records.map((each, at) => [`${name}${at}`, apart(each, at)])));

/** Any calendar, as a fixture. */
export const calendars = fc
  .record({
    venues: section(
      'v',
      fc.record({
        venue: line,
        description: optional(prose),
        address: optional(line),
        city: optional(line),
        phone: optional(line),
        geo_lat: optional(fc.double({ min: -90, max: 90, noNaN: true, noDefaultInfinity: true })),
        show_map: fc.constantFrom('true', 'false'),
      }),
      3,
    ),
    organizers: section('o', fc.record({ organizer: line, email: optional(fc.emailAddress()), website: optional(address) }), 3),
    tags: fc
      .uniqueArray(line, { maxLength: 3 })
      .map((names) => Object.fromEntries(names.map((name, at) => [`t${at}`, { name: `${name} ${at}` }]))),
    categories: fc
      .uniqueArray(line, { maxLength: 4 })
      .map((names) =>
        Object.fromEntries(names.map((name, at) => [`c${at}`, { name: `${name} ${at}`, ...(at ? { parent: `@c${(at * 7) % at}` } : {}) }])),
      ),
    title: line,
  })
  .chain(({ title, ...sections }) => {
    const count = (name: keyof typeof sections) => Object.keys(sections[name]).length;
    const event = fc
      .record({
        title: line,
        ...{
          description: optional(prose),
          excerpt: optional(line),
          timezone: zone,
          all_day: fc.boolean(),
          start_date: date,
          minutes: fc.integer({ min: 0, max: 4000 }),
        },
        ...{
          cost: optional(fc.constantFrom('10', 'Free', '€6 - €8', 'Donation', '0')),
          website: optional(address),
          image: optional(fc.constant('https://x.test/a.png')),
        },
        featured: fc.boolean(),
        sticky: fc.boolean(),
        hide_from_listings: fc.boolean(),
        show_map: fc.boolean(),
        ...{
          status: fc.constantFrom('publish', 'publish', 'publish', 'draft', 'private', 'pending'),
          post_password: optional(fc.constant('secret')),
        },
        ...{
          venue: several('v', count('venues')),
          organizer: several('o', count('organizers')),
          categories: several('c', count('categories')),
          tags: several('t', count('tags')),
        },
      })
      .map(({ minutes, ...fields }) => ({
        ...fields,
        end_date: new Date(Date.parse(`${fields.start_date}Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' '),
      }));
    return section('e', event, 6).map(
      (events) => JSON.parse(JSON.stringify({ settings: { title, timezone: 'Europe/Berlin' }, ...sections, events })) as object,
    );
  });
