import type { Sight } from '../context.ts';
import type { SqlValue } from '../record.ts';

/** One condition on every row of a list. The store translates each into SQL. */
export type Condition =
  /** With `folded`, case and accents don't matter. */
  | { test: 'equal'; column: string; value: SqlValue; folded?: boolean }
  | { test: 'before' | 'after' | 'from' | 'until'; column: string; value: SqlValue }
  | { test: 'among'; column: string; values: SqlValue[]; folded?: boolean }
  | { test: 'outside'; column: string; values: SqlValue[] }
  /**
   * Every word occurs in the texts of the row, and none of the excluded words does. With `together`, one text contains all words. With a `sight`,
   * only the text that stays visible is searched in rows that a password hides from it.
   */
  | { test: 'containing'; words: string[]; without: string[]; together: boolean; sight?: Sight }
  /** The row is linked to one of these records by a field. Of a tree, records below these count too. */
  | { test: 'linked'; by: string; ids: number[] }
  /** The row is linked from this record of another resource. */
  | { test: 'of'; resource: string; id: number }
  /** The row is linked, or is not linked, from an event with one of these statuses that starts at or after a time in UTC. */
  | { test: 'eventful'; is: boolean; statuses: readonly string[]; from?: string }
  /** A record that the row is linked to by a field has coordinates, or none has. */
  | { test: 'located'; by: string; is: boolean }
  /** A record that the row is linked to by a field is within this distance. */
  | { test: 'near'; by: string; latitude: number; longitude: number; radiusKm: number };

/** A column to sort by; `folded` ignores case and accents, `as` is a list of IDs in the wanted order. */
export interface Order {
  column: string;
  descending?: boolean;
  folded?: boolean;
  as?: readonly number[];
}

/** A list parameter in the links of a page: in all of them, only in links to the next and previous page (`onward`), or only in the page's own (`here`). */
export type LinkParameter = [name: string, value: string, where?: 'onward' | 'here'];

/** Query of one page of a list. */
export interface ListQuery {
  where: Condition[];
  order: Order[];
  page: number;
  perPage: number;
  /** In the order in which links show them. */
  linkParameters: LinkParameter[];
}
