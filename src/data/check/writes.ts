import type { ResourceName } from '../../model/calendar.ts';
import { type Check, type CheckedServer, expect, type Json, same } from './check.ts';

const writes = true as const;
const dates = { start_date: '2031-05-01 20:00:00', end_date: '2031-05-01 23:00:00' };
const createEvent = (server: CheckedServer, more: object = {}) =>
  server.createRecord('events', { title: server.uniqueName(), ...dates, ...more });

const sectionOf = (name: ResourceName) => `Endpoints, ${name[0]!.toUpperCase()}${name.slice(1)}`;

/** The name field of each resource. */
const labels: Record<ResourceName, string> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
};
const bodyOf = (resource: ResourceName, server: CheckedServer) => ({
  [labels[resource]]: server.uniqueName(),
  ...(resource === 'events' ? dates : {}),
});

const crudChecks = (resource: ResourceName): Check[] => [
  {
    name: `${resource}.create`,
    about: 'A created record contains the values that were sent',
    specification: `${sectionOf(resource)}: POST, "/${resource}"; observed: 201`,
    writes,
    async run(server) {
      const body = bodyOf(resource, server);
      const record = await server.createRecord(resource, body);
      for (const [name, value] of Object.entries(body)) same(record[name], value, name);
      const read = await server.get(`/${resource}/${record.id}`);
      for (const [name, value] of Object.entries(body)) same(read[name], value, `${name} after reading again`);
    },
  },
  {
    name: `${resource}.create.missing`,
    about: 'A missing required field returns 400 and is named',
    specification:
      'Resources and their fields: "required in the body of the POST to the collection route"; observed: 400 rest_missing_callback_param',
    writes,
    async run(server) {
      const { data } = await server.rejectsCreate('rest_missing_callback_param', resource, {});
      const required = resource === 'events' ? ['title', 'start_date', 'end_date'] : [labels[resource]];
      same([...(data.params ?? [])].sort(), required.sort(), 'data.params');
    },
  },
  {
    name: `${resource}.update`,
    about: 'POST, PUT and PATCH change only the fields that are sent',
    specification: `${sectionOf(resource)}: "POST, PUT or PATCH", "fields, none required"`,
    writes,
    async run(server) {
      const record = await server.createRecord(resource, { ...bodyOf(resource, server), description: 'Kept' });
      for (const method of ['PATCH', 'PUT', 'POST']) {
        const name = server.uniqueName();
        const { status, json } = await server.send(method, `/${resource}/${record.id}`, '', { [labels[resource]]: name });
        same(status, 200, `status of ${method}`);
        same([json.id, json[labels[resource]], json.description], [record.id, name, record.description], `response of ${method}`);
      }
    },
  },
  {
    name: `${resource}.delete`,
    about: 'A record can be deleted once',
    specification: `${sectionOf(resource)}: DELETE, "/${resource}/<id>"; observed: 200, then ${resource === 'categories' || resource === 'tags' ? '400' : '410'}`,
    writes,
    async run(server) {
      const record = await server.createRecord(resource, bodyOf(resource, server));
      const path = `/${resource}/${record.id}`;
      const deleted = await server.send('DELETE', path);
      same([deleted.status, deleted.json?.id], [200, record.id], 'response of DELETE');
      if (resource === 'categories' || resource === 'tags') return void (await server.rejects(400, 'rest_invalid_param', 'DELETE', path));
      same(deleted.json.status, 'trash', 'status of the record');
      await server.rejects(410, /-is-in-trash$/, 'DELETE', path);
    },
  },
];

const itemsOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

