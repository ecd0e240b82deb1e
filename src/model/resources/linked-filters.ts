import * as filter from '../fields/filter.ts';
import type { FilterKind, ListForm } from '../fields/list.ts';
import { utcOf } from '../time/datetime.ts';

/** Filters of resources that events link to. */
export const linkedFilters: Record<string, FilterKind> = {
  ...filter.paging,
  search: filter.search('Search names, descriptions and details', (value, { query, ctx }) => ({
    test: 'containing',
    words: String(value).match(/[\p{L}\p{N}]+/gu) ?? [],
    without: [],
    together: true,
    sight: filter.sightOf(query, ctx),
  })),
  event: filter.linkedFrom('Only records linked to this event', { name: 'events', kind: 'event' }),
  has_events: {
    ...filter.wordFlag('Only records linked to an event', {}, true),
    condition: (value) => ({ test: 'eventful', is: filter.switchOf(value)!, statuses: ['publish', 'private', 'future'] }),
    linkParameters: (value, { name }) => [[name, String(value)]],
  },
  only_with_upcoming: {
    ...filter.wordFlag('Only records linked to an upcoming event', { default: false }, true),
    condition: (value, { ctx }) => {
      const isVisitor = ctx.viewer.role === 'anonymous' || ctx.viewer.role === 'subscriber';
      const statuses = isVisitor ? ['publish'] : ['publish', 'private', 'draft', 'pending'];
      return filter.switchOf(value) ? { test: 'eventful', is: true, statuses, from: utcOf(ctx.now) } : undefined;
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
