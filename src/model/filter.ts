import type { Asking, LinkKind, PostKind, TermKind } from './asking.ts';
import type { Fault } from './error.ts';
import { dateFault, postFault, type SqlValue, statuses, termFault, type Wire } from './field.ts';
import { isTruthy, listOf, said, wholeNumber } from './value.ts';
import { mayCreate } from './viewer.ts';

/** The parameters of a list as they came: texts, and lists where a name was repeated or bracketed. */
export type Query = Record<string, unknown>;

/** One list parameter: how it is checked and explained. What it means stands in its resource, since some mean things together. */
export interface Filter {
  name: string;
  about: string;
  wire: Wire;
  beyond?: boolean;
  /** A default that depends on the moment of asking. */
  usual?(asking: Asking): unknown;
  check(value: unknown, asking: Asking, query: Query): string | Fault | undefined;
  many?: boolean;
  placeholder?: string;
  choices?: readonly string[];
}
type Kind = Omit<Filter, 'name'>;

/** Names kinds of filter by the keys they stand under. */
export const filters = (kinds: Record<string, Kind>): Filter[] => Object.entries(kinds).map(([name, kind]) => ({ name, ...kind }));

/** One test that a list puts to every row; the store knows each in SQL, and nothing else. */
export type Condition =
  | { test: 'equal' | 'before' | 'after' | 'from' | 'until'; column: string; value: SqlValue }
  | { test: 'among' | 'outside'; column: string; values: SqlValue[] }
  /** Every word occurs in the texts of the row, or none of the excluded ones. With `together`, one text holds all of them. */
  | { test: 'containing'; words: string[]; without: string[]; together: boolean }
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

/** A column to sort by; `folded` ones without regard to case and accents. */
export interface Order {
  column: string;
  descending?: boolean;
  folded?: boolean;
}

/** A list parameter as links show it; `onward` ones stand only in links to the next and previous page, ones `here` in none of these. */
export type Shown = [name: string, value: string, where?: 'onward' | 'here'];

/** What a list asks of the store. */
export interface Arrangement {
  where: Condition[];
  order: Order[];
  page: number;
  perPage: number;
  /** The parameters in force, in the order in which links show them. */
  shown: Shown[];
}

const anything = () => undefined;
const filled = (value: unknown) =>
  typeof value !== 'string' ? 'must be text' : value === '' || value === '0' ? 'must not be empty' : undefined;

const countFrom1 = (about: string, wire: Wire): Kind => ({
  about,
  wire,
  placeholder: 'n',
  check: (value) => ((wholeNumber(value) ?? 0) > 0 ? undefined : `must be a whole number from 1: ${said(value)}`),
});
/** The two parameters that every list takes first. */
export const paging = {
  page: countFrom1('which page to show, from 1', { type: 'integer', default: 1 }),
  per_page: {
    ...countFrom1('how many to show on a page, 50 at the most', { type: 'integer', default: '10' }),
    usual: (asking: Asking) => String(asking.perPage),
  },
};
const mostPerPage = 50;
/** The page and its size that a query asks for; sizes past 50 are cut to it. */
export const pageOf = (query: Query, asking: Asking): { page: number; perPage: number } => ({
  page: wholeNumber(query.page) ?? 1,
  perPage: Math.min(wholeNumber(query.per_page) ?? asking.perPage, mostPerPage),
});

/** A word or more to look for. */
export const search = (about: string): Kind => ({ about, placeholder: 'text', wire: { type: 'string' }, check: filled });

/** A text that may not be empty. */
export const word = (about: string, more: Partial<Kind> = {}): Kind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  check: filled,
  ...more,
});

/** A bound in time, in any form that `strtotime` reads, or a Unix timestamp. */
export const bound = (about: string, usual?: Kind['usual']): Kind => ({ about, placeholder: 'date', wire: {}, usual, check: dateFault });

/** True or false. */
export const flag = (about: string, more: Partial<Kind> = {}): Kind => ({ about, wire: { type: 'boolean' }, check: anything, ...more });

/** A switch that takes many words for yes and no; `empty` says whether it may be empty. */
export const wordFlag = (about: string, wire: Wire, empty: boolean): Kind => ({
  about,
  wire,
  check: (value) => (Array.isArray(value) ? 'must be true or false' : empty ? undefined : filled(value === true ? 'true' : value)),
});

const each = (value: unknown, fault: (item: unknown) => string | undefined): string | undefined => {
  const items = listOf(value);
  if (!items.length) return 'must not be empty';
  for (const item of items) {
    const found = fault(item);
    if (found) return found;
  }
  return undefined;
};

/** IDs of existing records of one kind. */
export const posts = (about: string, kind: PostKind): Kind => ({
  about,
  placeholder: 'id',
  many: true,
  wire: { items: { type: 'integer' } },
  check: (value, asking) => each(value, (item) => postFault(item, kind, asking)),
});

/** The ID of one existing record. */
export const post = (about: string, kind: PostKind): Kind => ({
  about,
  placeholder: 'id',
  wire: { type: 'integer' },
  check: (value, asking) => postFault(value, kind, asking),
});

/** Slugs or IDs of existing terms. */
export const terms = (about: string, kind: TermKind): Kind => ({
  about,
  placeholder: 'slug',
  many: true,
  wire: { items: { type: 'integer' } },
  check: (value, asking) => each(value, (item) => termFault(item, kind, asking)),
});

/** Whole numbers from 1, whether records with these IDs exist or not. */
export const ids = (about: string): Kind => ({
  about,
  placeholder: 'id',
  many: true,
  wire: { items: { type: 'integer' } },
  check: (value) => each(value, (item) => ((wholeNumber(item) ?? 0) > 0 ? undefined : `must hold whole numbers from 1: ${said(item)}`)),
});

/**
 * One or several statuses; who may not see unpublished records may ask for `publish` alone. Links say `any` where none was asked for: that is
 * taken back beside what links hold too, and refused by itself, as in the reference.
 */
export const status = (about: string, beside: readonly string[]): Kind => ({
  about,
  placeholder: 'status',
  many: true,
  choices: statuses,
  wire: { format: 'string' },
  check: (value, asking, query) =>
    mayCreate(asking.viewer)
      ? value === 'any' && beside.some((name) => query[name] !== undefined)
        ? undefined
        : each(value, (item) =>
            statuses.some((known) => known === item) ? undefined : `must be among ${statuses.join(', ')}: ${said(item)}`,
          )
      : value === 'publish'
        ? undefined
        : 'must be publish: other statuses are for those who may edit',
});

/** The condition on status that a query and a viewer give, and what links show of it. */
export function statusOf(query: Query, asking: Asking): { condition: Condition; shown: Shown } {
  const asked = listOf(query.status).map(String);
  const any = query.status === 'any';
  if (asked.length && !any) return { condition: { test: 'among', column: 'status', values: asked }, shown: ['status', asked.join(',')] };
  const all = any || (mayCreate(asking.viewer) && asking.viewer.role !== 'owner');
  return all
    ? { condition: { test: 'outside', column: 'status', values: ['trash', 'auto-draft'] }, shown: ['status', 'any'] }
    : { condition: { test: 'equal', column: 'status', value: 'publish' }, shown: ['status', 'publish'] };
}

/** A switch's value, or undefined where it was not given. */
export const switchOf = (value: unknown): boolean | undefined => (value === undefined ? undefined : isTruthy(value));

/** A list as links show it: comma-separated. */
export const shownList = (value: unknown): string => listOf(value).join(',');
