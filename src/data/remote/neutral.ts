import type { Entry, ResourceName } from '../../model/calendar.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { anySite } from '../../model/fields/sayings.ts';
import { asSent } from '../../model/record.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { namespaced } from '../../model/routes.ts';
import { type SiteState, siteKey } from '../../store/identity/sites.ts';

/** Members with an address in a site. Other members only have one if it is that of the record's page. */
const addressed = ['url', 'rest_url', 'self', 'collection', 'up', 'href', '@id'];

/** A record of a site as this calendar could show it: with the local IDs of linked records, and the addresses of {@link anySite} in place of those of the site. */
export function neutral(state: SiteState, name: ResourceName, entry: Entry): Record<string, unknown> {
  const walk = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return addressed.includes(member) || value === entry.url ? neutralAddress(state.site, value) : value;
    // Files of a site are not copied.
    if (member === 'image' || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => walk(each, member));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, key)]));
  };
  const result = walk({ ...entry, ...(entry as { [asSent]?: object })[asSent] }, '') as Record<string, unknown>;
  for (const { name: field, links: to } of linkFields(name)) {
    const linked = (each: unknown) => (isObject(each) ? { ...each, ...localId(state, to, each.id) } : each);
    const value = result[field];
    if (value) result[field] = Array.isArray(value) ? value.map(linked) : linked(value);
  }
  return result;
}

/** The local ID of a linked record. An ID that is the same here stays a text if the site shows it so. */
function localId(state: SiteState, to: ResourceName, id: unknown): { id?: number } {
  const local = state.localOf(to, Number(id));
  return local === undefined || local === Number(id) ? {} : { id: local };
}

/** The home of a site without its scheme, by the key of the site. */
export const homeOf = (site: string): string => site.replace(/\/wp-json\/.*$/, '').replace(namespaced, '');

/** An address of a site or of its API as one of {@link anySite}; other addresses stay. `site` is the key of the site. */
export function neutralAddress(site: string, address: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return address;
  const { pathname, search, searchParams, hash } = new URL(address);
  const key = siteKey(address);
  if (key === site || key.startsWith(`${site}/`)) {
    const path = key.slice(site.length);
    const end = path && /\/(?=$|[?#])/.test(address) ? '/' : '';
    return `${anySite.root}${path}${end}${searchParams.has('rest_route') ? '' : search}${hash}`;
  }
  const home = homeOf(site);
  const folder = home.replace(/^[^/]*/, '');
  const isOfSite = (key === home || key.startsWith(`${home}/`)) && pathname.startsWith(folder) && !pathname.includes('/wp-content/');
  return isOfSite ? `${anySite.home}${pathname.slice(folder.length)}${search}${hash}` : address;
}
