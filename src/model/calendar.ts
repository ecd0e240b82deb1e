import type { Query } from './fields/list.ts';
import type { Entry, Input } from './record.ts';
import type { ResourceName } from './resources/all.ts';

export type { Columns, Entry, Input, Row } from './record.ts';

export { type PostResource, type Resource, type ResourceName, resourceNames, type TermResource } from './resources/all.ts';

/** Names one record. */
export type Ref = { id: number } | { slug: string };

/** A page of a list, with the addresses of its neighbors. */
export interface Page<E extends Entry = Entry> {
  entries: E[];
  total: number;
  total_pages: number;
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
}

/** The five actions on the records of one resource. Each fails with a Failure. */
export interface Collection {
  list(query?: Query): Promise<Page>;
  get(ref: Ref, query?: Query): Promise<Entry>;
  create(input: Input): Promise<Entry>;
  update(ref: Ref, input: Input): Promise<Entry>;
  delete(ref: Ref): Promise<Entry>;
}

/** What a calendar in a file can do besides. */
export interface WholeList {
  /** Every record of a list in its order, whatever page the query names, a few hundred in memory at a time. */
  listAll(query?: Query): Iterable<Entry>;
}

/** The same actions where nothing has to be waited for. */
export type Sync<C> = { [Action in keyof C]: C[Action] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never };

/** One collection per resource, as one viewer sees them. */
export type Calendar = Record<ResourceName, Collection & Partial<WholeList>>;

/** The JSON of a record, in UTF-8. */
export interface SerializedRecord {
  bytes: Uint8Array;
  /** Names the content: equal tags, equal bytes. */
  etag: string;
}

/** Makes a record JSON. */
export type Serialize = (record: object) => SerializedRecord;

/** A page of a list with its records serialized. */
export type SerializedPage = Omit<Page, 'entries'> & { records: SerializedRecord[] };

/** The reads of one resource, serialized. The same records and failures as a Collection's. */
export interface SerializedReads {
  list(query: Query): SerializedPage;
  get(ref: Ref, query: Query): SerializedRecord;
}
