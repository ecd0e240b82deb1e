import { isTruthy, listOf, quoted, wholeNumber } from '../coerce.ts';
import type { PostKind, RequestContext, TermKind } from '../context.ts';
import type { Fault } from '../error.ts';
import type { Sight } from '../redact.ts';
import { mayCreate, mayEditAll } from '../viewer.ts';
import type { Condition, LinkParameter, ListQuery } from './condition.ts';
import { dateFault } from './date.ts';
import { type LinkTarget, type ParameterDefinition, querySchema, type Wire } from './field.ts';
import { postFault, resourceOfKind, termFault } from './link.ts';
import { wholeNumberFault, wholeNumberWire } from './number.ts';
import { statuses } from './status.ts';

/** The parameters of a list as they came: texts, and lists where a name was repeated or bracketed. */
export type Query = Record<string, unknown>;

/** One list parameter: how it is checked and explained. What it means stands in its resource where some mean things together. */
export interface Filter extends ParameterDefinition {
  /** A default that depends on the moment of asking. */
  usual?(ctx: RequestContext): unknown;
  check(value: unknown, ctx: RequestContext, query: Query): string | Fault | undefined;
  /** The test that a value stands for, where it stands for one by itself. */
  condition?(value: unknown): Condition;
}
/** A kind of filter, to be named by the key it stands under; what it accepts is what its wire says, unless it says so itself. */
export type FilterKind = Omit<Filter, 'name' | 'accepts'> & Partial<Pick<Filter, 'accepts'>>;

/** Names kinds of filter by the keys they stand under. */
export const filters = (kinds: Record<string, FilterKind>): Filter[] =>
  Object.entries(kinds).map(([name, kind]) => ({ name, accepts: querySchema(kind.wire), ...kind }));

const anything = () => undefined;
const filled = (value: unknown) =>
  typeof value !== 'string' ? 'must be text' : value === '' || value === '0' ? 'must not be empty' : undefined;

const someText = { type: 'string', minLength: 1 };

const countFrom1 = (about: string, wire: Wire): FilterKind => ({
  about,
  wire,
  accepts: { type: 'integer', minimum: 1 },
  placeholder: 'n',
  check: (value) => ((wholeNumber(value) ?? 0) > 0 ? undefined : `must be a whole number from 1: ${quoted(value)}`),
});
/** The two parameters that every list takes first. */
export const paging = {
  page: countFrom1('which page to show, from 1', { type: 'integer', default: 1 }),
  per_page: {
    ...countFrom1('how many to show on a page, 50 at the most', { type: 'integer', default: '10' }),
    usual: (ctx: RequestContext) => String(ctx.perPage),
  },
};
const mostPerPage = 50;
/** The page and its size that a query asks for; sizes past 50 are cut to it. */
export const pageOf = (query: Query, ctx: RequestContext): { page: number; perPage: number } => ({
  page: wholeNumber(query.page) ?? 1,
  perPage: Math.min(wholeNumber(query.per_page) ?? ctx.perPage, mostPerPage),
});

/** A word or more to look for. */
export const search = (about: string): FilterKind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  accepts: someText,
  check: filled,
});

/** A text that may not be empty. */
export const word = (about: string, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  accepts: more.choices ? { type: 'string', minLength: 1, examples: more.choices } : someText,
  check: filled,
  ...more,
});

/** A bound in time, in any form that `strtotime` reads, or a Unix timestamp. */
export const bound = (about: string, usual?: FilterKind['usual']): FilterKind => ({
  about,
  placeholder: 'date',
  wire: {},
  usual,
  check: dateFault,
  topic: 'dates',
});

const onOff = { on: 'true', off: 'false' };
/** True or false. */
export const flag = (about: string, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  switch: onOff,
  wire: { type: 'boolean' },
  check: anything,
  ...more,
});

