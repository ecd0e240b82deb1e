import type { Resource, ResourceName } from '../model/calendar.ts';
import { emptyList, type Field } from '../model/fields/field.ts';
import type { ListParameter } from '../model/fields/list.ts';
import { capitalized } from '../model/grammar.ts';
import { type OperationName, operations } from '../model/operations/all.ts';
import type { PageAddress } from '../model/resource.ts';
import { resources, wholeQuery } from '../model/resources/all.ts';
import type { Resources } from '../model/resources/declared.ts';
import { rareMembers } from '../model/unknown-names.ts';

/** A field as the forms use it. */
export interface FieldDefinition extends Pick<Field, 'name' | 'control' | 'required' | 'many' | 'isDeclared' | 'choices'> {
  /** A sentence, unless the label of the field says it. */
  hint?: string;
  /** Resource that the field links to. */
  links?: ResourceName;
}

/** The names of a resource and the kind of its links. */
interface RecordLabel extends Pick<Resource, 'kind'> {
  /** Field that contains the name or title of a record. */
  label: string;
  /** True if links refer to records by ID, not by slug. */
  isPost?: true;
  /** The start of the addresses of its pages, and the type of posts in others. */
  page: Pick<PageAddress, 'base'> & Partial<PageAddress>;
}

/** A resource as the forms use it. */
export interface FormDefinition {
  /** The members that the API defines beside the columns of its table. */
  members: readonly string[];
  fields: FieldDefinition[];
  /** The fields that are always visible, in this order. All others are under “More options”. */
  mainFields: readonly string[];
}

export type Definitions = Record<ResourceName, FormDefinition>;

/** A filter of events that the calendar offers, named like the parameter of the API. */
export interface FilterDefinition {
  name: string;
  about: string;
  kind: 'records' | 'switch' | 'text' | 'number';
  /** Resource of the records to choose from. */
  links?: ResourceName;
}

/** A list parameter as the tables use it. */
export interface ParameterChoice extends Pick<ListParameter, 'name' | 'about' | 'choices' | 'many'> {
  /** Resource whose records are its values. */
  links?: ResourceName;
}

/** A resource as the tables use it. */
interface TableDefinition {
  /** All columns: members of a record that fit into a cell. */
  columns: readonly string[];
  /** The columns that are shown at first. */
  summary: readonly string[];
  filters: readonly ParameterChoice[];
  /** Parameters that select all records, including those that lists leave out by default. */
  whole: Readonly<Record<string, string>>;
  /** Parameters of which any one replaces the dates in `whole`. */
  dateNames: readonly string[];
}

type TableDefinitions = Record<ResourceName, TableDefinition>;

/** The names of all resources, as plain data. */
export const labels = Object.fromEntries(
  Object.values(resources).map(({ name, label, kind, family, page }) => [
    name,
    { label, kind, ...(family === 'post' ? { isPost: true, page } : { page: { base: page } }) },
  ]),
) as Record<ResourceName, RecordLabel>;

/** Fields whose labels need no hint. */
const fieldsWithoutHint = new Set([
  'start_date',
  'end_date',
  'all_day',
  'timezone',
  'address',
  'zip',
  'phone',
  'email',
  'website',
  'slug',
  'stateprovince',
  'status',
  'date',
  'date_utc',
]);

/** Members of records that repeat others or don't fit into a cell. */
const withoutColumn = /^(json_ld|urls|meta|custom_fields|global_id_lineage|\w+_details)$/;

const needsHint = ({ name, about, control }: Field): boolean =>
  !/^(records?|terms)$/.test(control) && !fieldsWithoutHint.has(name) && about.toLowerCase() !== name.replaceAll('_', ' ');

const toDefinition = ({ fields, response, mainFields, label }: Resource): FormDefinition => ({
  mainFields,
  members: [
    ...response.members.filter((member) => member.response !== emptyList && withoutColumn.test(member.name)).map(({ name }) => name),
    ...rareMembers,
  ],
  fields: fields.map((field) => ({
    name: field.name,
    ...(needsHint(field) && field.name !== label && { hint: `${capitalized(field.about)}.` }),
    control: field.control,
    ...(field.required && { required: true }),
    ...(field.many && { many: true }),
    ...(field.isDeclared && { isDeclared: true }),
    ...(field.choices && { choices: field.choices }),
    ...(field.links && field.links in resources && { links: field.links as ResourceName }),
  })),
});

export const toDefinitions = (all: Resources): Definitions =>
  Object.fromEntries(Object.entries(all).map(([name, resource]) => [name, toDefinition(resource)])) as Definitions;

export const definitions = toDefinitions(resources);

/** The kind of control for a filter; undefined for paging, search, dates and others that have controls elsewhere. */
function filterKind({ fields, list }: Resource, name: string): FilterDefinition['kind'] | undefined {
  const parameter = list.parameters.find((each) => each.name === name)!;
  const field = fields.find((each) => each.name === name);
  if (!field || field.extension || parameter.extension || parameter.topic || parameter.choices) return undefined;
  if (parameter.links) return parameter.many ? 'records' : undefined;
  if (parameter.switch) return 'switch';
  return parameter.placeholder === 'n' ? 'number' : 'text';
}

/** The filters that the calendar offers: the list parameters of events that compare a field. */
export const toFilters = (events: Resource): FilterDefinition[] =>
  events.list.parameters.flatMap(({ name, about, links }) => {
    const kind = filterKind(events, name);
    return kind ? [{ name, about, kind, ...(kind === 'records' && { links: links as ResourceName }) }] : [];
  });

export const filterDefinitions = toFilters(resources.events);

const toTable = (resource: Resource): TableDefinition => {
  const { summary, response, fields, list } = resource;
  const columns = response.members.map(({ name }) => name).filter((name) => !withoutColumn.test(name));
  const links = fields.filter(({ control, stored: { join } }) => join || control === 'cost').map(({ name }) => name);
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

/** The operations that the page calls, which contains their paths. */
const pageOperations = [
  'health',
  'export',
  'import',
  'seed',
  'reset',
  'worlds',
  'createWorld',
  'sites',
  'pullNow',
  'conflicts',
  'resolveConflicts',
  'advanceClock',
  'freezeClock',
  'resetClock',
  'resumeClock',
  'faults',
  'addFault',
  'removeFault',
  'clearFaults',
  'releaseFault',
  'requests',
  'clearRequests',
  'snapshots',
  'saveSnapshot',
  'keepSnapshot',
  'restoreSnapshot',
  'deleteSnapshot',
  'snapshotFile',
] as const satisfies readonly OperationName[];
export type PageOperation = (typeof pageOperations)[number];

/** Method and path of these operations, like `GET /clock`. */
export const operationRoutes = Object.fromEntries(
  pageOperations.map((id) => [id, `${operations[id].method} ${operations[id].path}`]),
) as Record<PageOperation, string>;
