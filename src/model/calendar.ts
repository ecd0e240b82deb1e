import type { PostKind, RequestContext, TermKind } from './context.ts';
import type { AnswerForm } from './fields/answer.ts';
import type { ListQuery } from './fields/condition.ts';
import type { Column, Field } from './fields/field.ts';
import type { Filter, Query } from './fields/filter.ts';
import type { Entry, Input } from './record.ts';

export type { Columns, Entry, Input, Row } from './record.ts';

/** Names one record. */
export type Ref = { id: number } | { slug: string };

/** A page of a list, with the addresses of its neighbours. */
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

/** The same actions where nothing has to be waited for. */
export type Sync<C> = { [Action in keyof C]: C[Action] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never };

export const resourceNames = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
export type ResourceName = (typeof resourceNames)[number];

/** Five collections, as one viewer sees them. */
export type Calendar = Record<ResourceName, Collection>;

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

/** What every resource says of itself. */
export interface Definition {
  /** The name in paths, tables and commands. */
  name: ResourceName;
  /** One phrase for help and documents. */
  about: string;
  fields: Field[];
  /** What an answer shows of a record, in its order. */
  answer: AnswerForm;
  filters: Filter[];
  /** The field that names a record for people; its slug is made from it. */
  label: string;
  /** The properties that a table shows when none are asked for. */
  summary: readonly string[];
  /** The columns that a search looks through. */
  search: string[];
  /** Columns that no field fills. */
  derived: Record<string, Column>;
  /** What the list parameters of a query mean together. */
  listQuery(query: Query, ctx: RequestContext): ListQuery;
}
/** A resource whose records are written by authors, pass through statuses and have slugs of their own. */
export interface PostResource extends Definition {
  kind: PostKind;
  family: 'post';
}
/** A resource whose records group events. */
export interface TermResource extends Definition {
  kind: TermKind;
  family: 'term';
}
/** Fields and filters, what list parameters mean together, and how the wire names its records. */
export type Resource = PostResource | TermResource;
