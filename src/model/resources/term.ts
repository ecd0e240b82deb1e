import type { Entry, Row } from '../calendar.ts';
import { listOf, wholeNumber } from '../coerce.ts';
import type { RequestContext, Site, TermKind } from '../context.ts';
import { type AnswerForm, answerOf } from '../fields/answer.ts';
import type { Condition, LinkParameter, ListQuery, Order } from '../fields/condition.ts';
import type { Column } from '../fields/field.ts';
import type { Query } from '../fields/filter.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { termFault } from '../fields/link.ts';
import { cleanTermDescription } from '../html/render.ts';
import { slugOf } from '../slug.ts';

const taxonomies: Record<TermKind, { taxonomy: string; path: string; page: string }> = {
  category: { taxonomy: 'calendar_events_cat', path: 'categories', page: 'events/category' },
  tag: { taxonomy: 'post_tag', path: 'tags', page: 'tag' },
};

/** The fields that categories and tags have. */
export const termFields = {
  name: field.termName('its name'),
  description: field.termText('what it is for', cleanTermDescription, { control: 'text' }),
  slug: field.slug('the last part of its address'),
};

/** The columns of terms that no field fills: `count` is the number of published events. */
export const termColumns: Record<string, Column> = {
  count: { type: 'INTEGER', default: 0 },
  folded: { type: 'TEXT', default: '' },
  generated: { type: 'INTEGER', default: 0 },
};

/** The list parameters of categories and tags; `between` stands where categories have one more. */
export const termFilters = (kind: TermKind, between: Record<string, filter.FilterKind> = {}) =>
  filter.filters({
    ...filter.paging,
    search: filter.search('text that occurs in its name or slug'),
    exclude: filter.terms('not these', kind),
    include: filter.terms('only these', kind),
    order: filter.word('asc or desc', { choices: ['asc', 'desc'] }),
    orderby: filter.word('what to sort by', { choices: ['name', 'id', 'slug', 'count', 'description', 'include'] }),
    hide_empty: filter.flag('leave out those that no published event has', { wire: { type: 'boolean', default: '1' } }),
    ...between,
    post: filter.post('those of this event', 'event'),
    event: filter.post('those of this event', 'event'),
    slug: filter.word('with exactly this slug'),
  });

/** The parameter that only categories have. */
export const parentFilter = {
  parent: {
    about: 'directly below this category',
    placeholder: 'id',
    links: 'categories' as const,
    wire: { type: 'integer' as const },
    check: (value: unknown, ctx: RequestContext) => termFault(value, 'category', ctx),
  },
};

const sortColumns = ['name', 'id', 'slug', 'count', 'description', 'term_group', 'include'];
const idsOf = (value: unknown) => listOf(value).map((item) => wholeNumber(item) ?? 0);

/** How terms are sorted: by name where nothing that is known is asked for, by `include` in the order of its IDs (`categories.list.orderby-*`). */
function orderOf(query: Query): Order[] {
  const asked = String(query.orderby).toLowerCase();
  const by = sortColumns.includes(asked) ? asked : 'name';
  const descending = query.order !== undefined && String(query.order).toLowerCase() !== 'asc';
  if (by === 'include' && query.include !== undefined) return [{ column: 'id', descending, as: idsOf(query.include) }];
  const column = by === 'include' ? 'name' : by;
  return [
    { column, descending, folded: column === 'name' || column === 'description' },
    // Of equal names the newest comes first, whichever way they are sorted.
    { column: 'id', descending: descending || column === 'name' },
  ];
}

