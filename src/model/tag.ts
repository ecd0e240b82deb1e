import { termFields } from './category.ts';
import * as field from './field.ts';
import type { TermResource } from './resource.ts';
import { arrangeTerms, termColumns, termFilters } from './term.ts';

/** Tags: words that events are marked with. */
export const tag: TermResource = {
  name: 'tags',
  kind: 'tag',
  family: 'term',
  about: 'words that events are marked with',
  label: 'name',
  search: ['name', 'slug'],
  derived: termColumns,
  fields: field.fields(termFields),
  filters: termFilters('tag'),
  arrange: arrangeTerms('tag'),
};
