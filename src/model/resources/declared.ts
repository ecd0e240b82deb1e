import { Failure } from '../error.ts';
import { type DeclaredType, declarableKinds, declaredTypes } from '../fields/declared.ts';
import { isOwnMember, storedValue } from '../fields/extra.ts';
import { type Field, defineFields as fieldsOf, kindOf, type Zod } from '../fields/field.ts';
import { type Filter, type FilterKind, filterOf } from '../fields/list.ts';
import { memberOf } from '../fields/response.ts';
import type { SqlValue } from '../record.ts';
import { globalNames, listNames, rareMembers } from '../unknown-names.ts';
import { type Resource, type ResourceName, resources } from './all.ts';
import { resourceNames } from './names.ts';

/** A field that a calendar adds to a resource. */
export interface Declaration {
  /** Type of the values. */
  type: DeclaredType;
  /** True if lists can be filtered by it. */
  filter?: boolean;
  /** Description in help and documents. */
  about?: string;
}

/** The fields that a calendar declares, by resource and name. */
export type Declarations = Partial<Record<ResourceName, Record<string, Declaration>>>;

/** The resources of a calendar: the definitions of all, with its declared fields. */
export type Resources = typeof resources;

const namePattern = /^[a-z][a-z0-9_]{0,63}$/;
/** Names that options of commands on records have. */
const optionNames = new Set(
  [
    'all',
    'create_missing',
    'data',
    'db',
    'dry_run',
    'duration',
    'fields',
    'header',
    'help',
    'json',
    'limit',
    'namespace',
    'now',
    'on',
  ].concat(
    ['output', 'password_stdin', 'profile', 'quiet', 'repeat', 'series', 'set', 'sort', 'template', 'timeout', 'today', 'tomorrow', 'tz'],
    ['url', 'user', 'verbose', 'web', 'where', 'yes', 'extra', 'resource', 'repeat', 'modified', 'modified_utc', 'generated', 'lineage'],
  ),
);

/** The part of a filter's name that says which bound it is. */
const filterNames = (name: string): string[] => [name, `${name}_min`, `${name}_max`];

/** Throws `bad-request` if a field can't be declared: its name is invalid or in use. */
function checkDeclaration(resource: ResourceName, name: string, declared: Declarations = {}): void {
  const fail = (reason: string, hint?: string) => {
    throw new Failure('bad-request', `Invalid field ${JSON.stringify(name)} of ${resource}: ${reason}`, hint);
  };
  if (!namePattern.test(name)) fail('names consist of lowercase letters, digits and underscores, and begin with a letter');
  const others = Object.fromEntries(Object.entries(declared[resource] ?? {}).filter(([other]) => other !== name));
  const { fields, response, list } = resourcesWith({ [resource]: others })[resource] as Resource;
  const members = new Set([...fields, ...response.members].map((each) => each.name));
  const parameters = new Set([...list.parameters.map((each) => each.name), ...globalNames, ...listNames]);
  if (members.has(name)) fail(`${resource} have a field of this name`);
  if (isOwnMember(name) || rareMembers.includes(name) || optionNames.has(name) || name in Object.prototype) fail('the name is reserved');
  const conflict = filterNames(name).find((each) => parameters.has(each) || (each !== name && members.has(each)));
  if (conflict) fail(`lists of ${resource} have the parameter ${conflict}`);
  if (/_(min|max)$/.test(name) && members.has(name.slice(0, -4))) fail(`it is the name of a bound of ${name.slice(0, -4)}`);
}

/** Throws `bad-request` if one of some declarations has an invalid name. */
export function checkDeclarations(declared: Declarations): void {
  for (const resource of resourceNames)
    for (const name of Object.keys(declared[resource] ?? {})) checkDeclaration(resource, name, declared);
}

const describe = (name: string, { about }: Declaration): string =>
  about || name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

