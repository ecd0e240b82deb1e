import type { TermResource } from '../calendar.ts';
import * as field from '../fields/kinds.ts';
import { termAnswer, termColumns, termFields, termFilters, termListQuery } from './term.ts';

const fields = field.fields(termFields);

/** Tags: words that events are marked with. */
export const tag: TermResource = {
  name: 'tags',
  kind: 'tag',
  family: 'term',
  about: 'words that events are marked with',
  label: 'name',
  summary: ['id', 'name', 'slug', 'count'],
  search: ['name', 'slug'],
  derived: termColumns,
  fields,
  answer: termAnswer('tag', fields),
  filters: termFilters('tag'),
  listQuery: termListQuery('tag'),
};
