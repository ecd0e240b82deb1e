import type { ResourceName } from './resources/all.ts';
import { isTerms, resourceNames } from './resources/names.ts';

/** The actions on a resource. */
export type Action = 'list' | 'create' | 'get' | 'update' | 'delete';

/** The default namespace, as in the specification. */
export const namespace = 'calendar/events/v1';

/** Matches a namespace in a path: two words and a version. */
export const namespaced = /\/([^/]+\/events\/v\d+)(?=\/|$)/;

/** The namespace in an address, if it has one. A site without pretty addresses has it in a parameter. */
export function namespaceIn(address: string): string | undefined {
  const { pathname, searchParams } = new URL(address);
  return namespaced.exec(searchParams.get('rest_route') ?? pathname)?.[1];
}

/** The member `generator` of discovery roots. */
export const generator = 'local-calendar';

/** The taxonomy of categories that belongs to a namespace: `brand_events_cat` of `brand/events/v1`. */
export const taxonomyOf = (namespace: string): string => `${namespace.split('/').slice(0, -1).join('_')}_cat`;

/** The post type of events that belongs to the taxonomy of categories: `brand_events` of `brand_events_cat`. */
export const postTypeOf = (taxonomy: string = taxonomyOf(namespace)): string => taxonomy.replace(/_cat$/, '');

/** The HTTP methods of each action. */
export const methodsOf: Record<Action, readonly string[]> = {
  list: ['GET'],
  create: ['POST'],
  get: ['GET'],
  update: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
};

export const successOf = (action: Action): number => (action === 'create' ? 201 : 200);

/** A path of the API below the namespace, and its actions in the order of the namespace index. */
export interface Route {
  resource: ResourceName;
  /** The parameter in the path. */
  by: 'all' | 'id' | 'slug';
  actions: readonly Action[];
}

const single = (name: ResourceName): readonly Action[] => (isTerms(name) ? ['get', 'update', 'delete'] : ['get', 'delete', 'update']);

export const routes: readonly Route[] = resourceNames.flatMap((name): Route[] => {
  const byId: Route[] = [
    { resource: name, by: 'all', actions: ['list', 'create'] },
    { resource: name, by: 'id', actions: single(name) },
  ];
  return isTerms(name) ? byId : [...byId, { resource: name, by: 'slug', actions: single(name) }];
});

/** The path of a route below the namespace; `write` formats the parameter. */
export const routePath = (route: Route, write: (name: 'id' | 'slug') => string): string =>
  `/${route.resource}${route.by === 'all' ? '' : route.by === 'id' ? `/${write('id')}` : `/by-slug/${write('slug')}`}`;
