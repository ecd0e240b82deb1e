import { type Resource, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import { stripMarkup } from '../../model/html/tokens.ts';
import { resources } from '../../model/resources/all.ts';
import { pageEventsPath, pageFolder, pageRecordsPath, pageTextPath, toolPaths } from '../../model/web-page.ts';
import type { Call, Result, ServerRoute } from '../http.ts';
import { discoveryRoot } from '../namespace-index.ts';
import { tagOf } from '../response.ts';
import { type EventList, eventLists, noRoute, recordAddress, recordIn, rootList } from './addresses.ts';
import { listParts, recordParts } from './content.ts';
import { documentOf, type LoadPage, wantsPage } from './document.ts';
import { type FeedAddress, feed, isFeed } from './feed.ts';
import { pageEvents, pageRecords, pageText, typedRecord } from './views.ts';

async function fileOf(page: LoadPage, call: Call): Promise<Result> {
  const name = (call.ref as { slug: string }).slug;
  const file = (await page()).files.find((each) => each.name === name);
  if (!file) throw noRoute(call);
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, headers, body: { pieces: [file.bytes], tag: tagOf(file.bytes) } };
}

/** The page of a record, also for missing ones; JSON for clients that prefer it. */
async function recordPage(page: LoadPage, call: Call, resource: Resource, list?: EventList): Promise<Result> {
  const isDocument = wantsPage(call);
  try {
    const entry = await recordIn(call, resource, { context: 'edit' });
    if (!isDocument) return { status: 200, headers: { Vary: 'Accept' }, value: entry };
    const title = decodeEntities(stripMarkup(String(entry[resource.label])));
    const parts = resource.family === 'post' ? await recordParts(call, resource) : await listParts(call, list!, title, entry);
    return await documentOf(page, call, 200, { title, ...parts });
  } catch (error) {
    if (!isDocument || !(error instanceof Failure)) throw error;
    if (error.status >= 500) throw error;
    // The page prompts for the password.
    if (error.code === 'event-password-protected') return documentOf(page, call, 200);
    // The API reports an unknown slug as an invalid parameter.
    return documentOf(page, call, error.status === 400 ? 404 : error.status, { title: 'Not found' });
  }
}

const common = { below: 'site', methods: ['GET'] } as const;

/** The tools of the page, its lists and its files. */
const toolRoutes = (page: LoadPage): ServerRoute[] => [
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
    respond: typedRecord(name),
  })),
  { ...common, path: `${pageFolder}/{slug}`, summary: 'assets of the page', respond: (call) => fileOf(page, call) },
];

/** The routes of the site: its pages, which are also available as iCalendar, and with a page its tools. */
export function siteRoutes(page: LoadPage | undefined): ServerRoute[] {
  const routeOf = (address: FeedAddress, html: (page: LoadPage, call: Call) => Promise<Result>): ServerRoute => ({
    ...common,
    path: address.path,
    summary: 'a page with events, also as iCalendar',
    respond(call) {
      if (isFeed(call.query)) return feed(call, address);
      if (!page) throw noRoute(call);
      return html(page, call);
    },
  });
  const lists = eventLists.map((list) =>
    routeOf(list, async (loadPage, call) =>
      list.of
        ? recordPage(loadPage, call, resources[list.of], list)
        : documentOf(loadPage, call, 200, await listParts(call, list, 'Events')),
    ),
  );
  const records = Object.values(resources).flatMap((resource: Resource) =>
    resource.family === 'post' ? [routeOf(recordAddress(resource), (loadPage, call) => recordPage(loadPage, call, resource))] : [],
  );
  return [
    {
      ...common,
      path: '',
      summary: 'calendar page',
      operations: async (ctx, options) => (await import('../openapi/operations.ts')).documentOperations.discovery(ctx, options),
      async respond(call) {
        const list = rootList(call);
        if (list && isFeed(call.query)) return feed(call, list);
        if (page && wantsPage(call) && call.query.rest_route === undefined)
          return documentOf(page, call, 200, list && (await listParts(call, list, 'Events')));
        if (call.options.basePath !== '' && call.query.rest_route === undefined && !page) throw noRoute(call);
        const { headers, ...result } = discoveryRoot(call);
        return { ...result, headers: { ...headers, Vary: 'Accept' } };
      },
    },
    ...(page ? toolRoutes(page) : []),
    ...lists,
    ...records,
  ];
}
