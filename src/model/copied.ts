import { costDetails, showCost } from './cost.ts';
import { cleanTermDescription, cleanTermName } from './html.ts';
import { decoded } from './plain.ts';
import type { Entry, Input, Resource, ResourceName } from './resource.ts';
import { resources } from './resources.ts';
import { unrenderContent, unrenderExcerpt, unrenderTitle } from './unrender.ts';

type Part = Record<string, unknown>;
const text = (value: unknown): string => (value === undefined || value === null || value === false ? '' : String(value));

/** The records that a member of an event embeds: several, one, or none. */
export const embedded = (value: unknown): Entry[] =>
  (Array.isArray(value) ? value : value && typeof value === 'object' ? [value] : []).filter(
    (each) => typeof each?.id === 'number' || /^\d+$/.test(each?.id),
  ) as Entry[];

/** Whether a calendar kept the texts of a record from us: it has a password. As in the reference. */
export function isVeiled(name: ResourceName, entry: Entry): boolean {
  if (name === 'events') return entry.all_day === null;
  return Array.isArray(entry[resources[name].label]);
}

/** What is told of a record with a password. */
const told = new Set(['author', 'date', 'date_utc', 'title', 'slug', 'status', 'timezone', 'start_date', 'end_date']);

/** Fields that are switches, by how their wire writes them. */
const wordSwitches = new Set(['venues:show_map', 'venues:show_map_link']);

/** The embedded members of an event, and the resource of each. */
export const eventLinks = { venue: 'venues', organizer: 'organizers', categories: 'categories', tags: 'tags' } as const satisfies Record<
  string,
  ResourceName
>;

/** A record as another calendar shows it, as the input that makes one that is shown the same; links to other records are left to the caller. */
export function inputFrom(name: ResourceName, entry: Entry): Input {
  const resource: Resource = resources[name];
  const input: Input = {};
  const veiled = isVeiled(name, entry);
  for (const { name: field } of resource.fields) {
    const value = entry[field];
    if (veiled && !told.has(field)) continue;
    if (!value && ['date', 'date_utc', 'status', 'timezone'].includes(field)) continue;
    if ((name === 'events' && (field in eventLinks || value === undefined)) || field === 'parent' || field === 'image') continue;
    if (field === 'author') input.author = Number(value) || undefined;
    else if (field === 'cost') input.cost = costFrom(text(value), entry.cost_details as Part | undefined);
    else if (field === 'website') input.website = name === 'events' && value === entry.url ? null : text(value).replaceAll('&amp;', '&');
    else if (wordSwitches.has(`${name}:${field}`)) input[field] = value === undefined ? undefined : String(value !== false);
    else if (field === 'geo_lat' || field === 'geo_lng') input[field] = Number(value ?? 0);
    else if (typeof value === 'boolean') input[field] = value;
    else if (field !== 'post_password' || value !== undefined) input[field] = untyped(resource, field, text(value));
  }
  if (resource.family === 'post') {
    if (!veiled) input.image = entry.image && typeof entry.image === 'object' ? text((entry.image as Part).url) : '';
    Object.assign(input, { slug: text(entry.slug), modified: entry.modified, modified_utc: entry.modified_utc });
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** A shown text as it may have been typed. */
function untyped(resource: Resource, field: string, shown: string): string {
  if (resource.family === 'term') {
    const clean = field === 'name' ? cleanTermName : field === 'description' ? cleanTermDescription : undefined;
    const plain = decoded(shown);
    return clean && clean(plain) === shown ? plain : shown;
  }
  if (field === resource.label) return unrenderTitle(shown);
  if (field === 'description') return unrenderContent(shown);
  return field === 'excerpt' ? unrenderExcerpt(shown) : shown;
}

/** The cost texts that are shown like this. */
function costFrom(shown: string, details: Part | undefined): string[] {
  if (shown === '') return [];
  const {
    currency_symbol: symbol = '',
    currency_position: position = '',
    values = [],
  } = (details ?? {}) as { currency_symbol?: string; currency_position?: string; values?: string[] };
  const plain = decoded(shown);
  const marked = values.map((value) => (position === 'postfix' ? `${value}${symbol}` : `${symbol}${value}`));
  const same = (raws: string[]) => {
    const found = costDetails(raws);
    return showCost(raws) === shown && found.currency_symbol === symbol && String(found.values) === String(values);
  };
  const candidates = [
    marked,
    values,
    [plain],
    [values.join(' ')],
    values.map(withComma),
    [values.map(withComma).join(' ')],
    marked.map(withComma),
    plain.split(' – '),
    [`${symbol} ${values.join(' ')}`],
  ];
  return candidates.find((raws) => raws.length > 0 && same(raws)) ?? (marked.length > 1 ? marked : [plain]);
}

const withComma = (value: string) => value.replace('.', ',');

/** Fields that lists do not show, or show in the calendar's own zone, or by the calendar's own users. */
const unshown = new Set(['author', 'date', 'post_password', 'post_parent', 'ticketed']);

/** What is the same in two calendars when a record is: its fields as they are shown, without what depends on the site; of a veiled record what is told. */
export function comparable(name: ResourceName, entry: Entry, linked: (resource: ResourceName, id: number) => unknown): Part {
  const resource: Resource = resources[name];
  const part: Part = {};
  const veiled = isVeiled(name, entry);
  for (const { name: field } of resource.fields) {
    const value = entry[field];
    if (unshown.has(field) || (veiled && !told.has(field))) continue;
    if (name === 'events' && field in eventLinks) {
      const ids = embedded(value).map((each) => linked(eventLinks[field as keyof typeof eventLinks], Number(each.id)));
      part[field] = field === 'organizer' || field === 'venue' ? ids : ids.map(String).sort();
    } else if (field === 'parent') part.parent = value ? linked('categories', Number(value)) : 0;
    else if (field === 'image') part.image = value && typeof value === 'object' ? (value as Part).url : '';
    else if (field === 'website') part.website = value === entry.url ? '' : text(value);
    else if (field === 'slug' && name !== 'events' && resource.family === 'post') continue;
    else part[field] = value ?? (field.startsWith('geo_') ? 0 : '');
  }
  return part;
}
