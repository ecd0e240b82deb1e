import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import type { ViewOptions } from '../../model/context.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { anySite, type Sayings, sayingsOf } from '../../model/fields/sayings.ts';
import { asSent } from '../../model/record.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { linksOf } from '../../model/resources/term.ts';
import { namespaced, taxonomyOf } from '../../model/routes.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { hostIn, type SiteState, siteKey } from '../../store/identity/sites.ts';
import { ownersView } from '../../store/records/context.ts';
import { isEqual } from './pair.ts';

/** The key of a site, and the IDs of its records here. */
export type SiteIds = Pick<SiteState, 'site' | 'localOf'>;

/** Members with an address in a site. Other members only have one if it is that of the record's page. */
const addressed = new Set(['url', 'rest_url', 'self', 'collection', 'up', 'href', '@id']);

/** A record of a site as this calendar could show it: with the local IDs of linked records, and the addresses of {@link anySite} in place of those of the site. */
function neutral(state: SiteIds, name: ResourceName, entry: Entry, page = entry.url): Record<string, unknown> {
  const walk = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return addressed.has(member) || value === page ? neutralAddress(state.site, value) : value;
    // Files of a site are not copied.
    if (typeof value !== 'object' || value === null || member === 'image') return value;
    if (Array.isArray(value)) return value.map((each) => walk(each, member));
    let copy: Record<string, unknown> | undefined;
    for (const [name, inner] of Object.entries(value)) {
      const other = walk(inner, name);
      if (other === inner) continue;
      copy ??= { ...value };
      copy[name] = other;
    }
    return copy ?? value;
  };
  const result = { ...(walk({ ...entry, ...(entry as { [asSent]?: object })[asSent] }, '') as Record<string, unknown>) };
  for (const { name: field, links: to } of linkFields(name)) {
    const linked = (each: unknown) => (isObject(each) ? { ...each, ...localId(state, to, each.id) } : each);
    const value = result[field];
    if (value) result[field] = Array.isArray(value) ? value.map(linked) : linked(value);
  }
  return result;
}

/** The local ID of a linked record. An ID that is the same here stays a text if the site shows it so. */
function localId(state: SiteIds, to: ResourceName, id: unknown): { id?: number } {
  const local = state.localOf(to, Number(id));
  return local === undefined || local === Number(id) ? {} : { id: local };
}

/** The home of a site without its scheme, by the key of the site. */
export const homeOf = (site: string): string => site.replace(/\/wp-json\/.*$/, '').replace(namespaced, '');

/** The hosts at the start of addresses, as keys of sites have them. An address is only parsed for a new one. */
const hosts = new Map<string, string>();

function hostOf(start: string): string {
  if (hosts.size > 1000) hosts.clear();
  const host = hosts.get(start) ?? (URL.canParse(start) ? siteKey(`${start}/`).replace(/\/$/, '') : '');
  hosts.set(start, host);
  return host;
}

/** An address of a site or of its API as one of {@link anySite}; other addresses stay. `site` is the key of the site. */
export function neutralAddress(site: string, address: string): string {
  const start = /^https?:\/\/[^/?#]*/i.exec(address)?.[0];
  const host = hostIn(site);
  if (start === undefined || hostOf(start) !== host) return address;
  const [root, folder] = [site, homeOf(site)].map((each) => each.slice(host.length)) as [string, string];
  const path = address.slice(start.length);
  const route = isOtherSpelling(address) ? routeOf(address).slice(host.length) : path;
  if (isBelow(root, route)) return anySite.root + route.slice(root.length);
  return isBelow(folder, path) && !path.includes('/wp-content/') ? anySite.home + path.slice(folder.length) : address;
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder) && /^([/?#]|$)/.test(path.slice(folder.length));

/** True for an address that may be one of the API in another spelling than that of a key. */
const isOtherSpelling = (address: string): boolean => address.includes('index.php') || address.includes('rest_route=');

/** An address of the API in the spelling of a key, with its end. */
function routeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const end = /\/(?=$|[?#])/.test(address) ? '/' : '';
  return siteKey(address) + end + (address.includes('rest_route=') ? '' : (/[?#].*$/s.exec(address)?.[0] ?? ''));
}

/** The view in which records are compared: that of the owner, without an address. */
export function neutralView({ context: { request } }: LocalCalendar, { site: key }: SiteIds): ViewOptions {
  return ownersView({ request, site: { ...anySite, taxonomy: taxonomyOf(namespaced.exec(key)?.[1] ?? 'calendar/events/v1') } });
}

/** The member of a record that a path leads into. */
export const topOf = (path: string): string => path.split(/[.#]/, 1)[0]!;

/** True for members that a single record shows with more than a list. */
export const isNested = (name: ResourceName, member: string): boolean =>
  member === 'json_ld' || linkFields(name).some((field) => field.name === member);

/**
 * Compares a form of a record as this program shows it with that of its site. Members that this program doesn't know are stored elsewhere. `isRepeated` is true
 * for members to leave out.
 */
export function compareForms(
  state: SiteIds,
  resource: Resource & { name: ResourceName },
  own: Entry,
  entry: Entry,
  isList: boolean,
  isRepeated: (member: string) => boolean = () => false,
): Sayings {
  const [others, ownOthers] = [entry, own].map((each) => unknownMembers(resource, each)) as [object, object];
  const isElsewhere = own.id !== Number(entry.id);
  const some = Object.fromEntries(Object.entries(entry).filter(([member]) => !isRepeated(member)));
  const theirs = neutral(state, resource.name, { ...some, [asSent]: (entry as { [asSent]?: object })[asSent] } as never, entry.url);
  // A server adds them.
  if (isEqual(theirs._links, linksOf(own))) delete theirs._links;
  return sayingsOf(own, theirs, {
    isList,
    isOther: (member) =>
      member in others || member in ownOthers || (isElsewhere && numbered.includes(member)) || (member in entry && !(member in some)),
    isField: (member) => resource.fields.some((field) => field.name === member),
  });
}

/** Members with the ID of a record, which a copy with another ID can't have. */
const numbered = ['rest_url', 'urls', 'term_taxonomy_id'];
