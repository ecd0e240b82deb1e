/** What a column of the store can hold. */
export type SqlValue = string | number | null;

/** The columns of a stored record. */
export type Row = Record<string, SqlValue>;
/** The columns to write. */
export type Columns = Record<string, SqlValue>;
/** What a create or an update was sent. */
export type Input = Record<string, unknown>;

/** A record in the one form it has everywhere: what GET answers. */
export type Entry = Record<string, unknown> & { id: number };

/** The records that an event's row is shown with. */
export interface EventLinks {
  categories: Entry[];
  tags: Entry[];
  /** In linked order. */
  venues: Entry[];
  organizers: Entry[];
  image: Entry | false;
}

/** What a row is shown with besides its columns: what an event is linked to, an image, the slugs from the top of the tree to a category. */
export type Related = Partial<EventLinks> & { lineage?: readonly string[] };
