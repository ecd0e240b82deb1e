import Negotiator from 'negotiator';
import { type Collection, type Ref, type Resource, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { isTruthy } from '../model/fields/coerce.ts';
import { decodeEntities } from '../model/html/plain-text.ts';
import { stripMarkup } from '../model/html/tokens.ts';
import { resources } from '../model/resources/all.ts';
import { type Route, routes } from '../model/routes.ts';
import { pageEventsPath, pageFolder, pageRecordsPath, pageTextPath, toolPaths, type WebPage } from '../model/web-page.ts';
import type { ActionHandler } from './actions.ts';
import { eventFeed } from './feed.ts';
import type { Call, Result, ServerRoute } from './http.ts';
import { discoveryRoot } from './namespace-index.ts';
import { pageEvents, pageRecords, pageText, typedRecord } from './page.ts';
import { tagOf } from './response.ts';

/** Content security policy of the page: requests to this server only; images of other servers on demand. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const documentHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
};

type Page = () => Promise<WebPage>;
const noRoute = ({ method, request }: Call) => new Failure('rest_no_route', `No route for ${method} ${request.path}`);

/** Returns whether a client prefers HTML to JSON; true without a preference. */
const wantsPage = ({ request }: Call): boolean =>
  new Negotiator({ headers: request.headers }).mediaType(['text/html', 'application/json']) !== 'application/json';

async function documentOf(page: Page, { service, options, request, site }: Call, status: number, name?: string): Promise<Result> {
  const { now, zone } = service.requestContext();
  const own = service.resources();
  const { document, definitions } = await page();
  const { basePath, namespace, headerPrefix } = options;
  const { prefix = '' } = request;
  const context = {
    root: `${prefix}${basePath}/${namespace}`,
    feed: `${prefix}${basePath}/calendar.ics`,
    prefix,
    world: request.world ?? null,
    title: service.title(),
    timezone: zone,
    now,
    users: service.hasUsers(),
    copyOf: options.copyOf ? { host: options.copyOf.host, writes: options.copyOf.writes } : null,
    control: (request.isRemote && options.control === 'everyone' ? undefined : options.control) ?? null,
    ...(own === resources ? {} : { definitions: definitions(own) }),
  };
  const text = document(context, pageFolder, name);
  const bytes = Buffer.from(request.method === 'HEAD' ? '' : text);
  // Clients find the API by these headers.
  const announced = {
    [`${headerPrefix}-API-VERSION`]: namespace.split('/').pop()!,
    [`${headerPrefix}-API-ROOT`]: `${site.root}/`,
    [`${headerPrefix}-API-ORIGIN`]: site.home,
  };
  return { status, headers: { ...documentHeaders, ...announced }, body: { pieces: [bytes], tag: tagOf(text) } };
}

async function fileOf(page: Page, call: Call): Promise<Result> {
  const name = (call.ref as { slug: string }).slug;
  const file = (await page()).files.find((each) => each.name === name);
  if (!file) throw noRoute(call);
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers, body: { pieces: [file.bytes], tag: tagOf(file.bytes) } };
}

/** Finds the record in a URL as the caller sees it. Throws if there is none. */
type Find = (collection: Collection, ref: Ref) => Promise<Record<string, unknown>>;
/** Adds the record in a URL to the copy of a site. */
type Learn = (call: Call, resource: ResourceName) => Promise<void>;

const record: Find = (collection, ref) => collection.get(ref, { context: 'edit' });
const term: Find = async (collection, ref) => {
  const { entries } = await collection.list({ slug: (ref as { slug: string }).slug, hide_empty: 'false' });
  if (!entries[0]) throw new Failure('rest_no_route', 'Term not found');
  return entries[0];
};

