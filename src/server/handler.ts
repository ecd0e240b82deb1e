import { type Action, methodsOf, pathOf, type Route, routes, successOf } from '../model/action.ts';
import { Failure } from '../model/error.ts';
import type { Query } from '../model/filter.ts';
import type { Site } from '../model/post.ts';
import {
  type Calendar,
  type Collection,
  type Entry,
  type Input,
  type Page,
  type Ref,
  type ResourceName,
  resourceNames,
} from '../model/resource.ts';
import type { Texts } from '../model/text.ts';
import { anonymous, mayEdit, owner, type Viewer } from '../model/viewer.ts';
import { asFailure, corsHeaders, failureAnswer, finish, type Result, reshapes } from './answer.ts';
import { inputOf, queryOf } from './body.ts';
import { describeRoute, indexDocument, openApi } from './document.ts';
import { feed, feedPath } from './feed.ts';
import { envelope, readyPage, readyRecord } from './page.ts';
import { repeating } from './repeating.ts';

/** A request as plain data. Header names are in lower case; the query has no question mark. */
export interface Request {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
}

/** An answer as plain data. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The same body in UTF-8, where it is ready in that form: pieces that follow on each other. */
  pieces?: readonly Uint8Array[];
}

/** The calendar that a server shows, and who may do what there. */
export interface Service {
  /** The calendar as one viewer sees it. */
  calendar(viewer: Viewer, site: Site): Calendar;
  /** The reads of one resource in texts, where the calendar has them; the same answers as the calendar's. */
  texts?(viewer: Viewer, site: Site, resource: ResourceName): Texts | undefined;
  /** Another value whenever the answer to any read could be another one. Without it every answer is made anew. */
  state?(): unknown;
  /** Whether a viewer may take an action on the record that is named, or on the whole collection. */
  may(viewer: Viewer, action: Action, resource: Route['resource'], ref: Ref | undefined): boolean;
  /** Who stands behind credentials; fails with `invalid_username` or `incorrect_password`. */
  authenticate(name: string, password: string): Viewer;
  /** Whether callers must say who they are to do more than visitors. */
  hasUsers(): boolean;
  /** What the calendar is called. */
  title?(): string;
  /** What documents compute at the moment of asking. */
  asking(): Parameters<typeof describeRoute>[1];
}

/** How a server is addressed. */
export interface HandlerOptions {
  /** Before the namespace, like `/wp-json`; empty for none. */
  basePath: string;
  /** The two words and the version that every path starts with. */
  namespace: string;
  /** What the names of the total headers start with. */
  headerPrefix: string;
  /** Where links start, without a slash; the request's own host when absent. */
  home?: string;
  /** Lets the command line of the same user in, with every right. */
  token?: string;
  /** Origins that browsers may call from; all when absent. */
  cors?: readonly string[];
}

/** A server as a function of data: finds the route, reads the request, calls the calendar, answers. Never rejects. */
export function createHandler(given: Service, options: HandlerOptions): (request: Request) => Answer | Promise<Answer> {
  const service = { ...given, may: decidedByRole(given) };
  const answer = answering(service, options);
  return service.state ? repeating(answer, service.state) : answer;
}

function answering(service: Service, options: HandlerOptions): (request: Request) => Answer | Promise<Answer> {
  return (request) => {
    let exchange: Exchange;
    try {
      exchange = exchangeOf(request, service, options);
    } catch (error) {
      const answer = failureAnswer(asFailure(error));
      return { ...answer, headers: { ...answer.headers, ...corsHeaders(request, options) }, body: JSON.stringify(answer.value) };
    }
    return guarded(
      () => once(respond(exchange), (result) => finish(result, exchange)),
      (error) => finish(failureAnswer(asFailure(error)), exchange),
    );
  };
}

/** What follows on a value: at once where it is there, as it is for reads of texts. */
const once = <T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** What some work comes to, or what its failure does, now or later. */
function guarded<T>(work: () => T | Promise<T>, failed: (error: unknown) => T): T | Promise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}

/** A request that was understood so far. */
export interface Exchange {
  request: Request;
  service: Service;
  options: HandlerOptions;
  method: string;
  query: Query;
  site: Site;
  /** What stands after the namespace, without a slash at its end. */
  rest: string | undefined;
}

