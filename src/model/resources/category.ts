import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { TermDefinition } from '../resource.ts';
import { termColumns, termFields, termFilters, termList, termResponse } from './term.ts';

const categories = { name: 'categories', kind: 'category', taxonomy: 'calendar_events_cat', page: 'events/category' };

const fields = field.defineFields({ ...termFields, parent: field.toTerm('Parent category', categories) });

export const category: TermDefinition = {
  ...categories,
  family: 'term',
  creators: 'author',
  isTree: true,
  about: 'Hierarchical categories of events',
  label: 'name',
  summary: ['id', 'name', 'slug', 'count', 'parent'],
  mainFields: ['name', 'parent', 'description', 'slug'],
  search: ['name', 'slug'],
  derived: termColumns,
  fields,
  response: termResponse(categories, fields),
  list: filter.listForm(
    fields,
    termFilters(categories, { parent: filter.term('Only direct children of this category', categories) }),
    termList,
  ),
};
