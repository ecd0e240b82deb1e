import { costDetails, showCost } from './cost.ts';
import { renderContent, renderExcerpt, renderTitle } from './html.ts';
import { globalId, head, isLocked, type Look, permalink } from './post.ts';
import type { Entry, Row } from './resource.ts';
import { eventData } from './schema-org.ts';
import { dateDetails, instantOf, zoneAbbreviation, zoneAbbreviationAt } from './time.ts';

/** The records that an event's row is shown with. */
export interface EventLinks {
  categories: Entry[];
  tags: Entry[];
  /** In linked order. */
  venues: Entry[];
  organizers: Entry[];
  image: Entry | false;
}

const hidden = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
};

/** The letters of an event's zone when it starts. */
function abbreviationOf(row: Row): string {
  const [zone, utc, wall] = [String(row.timezone), String(row.utc_start_date), String(row.start_date)];
  const offset = (name: string) => instantOf(String(row[name])) - instantOf(String(row[`utc_${name}`]));
  // A whole day may start at a midnight that its zone skips, which is no wall time to go by; the offset of its end is another then.
  const skipped = row.all_day === 1 && offset('start_date') !== offset('end_date');
  return skipped ? zoneAbbreviation(zone, utc) : zoneAbbreviationAt(zone, utc, wall);
}

/** An event as the API shows it. The form is the reference's; so is what a password hides. */
export function eventEntry(row: Row, links: EventLinks, look: Look): Entry {
  const zone = String(row.timezone);
  const costs: string[] = JSON.parse(String(row.cost));
  const link = permalink('event', row, look);
  const dated = (name: string) => ({ [name]: row[name], [`${name}_details`]: dateDetails(String(row[name])) });
  const entry: Entry = {
    id: Number(row.id),
    global_id: globalId(row, look),
    global_id_lineage: row.lineage ? [globalId(row, look), row.lineage] : [globalId(row, look)],
    ...head(row),
    url: link,
    rest_url: `${look.site.root}/events/${row.id}`,
    title: renderTitle(String(row.title)),
    description: renderContent(String(row.description)),
    excerpt: renderExcerpt(String(row.excerpt)),
    slug: row.slug,
    image: links.image,
    all_day: row.all_day === 1,
    ...dated('start_date'),
    ...dated('end_date'),
    ...dated('utc_start_date'),
    ...dated('utc_end_date'),
    timezone: zone,
    timezone_abbr: abbreviationOf(row),
    cost: showCost(costs),
    cost_details: costDetails(costs),
    website: row.website === null ? link : String(row.website).replaceAll(/&(?!amp;)/g, '&amp;'),
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    hide_from_listings: row.hide_from_listings === 1,
    sticky: row.sticky === 1,
    featured: row.featured === 1,
    categories: links.categories,
    tags: links.tags,
    venue: links.venues.length === 1 ? links.venues[0] : links.venues,
    organizer: links.organizers,
    custom_fields: [],
  };
  if (isLocked(row, look)) return Object.assign(entry, hidden);
  if (look.single && row.post_password === '') entry.json_ld = eventData(entry, row, links);
  return entry;
}
