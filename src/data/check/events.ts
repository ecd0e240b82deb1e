import { addMonths, utcOf } from '../../model/time/datetime.ts';
import { toUtc } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';
import { type Check, type CheckedServer, expect, type Json, Skipped, same } from './check.ts';

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const dayOf = (date: string) => date.slice(0, 10);
const after = (day: string, days: number) => dayOf(utcOf(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000));
const several = (value: Json): Json[] => (Array.isArray(value) ? value : value ? [value] : []);

/** The events of a query, all of them where they are few. */
const eventsOf = async (server: CheckedServer, query: string): Promise<Json[]> =>
  (await server.get('/events', `${query}&per_page=50`)).events;

/** An event of the list. */
async function sample(server: CheckedServer, fits: (event: Json) => boolean = () => true, needs = 'an event'): Promise<Json> {
  const found = (await eventsOf(server, 'page=1')).find(fits);
  if (!found) throw new Skipped(`needs ${needs} among the next ones`);
  return found;
}

/** A bound in time: what it means of days, tried on both sides of an event. */
const bound = (
  name: string,
  of: 'start_date' | 'end_date',
  about: string,
  within: (day: string, asked: string) => boolean,
  text: string,
): Check => ({
  name: `events.list.${name}`,
  about: `${name}: ${about}`,
  specification: `Endpoints, Events: ${name}, "${text}"`,
  async run(server) {
    const event = await sample(server);
    const day = dayOf(event[of]);
    for (const asked of [-1, 0, 1].map((days) => after(day, days))) {
      const found = await eventsOf(server, `${name}=${asked}`);
      for (const each of found) expect(within(dayOf(each[of]), asked), `${name}=${asked} shows ${of} ${each[of]}`);
      // Where a page is not all, or another bound is in force too, it may be left out.
      const shown = found.some(({ id }) => id === event.id);
      if (found.length < 50 && name.endsWith('_date') === false && !event.hide_from_listings)
        same(shown, within(day, asked), `whether ${name}=${asked} shows an event of ${event[of]}`);
    }
  },
});

/** A filter by what an event is linked to. */
const linked = (name: 'venue' | 'organizer' | 'categories' | 'tags', text: string): Check => ({
  name: `events.list.${name}`,
  about: `${name} shows events that are linked to it, and no others`,
  specification: `Endpoints, Events: ${name}, "events assigned to one of the given ${text}"`,
  async run(server) {
    const event = await sample(server, (each) => several(each[name]).length > 0, `an event with ${name}`);
    const [{ id }] = several(event[name]) as [Json];
    const found = await eventsOf(server, `${name}=${id}`);
    expect(found.some((each) => each.id === event.id) || found.length === 50, `${name}=${id} leaves out event ${event.id}`);
    for (const each of found) {
      const ids = several(each[name]).map((link) => link.id);
      // A category's events are those below it too.
      expect(
        ids.includes(id) || (name === 'categories' && ids.length > 0),
        `${name}=${id} shows event ${each.id}, which is not linked to it`,
      );
    }
    await server.refused(400, 'rest_invalid_param', 'GET', '/events', `${name}=999999999`);
  },
});