/** Requests the record in a URL from the site that the calendar is a copy of, which adds it to the copy. Throws `upstream-unreachable` if neither knows it. */
async function learnRecord(handleAction: ActionHandler, call: Call, resource: ResourceName): Promise<void> {
  const route = (by: Route['by']) => routes.find((each) => each.resource === resource && each.by === by);
  const { slug } = call.ref as { slug: string };
  const bySlug = route('slug');
  const { headers, value } = await handleAction(
    bySlug
      ? { ...call, route: bySlug, action: 'get', query: {} }
      : { ...call, route: route('all')!, ref: undefined, action: 'list', query: { slug, hide_empty: 'false' } },
  );
  const { headerPrefix, copyOf } = call.options;
  if (headers[`${headerPrefix}-Source`] !== 'local' || headers[`${headerPrefix}-Complete`]) return;
  const { message = `The copy of ${copyOf!.host} is not complete, and the site did not respond` } = (value ?? {}) as { message?: string };
  throw new Failure('upstream-unreachable', message);
}

/** Returns the page of a record with its name in the title, also for missing ones; JSON for clients that prefer it. */
async function recordPage(page: Page, call: Call, resource: ResourceName, label: string, find: Find, learn: Learn): Promise<Result> {
  const record = () => find(call.service.calendar(call.viewer, call.site)[resource], call.ref!);
  const isDocument = wantsPage(call);
  try {
    const entry = await record().catch(async (error) => {
      if (!call.options.copyOf) throw error;
      await learn(call, resource);
      return record();
    });
    if (!isDocument) return { status: 200, headers: { Vary: 'Accept' }, value: entry };
    return await documentOf(page, call, 200, decodeEntities(stripMarkup(String(entry[label]))));
  } catch (error) {
    if (!isDocument || !(error instanceof Failure)) throw error;
    // The page shows why the site does not respond, and tries again.
    if (error.code === 'upstream-unreachable') return documentOf(page, call, error.status);
    if (error.status >= 500) throw error;
    // The page prompts for the password.
    if (error.code === 'event-password-protected') return documentOf(page, call, 200);
    // The API reports an unknown slug as an invalid parameter.
    return documentOf(page, call, error.status === 400 ? 404 : error.status, 'Not found');
  }
}

function hasFeed(name: ResourceName): boolean {
  const resource: Resource = resources[name];
  return resource.family === 'post' && !resource.isLinked;
}

const common = { below: 'site', methods: ['GET'] } as const;

export function pageRoutes(page: Page, handleAction: ActionHandler): ServerRoute[] {
  const learn: Learn = (call, resource) => learnRecord(handleAction, call, resource);
  const pages = (path: string, resource: ResourceName, label: string, find: Find): ServerRoute => ({
    ...common,
    path,
    summary: `pages of ${resource}`,
    respond: (call) =>
      hasFeed(resource) && isTruthy(call.query.ical) ? eventFeed(call) : recordPage(page, call, resource, label, find, learn),
  });
  return [
    {
      ...common,
      path: '',
      summary: 'calendar page',
      operations: async (ctx, options) => (await import('./openapi/operations.ts')).documentOperations.discovery(ctx, options),
      respond(call) {
        if (wantsPage(call) && call.query.rest_route === undefined) return documentOf(page, call, 200);
        const { headers, ...result } = discoveryRoot(call);
        return { ...result, headers: { ...headers, Vary: 'Accept' } };
      },
    },
    ...['/_calendar', ...toolPaths].map((path) => ({
      ...common,
      path,
      summary: 'developer tools',
      respond: (call: Call) => documentOf(page, call, 200),
    })),
    { ...common, path: pageEventsPath, summary: 'events of a view', respond: pageEvents },
    { ...common, path: pageTextPath, summary: 'dates and events in words', respond: pageText },
    { ...common, path: `${pageRecordsPath}/{slug}`, summary: 'records of a table', respond: pageRecords },
    ...resourceNames.map((name) => ({
      ...common,
      path: `${pageRecordsPath}/${name}/{id}`,
      summary: `${name} in a form`,
      respond: typedRecord(handleAction, name),
    })),
    { ...common, path: `${pageFolder}/{slug}`, summary: 'assets of the page', respond: (call) => fileOf(page, call) },
    ...resourceNames.map((name) => {
      const resource: Resource = resources[name];
      return resource.family === 'post'
        ? pages(`/${resource.page.base}/{slug}`, name, resource.label, record)
        : pages(`/${resource.page}/${resource.isTree ? '{parents}' : ''}{slug}`, name, resource.label, term);
    }),
  ];
}
