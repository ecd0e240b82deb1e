import type { RequestContext, Sight } from '../context.ts';
import { utf8Bytes } from '../formats/bytes.ts';
import { doubt } from '../mistakes/table.ts';
import { mayCreate, mayEditAll } from '../viewer.ts';
import { isTruthy, listOf, quoted, toWholeNumber } from './coerce.ts';
import { dateFault } from './date.ts';
import type { Field, Wire } from './field.ts';
import { postFault, type ResourceRef, termFault } from './link.ts';
import type { Condition } from './list.ts';
import { type FilterKind, maxPerPage, type ParameterKind, pageParameters, type Query } from './list.ts';
import { wholeNumberFault, wholeNumberWire } from './number.ts';
import { statuses } from './status.ts';

export { listForm } from './list.ts';

const filled = (value: unknown) =>
  typeof value !== 'string' ? 'must be text' : value === '' || value === '0' ? 'must not be empty' : undefined;
const someText = { type: 'string', minLength: 1 };
const noCondition = () => undefined;

const countFrom1 = (about: string, wire: Wire): ParameterKind => ({
  about,
  wire,
  accepts: { type: 'integer', minimum: 1 },
  placeholder: 'n',
  check: (value) => ((toWholeNumber(value) ?? 0) > 0 ? undefined : `must be a whole number of at least 1, not ${quoted(value)}`),
});

/** The first two parameters of every list. */
export const paging: Record<string, FilterKind> = {
  page: {
    ...countFrom1('Page number (default 1)', { type: 'integer', default: 1 }),
    always: true,
    condition: noCondition,
    linkParameters: (_, { query, ctx }) => [['page', String(pageParameters(query, ctx).page)]],
  },
  per_page: {
    ...countFrom1('Number of records per page (default 10, at most 50)', { type: 'integer', default: '10' }),
    doubts: (value) => ((toWholeNumber(value) ?? 0) > maxPerPage ? [doubt('page-size', String(value), String(maxPerPage))] : []),
    usual: (ctx) => String(ctx.perPage),
    always: true,
    condition: noCondition,
    linkParameters: (_, { query, ctx }) => [['per_page', String(pageParameters(query, ctx).perPage)]],
  },
};

/** Maximum length of a search in bytes. WordPress ignores a longer one. */
const maxSearchBytes = 1600;
const isIgnored = (search: unknown) => utf8Bytes(String(search)).length > maxSearchBytes;

/** A text to search posts for; `condition` says where. */
export const postSearch = (about: string, condition: NonNullable<FilterKind['condition']>): FilterKind =>
  search(about, (value, filtered) => (isIgnored(value) ? undefined : condition(value, filtered)));

/** A text to search for; `condition` says where. */
export const search = (about: string, condition: FilterKind['condition']): FilterKind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  accepts: someText,
  check: filled,
  condition,
  linkParameters: (value, { name }) => [[name, String(value)]],
});

/** The text of the field of the same name, ignoring case and accents. */
export const word = (about: string, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  accepts: someText,
  check: filled,
  needsField: true,
  condition: (value, { name, ctx, field }) => ({
    test: 'equal',
    column: name,
    value: field!.stored.value?.(value, ctx) ?? String(value),
    folded: true,
  }),
  ...more,
});

/** A parameter that sorts and doesn't filter. */
export const sorting = (about: string, choices: readonly string[]): FilterKind => ({
  about,
  placeholder: 'text',
  wire: { type: 'string' },
  accepts: { type: 'string', minLength: 1, examples: choices },
  choices,
  check: filled,
  condition: noCondition,
});

/** A date in any form that `strtotime` reads, or a Unix timestamp. */
export const bound = (about: string, usual?: ParameterKind['usual']): ParameterKind => ({
  about,
  placeholder: 'date',
  wire: {},
  usual,
  check: dateFault,
  topic: 'dates',
});

const onOff = { on: 'true', off: 'false' };

/** On or off: by default, the switch of the same name. */
export const flag = (about: string, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  switch: onOff,
  wire: { type: 'boolean' },
  check: () => undefined,
  needsField: more.condition === undefined,
  condition: (value, { name }) => ({ test: 'equal', column: name, value: isTruthy(value) ? 1 : 0 }),
  linkParameters: (value, { name }) => [isTruthy(value) ? [name, '1'] : [name, '0', 'onward']],
  ...more,
});

/** A switch that accepts many words for yes and no; `empty` allows an empty value. */
export const wordFlag = (about: string, wire: Wire, empty: boolean): ParameterKind => ({
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
    const reason = fault(item);
    if (reason) return reason;
  }
  return undefined;
};

const linked = (name: string, field: Field | undefined, ids: number[]): Condition =>
  field?.stored.join ? { test: 'linked', by: name, ids } : { test: 'among', column: name, values: ids };

/** IDs of existing records that the field of the same name links to. */
export const posts = (about: string, target: ResourceRef): FilterKind => ({
  about,
  placeholder: 'id',
  many: true,
  wire: { items: { type: 'integer' } },
  links: target.name,
  check: (value, ctx) => each(value, (item) => postFault(item, target, ctx)),
  needsField: true,
  condition: (value, { name, field }) => linked(name, field, listOf(value).map(Number)),
});

/** Several lists of IDs of terms, of each of which a record has one. It is made by addresses of a site, and can't be sent. */
export class TermGroups {
  constructor(readonly groups: readonly (readonly number[])[]) {}
}

