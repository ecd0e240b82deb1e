import { frontPaths } from '../model/addresses.ts';
import type { Ref } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { percentDecoded } from '../model/fields/coerce.ts';
import { actingMethod } from '../model/operations/request-match.ts';
import type { Service } from '../model/operations/service.ts';
import { taxonomyOf } from '../model/routes.ts';
import { anonymous, owner, type Viewer } from '../model/viewer.ts';
import { type ActionHandler, runAction } from './actions.ts';
import { queryOf } from './body.ts';
import { routeHint } from './hints.ts';
import { HookRejection } from './hooks/functions.ts';
import { type Call, documentContext, type Handle, type HandlerOptions, type Request, type Result, type ServerRoute } from './http.ts';
import { describeRoute } from './namespace-index.ts';
import { asFailure, failureResponse, failureResult, finish, isReadMethod } from './response.ts';
import { routesWith } from './routes.ts';
import { checkOrigin, checkScript, corsHeaders, credentialsOf, hasToken } from './token.ts';

/** Creates the handler of a calendar, which finds the route of a request and returns its response. `handleAction` runs actions on records. */
export function createHandler(service: Service, options: HandlerOptions, handleAction: ActionHandler = runAction): Handle {
  const routes = routesWith(handleAction, options);
  const find = finderOf(routes, options);
  return async (request) => {
    try {
      const call = callOf(request, service, options, routes);
      const result = await resultOf(call, find).catch((error) =>
        error instanceof HookRejection ? error.result : failureResult(asFailure(error)),
      );
      return finish(result, call);
    } catch (error) {
      // The query itself is invalid, so none of its parameters applies.
      return failureResponse(asFailure(error), corsHeaders(request, options));
    }
  };
}

function callOf(request: Request, service: Service, options: HandlerOptions, routes: readonly ServerRoute[]): Call {
  const query = request.query === '' ? {} : queryOf(request.query);
  const method = actingMethod(request.method, request.headers, query._method);
  const home = (options.home ?? originOf(request)) + (request.prefix ?? '');
  const taxonomy = options.taxonomy ?? taxonomyOf(options.namespace);
  const site = { home, root: `${home}${options.basePath}/${options.namespace}`, taxonomy, posters: options.posters };
  const callback = query._jsonp;
  if (callback !== undefined && (typeof callback !== 'string' || !/^[\w$.]+$/.test(callback)))
    throw new Failure('rest_callback_invalid', 'Invalid _jsonp: must be a function name');
  return { request, service, options, routes, method, query, site, hints: [], viewer: anonymous, ref: undefined };
}

const originOf = ({ protocol = 'http', headers }: Request): string => `${protocol}://${headers.host ?? '127.0.0.1'}`;

type RouteMatch = { route: ServerRoute; ref: Ref | undefined };

function finderOf(routes: readonly ServerRoute[], { basePath, namespace }: HandlerOptions): (path: string) => RouteMatch | undefined {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const patterns = routes.map((route) => {
    const variables = route.path.replace('{id}', '(?<id>\\d+)').replace('{parents}', '(?:[^/]+/)*').replace('{slug}', '(?<slug>[^/]+)');
    const start = { site: '', 'base path': basePath, namespace: `${basePath}/${namespace}` }[route.below];
    return { route, pattern: new RegExp(`^${literal(start)}${variables}/?$`) };
  });
  return (path) => {
    for (const { route, pattern } of patterns) {
      const match = pattern.exec(path);
      if (match) return { route, ref: match.groups && refOf(match.groups) };
    }
    return undefined;
  };
}

function refOf({ id, slug = '' }: Record<string, string>): Ref {
  if (id !== undefined) return { id: Number(id) };
  return { slug: percentDecoded(slug) };
}

const isSafe = (method: string) => isReadMethod(method) || method === 'OPTIONS';

/** Throws `rest_no_route` if there is none. */
async function resultOf(call: Call, find: (path: string) => RouteMatch | undefined): Promise<Result> {
  const { request, query, service, options, method } = call;
  if (query._jsonp !== undefined) checkScript(request, options);
  else if (!isSafe(method) || !isSafe(request.method)) checkOrigin(request, options);
  const isFront = typeof query.rest_route === 'string' && frontPaths.includes(request.path);
  const path = isFront ? `${options.basePath}${query.rest_route}` : request.path;
  const match = find(path);
  // Every route takes the preflight requests of browsers.
  const isDescribed = match && (match.route.endpoints || request.headers['access-control-request-method'] !== undefined);
  const isSupported = method === 'OPTIONS' ? isDescribed : match?.route.methods.includes(method === 'HEAD' ? 'GET' : method);
  if (!match || !isSupported) {
    const hint = match ? `It takes ${match.route.methods.join(', ')}` : routeHint(request, options, find);
    throw new Failure('rest_no_route', `No route for ${method} ${request.path}`, hint);
  }
  const { route, ref } = match;
  call.ref = ref;
  call.viewer = await viewerOf(call);
  const Allow = (route.allow?.(call) ?? route.methods).join(', ');
  if (method === 'OPTIONS') return { status: 200, headers: { Allow }, value: describeRoute(route, documentContext(service), options) };
  try {
    const result = await route.respond(call);
    return { ...result, headers: { Allow, ...result.headers } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const result = failureResult(error);
    return { ...result, headers: { Allow, ...result.headers } };
  }
}

/** Returns the viewer of a request: the owner by token, a visitor who may write to the copied site by token, the default viewer if there are no users, a user by Basic credentials, otherwise a visitor. */
function viewerOf({ request, service, options }: Call): Viewer | Promise<Viewer> {
  if (hasToken(request, options.token)) return owner;
  if (options.copyOf?.forwards(request)) return { ...anonymous, forwards: true };
  if (!service.hasUsers()) return service.defaultViewer();
  const [scheme, credentials] = credentialsOf(request);
  if (scheme !== 'basic') {
    // Pages of the reference send this with a session cookie, which does not exist here.
    if (request.headers['x-wp-nonce'])
      throw new Failure('rest_cookie_invalid_nonce', 'X-WP-Nonce is not supported; send Basic credentials instead');
    return anonymous;
  }
  const [name = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return service.authenticate(name, password.join(':'));
}
