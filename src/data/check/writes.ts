import type { ResourceName } from '../../model/calendar.ts';
import { type Check, type CheckedServer, expect, type Json, same } from './check.ts';

const writes = true as const;
const dates = { start_date: '2031-05-01 20:00:00', end_date: '2031-05-01 23:00:00' };
const event = (server: CheckedServer, more: object = {}) => server.make('events', { title: server.name(), ...dates, ...more });

/** The section of the documentation that has the routes of a resource. */
const sectionOf = (name: ResourceName) => `Endpoints, ${name[0]!.toUpperCase()}${name.slice(1)}`;

/** What a new record of each resource is sent. */
const labels: Record<ResourceName, string> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
};
const bodyOf = (resource: ResourceName, server: CheckedServer) => ({
  [labels[resource]]: server.name(),
  ...(resource === 'events' ? dates : {}),
});

/** What each resource does with what is written. */
const life = (resource: ResourceName): Check[] => [
  {
    name: `${resource}.create`,
    about: 'a record that is made is there as it was sent',
    specification: `${sectionOf(resource)}: POST, "/${resource}"; observed: 201`,
    writes,
    async run(server) {
      const body = bodyOf(resource, server);
      const made = await server.make(resource, body);
      for (const [name, value] of Object.entries(body)) same(made[name], value, name);
      const read = await server.get(`/${resource}/${made.id}`);
      for (const [name, value] of Object.entries(body)) same(read[name], value, `${name}, read again,`);
    },
  },
  {
    name: `${resource}.create.missing`,
    about: 'a required field that is missing is named',
    specification:
      'Resources and their fields: "required in the body of the POST to the collection route"; observed: 400 rest_missing_callback_param',
    writes,
    async run(server) {
      const { data } = await server.refusedToCreate('rest_missing_callback_param', resource, {});
      const required = resource === 'events' ? ['title', 'start_date', 'end_date'] : [labels[resource]];
      same([...(data.params ?? [])].sort(), required.sort(), 'data.params');
    },
  },
  {
    name: `${resource}.update`,
    about: 'POST, PUT and PATCH change what is sent and nothing else',
    specification: `${sectionOf(resource)}: "POST, PUT or PATCH", "fields, none required"`,
    writes,
    async run(server) {
      const made = await server.make(resource, { ...bodyOf(resource, server), description: 'Kept' });
      for (const method of ['PATCH', 'PUT', 'POST']) {
        const name = server.name();
        const { status, json } = await server.ask(method, `/${resource}/${made.id}`, '', { [labels[resource]]: name });
        same(status, 200, `the status of ${method}`);
        same([json.id, json[labels[resource]], json.description], [made.id, name, made.description], `what ${method} answers`);
      }
    },
  },
  {
    name: `${resource}.delete`,
    about: 'a record can be deleted once',
    specification: `${sectionOf(resource)}: DELETE, "/${resource}/<id>"; observed: 200, then ${resource === 'categories' || resource === 'tags' ? '400' : '410'}`,
    writes,
    async run(server) {
      const made = await server.make(resource, bodyOf(resource, server));
      const path = `/${resource}/${made.id}`;
      const deleted = await server.ask('DELETE', path);
      same([deleted.status, deleted.json?.id], [200, made.id], 'what DELETE answers');
      if (resource === 'categories' || resource === 'tags') return void (await server.refused(400, 'rest_invalid_param', 'DELETE', path));
      same(deleted.json.status, 'trash', 'the status of the record');
      await server.refused(410, /-is-in-trash$/, 'DELETE', path);
    },
  },
];

const several = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

