import type { RequestContext, Sight } from '../context.ts';
import type { Fault } from '../error.ts';
import type { Doubt } from '../mistakes/table.ts';
import type { SqlValue } from '../record.ts';
import { listOf, toWholeNumber } from './coerce.ts';
import { type Field, type ParameterDefinition, querySchema } from './field.ts';

/** One condition on every row of a list. The store translates each into SQL. */
export type Condition =
  /** With `folded`, case and accents don't matter. */
  | { test: 'equal'; column: string; value: SqlValue; folded?: boolean }
  | { test: 'before' | 'after' | 'atLeast' | 'atMost'; column: string; value: SqlValue }
  | { test: 'among'; column: string; values: SqlValue[]; folded?: boolean }
  | { test: 'notIn'; column: string; values: SqlValue[] }
  /**
   * Every word occurs in the texts of the row, and none of the excluded words does. With `together`, one text contains all words. With a `sight`,
   * only the text that stays visible is searched in rows that a password hides from it.
   */
  | { test: 'containing'; words: string[]; without: string[]; together: boolean; sight?: Sight }
  /** The row is linked to one of these records by a field. Of a tree, records below these count too. */
  | { test: 'linked'; by: string; ids: number[] }
  /** The row is linked from this record of another resource. */
  | { test: 'linkedFrom'; resource: string; id: number }
  /** The row is linked from an event with one of these statuses that starts at or after a time in UTC, or, if `is` is false, from none. */
  | { test: 'hasEvents'; is: boolean; statuses: readonly string[]; from?: string }
  /** The row is the first one, by its start, of the occurrences of its series that satisfy the other conditions. */
  | { test: 'firstOfSeries' }
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

/** The parameters of a list as sent: texts, and lists where a name was repeated or bracketed. */
export type Query = Record<string, unknown>;

/** One list parameter: how it is described and checked. */
export interface ListParameter extends ParameterDefinition {
  /** A default that depends on the request. */
  usual?(ctx: RequestContext): unknown;
  check(value: unknown, ctx: RequestContext, query: Query): string | Fault | undefined;
}
export type ParameterKind = Omit<ListParameter, 'name' | 'accepts'> & Partial<Pick<ListParameter, 'accepts'>>;

/** The conditions of a filter, and the parameters that links show. */
export interface Filtered {
  where?: readonly Condition[];
  linkParameters?: readonly LinkParameter[];
}

/** The context of a condition besides its value. */
interface FilterCall {
  name: string;
  query: Query;
  ctx: RequestContext;
}

/** A filter with one parameter, named by its key. */
export interface FilterKind extends ParameterKind {
  /** The condition that a value stands for. It may depend on the field of the same name. */
  condition(value: unknown, call: FilterCall & { field: Field | undefined }): Condition | readonly Condition[] | undefined;
  /** The parameters that links show; by default the value, lists with commas. */
  linkParameters?(value: unknown, call: FilterCall): readonly LinkParameter[];
  /** True if lists without the parameter have a condition or a link parameter too; its value is then undefined. */
  always?: boolean;
  /** True if the filter needs a stored field of the same name. */
  needsField?: boolean;
}

/** Several parameters that only mean something together. */
export interface FilterGroup {
  parameters: Record<string, ParameterKind>;
  conditions(query: Query, ctx: RequestContext): Filtered;
  /** Returns what a client probably didn't mean with valid parameters, by their names. */
  doubts?(query: Query, ctx: RequestContext): Record<string, Doubt[]>;
}

/** One filter of a resource. */
export interface Filter {
  parameters: readonly ListParameter[];
  apply(query: Query, ctx: RequestContext): Filtered;
  doubts?: FilterGroup['doubts'];
}

