import { zoneIn } from '../../client/located-site.ts';
import { contentOf, type RemoteResponse } from '../../client/response.ts';
import { discover, discoveredNamespace, indexIn, rootUrl, routeUrl } from '../../client/site.ts';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { defaultCurrency } from '../../model/fields/cost-format.ts';
import { maxPerPage } from '../../model/fields/list.ts';
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
  const index = ('index' in discovery ? discovery.index : indexIn(await get(routeUrl(base, '/')))) ?? {};
  const list = routeUrl(root, '/events', `per_page=${maxPerPage}`);
  const response = await get(list);
  const currency = currencyIn(contentOf(response, list));
  const timezone = zoneIn(index);
  const title = typeof index.name === 'string' ? decodeEntities(index.name) : '';
  const settings = { ...(title ? { title } : {}), ...currency };
  const { pathname, searchParams } = new URL(base);
  return {
    basePath: searchParams.has('rest_route') ? usualBase : pathname.replace(/\/+$/, ''),
    namespace: selected,
    headerPrefix: prefixIn(response, list),
    ...(timezone ? { timezone } : {}),
    ...(Object.keys(settings).length ? { settings } : {}),
  };
}

/** The prefix of the headers with the totals of a list, such as `X-Calendar`. Those of WordPress itself are not the API's. */
function prefixIn({ headers }: RemoteResponse, url: string): string {
  const names = Object.keys(headers).flatMap((name) => /^(.+)-total$/.exec(name)?.[1] ?? []);
  const prefix = names.find((name) => name !== 'x-wp');
  if (prefix === undefined)
    throw new Failure('not-a-calendar', `${url} returned no header with the number of events`, 'A proxy may remove it.');
  return prefix.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** The currency of the prices without a sign in a page of events, and the code of those with one, as far as they differ from the defaults. */
function currencyIn(page: unknown): SettingValues {
  const events = isObject(page) && Array.isArray(page.events) ? page.events.filter(isObject) : [];
  const details = events.map(({ cost_details }) => (isObject(cost_details) ? cost_details : {}));
  const code = details.map(({ currency_code }) => currency_code).find((each) => typeof each === 'string' && /^[A-Z]{3}$/.test(each));
  const signs = events.flatMap(({ cost }, at) => {
    const isPlain = details[at]!.currency_symbol === '' && typeof cost === 'string';
    const [, before, after] = (isPlain && /^([^\d\s–]*)[\d.,]+([^\d\s–]*)$/.exec(decodeEntities(cost).split(' – ').at(-1)!)) || [];
    return before ? [{ sign: before, position: 'prefix' }] : after ? [{ sign: after, position: 'postfix' }] : [];
  });
  const [first] = signs;
  const { symbol, position } = defaultCurrency;
  return {
    ...(first && first.sign !== symbol ? { currency: first.sign } : {}),
    ...(first && first.position !== position ? { currency_position: first.position } : {}),
    ...(code === undefined ? {} : { currency_code: code as string }),
  };
}
