import type { TermResource } from '../calendar.ts';
import * as field from '../fields/kinds.ts';
import { parentFilter, termAnswer, termColumns, termFields, termFilters, termListQuery } from './term.ts';

const fields = field.fields({ ...termFields, parent: field.parentTerm('the category it belongs under', 'category') });

/** Categories: a tree that events are filed in. */
export const category: TermResource = {
  name: 'categories',
  kind: 'category',
  family: 'term',
  about: 'a tree that events are filed in',
  label: 'name',
  summary: ['id', 'name', 'slug', 'count', 'parent'],
  search: ['name', 'slug'],
  derived: termColumns,
  fields,
  answer: termAnswer('category', fields),
  filters: termFilters('category', parentFilter),
  listQuery: termListQuery('category'),
};
