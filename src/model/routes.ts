import { type Resource, type ResourceName, resourceNames } from './calendar.ts';
import { resources } from './resources/all.ts';

/** The five things that can be done to a resource. */
export type Action = 'list' | 'create' | 'get' | 'update' | 'delete';

/** The namespace of the specification; a server may have another. */
export const namespace = 'calendar/events/v1';

/** How an action is asked for over HTTP. */
export const methodsOf: Record<Action, readonly string[]> = {
  list: ['GET'],
  create: ['POST'],
  get: ['GET'],
  update: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
};

/** The status of the answer when an action went well. */
export const successOf = (action: Action): number => (action === 'create' ? 201 : 200);

/** A path of the API below the namespace, and what can be done there, in the order in which the index lists it. */
export interface Route {
  resource: ResourceName;
  /** What the last part of the path names: nothing for a whole collection. */
  by: 'all' | 'id' | 'slug';
  actions: readonly Action[];
}

const single = (resource: Resource): readonly Action[] =>
  resource.family === 'term' ? ['get', 'update', 'delete'] : ['get', 'delete', 'update'];

/** Every route of every resource. */
export const routes: readonly Route[] = resourceNames.flatMap((name): Route[] => {
  const resource: Resource = resources[name];
  const byId: Route[] = [
    { resource: name, by: 'all', actions: ['list', 'create'] },
    { resource: name, by: 'id', actions: single(resource) },
  ];
  return resource.family === 'post' ? [...byId, { resource: name, by: 'slug', actions: single(resource) }] : byId;
});

/** The path of a route below the namespace, its variable as `write` shows it. */
export const pathOf = (route: Route, write: (name: 'id' | 'slug') => string): string =>
  `/${route.resource}${route.by === 'all' ? '' : route.by === 'id' ? `/${write('id')}` : `/by-slug/${write('slug')}`}`;
