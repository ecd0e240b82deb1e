import { feedPath } from '../../model/addresses.ts';
import { type Entry, type PostResource, type Ref, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { postTypeOf } from '../../model/routes.ts';
import { addMonths, utcOf } from '../../model/time/datetime.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import type { Call } from '../http.ts';
import { checkForm } from '../mistakes/form.ts';
import type { FeedAddress } from './feed.ts';

export const noRoute = ({ method, request, options }: Call): Failure =>
  new Failure('rest_no_route', `No route for ${method} ${request.path}`, `The API is at ${options.basePath}/${options.namespace}`);

/** The record in a path as the caller sees it, with at least some members. Throws if there is none. */
export async function recordIn(call: Call, resource: Resource, query: Query, members?: ReadonlySet<string>): Promise<Entry> {
  const collection = call.service.calendar(call.viewer, call.site)[resource.name];
  const { slug } = call.ref as Extract<Ref, { slug: string }>;
  if (resource.family === 'term') {
    const { entries } = await collection.list({ slug, hide_empty: 'false' });
    if (!entries[0]) throw noRoute(call);
    return entries[0];
  }
  return collection.get({ slug }, query, members);
}

/** Some members of the record in the path of a feed, like {@link recordIn}. */
const feedRecord = (call: Call, resource: Resource, query: Query, members: readonly string[]): Promise<Entry> =>
  recordIn(call, resource, query, new Set(members)).catch((error) => {
    // The API reports an unknown slug as an invalid parameter.
    throw error instanceof Failure && error.status === 400 ? noRoute(call) : error;
  });

const published = { status: 'publish', strict_dates: 'true' };
const upcoming = ({ service }: Call): Query => ({ ...published, ends_after: utcOf(service.requestContext().now) });

function inMonth(call: Call): Query {
  const { now, zone } = call.service.requestContext();
  const month = call.ref && 'slug' in call.ref ? call.ref.slug : wallOf(now, zone).slice(0, 7);
  if (!/^(?!9999-12)[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(month)) throw noRoute(call);
  const start = `${month}-01 00:00:00`;
  return { ...published, starts_before: toUtc(addMonths(start, 1), zone), ends_after: toUtc(start, zone) };
}

/** Number of events on a page of a list. */
const pageSize = 30;

/** An address of the site with a list of events. */
export interface EventList extends FeedAddress {
  /** The resource of the record in its path. */
  of?: ResourceName;
}

const filterFor = (name: ResourceName): string => resources.events.list.parameters.find(({ links }) => links === name)!.name;

/** The upcoming events of a record. */
const upcomingOf = (of: ResourceName, path: string): EventList => ({
  path,
  of,
  pageSize,
  query: async (call) => ({ ...upcoming(call), [filterFor(of)]: String((await feedRecord(call, resources[of], {}, ['id'])).id) }),
});

/** The lists of events, as a site of the reference has them. */
export const eventLists: readonly EventList[] = [
  { path: '/events', query: upcoming, pageSize },
  { path: '/events/list', query: upcoming, pageSize },
  { path: '/events/month', query: inMonth, pageSize: Number.POSITIVE_INFINITY },
  { path: '/events/month/{slug}', query: inMonth, pageSize: Number.POSITIVE_INFINITY },
  upcomingOf('tags', '/events/tag/{slug}'),
  ...resourceNames.flatMap((name) => {
    const resource: Resource = resources[name];
    return resource.family === 'term' ? [upcomingOf(name, `/${resource.page}/${resource.isTree ? '{parents}' : ''}{slug}`)] : [];
  }),
];

/** The address of the page of an event, or of a record that events link to, whose feed has its upcoming events. */
export function recordAddress({ name, page: { base }, isLinked }: PostResource): FeedAddress {
  const path = `/${base}/{slug}`;
  return isLinked ? upcomingOf(name, path) : { path, withHidden: true, query: oneEvent };
}

async function oneEvent(call: Call): Promise<Query> {
  const { password } = call.query;
  const reading = { context: 'edit', ...(typeof password === 'string' ? { password } : {}) };
  const { id, status } = await feedRecord(call, resources.events, reading, ['id', 'status']);
  return { ...reading, include: String(id), status: String(status) };
}

/** The feed of all events, which takes the filters of the API. */
export const wholeFeed: FeedAddress = {
  path: feedPath,
  query(call) {
    checkForm(call, 'events', 'list');
    return call.query;
  },
};

/** The list of events at the root of the site, whose post type the query names; undefined for other queries. */
export const rootList = ({ query, site }: Call): EventList | undefined =>
  query.post_type === postTypeOf(site.taxonomy) && query.p === undefined ? eventLists[0] : undefined;