function exchangeOf(request: Request, service: Service, options: HandlerOptions): Exchange {
  const query = request.query === '' ? {} : queryOf(request.query);
  const override = typeof query._method === 'string' ? query._method : request.headers['x-http-method-override'];
  const method = (request.method === 'POST' && override ? override : request.method).toUpperCase();
  const home = options.home ?? `http://${request.headers.host ?? '127.0.0.1'}`;
  const site = { home, root: `${home}${options.basePath}/${options.namespace}` };
  const callback = query._jsonp;
  const pathname = typeof query.rest_route === 'string' && request.path === '/' ? `${options.basePath}${query.rest_route}` : request.path;
  const prefix = `${options.basePath}/${options.namespace}`;
  const rest = pathname === prefix || pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length).replace(/\/$/, '') : undefined;
  if (callback !== undefined && (typeof callback !== 'string' || !/^[\w$.]+$/.test(callback)))
    throw new Failure('rest_callback_invalid', '_jsonp must be the name of a function');
  return { request, service, options, method, query, site, rest };
}

const noRoute = ({ method, request }: Exchange) => new Failure('rest_no_route', `there is nothing at ${method} ${request.path}`);

/** Who asks: the owner by token, a user by Basic credentials, else a visitor — or the owner, where there are no users. */
function viewerOf({ request, service, options }: Exchange): Viewer {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ');
  if (options.token && scheme.toLowerCase() === 'bearer' && credentials === options.token) return owner;
  if (!service.hasUsers()) return owner;
  if (scheme.toLowerCase() !== 'basic') {
    // Pages of the site itself would send this with a cookie; there are no such sessions here.
    if (request.headers['x-wp-nonce'])
      throw new Failure('rest_cookie_invalid_nonce', 'X-WP-Nonce is not one of this server: send Basic credentials');
    return anonymous;
  }
  const [name = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return service.authenticate(name, password.join(':'));
}

const variable = { id: '(\\d+)', slug: '([^/]+)' } as const;
const patterns = new Map(
  resourceNames.map((name) => [
    name as string,
    routes
      .filter(({ resource }) => resource === name)
      .map((route) => ({ route, pattern: new RegExp(`^${pathOf(route, (part) => variable[part])}$`) })),
  ]),
);

/** The record that the last part of a path names. */
function refOf(route: Route, part: string | undefined): Ref | undefined {
  if (route.by === 'all' || part === undefined) return undefined;
  if (route.by === 'id') return { id: Number(part) };
  try {
    return { slug: decodeURIComponent(part) };
  } catch {
    return { slug: part };
  }
}

function respond(exchange: Exchange): Result | Promise<Result> {
  const { rest, method, service, options, site } = exchange;
  const reads = method === 'GET' || method === 'HEAD';
  if (exchange.request.path === options.basePath + feedPath && reads)
    return feed(service.calendar(viewerOf(exchange), site).events, exchange.query, service.title?.() ?? 'Calendar', service.asking().zone);
  if (rest === undefined) throw noRoute(exchange);
  if (rest === '' || rest === '/doc') {
    if (!reads && method !== 'OPTIONS') throw noRoute(exchange);
    viewerOf(exchange);
    const value =
      method === 'OPTIONS'
        ? describeRoute(rest === '' ? 'index' : 'doc', service.asking(), options.namespace)
        : rest === ''
          ? indexDocument(service.asking(), options.namespace, site)
          : openApi(service.asking(), site);
    return { status: 200, headers: { Allow: 'GET' }, value };
  }
  for (const { route, pattern } of patterns.get(rest.split('/', 2)[1]!) ?? []) {
    const match = pattern.exec(rest);
    if (match) return onRoute(exchange, route, refOf(route, match[1]));
  }
  throw noRoute(exchange);
}

/** Permissions of a service; what depends on the role alone, making records, is asked once for each. */
function decidedByRole(service: Service): Service['may'] {
  const known = new Map<string, boolean>();
  return (viewer, action, resource, ref) => {
    if (action !== 'create') return service.may(viewer, action, resource, ref);
    const name = `${viewer.role} ${resource}`;
    let may = known.get(name);
    if (may === undefined) {
      may = service.may(viewer, action, resource, ref);
      known.set(name, may);
    }
    return may;
  };
}

/** What a role alone decides about changing events, venues and organizers that are there; undefined where it depends on the record. */
function settled(viewer: Viewer, route: Route): boolean | undefined {
  if (route.by === 'all' || isTerm(route)) return undefined;
  if (mayEdit(viewer, { author: -1, status: 'publish' })) return true;
  return mayEdit(viewer, { author: viewer.id, status: 'draft' }) ? undefined : false;
}

/** An action on a route: who may, then the call, with the methods that are open to the caller in either case. */
function onRoute(exchange: Exchange, route: Route, ref: Ref | undefined): Result | Promise<Result> {
  const { method, service, options } = exchange;
  const action = route.actions.find((known) => methodsOf[known].includes(method === 'HEAD' ? 'GET' : method));
  if (!action && method !== 'OPTIONS') throw noRoute(exchange);
  const viewer = viewerOf(exchange);
  const allow = (may = (known: Action) => service.may(viewer, known, route.resource, ref)) =>
    route.actions
      .filter((known) => known === 'list' || known === 'get' || may(known))
      .flatMap((known) => methodsOf[known])
      .join(', ');
  const every = settled(viewer, route);
  const open = every === undefined || !action ? allow() : undefined;
  if (!action) return { status: 200, headers: { Allow: open! }, value: describeRoute(route, service.asking(), options.namespace) };
  return guarded(
    () =>
      once(act(exchange, viewer, route, action, ref), (result) => ({
        ...result,
        headers: { Allow: open ?? allow(() => every!), ...result.headers },
      })),
    (error) => {
      if (!(error instanceof Failure)) throw error;
      const answer = failureAnswer(error);
      return { ...answer, headers: { Allow: open ?? allow(), ...answer.headers } };
    },
  );
}

/** What an action comes to: a read of texts at once, everything else when it is done. */
function act(exchange: Exchange, viewer: Viewer, route: Route, action: Action, ref: Ref | undefined): Result | Promise<Result> {
  const { service, options, query, site } = exchange;
  const status = successOf(action);
  const texts = (action === 'list' || action === 'get') && !reshapes(query) ? service.texts?.(viewer, site, route.resource) : undefined;
  if (texts && action === 'get') return { status, headers: {}, value: undefined, ready: readyRecord(texts.get(ref!, query)) };
  if (texts) {
    const page = texts.list(query);
    return { status, headers: totals(page, options), value: undefined, ready: readyPage(route.resource, page) };
  }
  return collected(exchange, service.calendar(viewer, site)[route.resource], route, action, ref);
}

async function collected(
  { request, options, query }: Exchange,
  collection: Collection,
  route: Route,
  action: Action,
  ref: Ref | undefined,
): Promise<Result> {
  const status = successOf(action);
  if (action === 'list') {
    const page = await collection.list(query);
    return { status, headers: totals(page, options), value: envelope(route.resource, page) };
  }
  if (action === 'get') return { status, headers: {}, value: withLinks(route, await collection.get(ref!, query)) };
  const body = request.body.length ? await inputOf(request.body, request.headers['content-type'] ?? '') : {};
  if (action === 'delete') return { status, headers: {}, value: await collection.delete(ref!) };
  const input: Input = { ...query, ...body };
  const entry = action === 'create' ? await collection.create(input) : await collection.update(ref!, input);
  const location: Record<string, string> = action === 'create' && isTerm(route) ? { Location: (entry.urls as { self: string }).self } : {};
  return { status, headers: location, value: withLinks(route, entry) };
}

const totals = ({ total, total_pages }: Pick<Page, 'total' | 'total_pages'>, { headerPrefix }: HandlerOptions) => ({
  [`${headerPrefix}-Total`]: String(total),
  [`${headerPrefix}-TotalPages`]: String(total_pages),
});

const isTerm = (route: Route) => route.resource === 'categories' || route.resource === 'tags';

/** Single terms say where they and their kind stand. */
function withLinks(route: Route, entry: Entry): unknown {
  if (!isTerm(route)) return entry;
  const urls = entry.urls as Record<string, string>;
  return { ...entry, _links: Object.fromEntries(Object.entries(urls).map(([name, href]) => [name, [{ href }]])) };
}

/** A body for requests that have none. */
export const noBody = new Uint8Array();
