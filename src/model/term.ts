import type { Asking, TermKind } from './asking.ts';
import { type Column, termFault } from './field.ts';
import type { Arrangement, Condition, Order, Query, Shown } from './filter.ts';
import * as filter from './filter.ts';
import type { Site } from './post.ts';
import type { Entry, Row } from './resource.ts';
import { listOf, wholeNumber } from './value.ts';

const taxonomies: Record<TermKind, { taxonomy: string; path: string; page: string }> = {
  category: { taxonomy: 'calendar_events_cat', path: 'categories', page: 'events/category' },
  tag: { taxonomy: 'post_tag', path: 'tags', page: 'tag' },
};

/** The columns of terms that no field fills: `count` is the number of published events. */
export const termColumns: Record<string, Column> = {
  count: { type: 'INTEGER', default: 0 },
  folded: { type: 'TEXT', default: '' },
  generated: { type: 'INTEGER', default: 0 },
};

/** The list parameters of categories and tags; `between` stands where categories have one more. */
export const termFilters = (kind: TermKind, between: Record<string, Omit<filter.Filter, 'name'>> = {}) =>
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
    wire: { type: 'integer' as const },
    check: (value: unknown, asking: Asking) => termFault(value, 'category', asking),
  },
};

const sortColumns = ['name', 'id', 'slug', 'count', 'description', 'term_group', 'include'];
function orderOf(query: Query): Order[] {
  const by = sortColumns.includes(String(query.orderby)) ? String(query.orderby) : 'name';
  const descending = query.order !== undefined && String(query.order).toLowerCase() !== 'asc';
  const column = by === 'include' ? 'name' : by;
  return [
    { column, descending, folded: column === 'name' || column === 'description' },
    // Of equal names the newest comes first, whichever way they are sorted.
    { column: 'id', descending: descending || column === 'name' },
  ];
}

/** What the list parameters of terms mean together. As in the reference. */
export const arrangeTerms =
  (kind: TermKind) =>
  (query: Query, asking: Asking): Arrangement => {
    const where: Condition[] = [];
    const idsOf = (value: unknown) => listOf(value).map((item) => wholeNumber(item) ?? 0);
    if (query.include !== undefined) where.push({ test: 'among', column: 'id', values: idsOf(query.include) });
    if (query.exclude !== undefined && query.include === undefined)
      where.push({ test: 'outside', column: 'id', values: idsOf(query.exclude) });
    if (query.search !== undefined) where.push({ test: 'containing', words: [String(query.search)], without: [], together: true });
    if (filter.switchOf(query.hide_empty) ?? true) where.push({ test: 'after', column: 'count', value: 0 });
    if (kind === 'category' && query.parent !== undefined)
      where.push({ test: 'equal', column: 'parent', value: asking.store.findTerm(kind, query.parent as string)! });
    const event = query.event ?? query.post;
    if (event !== undefined) where.push({ test: 'of', event: wholeNumber(event)! });
    if (query.slug !== undefined) where.push({ test: 'equal', column: 'slug', value: String(query.slug) });
    const shown = Object.keys(query)
      .filter((name) => name !== 'page' && termFilters(kind, parentFilter).some((known) => known.name === name))
      .map((name): Shown => [name, filter.shownList(query[name]), 'onward']);
    return { where, order: orderOf(query), ...filter.pageOf(query, asking), shown };
  };

/** The slugs of a category's ancestors and its own, from the top. */
export type Lineage = string[];

function urlsOf(kind: TermKind, row: Row, site: Site): Record<string, string> {
  const collection = `${site.root}/${taxonomies[kind].path}`;
  return { self: `${collection}/${row.id}`, collection, ...(row.parent ? { up: `${collection}/${row.parent}` } : {}) };
}

/** A term as its own routes show it. As in the reference. */
export function termEntry(kind: TermKind, row: Row, lineage: Lineage, site: Site): Entry {
  const { taxonomy, page } = taxonomies[kind];
  return {
    id: Number(row.id),
    count: row.count,
    description: row.description,
    name: row.name,
    slug: row.slug,
    taxonomy,
    ...(kind === 'category' ? { parent: row.parent } : {}),
    meta: [],
    url: `${site.home}/${page}/${lineage.join('/')}/`,
    urls: urlsOf(kind, row, site),
  };
}

/** A term as events show it. As in the reference. */
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