/** Checks that create records and delete them afterwards. */
export const writing: readonly Check[] = [
  ...(['events', 'venues', 'organizers', 'categories', 'tags'] as const).flatMap(crudChecks),
  {
    name: 'events.zones',
    about: 'Local times are in the time zone of the event',
    specification: 'Resources and their fields, Event: timezone, "event time zone"; observed: utc_start_date',
    writes,
    async run(server) {
      const record = await createEvent(server, { timezone: 'Europe/Paris' });
      same(
        [record.start_date, record.utc_start_date, record.timezone],
        [dates.start_date, '2031-05-01 18:00:00', 'Europe/Paris'],
        'start of the event',
      );
    },
  },
  {
    name: 'events.all_day',
    about: 'An all-day event lasts from midnight to midnight',
    specification: 'Resources and their fields, Event: all_day, "event lasts the whole day"; observed: to 23:59:59',
    writes,
    async run(server) {
      const record = await createEvent(server, { all_day: true });
      same(
        [record.all_day, record.start_date, record.end_date],
        [true, '2031-05-01 00:00:00', '2031-05-01 23:59:59'],
        'dates of the event',
      );
    },
  },
  {
    name: 'events.bad-date',
    about: 'An invalid date returns 400 and names the field',
    specification: 'Errors: "the required fields and parameter types listed above"; observed: 400 rest_invalid_param',
    writes,
    async run(server) {
      const { data } = await server.rejectsCreate('rest_invalid_param', 'events', {
        title: 'x',
        ...dates,
        start_date: 'no date',
      });
      expect(typeof data.params?.start_date === 'string', 'data.params does not name start_date');
    },
  },
  {
    name: 'events.inline',
    about: 'Venues, organizers, categories and tags can be created with an event',
    specification: 'Resources and their fields, Event: "ID or name", "IDs or data"',
    writes,
    async run(server) {
      const [venue, organizer, category, tag] = [server.uniqueName(), server.uniqueName(), server.uniqueName(), server.uniqueName()];
      const record = await createEvent(server, { venue: { venue }, organizer: [{ organizer }], categories: [category], tags: [tag] });
      const resourceOf = { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags' } as const;
      for (const [member, resource] of Object.entries(resourceOf))
        for (const { id } of itemsOf(record[member as keyof typeof resourceOf])) server.track(resource, id);
      const names = (member: string, label: string) => itemsOf(record[member]).map((each) => each[label]);
      same(
        [names('venue', 'venue'), names('organizer', 'organizer'), names('categories', 'name'), names('tags', 'name')],
        [[venue], [organizer], [category], [tag]],
        'linked records',
      );
    },
  },
  {
    name: 'events.by-slug',
    about: 'An event can be updated and deleted by slug',
    specification: 'Endpoints, Events: "POST, PUT or PATCH" and DELETE, "/events/by-slug/<slug>"',
    writes,
    async run(server) {
      const { id, slug } = await createEvent(server);
      const response = await server.send('PATCH', `/events/by-slug/${slug}`, '', { featured: true });
      same([response.status, response.json?.id, response.json?.featured], [200, id, true], 'response of PATCH');
      const deleted = await server.send('DELETE', `/events/by-slug/${slug}`);
      same([deleted.status, deleted.json?.id], [200, id], 'response of DELETE');
    },
  },
  {
    name: 'events.slug',
    about: 'Slugs are unique',
    specification: 'Resources and their fields, Event: slug, "event slug"; observed: a taken one gets -2',
    writes,
    async run(server) {
      const title = server.uniqueName();
      const [first, second] = [await createEvent(server, { title }), await createEvent(server, { title })];
      same(second.slug, `${first.slug}-2`, 'slug of a second event with the same title');
    },
  },
  {
    name: 'terms.location',
    about: 'A new term has a Location header',
    specification: 'Endpoints, Categories: POST, "/categories"; Endpoints, Tags: POST, "/tags"; observed: Location',
    writes,
    async run(server) {
      for (const resource of ['categories', 'tags'] as const) {
        const { status, headers, json } = await server.create(resource, { name: server.uniqueName() });
        same(status, 201, 'status');
        expect(headers.location?.endsWith(`/${resource}/${json.id}`), `Location is ${headers.location}`);
      }
    },
  },
  {
    name: 'terms.taken',
    about: 'A duplicate name returns 400',
    specification: 'Resources and their fields, Event category: name, "category name"; observed: 400 term_exists',
    writes,
    async run(server) {
      const { name } = await server.createRecord('categories', { name: server.uniqueName() });
      await server.rejectsCreate('term_exists', 'categories', { name });
    },
  },
  {
    name: 'wire.forms',
    about: 'A body can be form-encoded',
    specification: 'Endpoints: "Request bodies and query parameters are named as in the tables"; observed: forms',
    writes,
    async run(server) {
      const record = await server.createRecord('tags', { name: server.uniqueName() });
      const name = server.uniqueName();
      const { status, json } = await server.send('PUT', `/tags/${record.id}`, '', new URLSearchParams({ name }));
      same([status, json?.name], [200, name], 'response of PUT with a form');
    },
  },
];
