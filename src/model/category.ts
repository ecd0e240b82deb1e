import * as field from './field.ts';
import { cleanTermDescription, cleanTermName } from './html.ts';
import type { TermResource } from './resource.ts';
import { arrangeTerms, parentFilter, termColumns, termFilters } from './term.ts';

/** The fields that categories and tags have. */
export const termFields = {
  name: field.html('its name', { required: true, stored: (value) => cleanTermName(String(value)) }),
  description: field.html('what it is for', { stored: (value) => cleanTermDescription(String(value)) }),
  slug: field.slug('the last part of its address'),
};

/** Categories: a tree that events are filed in. */
export const category: TermResource = {
  name: 'categories',
  kind: 'category',
  family: 'term',
  about: 'a tree that events are filed in',
  label: 'name',
  search: ['name', 'slug'],
  derived: termColumns,
  fields: field.fields({ ...termFields, parent: field.parentTerm('the category it belongs under', 'category') }),
  filters: termFilters('category', parentFilter),
  arrange: arrangeTerms('category'),
};
