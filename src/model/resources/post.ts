import { withoutWorld } from '../addresses.ts';
import { isLocked, type LinkBase, type RequestContext, type ViewOptions } from '../context.ts';
import { dateText } from '../fields/coerce.ts';
import { momentSchema } from '../fields/date.ts';
import { type Column, digits } from '../fields/field.ts';
import * as filter from '../fields/filter.ts';
import type { FilterKind, ListForm } from '../fields/list.ts';
import type { Computed } from '../fields/response.ts';
import { pageAsSite } from '../fields/sayings.ts';
import type { Columns, Input, Row } from '../record.ts';
import type { PageAddress } from '../resource.ts';
import { inWords } from '../site-address.ts';
import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { readDate, readPhpDate } from '../time/parse-date.ts';
import { fromUtc, toUtc, wallOf } from '../time/time.ts';
import { mayPublish, mayRead, ownership } from '../viewer.ts';

/** The UTC date of records that were never published. */
const never: DateTime = '0000-00-00 00:00:00';

/** Columns of events, venues and organizers without a field: `uid` is globally unique, `folded` is the searched text, `extra` members of another site as JSON. */
export const postColumns: Record<string, Column> = {
  modified: { type: 'TEXT' },
  modified_utc: { type: 'TEXT' },
  folded: { type: 'TEXT', default: '' },
  generated: { type: 'INTEGER', default: 0 },
  uid: { type: 'TEXT', default: '' },
  extra: { type: 'TEXT', default: '' },
};

/** Members of every event, venue and organizer in responses, in the reference's order. */
export const postMembers = ['author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url'];
export const globalIds = ['global_id', 'global_id_lineage'];

/** True if a record is neither published nor scheduled. */
export const isUnpublished = (status: unknown) => status === 'draft' || status === 'pending' || status === 'auto-draft';

/** The post type of a resource on a site. It follows the namespace, as the taxonomy of categories does. */
export const siteType = ({ type }: PageAddress, { taxonomy = '' }: Pick<LinkBase, 'taxonomy'>): string =>
  type.replace(/^[^_]*/, /^(.+)_events_cat$/.exec(taxonomy)?.[1] ?? 'calendar');

/** The address of a record's page: by slug if the page is public, else by ID. */
export function permalink(page: PageAddress, row: Row, view: ViewOptions): string {
  return pageAsSite(ownPermalink(page, row, view), row, view.site);
}

function ownPermalink(page: PageAddress, row: Row, view: ViewOptions): string {
  const pretty = row.status === 'publish' || (row.status === 'private' && mayRead(view.viewer, ownership(row)));
  if (pretty) return `${view.site.home}/${inWords(page.base, view.slugs)}/${row.slug}/`;
  return `${view.site.home}/?post_type=${siteType(page, view.site)}&p=${row.id}`;
}

/** The global ID of a record: the site without its scheme, and the ID. */
export const globalId = (row: Row, view: ViewOptions): string => `${withoutWorld(view.site.home).replace(/^\w+:\/\//, '')}?id=${row.id}`;

const textSchema = (description: string) => ({ type: 'string', description });
const storedMoment = (name: string, description: string): Computed => ({
  show: (row) => row[name],
  response: momentSchema(description),
  always: true,
});

export const schemaOrg = {
  type: 'object',
  description: 'schema.org data; only in responses with a single record',
  additionalProperties: true,
};

/** The schema.org data of a venue or an organizer, which a password hides. */
export const linkedJsonLd = (dataOf: (entry: Record<string, unknown>, row: Row) => Record<string, unknown>): Computed => ({
  response: schemaOrg,
  onlySingle: true,
  undocumented: true,
  show: (row, _related, view, entry) => (view.single && !isLocked(row, view) ? dataOf(entry, row) : undefined),
});

/** The members of a post besides its fields. */
export const postComputed = (page: PageAddress): Record<string, Computed> => ({
  id: { show: (row) => Number(row.id), response: { ...digits, description: 'ID' }, always: true },
  global_id: {
    show: (row, _related, view) => globalId(row, view),
    response: textSchema('ID that is unique across calendars'),
    always: true,
  },
  global_id_lineage: {
    show: (row, _related, view) => [globalId(row, view)],
    response: { type: 'array', items: { type: 'string' }, description: 'Global IDs, starting with its own' },
    always: true,
  },
  modified: storedMoment('modified', "Date of the last change, in the calendar's time zone"),
  modified_utc: storedMoment('modified_utc', 'Date of the last change, in UTC'),
  url: { show: (row, _related, view) => permalink(page, row, view), response: textSchema('URL of the web page'), always: true },
  slug: { show: (row) => row.slug, response: textSchema('URL slug') },
});

const isTimestamp = (text: string) => /^\s*@/.test(text);

/**
 * The publication date of an input, in the calendar's time zone and in UTC; undefined if neither is given. A Unix timestamp is a local time
 * for events (`events.create.date.timestamp-*`), and an instant for venues and organizers.
 */
