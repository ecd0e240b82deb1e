import { generator } from '../model/routes.ts';
import { offsetAt, zoneOf } from '../model/time/zone.ts';
import { type Call, type DocumentContext, documentContext, type Endpoint, type Result, type ServerRoute } from './http.ts';
import type { Parameter } from './parameters.ts';

export function endpoint(methods: readonly string[], parameters: readonly Parameter[]): Endpoint {
  const args = parameters
    .filter(({ unindexed }) => !unindexed)
    .map(({ name, about, wire, required }) => [name, { description: about, ...wire, required }]);
  return { methods, args: args.length ? Object.fromEntries(args) : [] };
}

/** Describes a route for the namespace index and OPTIONS: its methods and their arguments (`meta.options.*`), and its URL if it is the only one. */
export function describeRoute({ path, endpoints }: ServerRoute, ctx: DocumentContext, { options, site }: Pick<Call, 'options' | 'site'>) {
  const described = endpoints?.(ctx, options) ?? [];
  return {
    namespace: options.namespace,
    methods: described.flatMap(({ methods }) => methods),
    endpoints: described,
    ...(path.includes('{') ? {} : { _links: { self: [{ href: `${site.root}${path}` }] } }),
  };
}

function describedRoutes(call: Call): Record<string, object> {
  const { service, routes, options } = call;
  const ctx = documentContext(service);
  const described = routes
    .filter((route) => route.endpoints)
    .map((route): [string, object] => {
      const pattern = route.path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)');
      return [`/${options.namespace}${pattern}`, describeRoute(route, ctx, call)];
    });
  return Object.fromEntries(described);
}

/** The namespace index: every route with its arguments (`meta.namespace-slash`). */
export function namespaceIndex(call: Call): Result {
  const { namespace } = call.options;
  const up = [{ href: apiRoot(call) }];
  return { status: 200, headers: {}, value: { namespace, routes: describedRoutes(call), _links: { up } } };
}

/** The URL of the API root, which `Link` headers contain. */
export const apiRoot = ({ site, options }: Pick<Call, 'site' | 'options'>): string => site.root.slice(0, -options.namespace.length);

/** The discovery root: title, namespace, and every route with its arguments. */
export function discoveryRoot(call: Call): Result {
  const { service, options, site } = call;
  const { zone, now } = service.requestContext();
  const value = {
    name: service.title(),
    description: '',
    url: site.home,
    home: site.home,
    // In hours, at the time of the calendar's clock.
    gmt_offset: offsetAt(zoneOf(zone)!, now) / 3600,
    timezone_string: zone,
    namespaces: [options.namespace],
    authentication: [],
    generator,
    routes: describedRoutes(call),
    _links: { self: [{ href: apiRoot(call) }] },
  };
  return { status: 200, headers: {}, value };
}
