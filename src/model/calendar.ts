import type { Query } from './fields/list.ts';
import type { Series } from './ical/occurrence.ts';
import type { Entry, Input } from './record.ts';
import type { ResourceName } from './resources/all.ts';

export type { Columns, Entry, Input, Row } from './record.ts';

export type { PostResource, Resource, ResourceName, TermResource } from './resources/all.ts';
export { resourceNames } from './resources/names.ts';

/** Refers to a record. */
export type Ref =
  | {
      /** ID of the record. */
      id: number;
    }
  | {
      /** Slug of the record, like `opening`. */
      slug: string;
    };

/** A reference with its ID as it was sent, if that is longer than a number holds. */
export type SentRef = Ref & { sent?: string };

/** A reference for messages. */
export const refText = (ref: SentRef): string => ('id' in ref ? (ref.sent ?? String(ref.id)) : JSON.stringify(ref.slug));

/** A page of a list, with the URLs of its neighbors. */
export interface Page<E extends Entry = Entry> {
  /** The records of the page. */
  entries: E[];
  /** Number of records on all pages. */
  total: number;
  /** Number of pages. */
  total_pages: number;
  /** URL of this page. */
  rest_url: string;
  /** URL of the next page; absent on the last one. */
  next_rest_url?: string;
  /** URL of the previous page; absent on the first one. */
  previous_rest_url?: string;
}

/** The actions on the records of one resource. Each rejects with a Failure. `members` are those that the caller needs of each record; there may be more. */
export interface Collection {
  list(query?: Query, members?: ReadonlySet<string>): Promise<Page>;
  get(ref: Ref, query?: Query, members?: ReadonlySet<string>): Promise<Entry>;
  create(input: Input): Promise<Entry>;
  update(ref: Ref, input: Input): Promise<Entry>;
  delete(ref: Ref): Promise<Entry>;
}

/** Additional methods of a calendar in a file. */
export interface WholeList {
  /**
   * Yields every record of a list in its order, regardless of the page in the query. Reads in batches. `members` limits the members of all records; `withHidden` includes those that
   * only a rule of every list leaves out.
   */
  listAll(query?: Query, members?: ReadonlySet<string>, withHidden?: boolean): Iterable<Entry>;
  /** A series with its occurrences of any date that lists show, as iCalendar needs them; undefined for an unknown one. Only for events. */
  series(uid: string): { series: Series; entries: Entry[] } | undefined;
  /** The number of records that only a rule of every list leaves out, such as hidden events. */
  countHidden(query?: Query): Promise<number>;
}

/** The synchronous form of a collection. */
export type Sync<C> = { [Action in keyof C]: C[Action] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never };

/** The collections of all resources, as one viewer sees them. */
export type Calendar = Record<ResourceName, Collection & Partial<WholeList>>;
