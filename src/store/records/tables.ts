import type { LinkKind, PostKind, TermKind } from '../../model/context.ts';

/** The table of each kind of record. */
export const tableOf: Record<PostKind | TermKind, string> = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
};

/** The kinds of record that events are linked to. */
export const linkKinds = ['venue', 'organizer', 'category', 'tag'] as const satisfies readonly LinkKind[];

/** The tables that link events with records of each kind, and the column that names the record. */
export const linkTables = {
  venue: { table: 'event_venues', column: 'venue_id' },
  organizer: { table: 'event_organizers', column: 'organizer_id' },
  category: { table: 'event_categories', column: 'category_id' },
  tag: { table: 'event_tags', column: 'tag_id' },
} as const satisfies Record<LinkKind, { table: string; column: string }>;

/** The IDs that an event is linked to, by kind, in order. */
export type EventLinkIds = Record<LinkKind, readonly number[]>;

/** How many IDs of each sequence the site itself takes: a fresh one has pages and terms that are no part of the calendar. */
export const reserved = { posts: 7, terms: 2 } as const;
