import { pathOf } from '../../client/collection.ts';
import type { Ref } from '../../model/calendar.ts';
import { isObject } from '../../model/fields/coerce.ts';
import type { Query } from '../../model/fields/list.ts';
import type { Route } from '../../model/routes.ts';

/** A request to the site: a path below the root of its API, and a query. */
export interface SiteRequest {
  path: string;
  query: string;
}

/** Returns the request to a site for a read here: the parsed route and query. */
export function siteRequest(route: Route, ref: Ref | undefined, query: Query): SiteRequest {
  const parameters = Object.entries(siteParameters(query));
  return {
    path: ref === undefined ? `/${route.resource}` : pathOf(route.resource, ref),
    query: new URLSearchParams(parameters.flatMap(([name, value]) => pairsOf(name, value))).toString(),
  };
}

/** Returns the parameters that a site receives: without those that are applied here or select a route. */
export const siteParameters = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith('_') && name !== 'rest_route'));

/** Returns the pairs of a parameter with brackets for lists and objects. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value))
    return value.flatMap((each, at) => pairsOf(`${name}[${isObject(each) || Array.isArray(each) ? at : ''}]`, each));
  if (isObject(value)) return Object.entries(value).flatMap(([member, each]) => pairsOf(`${name}[${member}]`, each));
  return [[name, String(value)]];
}
