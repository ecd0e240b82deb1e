import type { Resource, ResourceName } from '../model/calendar.ts';
import { resources, wholeQuery } from '../model/resources/all.ts';
import type { Resources } from '../model/resources/declared.ts';
import type { ParameterChoice, TableDefinition, TableDefinitions } from './definition.ts';

/** Members of records that repeat others or don't fit into a cell. */
const withoutColumn = /^(json_ld|urls|meta|custom_fields|global_id_lineage|\w+_details)$/;

const toTable = (resource: Resource): TableDefinition => {
  const { summary, response, fields, list } = resource;
  const columns = response.members.map(({ name }) => name).filter((name) => !withoutColumn.test(name));
  const links = fields.filter(({ join }) => join).map(({ name }) => name);
  const parameters = list.parameters.filter(({ name }) => name !== 'page' && name !== 'per_page');
  return {
    columns,
    summary: [...new Set([...summary, ...links, 'status', 'slug'])].filter((name) => columns.includes(name)),
    filters: parameters.map(({ name, about, choices, switch: flag, many, links }): ParameterChoice => {
      const values = choices ?? (flag && ['true', 'false']);
      return {
        name,
        about,
        ...(values && { choices: values }),
        ...(many && { many: true }),
        ...(links && links in resources && { links: links as ResourceName }),
      };
    }),
    whole: wholeQuery(resource, {}) as Record<string, string>,
    dateNames: list.dateNames,
  };
};

export const toTables = (all: Resources): TableDefinitions =>
  Object.fromEntries(Object.entries(all).map(([name, resource]) => [name, toTable(resource)])) as unknown as TableDefinitions;

export const tables = toTables(resources);
