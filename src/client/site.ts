import { isLoopback } from '../model/addresses.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import { resourceNames } from '../model/resources/names.ts';
import { namespaced, namespaceIn, namespace as specified } from '../model/routes.ts';
import { contentOf, notCalendar, parsedJson, type RemoteResponse } from './response.ts';

/** Sends a GET request to an address. The response has the address where its redirects ended. */
type Get = (url: string) => Promise<RemoteResponse>;

const plain = (path: string): string => path.replace(/^\/+|(?<!\/)\/+$/g, '');

/** The path of the routes in an address, and the same address with another one. A site without pretty addresses has it in `rest_route`. */
function routed(address: string): { path: string; at(path: string): string } {
  const { origin, pathname, searchParams } = new URL(address);
  const route = searchParams.get('rest_route');
  const path = (route ?? pathname).replace(/(?<!\/)\/+$/, '');
  return { path, at: (other) => (route === null ? origin + other : `${origin}${pathname}?rest_route=${other}`) };
}

/** The address that the routes of a typed one start with, without a trailing slash: cut behind its namespace, which `namespace` replaces; else with a namespace appended. */
export function rootUrl(typed: string, namespace?: string): string {
  const { path, at } = routed(typed);
  const wish = namespace === undefined ? undefined : plain(namespace);
  if (wish !== undefined && (path === `/${wish}` || path.endsWith(`/${wish}`))) return at(path);
  const match = namespaced.exec(path);
  return at(`${match ? path.slice(0, match.index) : path}/${wish ?? match?.[1] ?? specified}`);
}

/** The address of a route below a root, with a query string. */
export function routeUrl(root: string, route: string, query = ''): string {
  const { path, at } = routed(root);
  const isPlain = new URL(root).searchParams.has('rest_route');
  return `${isPlain ? at(path + route) : root + route}${query && `${isPlain ? '&' : '?'}${query}`}`;
}

/** The address of a root without its namespace; undefined if the root doesn't tell where that begins. */
export function baseOf(root: string, namespace?: string): string | undefined {
  const { path, at } = routed(root);
  const end = `/${plain(namespace ?? specified)}`;
  const match = namespaced.exec(path);
  if (path.endsWith(end)) return at(path.slice(0, -end.length));
  const base = match ? path.slice(0, match.index) : /^.*?\/wp-json(?=\/.)/.exec(path)?.[0];
  return base === undefined ? undefined : at(base);
}

/** The namespace at the end of a root; undefined if the root doesn't tell where it begins. */
export function namespaceOf(root: string): string | undefined {
  const base = baseOf(root);
  return base === undefined ? undefined : routed(root).path.slice(routed(base).path.length + 1);
}

/** The address of the REST API of a site without a trailing slash, with its index, or with the namespace that a header of a page has. */
type Discovery = { base: string } & ({ index: Record<string, unknown> } | { namespace: string });

/**
 * Finds the API of the site of an address, with at most five GET requests: the address itself, which may be the index or name it in a header, then `wp-json/` in its folder and those above, then
 * `?rest_route=/`. Of what names another host only the path is used. Throws what the site said if it rejects requests.
 */
