import type { LinkBase } from '../context.ts';
import { listOf, toWholeNumber } from '../fields/coerce.ts';
import type { Column } from '../fields/field.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { ResourceRef } from '../fields/link.ts';
import type { FilterKind, ListForm, Order, Query } from '../fields/list.ts';
import { type ResponseForm, responseForm } from '../fields/response.ts';
import { pageAsSite } from '../fields/sayings.ts';
import { slugOf } from '../fields/slug.ts';
import { cleanTermDescription } from '../html/sanitize.ts';
import type { Entry, Row } from '../record.ts';
import { inWords } from '../site-address.ts';

/** The names of a kind of term in URLs and responses. */
interface Taxonomy {
  name: string;
  taxonomy: string;
  /** The path of its pages, in the words of a site that has chosen none. */
  page: string;
}

/** The fields that categories and tags have. */
export const termFields = {
  name: field.termName('Name'),
  description: field.termText('Description', (typed) => cleanTermDescription(typed), { control: 'text' }),
  slug: field.slug('URL slug'),
};

/** Columns of terms without a field: `count` is the number of published events. */
export const termColumns: Record<string, Column> = {
  count: { type: 'INTEGER', default: 0 },
  folded: { type: 'TEXT', default: '' },
  generated: { type: 'INTEGER', default: 0 },
  extra: { type: 'TEXT', default: '' },
};

/** The filters of terms; `between` are additional ones of one kind. */
export const termFilters = (target: ResourceRef, between: Record<string, FilterKind> = {}): Record<string, FilterKind> => ({
  ...filter.paging,
  search: filter.search('Search names and slugs', (value) => ({
    test: 'containing',
    words: [String(value)],
    without: [],
    together: true,
  })),
  exclude: filter.terms('Exclude these records', target, {
    condition: (value, { query }) => (query.include === undefined ? { test: 'notIn', column: 'id', values: idsOf(value) } : undefined),
  }),
  include: filter.terms('Only these records', target, { condition: (value) => ({ test: 'among', column: 'id', values: idsOf(value) }) }),
  order: filter.sorting('Sort direction', ['asc', 'desc']),
  orderby: filter.sorting('Property to sort by', ['name', 'id', 'slug', 'count', 'description', 'include']),
  hide_empty: filter.flag('Hide records without published events', {
    wire: { type: 'boolean', default: '1' },
    always: true,
    condition: (value) => ((filter.switchOf(value) ?? true) ? { test: 'after', column: 'count', value: 0 } : undefined),
  }),
  ...between,
  post: filter.post('Only records of this event', events, {
    condition: (value, { query }) =>
      query.event === undefined ? { test: 'linkedFrom', resource: events.name, id: toWholeNumber(value)! } : undefined,
  }),
  event: filter.linkedFrom('Only records of this event', events),
  slug: filter.word('Only the record with this slug', {
    condition: (value) => ({ test: 'equal', column: 'slug', value: slugOf(String(value)) }),
  }),
});

const events = { name: 'events', kind: 'event' };

const sortColumns = ['name', 'id', 'slug', 'count', 'description', 'term_group', 'include'];
const idsOf = (value: unknown) => listOf(value).map((item) => toWholeNumber(item) ?? 0);

/** The sort order of terms: by name by default, and for `include` the order of its IDs (`categories.list.orderby-*`). */
function orderOf(query: Query): Order[] {
  const orderBy = String(query.orderby).toLowerCase();
  const by = sortColumns.includes(orderBy) ? orderBy : 'name';
  const descending = query.order !== undefined && String(query.order).toLowerCase() !== 'asc';
  if (by === 'include' && query.include !== undefined) return [{ column: 'id', descending, as: idsOf(query.include) }];
  const column = by === 'include' ? 'name' : by;
  return [
    { column, descending, folded: column === 'name' || column === 'description' },
    // Among equal names the newest comes first, regardless of the direction.
    { column: 'id', descending: descending || column === 'name' },
  ];
}

