import { wholeNumber } from '../coerce.ts';
import type { RequestContext } from '../context.ts';
import type { Condition, LinkParameter, ListQuery } from '../fields/condition.ts';
import type { Query } from '../fields/filter.ts';
import * as filter from '../fields/filter.ts';
import { utcOf } from '../time/datetime.ts';

/** The list parameters of what events are linked to: venues and organizers. */
export const linkedFilters = {
  ...filter.paging,
  search: filter.search('words that occur together in its name, texts or details'),
  event: filter.post('linked to this event', 'event'),
  has_events: filter.wordFlag('linked to any event, or to none', {}, true),
  only_with_upcoming: filter.wordFlag('linked to an event yet to start', { default: false }, true),
  status: filter.status('with one of these statuses', ['per_page']),
};

/** Newest first; what the list parameters of venues and organizers mean together (`venues.list.*`, `organizers.list.*`). */
export function linkedListQuery(query: Query, ctx: RequestContext): ListQuery {
  const status = filter.statusOf(query, ctx);
  const where: Condition[] = [status.condition];
  const { page, perPage } = filter.pageOf(query, ctx);
  const linkParameters: LinkParameter[] = [
    ['page', String(page)],
    ['per_page', String(perPage)],
  ];
  if (query.search !== undefined) {
    const words = String(query.search).match(/[\p{L}\p{N}]+/gu) ?? [];
    where.push({ test: 'containing', words, without: [], together: true, sight: filter.sightOf(query, ctx) });
    linkParameters.push(['search', String(query.search)]);
  }
  if (query.event !== undefined) {
    where.push({ test: 'of', event: wholeNumber(query.event)! });
    linkParameters.push(['event', String(query.event)]);
  }
  const hasEvents = filter.switchOf(query.has_events);
  if (hasEvents !== undefined) {
    where.push({ test: 'eventful', is: hasEvents, statuses: ['publish', 'private', 'future'] });
    linkParameters.push(['has_events', String(query.has_events)]);
  }
  if (filter.switchOf(query.only_with_upcoming)) {
    const visible =
      ctx.viewer.role === 'anonymous' || ctx.viewer.role === 'subscriber' ? ['publish'] : ['publish', 'private', 'draft', 'pending'];
    where.push({ test: 'eventful', is: true, statuses: visible, from: utcOf(ctx.now) });
    linkParameters.push(['only_with_upcoming', String(query.only_with_upcoming)]);
  }
  linkParameters.push(status.shown);
  return {
    where,
    order: [
      { column: 'date', descending: true },
      { column: 'id', descending: true },
    ],
    page,
    perPage,
    linkParameters,
  };
}
