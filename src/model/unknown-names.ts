import { didYouMean } from './did-you-mean.ts';
import { isObject } from './fields/coerce.ts';
import { resources as allResources, type Resource, type ResourceName } from './resources/all.ts';
import { linkFields } from './resources/relations.ts';
import type { Action } from './routes.ts';

/** Parameter of the address to which a fault redirects. */
export const redirectedName = 'redirected';

/** Query parameters of every route, including those of the reference that have no effect here. */
export const globalNames: readonly string[] = [
  '_',
  '_embed',
  '_envelope',
  '_fields',
  '_jsonp',
  '_locale',
  '_method',
  '_pretty',
  '_uid',
  '_wpnonce',
  'context',
  'password',
  redirectedName,
  'rest_route',
];
/** The global parameters that have an effect where there is no HTTP. */
const effectiveNames: readonly string[] = ['_uid', 'context', 'password'];
/** Parameters that lists of the reference accept on every resource. */
export const listNames: readonly string[] = ['order', 'orderby'];
/** Members that records have only in some responses. */
export const rareMembers: readonly string[] = ['_links', 'uid', 'sequence', 'series_uid', 'recurrence_id', 'prices', 'raw', 'extra'];

/** A name that an action doesn't know. */
interface UnknownName {
  name: string;
  /** The closest known names, as a question. */
  suggestion: string | undefined;
}

/** The names that queries and inputs may use. */
interface KnownNames {
  names: ReadonlySet<string>;
  suggested: readonly string[];
  /** The field that names a record; absent for a query. */
  label?: string | undefined;
}

const cached = { list: new WeakMap<Resource, KnownNames>(), input: new WeakMap<Resource, KnownNames>() };

function knownNames(resource: Resource, isList: boolean): KnownNames {
  const cache = cached[isList ? 'list' : 'input'];
  const before = cache.get(resource);
  if (before) return before;
  const { list, fields, response } = resource;
  const suggested = (isList ? list.parameters : fields).map((each) => each.name);
  const others = isList ? listNames : [...response.members.map((each) => each.name), ...rareMembers];
  const names = { suggested, names: new Set([...suggested, ...others, ...globalNames]), label: isList ? undefined : resource.label };
  cache.set(resource, names);
  return names;
}

/** Number of unknown names that get a suggestion. */
const maxSuggestions = 10;

/**
 * The names in a query or an input that an action ignores. Fields include every member of a response, so that a record that was read
 * can be sent back, and members of linked records that are created: `venue.city`.
 */
export function unknownNames(
  resources: Record<ResourceName, Resource>,
  resource: ResourceName,
  action: Action,
  values: Record<string, unknown>,
): UnknownName[] {
  const isList = action === 'list';
  const unknown: { name: string; valid: KnownNames }[] = [];
  const collect = (target: ResourceName, record: Record<string, unknown>, prefix = ''): void => {
    const validNames = knownNames(resources[target], isList);
    for (const name in record) if (!validNames.names.has(name)) unknown.push({ name: prefix + name, valid: validNames });
    if (isList || prefix !== '') return;
    for (const { name, links } of linkFields(target))
      for (const inner of [record[name]].flat()) if (isObject(inner) && !('id' in inner)) collect(links, inner, `${name}.`);
  };
  collect(resource, values);
  return unknown.map(({ name, valid: known }, at) => ({
    name,
    suggestion: at < maxSuggestions ? suggestionFor(name.slice(name.indexOf('.') + 1), known) : undefined,
  }));
}

/** The names in the values of a call without HTTP that only a request may have: those of its response's form, and the order of lists that have one order. */
export const namesWithoutEffect = ({ list }: Resource, action: Action, values: Record<string, unknown>): string[] =>
  Object.keys(values).filter((name) =>
    listNames.includes(name)
      ? action === 'list' && list.parameters.every((parameter) => parameter.name !== name)
      : globalNames.includes(name) && !effectiveNames.includes(name),
  );
/** Names that a client uses for the name of a record: those of other resources. */
const labels = new Set([...Object.values(allResources).map(({ label }) => label), 'name', 'title']);

/** A question about the name that was probably meant. */
const suggestionFor = (name: string, { suggested, label }: KnownNames): string | undefined =>
  label !== undefined && labels.has(name) ? `Did you mean ${label}?` : didYouMean(name, suggested);

/** A phrase about an unknown name, for the reasons of a failure. */
export const unknownReason = ({ suggestion }: UnknownName): string => (suggestion ? `is unknown. ${suggestion}` : 'is unknown');
