import type { ViewOptions } from '../context.ts';
import { costDetails, costTexts } from '../fields/cost-format.ts';
import { momentSchema } from '../fields/date.ts';
import { emptyList, type JsonSchema } from '../fields/field.ts';
import type { Computed } from '../fields/response.ts';
import type { Row } from '../record.ts';
import { zoneAbbreviation, zoneAbbreviationAt } from '../time/abbreviations.ts';
import { dateDetails, instantOf } from '../time/datetime.ts';
import { eventData } from './json-ld.ts';
import { globalId, globalIds, permalink, postComputed, postMembers, schemaOrg } from './post.ts';

/** The members of an event in responses, in the reference's order (`events.get.every-field`). */
export const eventOrder = [
  'id',
  ...globalIds,
  ...postMembers,
  'rest_url',
  'title',
  'description',
  'excerpt',
  'slug',
  'image',
  'all_day',
  ...['start_date', 'end_date', 'utc_start_date', 'utc_end_date'].flatMap((name) => [name, `${name}_details`]),
  'timezone',
  'timezone_abbr',
  'cost',
  'cost_details',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'categories',
  'tags',
  'venue',
  'organizer',
  'custom_fields',
  'json_ld',
];

function abbreviationOf(row: Row): string {
  const [zone, utc, wall] = [String(row.timezone), String(row.utc_start_date), String(row.start_date)];
  const offset = (name: string) => instantOf(String(row[name])) - instantOf(String(row[`utc_${name}`]));
  // An all-day event may start at a midnight that its time zone skips. Its end then has a different UTC offset.
  const skipped = row.all_day === 1 && offset('start_date') !== offset('end_date');
  return skipped ? zoneAbbreviation(zone, utc) : zoneAbbreviationAt(zone, utc, wall);
}

const details = (name: string): Computed => ({
  show: (row) => dateDetails(String(row[name])),
  response: { $ref: '#/components/schemas/DateDetails' },
});
const stored = (name: string): Computed => ({
  show: (row) => row[name],
  response: momentSchema('YYYY-MM-DD HH:MM:SS'),
});

/** The parts of the URL of an event's page in the calendar. */
export const eventPage = { type: 'calendar_events', base: 'event' };

/** The URL of an event's website, or of its page in the calendar. */
export const websiteOrPage = (value: unknown, row: Row, view: ViewOptions): string =>
  value === null ? permalink(eventPage, row, view) : String(value).replaceAll(/&(?!amp;)/g, '&amp;');

/** The members of an event besides its fields. */
export const eventComputed: Record<string, Computed> = {
  ...postComputed(eventPage),
  global_id_lineage: {
    show: (row, _related, view) => (row.lineage ? [globalId(row, view), row.lineage] : [globalId(row, view)]),
    response: { type: 'array', items: { type: 'string' }, description: 'Global IDs, starting with its own' },
  },
  rest_url: {
    show: (row, _related, { site }) => `${site.root}/events/${row.id}`,
    response: { type: 'string', description: 'URL in this API' },
  },
  start_date_details: details('start_date'),
  end_date_details: details('end_date'),
  utc_start_date: stored('utc_start_date'),
  utc_start_date_details: details('utc_start_date'),
  utc_end_date: stored('utc_end_date'),
  utc_end_date_details: details('utc_end_date'),
  timezone_abbr: { show: abbreviationOf, response: { type: 'string', description: 'Abbreviation of the time zone at the start' } },
  cost_details: {
    show: (row, _related, view) => costDetails(costTexts(row.cost), view.currency),
    response: { $ref: '#/components/schemas/CostDetails' },
    redacted: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  },
  custom_fields: {
    show: () => [],
    response: {
      anyOf: [emptyList, { type: 'object', additionalProperties: true }],
      description: 'Fields of an extension; an empty list here',
    },
    undocumented: true,
  },
  json_ld: {
    response: schemaOrg,
    onlySingle: true,
    undocumented: true,
    show: (row, { linked = {} }, view, entry) =>
      view.single && row.post_password === '' ? eventData(entry, row, linked, view.currency) : undefined,
  },
};

const fromExtension = (what: string) => `${what}; only from sites with such an extension`;

/** Members that extensions of a site add to its events. */
export const addedMembers: Record<string, JsonSchema> = {
  ticketed: {
    anyOf: [{ const: false }, { type: 'array', items: { type: 'string' } }],
    description: fromExtension('Providers of its tickets, or false'),
  },
  tickets: { description: fromExtension('Tickets') },
  is_virtual: { type: 'boolean', description: fromExtension('The event is online') },
  virtual_url: { type: ['string', 'null'], description: fromExtension('URL of the online event') },
  virtual_video_source: { type: ['string', 'null'], description: fromExtension('Service of the online event') },
  event_status: { type: ['string', 'null'], description: fromExtension('Canceled or postponed') },
  series: { description: fromExtension('Series of the event') },
};