export async function discover(get: Get, address: string, wish?: string): Promise<Discovery> {
  const tried: string[] = [];
  const read = async (url: string) => {
    tried.push(url);
    const response = await get(url);
    if ([401, 403, 429].includes(response.status) || response.status >= 500) contentOf(response, url);
    return response;
  };
  const first = await read(address);
  if (first.status >= 300 && first.status < 400) contentOf(first, address);
  const base = new URL(first.url ?? address);
  const own = indexIn(first);
  const linked = linkedIn(first, base);
  if (own) return { base: pathOf(linked?.url ?? base.href), index: own };
  const header = Object.entries(first.headers).find(([name]) => /^x-.*-api-root$/.test(name))?.[1] ?? '';
  const headed = URL.canParse(header) ? namespaceIn(header) : undefined;
  // Another namespace is looked for in the index.
  if (headed !== undefined && (wish === undefined || plain(wish) === headed))
    return { base: baseOf(rootUrl(onHost(header, base)))!, namespace: headed };
  const folder = base.pathname.replace(/(?<!\/)\/*$/, '/').replace(/\/(index\.php\/)?wp-json\/$/, '/');
  const folders = folder
    .split('/')
    .flatMap((_, at, parts) => (at < parts.length - 1 ? `${parts.slice(0, parts.length - 1 - at).join('/')}/` : []));
  const guesses = linked ? [linked.url] : [...new Set([folder, ...folders.slice(-2)])].map((each) => `${base.origin}${each}wp-json/`);
  if (!linked) guesses.push(`${base.origin}${folder}?rest_route=/`);
  let last = first;
  for (const url of guesses) {
    last = await read(url);
    const index = indexIn(last);
    if (index) return { base: pathOf(last.url ?? url), index };
  }
  if (linked?.isElsewhere)
    throw new Failure(
      'not-a-calendar',
      `${address} has its API at ${linked.href}, on another host`,
      `If you trust it, use that address: calendar config detect ${linked.href}`,
    );
  const failure = notCalendar(last, tried.at(-1)!);
  throw failure.with({ hint: `${failure.hint} Looked at ${tried.join(', ')}. See: calendar config detect ${address}` });
}

const pathOf = (address: string): string => {
  const { path, at } = routed(address);
  return at(path);
};

/** The same path on the host of another address. */
const onHost = (href: string, { origin, href: from }: URL): string => {
  const { pathname, search } = new URL(href, from);
  return origin + pathname + search;
};

/** The index that a `Link` header names, on the host of the page. */
function linkedIn({ headers }: RemoteResponse, base: URL): { url: string; href: string; isElsewhere: boolean } | undefined {
  const [, link] = /<([^<>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(headers.link ?? '') ?? [];
  if (link === undefined || !URL.canParse(link, base.href)) return undefined;
  const { href, host, hostname } = new URL(link, base);
  const isSame = host === base.host || (isLoopback(hostname) && isLoopback(base.hostname));
  return { url: onHost(href, base), href, isElsewhere: !isSame };
}

/** The index of a REST API, if a response is one. */
export function indexIn({ status, body }: RemoteResponse): Record<string, unknown> | undefined {
  const json = status < 300 ? parsedJson(body) : undefined;
  return isObject(json) && Array.isArray(json.namespaces) ? json : undefined;
}

const requiredResources = resourceNames.slice(0, 3);

/**
 * The namespace of the calendar in an index: the wished one, or the only one with events, venues and organizers. One that ends with `events/v1` comes before others, which current releases of
 * plugins have beside it. Throws `bad-request` if several remain.
 */
function namespaceAmong({ routes }: Record<string, unknown>, wish: string | undefined, url: string): string {
  const paths = isObject(routes) ? Object.keys(routes) : [];
  const all = paths
    .filter((path) => path.endsWith('/events'))
    .map((path) => path.slice(1, -'/events'.length))
    .filter((each) => requiredResources.every((name) => paths.includes(`/${each}/${name}`)));
  const usual = all.filter((each) => namespaced.test(`/${each}`));
  const brands = new Set(usual.map((each) => each.split('/')[0]));
  const preferred = brands.size === 1 ? usual.filter((each) => each.endsWith('/v1')).slice(0, 1) : usual;
  const candidates = preferred.length ? preferred : usual.length ? usual : all;
  const [first, second] = wish === undefined ? candidates : all.filter((each) => each === plain(wish));
  if (first !== undefined && second === undefined) return first;
  const list = all.join(', ');
  if (first !== undefined)
    throw new Failure('bad-request', `${url} has several namespaces with events: ${list}`, 'Pass --namespace with one of them.');
  if (wish === undefined || !all.length)
    throw new Failure(
      'not-a-calendar',
      `${url} has no namespace with ${requiredResources.join(', ')}`,
      'Does the site have a calendar plugin with a REST API?',
    );
  throw new Failure(
    'bad-request',
    `${url} has no events in the namespace ${plain(wish)}`,
    didYouMean(plain(wish), all) ?? `It has them in ${list}.`,
  );
}

/** The namespace that was found, unless another one is wished. */
export const discoveredNamespace = (discovery: Discovery, wish?: string): string =>
  'namespace' in discovery ? (wish ?? discovery.namespace) : namespaceAmong(discovery.index, wish, discovery.base);

/** The address that the routes of a calendar start with, found from any address of its site. */
export async function findSite(get: Get, address: string, namespace?: string): Promise<string> {
  const discovery = await discover(get, address, namespace);
  return rootUrl(discovery.base, discoveredNamespace(discovery, namespace));
}
