import { addMonths, utcOf } from '../../model/time/datetime.ts';
import { plainUtc, toUtc } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';
import { type Check, type CheckedServer, expect, expectForm, type Json, Skipped, same } from './check.ts';

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const dayOf = (date: string) => date.slice(0, 10);
const after = (day: string, days: number) => dayOf(utcOf(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000));
const several = (value: Json): Json[] => (Array.isArray(value) ? value : value ? [value] : []);

/** The events of a query, at most 50. */
const eventsOf = async (server: CheckedServer, query: string): Promise<Json[]> =>
  (await server.get('/events', `${query}&per_page=50`)).events;

/** Throws {@link Skipped} if none fits. */
async function sample(server: CheckedServer, isSuitable: (event: Json) => boolean = () => true, needs = 'an event'): Promise<Json> {
  const match = (await eventsOf(server, 'page=1')).find(isSuitable);
  if (!match) throw new Skipped(`needs ${needs} among the upcoming events`);
  return match;
}

/** The check of a date filter, with the days around an event. */
const bound = (
  name: string,
  of: 'start_date' | 'end_date',
  about: string,
  isWithin: (day: string, bound: string) => boolean,
  text: string,
): Check => ({
  name: `events.list.${name}`,
  about: `${name} ${about}`,
  specification: `Endpoints, Events: ${name}, "${text}"`,
  async run(server) {
    const event = await sample(server);
    const day = dayOf(event[of]);
    for (const limit of [-1, 0, 1].map((days) => after(day, days))) {
      const result = await eventsOf(server, `${name}=${limit}`);
      for (const each of result) expect(isWithin(dayOf(each[of]), limit), `${name}=${limit} returns ${of} ${each[of]}`);
      // The event may be missing if there are more pages or another bound applies, and in its last second, which the reference excludes.
      const isListed = result.some(({ id }) => id === event.id);
      if (result.length < 50 && !name.endsWith('_date') && !event.hide_from_listings && !event[of].endsWith('23:59:59'))
        same(isListed, isWithin(day, limit), `${name}=${limit} returns an event of ${event[of]}`);
    }
  },
});

/** The check of a filter by linked records. */
const linked = (name: 'venue' | 'organizer' | 'categories' | 'tags', text: string): Check => ({
  name: `events.list.${name}`,
  about: `${name} returns only linked events`,
  specification: `Endpoints, Events: ${name}, "events assigned to one of the given ${text}"`,
  async run(server) {
    const event = await sample(server, (each) => several(each[name]).length > 0, `an event with ${name}`);
    const [{ id }] = several(event[name]) as [Json];
    const result = await eventsOf(server, `${name}=${id}`);
    expect(result.some((each) => each.id === event.id) || result.length === 50, `${name}=${id} does not return event ${event.id}`);
    for (const each of result) {
      const ids = several(each[name]).map((link) => link.id);
      // A category includes the events of its subcategories.
      expect(
        ids.includes(id) || (name === 'categories' && ids.length > 0),
        `${name}=${id} returns event ${each.id}, which is not linked to it`,
      );
    }
    await server.rejects(400, 'rest_invalid_param', 'GET', '/events', `${name}=999999999`);
  },
});