/** A switch that takes many words for yes and no; `empty` says whether it may be empty. */
export const wordFlag = (about: string, wire: Wire, empty: boolean): FilterKind => ({
  about,
  switch: onOff,
  wire,
  accepts: { type: ['boolean', 'string'] },
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
export const posts = (about: string, kind: PostKind): FilterKind => ({
  about,
  placeholder: 'id',
  many: true,
  wire: { items: { type: 'integer' } },
  links: resourceOfKind[kind],
  check: (value, ctx) => each(value, (item) => postFault(item, kind, ctx)),
});

/** The ID of one existing record. */
export const post = (about: string, kind: PostKind): FilterKind => ({
  about,
  placeholder: 'id',
  wire: { type: 'integer' },
  links: resourceOfKind[kind],
  check: (value, ctx) => postFault(value, kind, ctx),
});

/** Slugs or IDs of existing terms. */
export const terms = (about: string, kind: TermKind): FilterKind => ({
  about,
  placeholder: 'slug',
  many: true,
  wire: { items: { type: 'integer' } },
  accepts: { type: 'array', items: { type: ['integer', 'string'] }, minItems: 1 },
  links: resourceOfKind[kind],
  check: (value, ctx) => each(value, (item) => termFault(item, kind, ctx)),
});

/** At least so much of a field that holds a number. */
export const atLeast = (column: string, about: string): FilterKind => ({
  about,
  placeholder: 'n',
  unindexed: true,
  wire: wholeNumberWire({}),
  check: (value) => wholeNumberFault(value, {}),
  condition: (value) => ({ test: 'from', column, value: wholeNumber(value)! }),
});

/** A list query with the tests of those parameters that mean something by themselves. */
export function withOwnConditions(listQuery: ListQuery, filters: readonly Filter[], query: Query): ListQuery {
  for (const { name, condition } of filters) {
    if (!condition || query[name] === undefined) continue;
    listQuery.where.push(condition(query[name]));
    listQuery.linkParameters.push([name, String(query[name])]);
  }
  return listQuery;
}

/** Whole numbers from 1, whether records with these IDs exist or not. */
export const ids = (about: string, links: LinkTarget): FilterKind => ({
  about,
  placeholder: 'id',
  many: true,
  links,
  wire: { items: { type: 'integer' } },
  check: (value) => each(value, (item) => ((wholeNumber(item) ?? 0) > 0 ? undefined : `must hold whole numbers from 1: ${quoted(item)}`)),
});

/**
 * One or several statuses, where an empty text asks for none; who may not see unpublished records may ask for `publish` alone. Links say `any`
 * where none was asked for: that is taken back beside what links hold too, and refused by itself (`events.list.status-any.*`).
 */
export const status = (about: string, beside: readonly string[]): FilterKind => ({
  about,
  placeholder: 'status',
  many: true,
  choices: statuses,
  wire: { format: 'string' },
  accepts: { type: 'array', items: { type: 'string', enum: [...statuses, 'any'] } },
  check: (value, ctx, query) =>
    mayCreate(ctx.viewer)
      ? value === '' || (value === 'any' && beside.some((name) => query[name] !== undefined))
        ? undefined
        : each(value, (item) =>
            statuses.some((known) => known === item) ? undefined : `must be among ${statuses.join(', ')}: ${quoted(item)}`,
          )
      : value === 'publish'
        ? undefined
        : 'must be publish: other statuses are for those who may edit',
});

/** The condition on status that a query and a viewer give, and what links show of it. */
export function statusOf(query: Query, ctx: RequestContext): { condition: Condition; shown: LinkParameter } {
  const asked = listOf(query.status).map(String);
  const any = query.status === 'any';
  if (asked.length && !any) return { condition: { test: 'among', column: 'status', values: asked }, shown: ['status', asked.join(',')] };
  const all = any || (mayCreate(ctx.viewer) && ctx.viewer.role !== 'owner');
  return all
    ? { condition: { test: 'outside', column: 'status', values: ['trash', 'auto-draft'] }, shown: ['status', 'any'] }
    : { condition: { test: 'equal', column: 'status', value: 'publish' }, shown: ['status', 'publish'] };
}

/** Whose texts a search may look through: undefined where all are open, for whoever may change a record may read it. */
export const sightOf = (query: Query, { viewer }: RequestContext): Sight | undefined =>
  mayEditAll(viewer) ? undefined : { viewer, password: typeof query.password === 'string' ? query.password : undefined, editing: true };

/** A switch's value, or undefined where it was not given. */
export const switchOf = (value: unknown): boolean | undefined => (value === undefined ? undefined : isTruthy(value));

/** A list as links show it: comma-separated. */
export const shownList = (value: unknown): string => listOf(value).join(',');