/** Definition of the list of a resource. */
export interface ListForm {
  filters: readonly Filter[];
  /** The parameters of all filters, in the order of documents. */
  parameters: readonly ListParameter[];
  order(query: Query): Order[];
  /** Conditions of every list. */
  where: readonly Condition[];
  /** Parameters that lift a default window of dates; absent without one. */
  anyDate?: Record<string, string>;
  /** The parameters that replace the default window. */
  dateNames: readonly string[];
  /** Parameters in the order in which links show them, others after these; `sent` shows what was sent, in its order, in links to other pages only. */
  linkOrder: readonly string[] | 'sent';
}

/** Maximum number of records of a page. */
export const maxPerPage = 50;

/** The page and its size; sizes over 50 count as 50. */
export const pageParameters = (query: Query, ctx: RequestContext): { page: number; perPage: number } => ({
  page: toWholeNumber(query.page) ?? 1,
  perPage: Math.min(toWholeNumber(query.per_page) ?? ctx.perPage, maxPerPage),
});

/** A list as links show it: comma-separated. */
export const listText = (value: unknown): string => listOf(value).join(',');

/** Creates the list form of a resource. Throws if a filter needs a stored field that the resource doesn't have. */
export function listForm(
  fields: readonly Field[],
  filters: Record<string, FilterKind | FilterGroup>,
  form: Pick<ListForm, 'order' | 'linkOrder'> & Partial<Pick<ListForm, 'where' | 'anyDate' | 'dateNames'>>,
): ListForm {
  const all = Object.entries(filters).map(([name, kind]) =>
    'conditions' in kind
      ? { parameters: Object.entries(kind.parameters).map(parameterOf), apply: kind.conditions, doubts: kind.doubts }
      : filterOf(
          name,
          kind,
          fields.find((field) => field.name === name),
        ),
  );
  return { where: [], dateNames: [], ...form, filters: all, parameters: all.flatMap(({ parameters }) => parameters) };
}

const parameterOf = ([name, kind]: [string, ParameterKind]): ListParameter => ({ name, accepts: querySchema(kind.wire), ...kind });

/** Creates a filter with one parameter. `field` is the field of the same name. */
export function filterOf(name: string, kind: FilterKind, field: Field | undefined): Filter {
  const { condition, linkParameters: parametersOf = (value) => [[name, listText(value)]], always, needsField, ...parameter } = kind;
  if (needsField && !field?.stored.column && !field?.stored.join) throw new Error(`filter ${name} has no stored field of the same name`);
  return {
    parameters: [parameterOf([name, parameter])],
    apply: (query, ctx) => {
      const value = query[name];
      if (value === undefined && !always) return {};
      const conditions = condition(value, { name, query, ctx, field });
      return {
        where: Array.isArray(conditions) ? conditions : conditions ? [conditions as Condition] : [],
        linkParameters: parametersOf(value, { name, query, ctx }),
      };
    },
  };
}

/** Returns what the parameters of a query mean together. They must be checked. */
export function listQueryOf(list: ListForm, query: Query, ctx: RequestContext): ListQuery {
  const applied = list.filters.map((filter) => filter.apply(query, ctx));
  const parameters = applied.flatMap((filtered) => filtered.linkParameters ?? []);
  return {
    where: [...list.where, ...applied.flatMap(({ where = [] }) => where)],
    order: list.order(query),
    ...pageParameters(query, ctx),
    linkParameters: list.linkOrder === 'sent' ? sentParameters(list, query) : inOrder(parameters, list.linkOrder),
  };
}

function inOrder(parameters: readonly LinkParameter[], order: readonly string[]): LinkParameter[] {
  const rank = ([name]: LinkParameter) => (order.includes(name) ? order.indexOf(name) : order.length);
  return parameters.toSorted((a, b) => rank(a) - rank(b));
}

const sentParameters = ({ parameters }: ListForm, query: Query): LinkParameter[] =>
  Object.keys(query)
    .filter((name) => name !== 'page' && parameters.some((parameter) => parameter.name === name))
    .map((name) => [name, listText(query[name]), 'onward']);
