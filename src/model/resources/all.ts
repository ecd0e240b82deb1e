import type { Query } from '../fields/list.ts';
import { statuses } from '../fields/status.ts';
import type { Definition, PostDefinition, TermDefinition } from '../resource.ts';
import { category } from './category.ts';
import { event } from './event.ts';
import { organizer } from './organizer.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

const definitions = {
  events: event,
  venues: venue,
  organizers: organizer,
  categories: category,
  tags: tag,
} satisfies Record<string, PostDefinition | TermDefinition>;

/** The name of a resource, like `events`. */
export type ResourceName = keyof typeof definitions;
export type PostResource = PostDefinition & { name: ResourceName };
export type TermResource = TermDefinition & { name: ResourceName };
export type Resource = PostResource | TermResource;

/** Every resource, in the order of documents. */
export const resources = definitions as { [N in ResourceName]: (typeof definitions)[N] & { name: N } };

const anyStatus = statuses.filter((status) => status !== 'trash').join(',');

type Listed = Pick<Definition, 'list'>;

const accepts = ({ list }: Listed, name: string): boolean => list.parameters.some((parameter) => parameter.name === name);

/** A list query without the default dates, unless it selects dates or records itself. */
export const anyDateQuery = (resource: Listed, query: Query): Query =>
  hasDefaultDates(resource, query) ? { ...resource.list.anyDate, ...query } : { ...query };

/** True if a list with this query is limited to the default dates, at one end at least. */
export const hasDefaultDates = ({ list: { anyDate = {}, dateNames } }: Listed, query: Query): boolean =>
  Object.keys(anyDate).some((name) => query[name] === undefined) && dateNames.every((name) => name in anyDate || query[name] === undefined);

/** The query that lists records of any date, and terms without events. */
export const everyRecordQuery = (resource: Listed): Query => ({
  ...(accepts(resource, 'hide_empty') ? { hide_empty: 'false' } : {}),
  ...resource.list.anyDate,
});

/** A list query for records of any date, of any status except the trash, and terms without events, as far as the query doesn't select them itself. */
export const wholeQuery = (resource: Listed, query: Query): Query => ({
  ...(accepts(resource, 'hide_empty') ? { hide_empty: 'false' } : {}),
  ...(accepts(resource, 'status') ? { status: anyStatus } : {}),
  ...anyDateQuery(resource, query),
});
