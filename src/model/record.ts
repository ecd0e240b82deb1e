/** Maximum ID of a record. Far below the largest safe integer, so that records created later have one too. */
export const maxId = 2 ** 52 - 1;

/** Members of a response in another form than that of entries: an ID as text, and the links that only the wire has. */
export const asSent = Symbol('sent');

/** A value of a column. */
export type SqlValue = string | number | null;

/** The columns of a stored record. */
export type Row = Record<string, SqlValue>;
/** The columns to write. */
export type Columns = Record<string, SqlValue>;
/** The input of a create or an update. */
export type Input = Record<string, unknown>;

/** A record as GET returns it. */
export type Entry = Record<string, unknown> & {
  /** ID of the record. */
  id: number;
};

/** Related data of a row that is shown with it. */
export interface Related {
  /** Linked records by field, in order; terms by name. */
  linked?: Readonly<Record<string, readonly Entry[]>>;
  image?: Entry | false;
  /** Slugs from the root of a tree down to the record. */
  lineage?: readonly string[];
}