/** What the list parameters of terms mean together (`categories.list.*`, `tags.list.*`). */
export const termListQuery =
  (kind: TermKind) =>
  (query: Query, ctx: RequestContext): ListQuery => {
    const where: Condition[] = [];
    if (query.include !== undefined) where.push({ test: 'among', column: 'id', values: idsOf(query.include) });
    if (query.exclude !== undefined && query.include === undefined)
      where.push({ test: 'outside', column: 'id', values: idsOf(query.exclude) });
    if (query.search !== undefined) where.push({ test: 'containing', words: [String(query.search)], without: [], together: true });
    if (filter.switchOf(query.hide_empty) ?? true) where.push({ test: 'after', column: 'count', value: 0 });
    if (kind === 'category' && query.parent !== undefined)
      where.push({ test: 'equal', column: 'parent', value: ctx.store.findTerm(kind, query.parent as string)! });
    const event = query.event ?? query.post;
    if (event !== undefined) where.push({ test: 'of', event: wholeNumber(event)! });
    if (query.slug !== undefined) where.push({ test: 'equal', column: 'slug', value: slugOf(String(query.slug)) });
    const linkParameters = Object.keys(query)
      .filter((name) => name !== 'page' && termFilters(kind, parentFilter).some((known) => known.name === name))
      .map((name): LinkParameter => [name, filter.shownList(query[name]), 'onward']);
    return { where, order: orderOf(query), ...filter.pageOf(query, ctx), linkParameters };
  };

function urlsOf(kind: TermKind, row: Row, site: Site): Record<string, string> {
  const collection = `${site.root}/${taxonomies[kind].path}`;
  return { self: `${collection}/${row.id}`, collection, ...(row.parent ? { up: `${collection}/${row.parent}` } : {}) };
}

const termUrls = {
  type: 'object',
  description: 'where it stands in this API, all terms of its kind, and the one above it',
  required: ['self', 'collection'],
  properties: { self: { type: 'string' }, collection: { type: 'string' }, up: { type: 'string' } },
};

/** The schema of a term as events show it. */
export const embeddedTermSchema = {
  type: 'object',
  required: ['name', 'slug', 'term_group', 'term_taxonomy_id', 'taxonomy', 'description', 'parent', 'count', 'filter', 'id', 'urls'],
  properties: {
    name: { type: 'string', description: 'its name' },
    slug: { type: 'string', description: 'the last part of its address' },
    term_group: { const: 0, description: 'always 0' },
    term_taxonomy_id: { type: 'integer', description: 'its ID' },
    taxonomy: { enum: Object.values(taxonomies).map(({ taxonomy }) => taxonomy), description: 'what kind of term it is' },
    description: { type: 'string', description: 'what it is for' },
    parent: { type: 'integer', description: 'the category it belongs under; 0 for none' },
    count: { type: 'integer', description: 'how many published events have it' },
    filter: { const: 'raw', description: 'always raw' },
    id: { type: 'integer', description: 'its ID' },
    urls: termUrls,
  },
};

/** The members of a term's answer, in the reference's order (`categories.list.default`, `tags.list.default`). */
const order = ['id', 'count', 'description', 'name', 'slug', 'taxonomy'];

/** The answer of categories or tags as their own routes give it. */
export const termAnswer = (kind: TermKind, fields: readonly field.Field[]): AnswerForm =>
  answerOf([...order, ...(kind === 'category' ? ['parent'] : []), 'meta', 'url', 'urls'], fields, {
    id: { show: (row) => Number(row.id), answer: { type: 'integer', description: 'its ID' } },
    count: { show: (row) => row.count, answer: { type: 'integer', description: 'how many published events have it' } },
    taxonomy: { show: () => taxonomies[kind].taxonomy, answer: { type: 'string', description: 'what kind of term it is' } },
    meta: { show: () => [], answer: field.emptyList, undocumented: true },
    url: {
      show: (_row, { lineage = [] }, { site }) => `${site.home}/${taxonomies[kind].page}/${lineage.join('/')}/`,
      answer: { type: 'string', description: 'its page' },
    },
    urls: { show: (row, _related, { site }) => urlsOf(kind, row, site), answer: termUrls, undocumented: true },
  });

/** A term as events show it (`events.get.every-field`). */
export function embeddedTerm(kind: TermKind, row: Row, site: Site): Entry {
  return {
    name: row.name,
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: taxonomies[kind].taxonomy,
    description: row.description,
    parent: row.parent ?? 0,
    count: row.count,
    filter: 'raw',
    id: Number(row.id),
    urls: urlsOf(kind, row, site),
  };
}