function writtenDate(input: Input, isLinked: boolean, ctx: RequestContext): Pick<Columns, 'date' | 'date_utc'> | undefined {
  if (input.date !== undefined && input.date !== null) {
    const text = dateText(input.date);
    const { instant, wall, ownZone } = readDate(text, ctx.now, ctx.zone)!;
    const date = ownZone ? fromUtc(isLinked && isTimestamp(text) ? utcOf(instant) : toUtc(wall, ctx.zone), ctx.zone) : wall;
    // Copies of unpublished records have no date either.
    if (ctx.copying && input.date_utc === never) return { date, date_utc: never };
    const date_utc = input.date_utc == null ? toUtc(date, ctx.zone) : utcOf(readPhpDate(dateText(input.date_utc), ctx.now, 'UTC')!.instant);
    return { date, date_utc };
  }
  if (input.date_utc !== undefined && input.date_utc !== null) {
    const date_utc = utcOf(readPhpDate(dateText(input.date_utc), ctx.now, 'UTC')!.instant);
    return { date: fromUtc(date_utc, ctx.zone), date_utc };
  }
  return undefined;
}

/** Status and dates of a written record, from its previous state and the input (`events.create.status.*`, `events.create.role.*`). */
export function publication(input: Input, isLinked: boolean, before: Row | undefined, ctx: RequestContext): Columns {
  const now = () => ({ date: wallOf(ctx.now, ctx.zone), date_utc: utcOf(ctx.now) });
  const ownDate = writtenDate(input, isLinked, ctx);
  const requested = String(input.status ?? before?.status ?? (mayPublish(ctx.viewer) ? 'publish' : 'draft'));
  let status =
    !mayPublish(ctx.viewer) && (requested === 'publish' || requested === 'future') && requested !== before?.status ? 'pending' : requested;

  const republished = before !== undefined && input.status === 'publish' && before.status === 'future';
  const undated = before?.date_utc === never && isUnpublished(before.status) && !isUnpublished(status);
  const unchanged = () => (before && !republished && !undated ? { date: before.date!, date_utc: before.date_utc! } : now());
  const dates: Columns = { ...(ownDate ?? unchanged()) };
  const utc = dates.date_utc === never ? toUtc(String(dates.date), ctx.zone) : String(dates.date_utc);
  if (status === 'publish' || status === 'future') status = instantOf(utc) > ctx.now ? 'future' : 'publish';
  // A site has published records without a date, which were imported there.
  const isUndated = isUnpublished(status) ? !before || before.date_utc === never : before?.date_utc === never && !undated && !ownDate;
  dates.date_utc = isUndated && input.date_utc == null ? never : utc;
  const modified = before ? now() : { date: dates.date!, date_utc: dates.date_utc };
  return { status, date: dates.date!, date_utc: dates.date_utc, modified: modified.date, modified_utc: modified.date_utc };
}

/** Filters of resources that events link to. */
export const linkedFilters: Record<string, FilterKind> = {
  ...filter.paging,
  search: filter.postSearch('Search names, descriptions and details', (value, { query, ctx }) => ({
    test: 'containing',
    words: String(value).match(/[\p{L}\p{N}]+/gu) ?? [],
    without: [],
    together: true,
    sight: filter.sightOf(query, ctx),
  })),
  event: filter.linkedFrom('Only records linked to this event', { name: 'events', kind: 'event' }),
  has_events: {
    ...filter.wordFlag('Only records linked to an event', {}, true),
    condition: (value) => ({ test: 'hasEvents', is: filter.switchOf(value)!, statuses: ['publish', 'private', 'future'] }),
    linkParameters: (value, { name }) => [[name, String(value)]],
  },
  only_with_upcoming: {
    ...filter.wordFlag('Only records linked to an upcoming event', { default: false }, true),
    condition: (value, { ctx }) => {
      const isVisitor = ctx.viewer.role === 'anonymous' || ctx.viewer.role === 'subscriber';
      const statuses = isVisitor ? ['publish'] : ['publish', 'private', 'draft', 'pending'];
      return filter.switchOf(value) ? { test: 'hasEvents', is: true, statuses, from: utcOf(ctx.now) } : undefined;
    },
    linkParameters: (value, { name }) => (filter.switchOf(value) ? [[name, String(value)]] : []),
  },
  status: filter.status('Only records with one of these statuses', ['per_page']),
};

/** Newest first; links show parameters in the reference's order (`venues.list.*`, `organizers.list.*`). */
export const linkedList: Pick<ListForm, 'order' | 'linkOrder'> = {
  order: () => [
    { column: 'date', descending: true },
    { column: 'id', descending: true },
  ],
  linkOrder: ['page', 'per_page', 'search', 'event', 'has_events', 'only_with_upcoming', 'status'],
};
