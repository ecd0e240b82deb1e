import { feedPath, isAbsolute, serverUrl, worldPrefixOf } from '../model/addresses.ts';
import { type Calendar, type Collection, type ResourceName, resourceNames } from '../model/calendar.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import { collectionOver, type Send } from './collection.ts';
import { type About, assertHere, LocatedSite, type SiteOptions } from './located-site.ts';
import { calendarContentOf, type RemoteResponse } from './response.ts';
import { routeUrl } from './site.ts';
import { allEvents, confirmUser } from './site-user.ts';
import { transportOf } from './transport.ts';

/** A request to any route of a site. */
interface SiteRequest {
  method: string;
  path: string;
  whole?: boolean;
  query: string;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
}

export interface Remote {
  /** Root URL of the API; another one than that of the connection if the site was found elsewhere. */
  readonly root: string;
  /** The address of the connection. */
  typed: string;
  /** Looks for the API at the site of the root, once. Returns true if it has another address, which later requests use. */
  find(): Promise<boolean>;
  calendar: Calendar;
  /** Sends a request to a path below the root. A path that is `whole`, starts with the root, or belongs to the feed or the control API is relative to the origin. */
  send(request: SiteRequest): Promise<RemoteResponse>;
  /** Reads a path below the root. Text before the JSON is skipped, as for the calendar. */
  read(path: string, query: string): Promise<RemoteResponse>;
  /** Title, time zone and clock of the site, as far as its discovery root contains them. */
  about(): Promise<About>;
  /** The same calendar without credentials; absent if there are none. */
  visitors?: Calendar;
  /** The address that the routes start with in the site's own links, undefined if it has no records, and whether `Allow` in its responses includes POST; undefined without this header. */
  greet(): Promise<{ root?: string; mayWrite: boolean | undefined }>;
  /**
   * Returns whether the site confirms the user of the credentials, and whether the user may publish, if it tells. Throws the site's failure if it rejects them: some sites take a wrong password
   * for a visitor in every other response. Absent without credentials.
   */
  user?(): Promise<{ isConfirmed: boolean; mayPublish?: boolean }>;
  /** Every event that the user may know, also those that lists don't show. Absent without credentials. */
  allEvents?(): Promise<{ id: number; title: string }[]>;
  close(): Promise<void>;
}

export const basic = ({ name, password }: { name: string; password: string }): string =>
  `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`;

/** A query string: lists are comma-separated, or bracketed if an item contains a comma. */
function wireQuery(query: Query): string {
  const wire = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const items = Array.isArray(value) ? value.map(String) : [String(value)];
    if (Array.isArray(value) && items.some((item) => item.includes(','))) for (const item of items) wire.append(`${name}[]`, item);
    else wire.append(name, items.join(','));
  }
  return wire.toString();
}

/** Headers that identify a user. */
const userHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-wp-nonce']);

/** True if credentials or headers identify a user. */
export const hasUser = ({ authorization, headers = {} }: { authorization?: string; headers?: Record<string, string> }): boolean =>
  authorization !== undefined || Object.keys(headers).some((name) => userHeaders.has(name));

/** Connects to a calendar by its root URL. Sends nothing before the first call. */
export function connectTo(root: string, authorization: string | undefined, options: SiteOptions, namespace?: string): Remote {
  const site = new LocatedSite(root, authorization, options, namespace);
  const send = sendOver(site, site.transport, site.credentials);
  const { headers: given = {} } = options;
  const anonymous = Object.fromEntries(Object.entries(given).filter(([name]) => !userHeaders.has(name)));
  const visiting = hasUser({ authorization, headers: given })
    ? transportOf({ ...options, headers: anonymous }, site.transport.gate)
    : undefined;
  return {
    get root() {
      return site.root;
    },
    typed: root,
    find: () => site.find(),
    calendar: calendarOver(site, send),
    ...(visiting && {
      visitors: calendarOver(site, sendOver(site, visiting, {})),
      user: () => site.located(() => confirmUser(site, send)),
      allEvents: () => allEvents(site),
    }),
    send: (request) => sendRaw(site, request),
    read: (path, query) => site.read(path, query),
    about: () => site.about(),
    greet: () => site.located(() => greet(send)),
    async close() {
      await Promise.all([site.transport.close(), visiting?.close()]);
    },
  };
}

/** Sends requests below the root of a site. */
const sendOver =
  (site: LocatedSite, over: LocatedSite['transport'], credentials: Record<string, string>): Send =>
  async (method, path, { query = {}, input } = {}) => {
    const address = routeUrl(site.root, path);
    const url = routeUrl(site.root, path, wireQuery(query));
    const response = await over.send({
      method,
      url,
      skipsText: true,
      headers: { accept: 'application/json', ...credentials, ...(input ? { 'content-type': 'application/json' } : {}) },
      body: input && JSON.stringify(input),
    });
    return { response, address };
  };

function calendarOver(site: LocatedSite, send: Send): Calendar {
  const locatedIn = ({ list, get, create, update, delete: remove }: Collection): Collection => ({
    list: (query) => site.located(() => list(query)),
    get: (ref, query) => site.located(() => get(ref, query)),
    create: (input) => site.located(() => create(input), true),
    update: (ref, input) => site.located(() => update(ref, input), true),
    delete: (ref) => site.located(() => remove(ref), true),
  });
  return Object.fromEntries(resourceNames.map((name) => [name, locatedIn(collectionOver(send, name))])) as unknown as Calendar;
}

async function sendRaw(site: LocatedSite, { method, path, whole = false, query, headers, body }: SiteRequest): Promise<RemoteResponse> {
  const { pathname } = new URL(site.root);
  const server = serverUrl(site.root);
  const absolute = whole || isAbsolute(path, pathname.slice(worldPrefixOf(pathname).length));
  const start = path === feedPath && !whole ? (site.siteUrl('') ?? server) : server;
  const url = absolute ? `${start}${path}${query ? `?${query}` : ''}` : routeUrl(site.root, path, query);
  const plain = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return site.transport.send({
    method,
    url,
    headers: { accept: 'application/json', ...site.credentials, ...plain },
    body: body.length ? body : undefined,
  });
}

async function greet(send: Send): ReturnType<Remote['greet']> {
  let mayWrite: boolean | undefined;
  for (const name of resourceNames) {
    const dates = name === 'events' ? { start_date: '1000-01-01', end_date: '9999-12-31' } : {};
    const { response, address } = await send('GET', `/${name}`, { query: { ...dates, per_page: '1' } });
    // The first page of an empty list is 404.
    if (response.status === 404) assertHere(response, address);
    const value = response.status === 404 ? undefined : calendarContentOf(response, address);
    const { allow } = response.headers;
    if (allow !== undefined) mayWrite ||= /\bPOST\b/.test(allow);
    const link = isObject(value) ? value.rest_url : undefined;
    if (typeof link === 'string' && URL.canParse(link)) return { root: rootIn(link, name), mayWrite };
  }
  return { mayWrite };
}

/** The address that routes start with, from that of a list. A site without pretty addresses has the route in a parameter. */
function rootIn(link: string, name: ResourceName): string {
  const url = new URL(link);
  const route = url.searchParams.get('rest_route');
  const withoutList = (path: string) => path.replace(new RegExp(`/${name}/?$`), '');
  if (route === null) return `${url.origin}${withoutList(url.pathname)}`;
  return `${url.origin}${url.pathname}?rest_route=${withoutList(route)}`;
}
