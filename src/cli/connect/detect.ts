import { zoneIn } from '../../client/remote.ts';
import { contentOf, notCalendar, parsedJson, type RemoteResponse } from '../../client/response.ts';
import { resourceNames } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';

/** Options of `calendar serve` that make it look like a site. */
interface SiteOptions {
  basePath: string;
  namespace: string;
  headerPrefix: string;
  timezone?: string;
  settings?: { title: string };
}

/** Sends a GET request to an address. */
type Get = (url: string) => Promise<RemoteResponse>;

const usualBase = '/wp-json';
const requiredResources = resourceNames.slice(0, 3);

/**
 * The options that make a server look like a site, with at most four GET requests: the address, the root of its REST API (by its `Link` header
 * with `https://api.w.org/`, else `/wp-json/`, else `?rest_route=/`), and a list of events. Throws what the site said if it has no such API or rejects
 * requests, and `bad-request` if several namespaces have events, unless `namespace` selects one.
 */
export async function detectSite(address: string, get: Get, namespace?: string): Promise<SiteOptions> {
  const { url, index } = await rootOf(address, get);
  const routes = isObject(index.routes) ? Object.keys(index.routes) : [];
  const selected = selectedFrom(namespacesIn(routes), namespace, url);
  const list = `${url}${url.includes('?') ? `${selected}/events&` : `${selected}/events?`}per_page=1`;
  const response = await get(list);
  contentOf(response, list);
  const timezone = zoneIn(index);
  const title = typeof index.name === 'string' ? decodeEntities(index.name) : '';
  const { pathname, searchParams } = new URL(url);
  return {
    basePath: searchParams.has('rest_route') ? usualBase : pathname.replace(/\/+$/, ''),
    namespace: selected,
    headerPrefix: prefixIn(response, list),
    ...(timezone ? { timezone } : {}),
    ...(title ? { settings: { title } } : {}),
  };
}

/** Finds the root of the REST API, and returns its address, which ends with a slash, and its content. */
async function rootOf(address: string, get: Get): Promise<{ url: string; index: Record<string, unknown> }> {
  const read = async (url: string) => {
    const response = await get(url);
    // Other addresses can't help after a rejection or a redirect to another host.
    if (response.status >= 300 && response.status !== 404) contentOf(response, url);
    return response;
  };
  const first = await read(address);
  const { origin } = new URL(address);
  const [, linked] = /<([^>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(first.headers.link ?? '') ?? [];
  const linkedRoot = linked === undefined ? undefined : new URL(linked, address);
  // A page may link to any host, and credentials are for this one.
  if (linkedRoot && linkedRoot.host !== new URL(address).host)
    throw new Failure(
      'not-a-calendar',
      `${address} has its API at ${linkedRoot.href}, on another host`,
      `If you trust it: calendar config detect ${linkedRoot.href}`,
    );
  const folder = new URL(address.replace(/\/*$/, '/'));
  const own = indexIn(first);
  if (own) return { url: linkedRoot?.href ?? folder.href, index: own };
  const guesses = linkedRoot ? [linkedRoot.href] : [`${folder.href}wp-json/`, `${origin}${folder.pathname}?rest_route=/`];
  let last = first;
  for (const url of guesses) {
    last = await read(url);
    const index = indexIn(last);
    if (index) return { url, index };
  }
  throw notCalendar(last, guesses.at(-1)!);
}

/** The index of a REST API, if a response is one. */
function indexIn({ status, body }: RemoteResponse): Record<string, unknown> | undefined {
  const json = status < 300 ? parsedJson(body) : undefined;
  return isObject(json) && Array.isArray(json.namespaces) ? json : undefined;
}

/** The namespaces that have events, venues and organizers. */
const namespacesIn = (routes: readonly string[]): string[] =>
  routes
    .filter((route) => route.endsWith('/events'))
    .map((route) => route.slice(1, -'/events'.length))
    .filter((namespace) => requiredResources.every((name) => routes.includes(`/${namespace}/${name}`)));

function selectedFrom(namespaces: readonly string[], namespace: string | undefined, url: string): string {
  const wish = namespace?.replace(/^\/+|\/+$/g, '');
  const [first, second] = wish === undefined ? namespaces : namespaces.filter((each) => each === wish);
  if (first !== undefined && second === undefined) return first;
  const list = namespaces.join(', ');
  if (first !== undefined)
    throw new Failure('bad-request', `${url} has several namespaces with events: ${list}`, 'Pass --namespace with one of them.');
  if (wish === undefined || !namespaces.length)
    throw new Failure(
      'not-a-calendar',
      `${url} has no namespace with ${requiredResources.join(', ')}`,
      'Does the site have a calendar plugin with a REST API?',
    );
  throw new Failure(
    'bad-request',
    `${url} has no events in the namespace ${wish}`,
    didYouMean(wish, namespaces) ?? `It has them in ${list}.`,
  );
}

/** The prefix of the headers with the totals of a list, such as `X-Calendar`. Those of WordPress itself are not the API's. */
function prefixIn({ headers }: RemoteResponse, url: string): string {
  const names = Object.keys(headers).flatMap((name) => /^(.+)-total$/.exec(name)?.[1] ?? []);
  const prefix = names.find((name) => name !== 'x-wp');
  if (prefix === undefined)
    throw new Failure('not-a-calendar', `${url} returned no header with the number of events`, 'A proxy may remove it.');
  return prefix.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
