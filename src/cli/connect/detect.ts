import { zoneIn } from '../../client/located-site.ts';
import { contentOf, type RemoteResponse } from '../../client/response.ts';
import { discover, discoveredNamespace, indexIn, rootUrl, routeUrl } from '../../client/site.ts';
import { folderOf } from '../../model/addresses.ts';
import type { Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { maxPerPage } from '../../model/fields/list.ts';
import { siteCurrency } from '../../model/formats/site-currency.ts';
import { pageBases, siteSlugs } from '../../model/formats/site-slugs.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import type { SettingValues } from '../../model/operations/settings.ts';

/** Options of `calendar serve` that make it look like a site. */
interface SiteOptions {
  basePath: string;
  namespace: string;
  headerPrefix: string;
  timezone?: string;
  settings?: SettingValues;
}

/** Sends a GET request to an address. */
type Get = (url: string) => Promise<RemoteResponse>;

const usualBase = '/wp-json';

/**
 * The options that make a server look like a site, from its index and a list of events. Throws what the site said if it has no such API or rejects
 * requests, and `bad-request` if several namespaces have events, unless `namespace` selects one.
 */
export async function detectSite(address: string, get: Get, namespace?: string): Promise<SiteOptions> {
  const discovery = await discover(get, address);
  const { base } = discovery;
  const selected = discoveredNamespace(discovery, namespace);
  const root = rootUrl(base, selected);
  const { pathname, searchParams } = new URL(base);
  const index = ('index' in discovery ? discovery.index : indexIn(await get(routeUrl(base, '/')))) ?? {};
  const list = routeUrl(root, '/events', `per_page=${maxPerPage}`);
  const response = await get(list);
  const page = contentOf(response, list);
  const events = isObject(page) && Array.isArray(page.events) ? page.events.filter(isObject) : [];
  const basePath = searchParams.has('rest_route') ? usualBase : pathname.replace(/(?<!\/)\/+$/, '');
  const folder = folderOf(basePath);
  const bases = pageBases('events', events as unknown as Entry[], folder);
  // Events show no address of a category or tag.
  for (const name of events.length ? (['categories', 'tags'] as const) : [])
    Object.assign(bases, pageBases(name, await listed(get, root, name), folder));
  const timezone = zoneIn(index);
  const title = typeof index.name === 'string' ? decodeEntities(index.name) : '';
  const settings = { ...(title ? { title } : {}), ...siteCurrency(events), ...siteSlugs(bases) };
  return {
    basePath,
    namespace: selected,
    headerPrefix: prefixIn(response, list),
    ...(timezone ? { timezone } : {}),
    ...(Object.keys(settings).length ? { settings } : {}),
  };
}

/** The first records of a list; none where a site has no such list. */
async function listed(get: Get, root: string, name: 'categories' | 'tags'): Promise<Entry[]> {
  const url = routeUrl(root, `/${name}`, `per_page=${maxPerPage}`);
  const { status, ...response } = await get(url);
  const page = status === 200 ? contentOf({ status, ...response }, url) : {};
  return isObject(page) && Array.isArray(page[name]) ? (page[name].filter(isObject) as unknown as Entry[]) : [];
}

/** The prefix of the headers with the totals of a list, such as `X-Calendar`. Those of WordPress itself are not the API's. */
function prefixIn({ headers }: RemoteResponse, url: string): string {
  const names = Object.keys(headers).flatMap((name) => /^(.+)-total$/.exec(name)?.[1] ?? []);
  const prefix = names.find((name) => name !== 'x-wp');
  if (prefix === undefined)
    throw new Failure('not-a-calendar', `${url} returned no header with the number of events`, 'A proxy may remove it.');
  return prefix.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
