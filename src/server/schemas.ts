import type { Resource } from '../model/resource.ts';
import { resources } from '../model/resources.ts';

type Properties = Record<string, { type?: string; description?: string; $ref?: string; items?: object }>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => ({ type: 'array', items: ref(name) });
const text = (description: string) => ({ type: 'string', description });
const whole = (description: string) => ({ type: 'integer', description });
const object = (properties: Properties) => ({ type: 'object', properties });

const parts: Record<string, Properties> = {
  ImageSize: {
    width: whole('pixels'),
    height: whole('pixels'),
    'mime-type': text('kind of image'),
    filesize: whole('bytes'),
    url: text('its address'),
  },
  CostDetails: {
    currency_symbol: text('what stands by every number, when it is the same'),
    currency_code: text('ISO 4217'),
    currency_position: text('prefix or postfix'),
    values: { type: 'array', items: { type: 'string' }, description: 'the numbers, ascending' },
  },
  Image: { url: text('its address'), id: whole('its ID'), extension: text('how its name ends') },
  DateDetails: Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map((name) => [name, text('digits, zero-padded')]),
  ),
};

const answered: Properties = {
  id: whole('its ID'),
  global_id: text('identifies it among calendars'),
  global_id_lineage: { type: 'array', items: { type: 'string' }, description: 'its global IDs, the own one first' },
  modified: text("when it was changed last, in the calendar's zone"),
  modified_utc: text('when it was changed last, in UTC'),
  url: text('its page'),
  slug: text('the last part of its address'),
};

const moment = (name: string): Properties => ({ [name]: text('YYYY-MM-DD HH:MM:SS'), [`${name}_details`]: ref('DateDetails') });

const special: Record<string, Properties> = {
  event: {
    rest_url: text('its address in this API'),
    ...moment('start_date'),
    ...moment('end_date'),
    ...moment('utc_start_date'),
    ...moment('utc_end_date'),
    timezone_abbr: text('letters of the zone at the start'),
    cost: text('as people read it'),
    cost_details: ref('CostDetails'),
    image: ref('Image'),
    categories: listOf('Term'),
    tags: listOf('Term'),
    venue: ref('Venue'),
    organizer: listOf('Organizer'),
  },
  venue: { image: ref('Image') },
  organizer: { image: ref('Image') },
};

/** The records of a resource: what is written comes from its fields, the rest is added. */
function recordOf(resource: Resource): Properties {
  const written = resource.fields
    .filter(({ beyond }) => !beyond)
    .map(({ name, about, wire }): [string, Properties[string]] => [
      name,
      { ...(wire.type ? { type: wire.type } : {}), description: about },
    ]);
  return { ...answered, ...Object.fromEntries(written), ...special[resource.kind] };
}

const term: Properties = {
  id: whole('its ID'),
  name: text('its name'),
  slug: text('the last part of its address'),
  taxonomy: text('what kind of term it is'),
  description: text('what it is for'),
  parent: whole('the term it belongs under'),
  count: whole('how many published events have it'),
  url: text('its page'),
};

/** The schemas of the records that the API answers. */
export const schemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries({
      ...parts,
      Term: term,
      Event: recordOf(resources.events),
      Venue: recordOf(resources.venues),
      Organizer: recordOf(resources.organizers),
    }).map(([name, properties]) => [name, object(properties)]),
  );
