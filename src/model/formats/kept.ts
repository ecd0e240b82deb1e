import type { Input } from '../record.ts';
import type { ResourceName } from '../resources/all.ts';

/** Formats that an import reads. */
type KeptFormat = 'json' | 'ndjson' | 'csv' | 'ics';

/** A rule by which a format keeps a field, or `no` for a field that it doesn't have. */
type Exception = string;

const changed = { modified: 'no', modified_utc: 'no' };
const copied = { generated: 'no', extra: 'no' };
const slug = 'with a number if another record here has it';
const address = 'the address of its file; a poster has a column';

/** Fields that formats don't keep as they are. All others are kept. */
const exceptions: Record<KeptFormat, Partial<Record<ResourceName, Record<string, Exception>>>> = {
  json: { events: { slug }, venues: { slug }, organizers: { slug } },
  ndjson: { events: { slug }, venues: { slug }, organizers: { slug } },
  csv: {
    events: { ...changed, ...copied, slug, image: address, lineage: 'no', sequence: 'no' },
    venues: { ...changed, ...copied, slug, image: address },
    organizers: { ...changed, ...copied, slug, image: address },
    categories: copied,
    tags: copied,
  },
  ics: {
    events: {
      ...changed,
      ...copied,
      title: 'as it is shown',
      description: 'as it is shown, without scripts; markup in X-ALT-DESC',
      slug: 'made from the title',
      date: 'no',
      date_utc: 'no',
      author: 'no',
      excerpt: 'no',
      status: 'pending is draft, scheduled is published, and events in the trash are left out',
      website: "the event's page if there is none",
      show_map: 'true for an event with a venue',
      show_map_link: 'true for an event with a venue',
      sticky: 'no',
      featured: 'no',
      post_password: 'no',
      post_parent: 'no',
      ticketed: 'no',
      poster: 'no',
      lineage: 'no',
      venue: 'by name and address',
      organizer: 'by name and e-mail address',
      categories: 'by name, without parents',
      tags: 'by name',
      'declared fields': 'no',
    },
  },
};

/** Returns how a format keeps a field: `kept`, a rule, or `no` if it doesn't have the field. */
export const keptIn = (format: KeptFormat, resource: ResourceName, field: string): string =>
  exceptions[format][resource]?.[field] ?? 'kept';

/** Fields of other records that the events of an iCalendar file have. */
const namedByEvents: Partial<Record<ResourceName, readonly string[]>> = {
  venues: ['venue', 'address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'geo_lat', 'geo_lng'],
  organizers: ['organizer', 'email'],
  categories: ['name'],
  tags: ['name'],
};

/** Values that belong to a copy of a record: its place in a calendar, and when it was written. */
const bookkeeping = new Set(['id', 'uid', 'slug', 'date', 'date_utc', 'modified', 'modified_utc', 'generated', 'lineage', 'sequence']);

/** Returns why a file lacks values of a record, or has others: `excerpt is not in this format`. */
export function lossesOf(format: KeptFormat, resource: ResourceName, record: Input, fields: ReadonlySet<string>): string[] {
  if (format !== 'csv' && format !== 'ics') return [];
  if (format === 'ics' && record.status === 'trash') return resource === 'events' ? ['events in the trash are left out'] : [];
  const keptNames = format === 'ics' ? namedByEvents[resource] : undefined;
  const isLost = (name: string) =>
    keptNames
      ? !keptNames.includes(name) && !isSwitch(name)
      : keptIn(format, resource, fields.has(name) || name === 'extra' ? name : 'declared fields') === 'no';
  const losses = Object.keys(record).filter((name) => !bookkeeping.has(name) && isLost(name));
  const changes = format === 'ics' && resource === 'events' ? changesInIcal(record) : [];
  return [...losses.map((name) => `${name} is not in this format`), ...changes];
}

const isSwitch = (name: string): boolean => /^(show_map(_link)?|status|author)$/.test(name);

function changesInIcal({ status, venue, ...record }: Input): string[] {
  const hasVenue = Array.isArray(venue) && venue.length > 0;
  const read = status === 'pending' ? 'draft' : status === 'future' ? 'publish' : undefined;
  const maps = ['show_map', 'show_map_link'].filter((name) => Boolean(record[name]) !== hasVenue);
  return [
    ...(read === undefined ? [] : [`status ${String(status)} is ${read} in this format`]),
    ...maps.map((name) => `${name} is read as ${hasVenue}`),
  ];
}

/** The rows of the table in the documents: the fields of a resource that a format doesn't keep as they are. */
export const exceptionsOf = (format: KeptFormat, resource: ResourceName): [field: string, rule: string][] =>
  Object.entries(exceptions[format][resource] ?? {});
