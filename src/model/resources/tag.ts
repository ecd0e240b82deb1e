import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { TermDefinition } from '../resource.ts';
import { sharedTaxonomy, termColumns, termFields, termFilters, termList, termResponse } from './term.ts';

const tags = { name: 'tags', kind: 'tag', taxonomy: sharedTaxonomy, page: 'tag' };

const fields = field.defineFields(termFields);

export const tag: TermDefinition = {
  ...tags,
  family: 'term',
  creators: 'editor',
  isTree: false,
  about: 'Tags of events',
  label: 'name',
  summary: ['id', 'name', 'slug', 'count'],
  mainFields: ['name', 'description', 'slug'],
  search: ['name', 'slug'],
  derived: termColumns,
  fields,
  response: termResponse(tags, fields),
  list: filter.listForm(fields, termFilters(tags), termList),
};
