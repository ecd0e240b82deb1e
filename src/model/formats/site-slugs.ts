import type { Entry, ResourceName } from '../calendar.ts';
import { percentDecoded } from '../fields/coerce.ts';
import { embedded } from '../fields/link.ts';
import { linkFields } from '../resources/relations.ts';
import { defaultSlugs, isSlug, type SiteSlugs, slugNames, slugSetting } from '../site-address.ts';

/** The starts of the addresses of pages, by resource: `es/evento` of `/es/evento/concierto/`. */
export type PageBases = Partial<Record<ResourceName, string>>;

/** The starts of the addresses of most records of a list, and of those that they embed. `folder` is the path of the site. */
export function pageBases(name: ResourceName, entries: readonly Entry[], folder: string): PageBases {
  const linked = linkFields(name).map(({ name: field, links }) => [links, entries.flatMap((entry) => embedded(entry[field]))] as const);
  return Object.fromEntries(
    [[name, entries] as const, ...linked].flatMap(([resource, records]) => {
      const base = commonest(records.flatMap((record) => baseOf(record, folder) ?? []));
      return base === undefined ? [] : [[resource, base]];
    }),
  );
}

/** The path before the slug in the address of a record's page; undefined for an address without a slug, and for one with the terms above it. */
function baseOf({ url, slug, parent }: Entry, folder: string): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url) || parent) return undefined;
  const { pathname } = new URL(url);
  if (!pathname.startsWith(`${folder}/`)) return undefined;
  const parts = pathname
    .slice(folder.length + 1)
    .replace(/\/$/, '')
    .split('/');
  // An occurrence has its day at the end.
  if (/^\d{4}-\d\d-\d\d$/.test(parts.at(-1)!) && percentDecoded(parts.at(-1)!) !== slug) parts.pop();
  const last = percentDecoded(parts.pop() ?? '');
  const base = parts.join('/');
  return isSlug(base) && (slug === undefined || last === percentDecoded(String(slug))) ? base : undefined;
}

export function commonest(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** The settings of the words of addresses, as far as they differ from the default ones. What is before all words, as `index.php`, is before those of which no address was seen, too. */
export function siteSlugs({
  events: event,
  venues: venue,
  organizers: organizer,
  categories = '',
  tags: tag,
}: PageBases): Record<string, string> {
  const [, events, category] = /^(.+)\/([^/]+)$/.exec(categories) ?? [];
  const seen: Partial<SiteSlugs> = { events, event, venue, organizer, category, tag };
  const start = /^.*\/(?=[^/]*$)/.exec(event ?? events ?? '')?.[0] ?? '';
  const slugs = slugNames.map((name) => [name, seen[name] ?? (name === 'category' ? '' : start) + defaultSlugs[name]] as const);
  return Object.fromEntries(slugs.filter(([name, slug]) => slug !== defaultSlugs[name]).map(([name, slug]) => [slugSetting(name), slug]));
}
