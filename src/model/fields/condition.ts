import type { LinkKind } from '../context.ts';
import type { SqlValue } from '../record.ts';
import type { Sight } from '../redact.ts';

/** One test that a list puts to every row; the store knows each in SQL, and nothing else. */
export type Condition =
  | { test: 'equal' | 'before' | 'after' | 'from' | 'until'; column: string; value: SqlValue }
  | { test: 'among' | 'outside'; column: string; values: SqlValue[] }
  /**
   * Every word occurs in the texts of the row, or none of the excluded ones. With `together`, one text holds all of them. With a `sight`, of a
   * row that a password hides from it only the text that is shown all the same is looked through.
   */
  | { test: 'containing'; words: string[]; without: string[]; together: boolean; sight?: Sight }
  /** An event is linked to one of these records. Of categories, those below a given one count too. */
  | { test: 'linked'; to: LinkKind; ids: number[] }
  /** A record is linked to this event. */
  | { test: 'of'; event: number }
  /** A record is linked, or is not, to an event of these statuses that starts at or after a moment in UTC. */
  | { test: 'eventful'; is: boolean; statuses?: readonly string[]; from?: string }
  /** An event's venue has coordinates, or not. */
  | { test: 'located'; is: boolean }
  /** An event's venue lies within so many kilometres. */
  | { test: 'near'; latitude: number; longitude: number; radius: number };

/** A column to sort by; `folded` ones without regard to case and accents, those `as` a list in its order. */
export interface Order {
  column: string;
  descending?: boolean;
  folded?: boolean;
  as?: readonly number[];
}

/** A list parameter as links show it; `onward` ones stand only in links to the next and previous page, ones `here` in none of these. */
export type LinkParameter = [name: string, value: string, where?: 'onward' | 'here'];

/** What a list asks of the store. */
export interface ListQuery {
  where: Condition[];
  order: Order[];
  page: number;
  perPage: number;
  /** The parameters in force, in the order in which links show them. */
  linkParameters: LinkParameter[];
}