/** The order of terms and of link parameters (`categories.list.*`, `tags.list.*`). */
export const termList: Pick<ListForm, 'order' | 'linkOrder'> = { order: orderOf, linkOrder: 'sent' };

function urlsOf(name: string, row: Row, site: LinkBase): Record<string, string> {
  const collection = `${site.root}/${name}`;
  return { self: `${collection}/${row.id}`, collection, ...(row.parent ? { up: `${collection}/${row.parent}` } : {}) };
}

const termUrls = {
  type: 'object',
  description: 'URLs of the record, its collection and its parent',
  required: ['self', 'collection'],
  properties: {
    self: { type: 'string', description: 'URL of the record' },
    collection: { type: 'string', description: 'URL of all records of its kind' },
    up: { type: 'string', description: 'URL of the parent' },
  },
};

/** The schema of a term as posts show it. */
export const embeddedTermSchema = (taxonomies: readonly string[]) => ({
  type: 'object',
  // Releases up to 2018 lack the others.
  required: ['name', 'slug', 'taxonomy', 'description', 'parent', 'count', 'id'],
  properties: {
    name: { type: 'string', description: 'Name' },
    slug: { type: 'string', description: 'URL slug' },
    term_group: { type: 'integer', const: 0, description: 'Always 0' },
    term_taxonomy_id: { type: 'integer', description: 'ID' },
    taxonomy: { type: 'string', examples: taxonomies, description: 'Taxonomy; that of categories follows the namespace of the server' },
    description: { type: 'string', description: 'Description' },
    parent: { type: 'integer', description: 'ID of the parent category; 0 for none' },
    count: { type: 'integer', description: 'Number of published events' },
    filter: { type: 'string', const: 'raw', description: 'Always raw' },
    id: { type: 'integer', description: 'ID' },
    urls: termUrls,
  },
});

/** The members of a term in responses, in the reference's order (`categories.list.default`, `tags.list.default`). */
const order = ['id', 'count', 'description', 'name', 'slug', 'taxonomy'];

/** The form of categories or tags in responses of their own routes. */
export const termResponse = ({ name, taxonomy, page }: Taxonomy, fields: readonly field.Field[]): ResponseForm =>
  responseForm([...order, ...fields.map((each) => each.name).filter((each) => each === 'parent'), 'meta', 'url', 'urls'], fields, {
    id: { show: (row) => Number(row.id), response: { type: 'integer', description: 'ID' } },
    count: { show: (row) => row.count, response: { type: 'integer', description: 'Number of published events' } },
    taxonomy: { show: (_row, _related, { site }) => taxonomyIn(site, taxonomy), response: { type: 'string', description: 'Taxonomy' } },
    meta: { show: () => [], response: field.emptyList, undocumented: true },
    url: {
      show: (row, { lineage = [] }, { site, slugs }) => pageAsSite(`${site.home}/${inWords(page, slugs)}/${lineage.join('/')}/`, row, site),
      response: { type: 'string', description: 'URL of the web page' },
    },
    urls: { show: (row, _related, { site }) => urlsOf(name, row, site), response: termUrls, undocumented: true },
  });

/** The taxonomy of tags, which WordPress defines. */
export const sharedTaxonomy = 'post_tag';

const taxonomyIn = ({ taxonomy: own }: LinkBase, taxonomy: string): string => (taxonomy === sharedTaxonomy ? taxonomy : (own ?? taxonomy));

/** A term as events embed it (`events.get.every-field`). */
export function embeddedTerm({ name, taxonomy }: Pick<Taxonomy, 'name' | 'taxonomy'>, row: Row, site: LinkBase): Entry {
  return {
    name: row.name,
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: taxonomyIn(site, taxonomy),
    description: row.description,
    parent: row.parent ?? 0,
    count: row.count,
    filter: 'raw',
    id: Number(row.id),
    urls: urlsOf(name, row, site),
  };
}

/** The links of a single term, as the member `_links` of its response has them. */
export const linksOf = ({ urls }: Entry): Record<string, { href: string }[]> =>
  Object.fromEntries(Object.entries((urls ?? {}) as Record<string, string>).map(([name, href]) => [name, [{ href }]]));
