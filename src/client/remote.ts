import { feedPath, isAbsolute, serverUrl, worldPrefixOf } from '../model/addresses.ts';
import { type Calendar, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import { postTypeOf, namespace as specified, taxonomyOf } from '../model/routes.ts';
import { isZone } from '../model/time/zone.ts';
import { collectionOver, type Send } from './collection.ts';
import { calendarContentOf, contentOf, parsedJson, type RemoteResponse, withUser } from './response.ts';
import { type TransportOptions, transportOf } from './transport.ts';

export interface Remote {
  /** Root URL of the API. */
  root: string;
  calendar: Calendar;
  /** Sends a request to a path below the root. A path that is `whole`, starts with the root, or belongs to the feed or the control API is relative to the origin. */
  send(request: {
    method: string;
    path: string;
    whole?: boolean;
    query: string;
    headers: Record<string, string | undefined>;
    body: Uint8Array;
  }): Promise<RemoteResponse>;
  /** Reads a path below the root. Text before the JSON is skipped, as for the calendar. */
  read(path: string, query: string): Promise<RemoteResponse>;
  /** Title, time zone and clock of the site, as far as its discovery root contains them. */
  about(): Promise<About>;
  /** The same calendar without credentials; absent if there are none. */
  visitors?: Calendar;
  /** The address that the routes start with in the site's own links, undefined if it has no records, and whether `Allow` in its responses includes POST. */
  greet(): Promise<{ root?: string; mayWrite: boolean }>;
  /**
   * Returns whether the site confirms the user of the credentials, and whether the user may publish, if it tells. Throws the site's failure if it rejects them: some sites take a wrong password
   * for a visitor in every other response. Absent without credentials.
   */
  user?(): Promise<{ isConfirmed: boolean; mayPublish?: boolean }>;
  /** Every event that the user may know, also those that lists don't show. Absent without credentials. */
  allEvents?(): Promise<{ id: number; title: string }[]>;
  close(): Promise<void>;
}

/** Title and time zone of a calendar; empty if unknown. */
interface About {
  name: string;
  timezone: string;
  /** Its clock at the time of the request, in epoch milliseconds, from the `Date` header (RFC 9110, 6.6.1). */
  now?: number;
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

/** Matches a namespace at the end of a URL: two words and a version. */
const carried = /\/[^/]+\/events\/v\d+$/;

/** The root URL of the API: a base URL with the namespace appended, unless it has one. Without a trailing slash. */
export function rootUrl(url: string, namespace?: string): string {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const path = (namespace ?? specified).replace(/^\/+|\/+$/g, '');
  if (base === `/${path}` || base.endsWith(`/${path}`)) return origin + base;
  if (namespace === undefined && carried.test(base)) return origin + base;
  return `${origin}${base}/${path}`;
}

/** The URL of the site's discovery root; undefined if the root of the API does not reveal it. */
function siteOf(root: string, namespace = specified): string | undefined {
  const end = `/${namespace.replace(/^\/+|\/+$/g, '')}`;
  const site = root.endsWith(end) ? root.slice(0, -end.length) : root.replace(carried, '');
  return site === root ? /^.*?\/wp-json\/(?=.)/.exec(root)?.[0] : `${site}/`;
}

/** The time zone in a discovery root: a name or a UTC offset; empty if it has none. */
export function zoneIn({ timezone_string: name, gmt_offset: hours }: Record<string, unknown>): string {
  const zone = name || hours === undefined ? name : `UTC${Number(hours) < 0 ? '' : '+'}${Number(hours)}`;
  return typeof zone === 'string' && isZone(zone) ? zone : '';
}

/** Headers that identify a user. */
const userHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-wp-nonce']);

/** True if credentials or headers identify a user. */
export const hasUser = ({ authorization, headers = {} }: { authorization?: string; headers?: Record<string, string> }): boolean =>
  authorization !== undefined || Object.keys(headers).some((name) => userHeaders.has(name));

/** Maximum number of pages of 100 events that are read to find hidden ones. */
const maxEventPages = 1000;

/** Connects to a calendar by its root URL. Sends nothing before the first call. */
export function connectTo(root: string, authorization: string | undefined, options: TransportOptions, namespace?: string): Remote {
  const transport = transportOf(options);
  const credentials: Record<string, string> = authorization === undefined ? {} : { authorization };
  const sendOver =
    (over: typeof transport, more: Record<string, string>): Send =>
    async (method, path, { query = {}, input } = {}) => {
      const search = wireQuery(query);
      const address = `${root}${path}`;
      const response = await over.send({
        method,
        url: search ? `${address}?${search}` : address,
        skipsText: true,
        headers: { accept: 'application/json', ...more, ...(input ? { 'content-type': 'application/json' } : {}) },
        body: input && JSON.stringify(input),
      });
      return { response, address };
    };
  const calendarOver = (send: Send) =>
    Object.fromEntries(resourceNames.map((name) => [name, collectionOver(send, name)])) as unknown as Calendar;
  const send = sendOver(transport, credentials);
  const { headers: given = {} } = options;
  const anonymous = Object.fromEntries(Object.entries(given).filter(([name]) => !userHeaders.has(name)));
  const isUser = hasUser({ authorization, headers: given });
  const visiting = isUser ? transportOf({ ...options, headers: anonymous }) : undefined;
  const site = siteOf(root, namespace);
  const readUrl = (url: string) =>
    transport.send({ method: 'GET', url, skipsText: true, headers: { accept: 'application/json', ...credentials } });
  let about: Promise<About> | undefined;
  const fetchAbout = async (): Promise<About> => {
    const unknown = { name: new URL(root).host, timezone: '' };
    if (site === undefined) return unknown;
    try {
      const url = `${site}?_fields=name,timezone_string,gmt_offset`;
      const response = await readUrl(url);
      const { decodeEntities } = await import('../model/html/plain-text.ts');
      const discovery = contentOf(response, url) as Record<string, unknown>;
      const name = typeof discovery.name === 'string' && discovery.name ? decodeEntities(discovery.name) : unknown.name;
      const now = Date.parse(response.headers.date ?? '');
      return { name, timezone: zoneIn(discovery), now: Number.isNaN(now) ? undefined : now };
    } catch {
      // Sites need not have a discovery root.
      return unknown;
    }
  };
  const ofUser: Pick<Remote, 'user' | 'allEvents' | 'visitors'> = {
    visitors: visiting && calendarOver(sendOver(visiting, {})),
    async user() {
      const url = `${site}wp/v2/users/me?context=edit`;
      const me = site === undefined ? undefined : await readUrl(url);
      if (me?.status === 401) rejectUser(me, url);
      const content = me?.status === 200 ? parsedJson(me.body) : undefined;
      if (isObject(content)) return { isConfirmed: true, mayPublish: mayPublish(content) };
      const { response } = await send('GET', '/events', { query: { status: 'draft', per_page: '1' } });
      // The first page of an empty list is 404.
      return { isConfirmed: response.status === 200 || response.status === 404 };
    },
    async allEvents() {
      const titles = new Map<number, string>();
      const type = site && (await typeOfEvents(site));
      const url = (page: number) => `${site}wp/v2/${type}?per_page=100&page=${page}&_fields=id,title`;
      const statuses = '&status=publish,future,draft,pending,private';
      let isAny = true;
      for (let page = 1; type && page <= maxEventPages; page++) {
        let response = await readUrl(url(page) + (isAny ? statuses : ''));
        if (isAny && page === 1 && [400, 401, 403].includes(response.status)) {
          // Users who may not read drafts may not request them.
          isAny = false;
          response = await readUrl(url(page));
        }
        const content = response.status === 200 ? parsedJson(response.body) : undefined;
        // Sites need not have this route, and a page after the last one is an error.
        if (!Array.isArray(content) || content.some((each) => !Number.isInteger(each?.id))) break;
        const before = titles.size;
        for (const { id, title } of content) titles.set(id, String(title?.rendered ?? id));
        // Some sites ignore the number of the page.
        if (content.length > 0 && titles.size === before) break;
        // Pages lack the records that the user may not read, so that a short one may have others after it.
        const pages = Number(response.headers['x-wp-totalpages']);
        if (pages > 0 ? page >= pages : content.length < 100) break;
      }
      return [...titles].map(([id, title]) => ({ id, title }));
    },
  };
  /** Throws that the site rejects the user, by name. */
  const rejectUser = (response: RemoteResponse, url: string): void => {
    try {
      contentOf(response, url);
    } catch (error) {
      const [, encoded = ''] = /^Basic (\S+)$/.exec(authorization ?? '') ?? [];
      const name = Buffer.from(encoded, 'base64').toString().split(':')[0];
      throw name && error instanceof Failure ? withUser(error, new URL(root).host, name) : error;
    }
  };
  /** The post type of the events, by the namespace or, if that is another one than usual, by the list of types. */
  const typeOfEvents = async (start: string): Promise<string | undefined> => {
    if (carried.test(root)) return postTypeOf(taxonomyOf(root.split('/').slice(-3).join('/')));
    const { status, body } = await readUrl(`${start}wp/v2/types?_fields=slug`);
    const types = status === 200 ? parsedJson(body) : undefined;
    return isObject(types) ? Object.keys(types).find((name) => name.endsWith('_events')) : undefined;
  };
  return {
    root,
    calendar: calendarOver(send),
    ...(isUser ? ofUser : {}),
    async send({ method, path, whole = false, query, headers, body }) {
      const { pathname } = new URL(root);
      const server = serverUrl(root);
      const absolute = whole || isAbsolute(path, pathname.slice(worldPrefixOf(pathname).length));
      const start = !absolute ? root : path === feedPath && !whole ? (site ?? server).replace(/\/$/, '') : server;
      const url = `${start}${path}${query ? `?${query}` : ''}`;
      const plain = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
      return transport.send({
        method,
        url,
        headers: { accept: 'application/json', ...credentials, ...plain },
        body: body.length ? body : undefined,
      });
    },
    read: (path, query) => readUrl(query ? `${root}${path}?${query}` : `${root}${path}`),
    about() {
      about ??= fetchAbout();
      return about;
    },
    async greet() {
      let mayWrite = false;
      for (const name of resourceNames) {
        const dates = name === 'events' ? { start_date: '1000-01-01', end_date: '9999-12-31' } : {};
        const { response, address } = await send('GET', `/${name}`, { query: { ...dates, per_page: '1' } });
        // The first page of an empty list is 404.
        const value = response.status === 404 ? undefined : calendarContentOf(response, address);
        mayWrite ||= /\bPOST\b/.test(response.headers.allow ?? '');
        const link = isObject(value) ? value.rest_url : undefined;
        if (typeof link === 'string' && URL.canParse(link)) return { root: rootIn(link, name), mayWrite };
      }
      return { mayWrite };
    },
    async close() {
      await Promise.all([transport.close(), visiting?.close()]);
    },
  };
}

/** The address that routes start with, from that of a list. A site without pretty addresses has the route in a parameter. */
function rootIn(link: string, name: ResourceName): string {
  const url = new URL(link);
  const route = url.searchParams.get('rest_route');
  const withoutList = (path: string) => path.replace(new RegExp(`/${name}/?$`), '');
  if (route === null) return `${url.origin}${withoutList(url.pathname)}`;
  return `${url.origin}${url.pathname}?rest_route=${withoutList(route)}`;
}

/** True if a user may publish, from the capabilities that a site shows; undefined if it shows none. */
function mayPublish({ capabilities }: Record<string, unknown>): boolean | undefined {
  if (!isObject(capabilities)) return undefined;
  return Object.entries(capabilities).some(
    ([name, isGranted]) => isGranted === true && /^publish_.*(events|posts)$|^administrator$/.test(name),
  );
}
