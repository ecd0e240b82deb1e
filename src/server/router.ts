import { folderOf, isAbsolute, isControl, isFrontPath, pathInFolder } from '../model/addresses.ts';
import type { Ref, SentRef } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { percentDecoded } from '../model/fields/coerce.ts';
import { base64Bytes, utf8Text } from '../model/formats/bytes.ts';
import { encodeEntities } from '../model/html/plain-text.ts';
import { actingMethod } from '../model/operations/request-match.ts';
import type { Service } from '../model/operations/service.ts';
import { taxonomyOf } from '../model/routes.ts';
import { anonymous, owner, type Viewer } from '../model/viewer.ts';
import { isPageData } from '../model/web-page.ts';
import { checkEncoded, parseQuery } from './body.ts';
import { UndoLog } from './changes/undo-log.ts';
import { routeHint } from './hints.ts';
import { HookRejection } from './hooks/functions.ts';
import {
  type Call,
  documentContext,
  type Handle,
  type HandlerOptions,
  namesHtml,
  type Result,
  type ServerRequest,
  type ServerResponse,
  type ServerRoute,
  textBody,
} from './http.ts';
import { describeRoute } from './namespace-index.ts';
import { asFailure, failureResponse, failureResult, formatted, isReadMethod } from './response.ts';
import { routesWith } from './routes.ts';
import type { LoadPage } from './site/document.ts';
import { authorizationOf, checkOrigin, checkScript, hasToken } from './token.ts';

/** Creates the handler of a calendar, which finds the route of a request and returns its response. */
export function createHandler(service: Service, options: HandlerOptions, undoLog = new UndoLog()): Handle {
  const routes = routesWith(options);
  let find: ReturnType<typeof finderOf> | undefined;
  return async (request) => {
    try {
      if (options.copyOf?.pending !== undefined) return pendingResponse(request, options.copyOf.pending);
      // A copy that was pending has another namespace than before.
      find ??= finderOf(routes, options, service);
      const call = { ...callOf(request, service, options, routes), undoLog };
      const result = await resultOf(call, find).catch((error) =>
        error instanceof HookRejection ? error.result : failureResult(asFailure(error)),
      );
      return formatted(result, call);
    } catch (error) {
      // The query itself is invalid, so none of its parameters applies.
      return failureResponse(asFailure(error));
    }
  };
}

