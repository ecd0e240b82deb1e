import type { CoverageReport } from './operation-types.ts';
import type { EventRecord } from './resources/record-types.ts';
import { methodsOf, routePath, routes } from './routes.ts';
import { daysBetween } from './time/days.ts';

/** Something that a site can send or an app can do. */
interface Variant<Args extends readonly unknown[]> {
  about: string;
  /** The way to meet it in a test. */
  how: string;
  is(...args: Args): boolean;
}

type Variants<Args extends readonly unknown[]> = Readonly<Record<string, Variant<Args>>>;

/** An event of a response, from which parameters may have removed members. */
export type SeenEvent = Partial<EventRecord>;

/** Names an event of the seed `shapes`. */
const shape = (about: string, title: string, is: (event: SeenEvent, zone: string) => boolean): Variant<[SeenEvent, string]> => ({
  about: `an event ${about}`,
  how: `seed shapes: ${title}`,
  is,
});

const isEmpty = (value: unknown): boolean => Array.isArray(value) && !value.length;
const lengthInDays = ({ start_date: start, end_date: end }: SeenEvent): number =>
  start && end ? daysBetween(start.slice(0, 10), end.slice(0, 10)) : 0;

/** Events with one thing that an app may not expect, as the seed `shapes` has them; `zone` is the time zone of the calendar. */
const ofEvents: Variants<[SeenEvent, string]> = {
  'no-venue': shape('without a venue', 'Radio play on the air', ({ venue }) => isEmpty(venue)),
  'no-image': shape('without an image', 'Evening of short films', ({ image }) => image === false),
  'no-price': shape('without a price', 'Open rehearsal of the choir', ({ cost }) => cost === ''),
  'no-category': shape('without a category', 'Story night', ({ categories }) => isEmpty(categories)),
  'no-organizer': shape('without an organizer', 'Neighbors meet', ({ organizer }) => isEmpty(organizer)),
  'two-organizers': shape('with two organizers', 'Book fair', ({ organizer = [] }) => organizer.length > 1),
  entities: shape('with entities in its title', 'Fish & Chips', ({ title = '' }) => /&#?\w+;/.test(title)),
  'html-description': shape('with HTML in its description', 'Story night', ({ description = '' }) =>
    /<(a|strong|em|[uo]l|h\d|blockquote|img|figure|table|iframe|div|span)\b/i.test(description),
  ),
  'other-zone': shape('in another time zone', 'Stream from New York', ({ timezone = '' }, zone) => timezone !== '' && timezone !== zone),
  'all-day': shape('on a whole day', 'Day of the open door', ({ all_day }) => all_day === true),
  'over-midnight': shape('over midnight', 'Long night of music', (event) => event.all_day === false && lengthInDays(event) > 0),
  'several-days': shape('over several days', 'Weekend of gardens', (event) => lengthInDays(event) > (event.all_day ? 0 : 1)),
};

const secondPage = 'seed shapes: GET /events?page=2';

/** Lists, by the numbers of their records and pages, and the page that was read. */
const ofLists: Variants<[total: number, pages: number, page: number]> = {
  empty: { about: 'an empty list', how: 'GET /events?search=nothing', is: (total) => total === 0 },
  'second-page': { about: 'a second page', how: secondPage, is: (_, pages, page) => page > 1 && page <= pages },
  'last-page': { about: 'the last of several pages', how: secondPage, is: (_, pages, page) => pages > 1 && page === pages },
};

/** The end of a response. */
interface Ended {
  status: number | null;
  fault: string | null;
  took: number | null;
}

const status = (code: number, how = `fault ${code}`): Variant<[Ended]> => ({
  about: `status ${code}`,
  how,
  is: (response) => response.status === code,
});

const ofResponses: Variants<[Ended]> = {
  400: status(400, 'a write without a title'),
  401: status(401, 'users roles: a write without credentials'),
  403: status(403, 'users roles: a write as the subscriber'),
  404: status(404, 'GET /events/999999'),
  429: status(429),
  '5xx': { ...status(503), about: 'status 5xx', is: (response) => (response.status ?? 0) >= 500 },
  broken: { about: 'a broken connection', how: 'fault reset', is: ({ fault }) => fault !== null },
  slow: { about: 'a response after a second or more', how: 'fault with delay 2s', is: ({ took }) => (took ?? 0) >= 1000 },
};

/** Everything that an app can meet, by group. The names are those of a report. */
export const variants = { event: ofEvents, list: ofLists, response: ofResponses };

/** Rows of a report with a number of requests for each name. Operations are rows too, but not variants. */
export function coverageOf(counts: ReadonlyMap<string, number>, truncated: number): CoverageReport {
  const row = (name: string, { about, how }: Pick<Variant<[]>, 'about' | 'how'>) => ({ name, about, how, requests: counts.get(name) ?? 0 });
  const ofVariants = Object.entries<Readonly<Record<string, Pick<Variant<[]>, 'about' | 'how'>>>>(variants).flatMap(([group, all]) =>
    Object.entries(all).map(([name, variant]) => row(`${group}.${name}`, variant)),
  );
  const operations = routes
    .filter(({ by }) => by !== 'slug')
    .flatMap((route) =>
      route.actions.map((action) => {
        const how = `${methodsOf[action][0]} ${routePath(route, (name) => `{${name}}`)}`;
        return row(`${route.resource}.${action}`, { about: `${action} ${route.resource}`, how });
      }),
    );
  const met = ofVariants.filter(({ requests }) => requests > 0).length;
  return { met, total: ofVariants.length, variants: ofVariants, operations, truncated };
}