function fieldFrom(name: string, declaration: Declaration): Field {
  const kind = declarableKinds[declaration.type].field(describe(name, declaration));
  const { value: show = (value: SqlValue) => value } = kind.shown ?? {};
  const own = { name, stored: kind.stored ?? {}, isDeclared: true as const };
  return fieldsOf({
    [name]: kindOf(kind, {
      unindexed: false,
      isDeclared: true,
      shown: { isAbsent: () => false, value: (_, row, related, view) => show(storedValue(own, row), row, related, view) },
    }),
  })[0]!;
}

/** A filter whose condition excludes records that a password hides from visitors. */
const withinSight = ({ condition, ...kind }: FilterKind): FilterKind => ({
  ...kind,
  condition: (value, call) => {
    const conditions = [condition(value, call) ?? []].flat();
    return call.ctx.viewer.role === 'anonymous' ? [...conditions, { test: 'equal', column: 'post_password', value: '' }] : conditions;
  },
});

function filtersFrom(name: string, declaration: Declaration, field: Field, { family }: Resource): Filter[] {
  if (!declaration.filter) return [];
  const kinds: Record<string, FilterKind> = declarableKinds[declaration.type].filters(name, field);
  return Object.entries(kinds).map(([each, kind]) => filterOf(each, family === 'post' ? withinSight(kind) : kind, field));
}

function extended(resource: Resource, declared: Record<string, Declaration>): Resource {
  const added = Object.entries(declared).map(([name, declaration]) => {
    const field = fieldFrom(name, declaration);
    return { field, filters: filtersFrom(name, declaration, field, resource) };
  });
  const filters = [...resource.list.filters, ...added.flatMap((each) => each.filters)];
  return {
    ...resource,
    fields: [...resource.fields, ...added.map(({ field }) => field)],
    response: { ...resource.response, members: [...resource.response.members, ...added.map(({ field }) => memberOf(field))] },
    list: { ...resource.list, filters, parameters: filters.flatMap(({ parameters }) => parameters) },
  };
}

const cache = new Map<string, Resources>();
/** Maximum number of cached sets of resources. */
const maxKnown = 100;

/** The definitions of all resources with the given fields. The same fields give the same definitions. */
export function resourcesWith(declared: Declarations): Resources {
  const key = JSON.stringify(declared);
  if (Object.values(declared).every((each) => !Object.keys(each).length)) return resources;
  const cached = cache.get(key);
  if (cached) return cached;
  if (cache.size >= maxKnown) cache.clear();
  const own = Object.fromEntries(
    resourceNames.map((name) => [name, declared[name] ? extended(resources[name], declared[name]) : resources[name]]),
  );
  cache.set(key, own as Resources);
  return own as Resources;
}

/** Throws `conflict` if a field is declared differently. */
export function joined(declared: Declarations, more: Declarations): Declarations {
  const all: Declarations = { ...declared };
  for (const name of resourceNames)
    for (const [field, declaration] of Object.entries(more[name] ?? {})) {
      const before = all[name]?.[field];
      if (before && !isSame(before, declaration))
        throw new Failure(
          'conflict',
          `The calendar declares the field ${field} of ${name} as ${declarationText(before)}, not as ${declarationText(declaration)}`,
          `Use the same declaration, or remove the field and its values with: calendar fields remove ${name} ${field}`,
        );
      all[name] = { ...all[name], [field]: before ?? declaration };
    }
  return all;
}

const isSame = (a: Declaration, b: Declaration): boolean => declarationText(a) === declarationText(b);

/** Formats a declaration for messages. Descriptions may differ. */
const declarationText = ({ type, filter = false }: Declaration): string => `${type} ${filter ? 'with' : 'without'} a filter`;

export const declarationForm = (z: Zod) =>
  z.strictObject({
    type: z.enum(declaredTypes).describe('Type of the values'),
    filter: z.boolean().optional().describe('True if lists can be filtered by it'),
    about: z.string().max(200).optional().describe('Description in help and documents'),
  });

export const declaredFieldsForm = (z: Zod) =>
  z
    .partialRecord(z.enum(resourceNames), z.record(z.string(), declarationForm(z)))
    .describe('Fields that the calendar adds to its records, by resource and name');
