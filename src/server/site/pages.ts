import { type Resource, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { toWholeNumber } from '../../model/fields/coerce.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import { stripMarkup } from '../../model/html/tokens.ts';
import { resources } from '../../model/resources/all.ts';
import { siteType } from '../../model/resources/post.ts';
import { postTypeOf } from '../../model/routes.ts';
import { type AddressedRecord, feedTemplates, isFeedAddress, isSitePath } from '../../model/site-address.ts';
import { pageEventsPath, pageFolder, pageRecordsPath, pageTextPath, toolPaths } from '../../model/web-page.ts';
import type { Call, DocumentContext, Result, ServerRoute } from '../http.ts';
import { discoveryRoot } from '../namespace-index.ts';
import { tagOf } from '../response.ts';
import { addressOf, isNews, isOfSeveral, listingOf, noRoute, type Place, placeOf, recordIn } from './addresses.ts';
import { listParts, recordParts } from './content.ts';
import { documentOf, type LoadPage, wantsPage } from './document.ts';
import { siteFeed } from './feed.ts';
import { newsFeed } from './rss.ts';
import { isSitemapPath, sitemap } from './sitemap.ts';
import { pageEvents, pageRecords, pageText, typedRecord } from './views.ts';

async function fileOf(page: LoadPage, call: Call): Promise<Result> {
  const name = (call.ref as { slug: string }).slug;
  const file = (await page()).files.find((each) => each.name === name);
  if (!file) throw noRoute(call);
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers, body: { pieces: [file.bytes], tag: tagOf(file.bytes) } };
}

/** The page of a record, also for missing ones; JSON for clients that prefer it. */
async function recordPage(page: LoadPage, call: Call, place: Place, record: AddressedRecord): Promise<Result> {
  const isDocument = wantsPage(call);
  const resource: Resource = resources[record.resource];
  try {
    const entry = await recordIn(call, record, { context: 'edit' });
    if (!isDocument) return { status: 200, headers: { Vary: 'Accept' }, value: entry };
    const title = decodeEntities(stripMarkup(String(entry[resource.label])));
    const parts =
      resource.family === 'post' ? await recordParts(call, resource, place, entry.id) : await listParts(call, place, title, entry);
    const identity = resource.family === 'post' ? { record: { kind: resource.kind, id: entry.id } } : {};
    return await documentOf(page, call, 200, { title, ...identity, ...parts });
  } catch (error) {
    if (!isDocument || !(error instanceof Failure)) throw error;
    if (error.status >= 500) throw error;
    // The page prompts for the password.
    if (error.code === 'event-password-protected') return documentOf(page, call, 200);
    // The API reports an unknown slug as an invalid parameter.
    return documentOf(page, call, error.status === 400 ? 404 : error.status, { title: 'Not found' });
  }
}

/** A place of the site in its format. */
async function placeResult(page: LoadPage | undefined, call: Call, place: Place): Promise<Result> {
  const { format, record } = place;
  if (isNews(format) && record?.resource === 'events')
    throw noRoute(call, 'The feed of an event has its comments, which do not exist here');
  if (isNews(format)) return newsFeed(call, place);
  if (format !== 'page') {
    const listing = await listingOf(call, place);
    const feed = await siteFeed(call, listing, format === 'outlook');
    if (feed.hasEvents || !page) return feed.result;
    // As on a site, a list without events is its page.
    call.hints.push('A list without events has no feed, as on a site. This is its page');
  }
  if (!page) throw noRoute(call);
  return record && !isOfSeveral(record)
    ? recordPage(page, call, place, record)
    : documentOf(page, call, 200, await listParts(call, place, 'Events'));
}

/** The address of a published record that the root names by its ID or slug. */
async function permalinkOf(call: Call, place: Place | undefined): Promise<string | undefined> {
  const { query, service, viewer, site } = call;
  if (place?.record) return place.record.resource === 'events' && place.format === 'page' ? addressOf(call, place) : undefined;
  const id = toWholeNumber(query.p);
  if (id === undefined || query.rest_route !== undefined) return undefined;
  const type = query.post_type ?? postTypeOf(site.taxonomy);
  const resource = Object.values<Resource>(resources).find((each) => each.family === 'post' && siteType(each.page, site) === type);
  const entry =
    resource &&
    (await service
      .calendar(viewer, site)
      [resource.name].get({ id }, {}, new Set(['url']))
      .catch(() => undefined));
  if (!entry) return undefined;
  const url = new URL(String(entry.url));
  if (url.search !== '') return undefined;
  if (isFeedAddress('', query, service.slugs())) url.search = 'ical=1';
  return url.href;
}

const common = { below: 'site', methods: ['GET'] } as const;
const tool = { ...common, below: 'origin' } as const;

/** The tools of the page, its lists and its files. */
const toolRoutes = (page: LoadPage): ServerRoute[] => [
  ...['/_calendar', ...toolPaths].map((path) => ({
    ...tool,
    path,
    summary: 'developer tools',
    respond: (call: Call) => documentOf(page, call, 200),
  })),
  { ...tool, path: pageEventsPath, summary: 'events of a view', respond: pageEvents },
  { ...tool, path: pageTextPath, summary: 'dates and events in words', respond: pageText },
  { ...tool, path: `${pageRecordsPath}/{slug}`, summary: 'records of a table', respond: pageRecords },
  ...resourceNames.map((name) => ({
    ...tool,
    path: `${pageRecordsPath}/${name}/{id}`,
    summary: `${name} in a form`,
    respond: typedRecord(name),
  })),
  { ...tool, path: `${pageFolder}/{slug}`, summary: 'assets of the page', respond: (call) => fileOf(page, call) },
];

/** The routes of the site: its pages, which are also available as feeds, and with a page its tools. */
export function siteRoutes(page: LoadPage | undefined): ServerRoute[] {
  const siteRoute: ServerRoute = {
    ...common,
    path: '/events/',
    matches: isSitePath,
    summary: 'pages with events, also as feeds',
    respond(call) {
      const place = placeOf(call);
      if (!place) throw noRoute(call, `The feed of events is at ${call.site.home}/${call.service.slugs().events}/feed/`);
      return placeResult(page, call, place);
    },
  };
  return [
    {
      ...common,
      path: '',
      summary: 'calendar page',
      operations: async (ctx, options) => (await import('../openapi/operations.ts')).documentOperations.discovery(ctx, options),
      async respond(call) {
        const place = placeOf(call);
        const Location = await permalinkOf(call, place);
        if (Location !== undefined) return { status: 301, headers: { Location } };
        if (place) return placeResult(page, call, place);
        if (page && wantsPage(call) && call.query.rest_route === undefined) return documentOf(page, call, 200);
        if (call.options.basePath !== '' && call.query.rest_route === undefined && !page) throw noRoute(call);
        const { headers, ...result } = discoveryRoot(call);
        return { ...result, headers: { ...headers, Vary: 'Accept' } };
      },
    },
    ...(page ? toolRoutes(page) : []),
    { ...common, path: '/wp-sitemap.xml', matches: isSitemapPath, summary: 'sitemap of events', respond: sitemap },
    // Documents have a path for each kind of feed; these and all others are recognized by the grammar.
    ...feedTemplates.map((template) => ({
      ...siteRoute,
      path: template.path,
      operations: async (ctx: DocumentContext) => (await import('../openapi/operations.ts')).siteFeedOperation(template, ctx),
    })),
    siteRoute,
  ];
}