/** The response while the calendar is copied: for a browser a page that shows the progress and loads itself again. */
function pendingResponse({ headers }: ServerRequest, progress: string): ServerResponse {
  const failure = failureResponse(new Failure('not-ready', progress));
  if (!namesHtml(headers)) return { ...failure, headers: { ...failure.headers, Vary: 'Accept' } };
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Copying</title><p>${encodeEntities(progress)}`;
  return { ...failure, headers: { ...failure.headers, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' }, body: textBody(page) };
}

function callOf(request: ServerRequest, service: Service, options: HandlerOptions, routes: readonly ServerRoute[]): Omit<Call, 'undoLog'> {
  if (request.path.includes('%')) checkEncoded('the path', request.path);
  const query = request.query === '' ? {} : parseQuery(request.query);
  const method = actingMethod(request.method, request.headers, query._method);
  const start = (options.publicUrl ?? originOf(request)) + (request.prefix ?? '');
  const taxonomy = options.taxonomy ?? taxonomyOf(options.namespace);
  const site = {
    home: start + folderOf(options.basePath),
    root: `${start}${options.basePath}/${options.namespace}`,
    taxonomy,
    posters: options.posters,
    resetsOmitted: request.resetsOmitted,
  };
  const callback = query._jsonp;
  if (callback !== undefined && (typeof callback !== 'string' || !/^[\w$.]+$/.test(callback)))
    throw new Failure('rest_callback_invalid', 'Invalid _jsonp: must be a function name');
  return { request, service, options, routes, method, query, site, hints: [], mistakes: [], viewer: anonymous, ref: undefined };
}

const originOf = ({ protocol = 'http', headers, address = '127.0.0.1' }: ServerRequest): string =>
  `${protocol}://${headers.host ?? address}`;

type RouteMatch = { route: ServerRoute; ref: Ref | undefined };

function finderOf(
  routes: readonly ServerRoute[],
  { basePath, namespace }: HandlerOptions,
  service: Service,
): (path: string) => RouteMatch | undefined {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const patterns = routes.map((route) => {
    const start = { origin: '', site: folderOf(basePath), 'base path': basePath, namespace: `${basePath}/${namespace}` }[route.below];
    if (route.matches) return { route, start };
    const variables = route.path.replace('{id}', '(?<id>\\d+)').replace('{parents}', '(?:[^/]+/)*').replace('{slug}', '(?<slug>[^/]+)');
    return { route, start, pattern: new RegExp(`^${literal(start)}${variables}/?$`) };
  });
  return (path) => {
    for (const { route, start, pattern } of patterns) {
      const match = pattern?.exec(path);
      if (match) return { route, ref: match.groups && refOf(match.groups) };
      if (route.matches && path.startsWith(start) && route.matches(path.slice(start.length), service.slugs()))
        return { route, ref: undefined };
    }
    return undefined;
  };
}

function refOf({ id, slug = '' }: Record<string, string>): SentRef {
  if (id !== undefined) return Number.isSafeInteger(Number(id)) ? { id: Number(id) } : { id: Number(id), sent: id };
  return { slug: percentDecoded(slug) };
}

const isSafe = (method: string) => isReadMethod(method) || method === 'OPTIONS';

/** True if a browser opens an address outside of the API. */
const isNavigation = ({ method, request, options }: Call): boolean =>
  method === 'GET' &&
  namesHtml(request.headers) &&
  (isControl(request.path) ? !isPageData(request.path) : !isAbsolute(request.path, `${options.basePath}/${options.namespace}`));

/** The address of a page in the folder of the site for one without the folder. */
function movedTo({ method, request, options, site }: Call, find: (path: string) => RouteMatch | undefined): string | undefined {
  const folder = folderOf(options.basePath);
  if (folder === '' || !isReadMethod(method) || find(folder + request.path)?.route.below !== 'site') return undefined;
  return `${site.home}${request.path}${request.query && `?${request.query}`}`;
}

/** The page of a copied record: at its path on the site, or moved there from its path here. */
function sitePageOf(
  { method, request, service, options, site }: Call,
  path: string,
  match: RouteMatch | undefined,
): { path: string; moved?: string } | undefined {
  if (!isReadMethod(method) || (match && match.route.below !== 'site')) return undefined;
  if (isAbsolute(path, `${options.basePath}/${options.namespace}`)) return undefined;
  const inFolder = pathInFolder(path, options.basePath);
  const page = service.sitePageAt(inFolder);
  if (!page) return undefined;
  const isHere = inFolder.replace(/\/$/, '') === page.here.replace(/\/$/, '');
  const moved = isHere ? { moved: `${site.home}${page.there}${request.query && `?${request.query}`}` } : {};
  return { path: folderOf(options.basePath) + page.here, ...moved };
}

/** The page for an address that nothing is at. */
const pageNotFound = async (call: Call, page: LoadPage, hint: string): Promise<Result> => ({
  ...(await (await import('./site/document.ts')).documentOf(page, call, 404, { title: 'Not found' })),
  hint,
});

/** Throws `rest_no_route` if there is none. */
async function resultOf(call: Call, find: (path: string) => RouteMatch | undefined): Promise<Result> {
  const { request, query, service, options, method } = call;
  if (query._jsonp !== undefined) checkScript(request, options);
  else if (!isSafe(method) || !isSafe(request.method)) checkOrigin(request, options);
  // A question about the server, for no resource (RFC 9110, 9.3.7).
  if (request.path === '*' && method === 'OPTIONS')
    return { status: 204, headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } };
  const isFront = typeof query.rest_route === 'string' && isFrontPath(request.path, options.basePath);
  const path = isFront ? `${options.basePath}${query.rest_route}` : request.path;
  // A parameter leads to the API only: pages of other origins may not read what is below the path of the control API.
  const match = isFront && isControl(path) ? undefined : find(path);
  const moved = match ? undefined : movedTo(call, find);
  if (moved !== undefined) return { status: 301, headers: { Location: moved } };
  const page = call.isSitePage ? undefined : sitePageOf(call, path, match);
  if (page?.moved !== undefined) return { status: 301, headers: { Location: page.moved } };
  if (page) return resultOf({ ...call, isSitePage: true, request: { ...request, path: page.path } }, find);
  // Every route takes the preflight requests of browsers.
  const isDescribed = () => match?.route.endpoints || request.headers['access-control-request-method'] !== undefined;
  const lostHint = () => routeHint(request, options, find, service.slugs());
  if (!match && options.page && isNavigation(call)) return pageNotFound(call, options.page, lostHint());
  // WordPress describes what it doesn't know as nothing.
  if (!match && method === 'OPTIONS' && isAbsolute(path, `${options.basePath}/${options.namespace}`))
    return { status: 200, headers: {}, value: [], hint: lostHint() };
  const isSupported = method === 'OPTIONS' ? isDescribed() : match?.route.methods.includes(method === 'HEAD' ? 'GET' : method);
  if (!match || !isSupported) {
    const hint = match ? `It takes ${match.route.methods.join(', ')}` : lostHint();
    throw new Failure('rest_no_route', `No route for ${method} ${request.path}`, hint);
  }
  const { route, ref } = match;
  const routed = { ...call, ref, viewer: await viewerOf(call) };
  const Allow = (route.allow?.(routed) ?? route.methods).join(', ');
  const isOfApi = route.below === 'namespace' || route.below === 'base path';
  const isSignedIn = isOfApi && service.hasUsers() && routed.viewer !== owner && routed.viewer !== anonymous;
  if (method === 'OPTIONS')
    return { status: 200, headers: { Allow }, isSignedIn, value: describeRoute(route, documentContext(service), call) };
  const finish = (result: Result) => ({ ...result, headers: { Allow, ...result.headers }, isSignedIn });
  try {
    return finish(await route.respond(routed));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return finish(failureResult(error));
  }
}

/** The viewer of a request: the owner by token or in a test, the default viewer if there are no users, a user by Basic credentials, otherwise a visitor. */
function viewerOf({ request, service, options, hints }: Call): Viewer | Promise<Viewer> {
  if (request.isOwners || hasToken(request, options.token)) return owner;
  if (!service.hasUsers()) return service.defaultViewer();
  const [scheme, credentials] = authorizationOf(request);
  if (scheme !== 'basic') {
    // Pages of the reference send this with a session cookie, which does not exist here.
    if (request.headers['x-wp-nonce'])
      throw new Failure('rest_cookie_invalid_nonce', 'X-WP-Nonce is not supported; send Basic credentials instead');
    return anonymous;
  }
  const [name = '', ...password] = utf8Text(base64Bytes(credentials)).split(':');
  // PHP passes on nothing else to a site, which takes the request for a visitor's.
  if (!password.length) {
    hints.push('Authorization is not NAME:PASSWORD in base64, so that this is a request of a visitor');
    return anonymous;
  }
  return service.authenticate(name, password.join(':'));
}