/** Slugs or IDs of existing terms. By default, those that the field of the same name links to. */
export const terms = (about: string, target: ResourceRef, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  placeholder: 'slug',
  many: true,
  wire: { items: { type: 'integer' } },
  accepts: { type: 'array', items: { type: ['integer', 'string'] }, minItems: 1 },
  links: target.name,
  check: (value, ctx) => each(value instanceof TermGroups ? value.groups.flat() : value, (item) => termFault(item, target, ctx)),
  needsField: more.condition === undefined,
  condition: (value, { name, ctx, field }) =>
    (value instanceof TermGroups ? value.groups : [listOf(value)]).map((group) =>
      linked(
        name,
        field,
        group.map((term) => ctx.store.findTerm(target.name, term as string | number)!),
      ),
    ),
  ...more,
});

/** The ID of one existing record, which the field of the same name refers to. */
export const post = (about: string, target: ResourceRef, more: Partial<FilterKind> = {}): FilterKind => ({
  about,
  placeholder: 'id',
  wire: { type: 'integer' },
  links: target.name,
  check: (value, ctx) => postFault(value, target, ctx),
  needsField: more.condition === undefined,
  condition: (value, { name, field }) => linked(name, field, [toWholeNumber(value)!]),
  ...more,
});

/** The ID of a record of another resource that links to the listed ones. */
export const linkedFrom = (about: string, target: ResourceRef): FilterKind =>
  post(about, target, {
    condition: (value) => ({ test: 'linkedFrom', resource: target.name, id: toWholeNumber(value)! }),
    linkParameters: (value, { name }) => [[name, String(value)]],
  });

/** The ID of the record that the field of the same name refers to, by slug or ID. */
export const term = (about: string, target: ResourceRef): FilterKind => ({
  about,
  placeholder: 'id',
  links: target.name,
  wire: { type: 'integer' },
  check: (value, ctx) => termFault(value, target, ctx),
  needsField: true,
  condition: (value, { name, ctx }) => ({ test: 'equal', column: name, value: ctx.store.findTerm(target.name, value as string)! }),
});

/** A whole number compared with a column. */
const compared = (about: string, test: 'equal' | 'atLeast' | 'atMost', column?: string): FilterKind => ({
  about,
  placeholder: 'n',
  unindexed: true,
  wire: wholeNumberWire({}),
  check: (value) => wholeNumberFault(value, {}),
  needsField: column === undefined,
  condition: (value, { name }) => ({ test, column: column ?? name, value: toWholeNumber(value)! }),
  linkParameters: (value, { name }) => [[name, String(value)]],
});
/** Exactly the number of the field of the same name. */
export const number = (about: string): FilterKind => compared(about, 'equal');
/** At least this number in a column. */
export const atLeast = (column: string, about: string): FilterKind => compared(about, 'atLeast', column);
/** At most this number in a column. */
export const atMost = (column: string, about: string): FilterKind => compared(about, 'atMost', column);

/** Whole numbers from 1, whether or not records have these IDs. */
export const ids = (about: string, target: ResourceRef): FilterKind => ({
  about,
  placeholder: 'id',
  many: true,
  links: target.name,
  wire: { items: { type: 'integer' } },
  check: (value) =>
    each(value, (item) => ((toWholeNumber(item) ?? 0) > 0 ? undefined : `must be whole numbers of at least 1, not ${quoted(item)}`)),
  condition: (value) => ({ test: 'among', column: 'id', values: listOf(value).map(Number) }),
});

/**
 * One or several statuses; an empty text stands for `publish` and `private`, as in WordPress. Viewers without access to unpublished records may only
 * request `publish`. Links show `any` if no status was given: `any` is accepted together with the other parameters of such a link, and rejected alone (`events.list.status-any.*`).
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
            statuses.some((each) => each === item) ? undefined : `${quoted(item)} is not one of ${statuses.join(', ')}`,
          )
      : value === 'publish'
        ? undefined
        : 'must be publish; other statuses require permission to edit',
  always: true,
  condition: (value, { ctx }) => {
    const allowed = statusesOf(value, ctx);
    if (allowed === 'any') return { test: 'notIn', column: 'status', values: ['trash', 'auto-draft'] };
    return allowed ? { test: 'among', column: 'status', values: allowed } : { test: 'equal', column: 'status', value: 'publish' };
  },
  linkParameters: (value, { name, ctx }) => [[name, String(statusesOf(value, ctx) ?? 'publish')]],
});

/** The statuses that a list shows; undefined stands for published records. */
function statusesOf(value: unknown, { viewer }: RequestContext): 'any' | string[] | undefined {
  const listed = listOf(value).map(String);
  if (listed.length && value !== 'any') return listed;
  if (value === '' && mayCreate(viewer)) return ['publish', 'private'];
  return value === 'any' || (mayCreate(viewer) && viewer.role !== 'owner') ? 'any' : undefined;
}

/** The sight of a search; undefined if the viewer may read all texts. Viewers who may edit a record may read it. */
export const sightOf = (query: Query, { viewer }: RequestContext): Sight | undefined =>
  mayEditAll(viewer) ? undefined : { viewer, password: typeof query.password === 'string' ? query.password : undefined, editing: true };

/** A switch's value; undefined if it wasn't sent. */
export const switchOf = (value: unknown): boolean | undefined => (value === undefined ? undefined : isTruthy(value));