/** What a server does with what it is sent. Each record is taken away again. */
export const writing: readonly Check[] = [
  ...(['events', 'venues', 'organizers', 'categories', 'tags'] as const).flatMap(life),
  {
    name: 'events.zones',
    about: 'a wall time is read in the zone of the event',
    specification: 'Resources and their fields, Event: timezone, "event time zone"; observed: utc_start_date',
    writes,
    async run(server) {
      const made = await event(server, { timezone: 'Europe/Paris' });
      same([made.start_date, made.utc_start_date, made.timezone], [dates.start_date, '2031-05-01 18:00:00', 'Europe/Paris'], 'the start');
    },
  },
  {
    name: 'events.all_day',
    about: 'a whole day goes from midnight to midnight',
    specification: 'Resources and their fields, Event: all_day, "event lasts the whole day"; observed: to 23:59:59',
    writes,
    async run(server) {
      const made = await event(server, { all_day: true });
      same([made.all_day, made.start_date, made.end_date], [true, '2031-05-01 00:00:00', '2031-05-01 23:59:59'], 'the day');
    },
  },
  {
    name: 'events.bad-date',
    about: 'a date that cannot be read is refused, and the field named',
    specification: 'Errors: "the required fields and parameter types listed above"; observed: 400 rest_invalid_param',
    writes,
    async run(server) {
      const { data } = await server.refusedToCreate('rest_invalid_param', 'events', {
        title: 'x',
        ...dates,
        start_date: 'no date',
      });
      expect(typeof data.params?.start_date === 'string', 'data.params does not name start_date');
    },
  },
  {
    name: 'events.inline',
    about: 'venues, organizers, categories and tags are made along with an event',
    specification: 'Resources and their fields, Event: "ID or name", "IDs or data"',
    writes,
    async run(server) {
      const [venue, organizer, category, tag] = [server.name(), server.name(), server.name(), server.name()];
      const made = await event(server, { venue: { venue }, organizer: [{ organizer }], categories: [category], tags: [tag] });
      const resourceOf = { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags' } as const;
      for (const [member, resource] of Object.entries(resourceOf))
        for (const { id } of several(made[member as keyof typeof resourceOf])) server.keep(resource, id);
      const names = (member: string, label: string) => several(made[member]).map((each) => each[label]);
      same(
        [names('venue', 'venue'), names('organizer', 'organizer'), names('categories', 'name'), names('tags', 'name')],
        [[venue], [organizer], [category], [tag]],
        'what the event is linked to',
      );
    },
  },
  {
    name: 'events.by-slug',
    about: 'an event is changed and deleted by its slug',
    specification: 'Endpoints, Events: "POST, PUT or PATCH" and DELETE, "/events/by-slug/<slug>"',
    writes,
    async run(server) {
      const { id, slug } = await event(server);
      const changed = await server.ask('PATCH', `/events/by-slug/${slug}`, '', { featured: true });
      same([changed.status, changed.json?.id, changed.json?.featured], [200, id, true], 'what PATCH answers');
      const deleted = await server.ask('DELETE', `/events/by-slug/${slug}`);
      same([deleted.status, deleted.json?.id], [200, id], 'what DELETE answers');
    },
  },
  {
    name: 'events.slug',
    about: 'slugs are unique',
    specification: 'Resources and their fields, Event: slug, "event slug"; observed: a taken one gets -2',
    writes,
    async run(server) {
      const title = server.name();
      const [first, second] = [await event(server, { title }), await event(server, { title })];
      same(second.slug, `${first.slug}-2`, 'the slug of a second event of the same title');
    },
  },
  {
    name: 'terms.location',
    about: 'a new term says where it is',
    specification: 'Endpoints, Categories: POST, "/categories"; Endpoints, Tags: POST, "/tags"; observed: Location',
    writes,
    async run(server) {
      for (const resource of ['categories', 'tags'] as const) {
        const { status, headers, json } = await server.create(resource, { name: server.name() });
        same(status, 201, 'the status');
        expect(headers.location?.endsWith(`/${resource}/${json.id}`), `the header Location is ${headers.location}`);
      }
    },
  },
  {
    name: 'terms.taken',
    about: 'a name that is taken is refused',
    specification: 'Resources and their fields, Event category: name, "category name"; observed: 400 term_exists',
    writes,
    async run(server) {
      const { name } = await server.make('categories', { name: server.name() });
      await server.refusedToCreate('term_exists', 'categories', { name });
    },
  },
  {
    name: 'wire.forms',
    about: 'a body may be a form',
    specification: 'Endpoints: "Request bodies and query parameters are named as in the tables"; observed: forms',
    writes,
    async run(server) {
      const made = await server.make('tags', { name: server.name() });
      const name = server.name();
      const { status, json } = await server.ask('PUT', `/tags/${made.id}`, '', new URLSearchParams({ name }));
      same([status, json?.name], [200, name], 'what PUT answers to a form');
    },
  },
];