/** Checks of events and their lists. */
export const events: readonly Check[] = [
  {
    name: 'events.form',
    about: 'An event has all members with the right types',
    specification: 'Resources and their fields, Event; observed: the members of an event',
    async run(server) {
      for (const event of await server.records('events')) expectForm('events', event);
    },
  },
  {
    name: 'events.details',
    about: 'The details of a date match the date',
    specification: 'Resources and their fields: "Representation of records in responses" is not shown; observed: …_details',
    async run(server) {
      for (const event of await server.records('events'))
        for (const name of ['start_date', 'end_date', 'utc_start_date', 'utc_end_date']) {
          const [year, month, day, hour, minutes, seconds] = event[name].split(/[- :]/);
          same(event[`${name}_details`], { year, month, day, hour, minutes, seconds }, `event ${event.id}: ${name}_details`);
        }
    },
  },
  {
    name: 'events.utc',
    about: 'UTC dates match the local dates and the time zone',
    specification: 'Resources and their fields, Event: timezone, "event time zone"; observed: utc_start_date, utc_end_date',
    async run(server) {
      for (const event of await server.records('events')) {
        if (!isZone(event.timezone)) continue;
        // The form of a site stores the offset of `UTC-5` as it is, its API adds daylight time.
        const isPlain = event.utc_start_date === plainUtc(event.start_date, event.timezone);
        for (const name of ['start_date', 'end_date']) {
          const utc = (isPlain && plainUtc(event[name], event.timezone)) || toUtc(event[name], event.timezone);
          same(event[`utc_${name}`], utc, `event ${event.id}: utc_${name}`);
        }
      }
    },
  },
  {
    name: 'events.links',
    about: 'rest_url is the URL of the event',
    specification: 'Endpoints, Events: "/events/<id>"; observed: rest_url',
    async run(server) {
      for (const { id, rest_url } of await server.records('events'))
        expect(new RegExp(`/events/${id}$`).test(rest_url), `event ${id}: rest_url is ${rest_url}`);
    },
  },
  {
    name: 'events.order',
    about: 'Events are sorted by start, earliest first',
    specification: 'Endpoints, Events: "Query parameters of" them name no order; observed: by the start',
    async run(server) {
      const starts = (await server.records('events', 2, 'per_page=50')).map((event) => event.start_date);
      same(starts, [...starts].sort(), 'order of start dates');
    },
  },
  {
    name: 'events.list.window',
    about: 'Without dates, a list covers two years from about today',
    specification:
      'Endpoints, Events: start_date, "generated by the service", and end_date, "a later date-time in the same form"; observed: two years',
    async run(server) {
      const page = await server.get('/events', 'per_page=50');
      const query = new URL(page.rest_url).searchParams;
      const [from, until] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
      expect(moment.test(from) && moment.test(until), `rest_url does not contain the dates: ${page.rest_url}`);
      const months = addMonths(from, 24);
      expect(dayOf(until) >= after(dayOf(months), -3) && dayOf(until) <= after(dayOf(months), 3), `the list covers ${from} to ${until}`);
      for (const event of page.events)
        expect(event.start_date >= from && event.end_date <= until, `event ${event.id} from ${event.start_date} is outside these dates`);
    },
  },
  bound(
    'start_date',
    'start_date',
    'returns events that start on or after the date',
    (day, bound) => day >= bound,
    'events that start on the given date',
  ),
  bound(
    'end_date',
    'end_date',
    'returns events that end on or before the date',
    (day, bound) => day <= bound,
    'events that end on the given date',
  ),
  bound(
    'starts_after',
    'start_date',
    'returns events that start after the date',
    (day, bound) => day > bound,
    'events starting after the date',
  ),
  bound(
    'starts_before',
    'start_date',
    'returns events that start on or before the date',
    (day, bound) => day <= bound,
    'events starting before the date',
  ),
  bound('ends_after', 'end_date', 'returns events that end after the date', (day, bound) => day > bound, 'events ending after the date'),
  bound(
    'ends_before',
    'end_date',
    'returns events that end on or before the date',
    (day, bound) => day <= bound,
    'events ending before the date',
  ),
  {
    name: 'events.list.bad-date',
    about: 'An invalid date returns 400 and names the parameter',
    specification: 'Errors: "parameter types listed above"; observed: 400 rest_invalid_param',
    async run(server) {
      const { data } = await server.rejects(400, 'rest_invalid_param', 'GET', '/events', 'starts_after=no%20date');
      expect(typeof data.params?.starts_after === 'string', 'data.params does not name starts_after');
    },
  },
  linked('venue', 'venue IDs'),
  linked('organizer', 'organizer IDs'),
  linked('categories', 'category slugs or IDs'),
  linked('tags', 'tag slugs or IDs'),
  {
    name: 'events.list.featured',
    about: 'featured filters by featured status',
    specification: 'Endpoints, Events: featured, "filter on featured status"',
    async run(server) {
      for (const featured of [true, false])
        for (const event of await eventsOf(server, `featured=${featured}`)) same(event.featured, featured, `event ${event.id}: featured`);
    },
  },
  {
    name: 'events.list.include',
    about: 'include returns only these events and ignores date filters',
    specification: 'Endpoints, Events: include, "only events with these post IDs; when given, the date filters are ignored"',
    async run(server) {
      const { id } = await sample(server);
      same(
        (await eventsOf(server, `include=${id}`)).map((event) => event.id),
        [id],
        `IDs of include=${id}`,
      );
      same((await eventsOf(server, `include=${id}&starts_after=2999-01-01`)).length, 1, 'number of events with include and a date');
    },
  },
];
