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

/** What a row is shown with besides its columns. */
export interface Related {
  /** The linked records by field, in linked order; terms by name. */
  linked?: Readonly<Record<string, readonly Entry[]>>;
  image?: Entry | false;
  /** The slugs from the top of a tree down to the record. */
  lineage?: readonly string[];
}