/** What events and their lists are. */
export const events: readonly Check[] = [
  {
    name: 'events.form',
    about: 'an event has the members of the reference, each in its form',
    specification: 'Resources and their fields, Event; observed: the members of an event',
    async run(server) {
      for (const event of await server.records('events')) {
        const at = `event ${event.id}:`;
        expect(Number.isInteger(event.id), `${at} id is not a whole number`);
        expect(/^\d+$/.test(event.author) && typeof event.author === 'string', `${at} author is not a text of digits`);
        for (const name of [
          'title',
          'description',
          'excerpt',
          'slug',
          'status',
          'url',
          'rest_url',
          'timezone',
          'timezone_abbr',
          'cost',
          'website',
        ])
          expect(typeof event[name] === 'string', `${at} ${name} is not a text`);
        for (const name of ['date', 'date_utc', 'modified', 'modified_utc', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date'])
          expect(moment.test(event[name]), `${at} ${name} is not YYYY-MM-DD HH:MM:SS`);
        for (const name of ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'])
          expect(typeof event[name] === 'boolean' || event[name] === null, `${at} ${name} is neither true nor false`);
        for (const name of ['categories', 'tags', 'organizer', 'global_id_lineage'])
          expect(Array.isArray(event[name]), `${at} ${name} is not a list`);
        expect(typeof event.venue === 'object' && event.venue !== null, `${at} venue is neither an object nor a list`);
        expect(event.image === false || typeof event.image?.url === 'string', `${at} image is neither false nor an image`);
        expect(Array.isArray(event.cost_details?.values), `${at} cost_details.values is not a list`);
      }
    },
  },
  {
    name: 'events.details',
    about: 'the details of a date are its digits',
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
    about: 'dates in UTC are those of the event in its zone',
    specification: 'Resources and their fields, Event: timezone, "event time zone"; observed: utc_start_date, utc_end_date',
    async run(server) {
      for (const event of await server.records('events')) {
        if (!isZone(event.timezone)) continue;
        for (const name of ['start_date', 'end_date'])
          same(event[`utc_${name}`], toUtc(event[name], event.timezone), `event ${event.id}: utc_${name}`);
      }
    },
  },
  {
    name: 'events.links',
    about: 'rest_url is the address of the event',
    specification: 'Endpoints, Events: "/events/<id>"; observed: rest_url',
    async run(server) {
      for (const { id, rest_url } of await server.records('events'))
        expect(new RegExp(`/events/${id}$`).test(rest_url), `event ${id}: rest_url is ${rest_url}`);
    },
  },
  {
    name: 'events.order',
    about: 'events come by their start, the earliest first',
    specification: 'Endpoints, Events: "Query parameters of" them name no order; observed: by the start',
    async run(server) {
      const starts = (await server.records('events', 2, 'per_page=50')).map((event) => event.start_date);
      same(starts, [...starts].sort(), 'the order of starts');
    },
  },
  {
    name: 'events.list.window',
    about: 'without dates a list shows the events of two years, from about today',
    specification:
      'Endpoints, Events: start_date, "generated by the service", and end_date, "a later date-time in the same form"; observed: two years',
    async run(server) {
      const page = await server.get('/events', 'per_page=50');
      const query = new URL(page.rest_url).searchParams;
      const [from, until] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
      expect(moment.test(from) && moment.test(until), `rest_url does not say the window: ${page.rest_url}`);
      const months = addMonths(from, 24);
      expect(dayOf(until) >= after(dayOf(months), -3) && dayOf(until) <= after(dayOf(months), 3), `the window is from ${from} to ${until}`);
      for (const event of page.events)
        expect(event.start_date >= from && event.end_date <= until, `event ${event.id} from ${event.start_date} is outside of the window`);
    },
  },
  bound('start_date', 'start_date', 'starts on that day or later', (day, asked) => day >= asked, 'events that start on the given date'),
  bound('end_date', 'end_date', 'ends on that day or earlier', (day, asked) => day <= asked, 'events that end on the given date'),
  bound('starts_after', 'start_date', 'starts later than that day', (day, asked) => day > asked, 'events starting after the date'),
  bound('starts_before', 'start_date', 'starts on that day or earlier', (day, asked) => day <= asked, 'events starting before the date'),
  bound('ends_after', 'end_date', 'ends later than that day', (day, asked) => day > asked, 'events ending after the date'),
  bound('ends_before', 'end_date', 'ends on that day or earlier', (day, asked) => day <= asked, 'events ending before the date'),
  {
    name: 'events.list.bad-date',
    about: 'a date that cannot be read is refused, and the parameter named',
    specification: 'Errors: "parameter types listed above"; observed: 400 rest_invalid_param',
    async run(server) {
      const { data } = await server.refused(400, 'rest_invalid_param', 'GET', '/events', 'starts_after=no%20date');
      expect(typeof data.params?.starts_after === 'string', 'data.params does not name starts_after');
    },
  },
  linked('venue', 'venue IDs'),
  linked('organizer', 'organizer IDs'),
  linked('categories', 'category slugs or IDs'),
  linked('tags', 'tag slugs or IDs'),
  {
    name: 'events.list.featured',
    about: 'featured shows those that are featured, or those that are not',
    specification: 'Endpoints, Events: featured, "filter on featured status"',
    async run(server) {
      for (const featured of [true, false])
        for (const event of await eventsOf(server, `featured=${featured}`)) same(event.featured, featured, `event ${event.id}: featured`);
    },
  },
  {
    name: 'events.list.include',
    about: 'include shows these events alone, whatever their dates',
    specification: 'Endpoints, Events: include, "only events with these post IDs; when given, the date filters are ignored"',
    async run(server) {
      const { id } = await sample(server);
      same(
        (await eventsOf(server, `include=${id}`)).map((event) => event.id),
        [id],
        `the IDs of include=${id}`,
      );
      same((await eventsOf(server, `include=${id}&starts_after=2999-01-01`)).length, 1, 'the number of events with a date beside include');
    },
  },
];
