import { feedPath, isAbsolute, serverOf, worldPrefixOf } from '../model/addresses.ts';
import { type Calendar, type Input, type ResourceName, resourceNames } from '../model/calendar.ts';
import type { Query } from '../model/fields/list.ts';
import { generator, namespace as specified } from '../model/routes.ts';
import { isZone } from '../model/time/zone.ts';
import { collectionOver, type Send } from './collection.ts';
import { contentOf, jsonOf, type RemoteResponse } from './response.ts';
import { hasCredentials, type TransportOptions, transportOf } from './transport.ts';

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
  /** Writes to a path below the root. Text before the JSON is skipped, as for the calendar. */
  write(method: string, path: string, input: Input | undefined): Promise<RemoteResponse>;
  /** Returns title, time zone and clock of the site, as far as its discovery root contains them. */
  about(): Promise<About>;
  isOurs(): Promise<boolean>;
  /** Returns whether the user may list unpublished records: on a server of this program by trying, elsewhere if `Allow` in its responses includes POST. */
  maySeeUnpublished(resource: ResourceName): Promise<boolean>;
  /**
   * Returns whether the site confirms the user of the credentials: true without credentials, false if it doesn't tell. Throws the site's failure if it rejects
   * them: some sites take a wrong password for a visitor in every other response.
   */
  confirmsUser(): Promise<boolean>;
  close(): Promise<void>;
}

/** Title and time zone of a calendar; empty if unknown. */
export interface About {
  name: string;
  timezone: string;
  /** Its clock at the time of the request, in epoch milliseconds, from the `Date` header (RFC 9110, 6.6.1). */
  now?: number;
  /** True if the server is one of this program. */
  isOurs: boolean;
}

export const basic = ({ name, password }: { name: string; password: string }): string =>
  `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`;

/** Returns a query string: lists are comma-separated, or bracketed if an item contains a comma. */
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

/** Returns the root URL of the API: a base URL with the namespace appended, unless it has one. Without a trailing slash. */
export function rootOf(url: string, namespace?: string): string {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const path = (namespace ?? specified).replace(/^\/+|\/+$/g, '');
  if (base === `/${path}` || base.endsWith(`/${path}`)) return origin + base;
  if (namespace === undefined && carried.test(base)) return origin + base;
  return `${origin}${base}/${path}`;
}

/** Returns the URL of the site's discovery root; undefined if the root of the API does not reveal it. */
function siteOf(root: string, namespace = specified): string | undefined {
  const end = `/${namespace.replace(/^\/+|\/+$/g, '')}`;
  const site = root.endsWith(end) ? root.slice(0, -end.length) : root.replace(carried, '');
  return site === root ? undefined : `${site}/`;
}

/** Returns the time zone in a discovery root: a name or a UTC offset; empty if it has none. */
export function zoneIn({ timezone_string: name, gmt_offset: hours }: Record<string, unknown>): string {
  const zone = name || hours === undefined ? name : `UTC${Number(hours) < 0 ? '' : '+'}${Number(hours)}`;
  return typeof zone === 'string' && isZone(zone) ? zone : '';
}

/** Connects to a calendar by its root URL. Sends nothing before the first call. */
export function connectTo(root: string, authorization: string | undefined, options: TransportOptions, namespace?: string): Remote {
  const transport = transportOf(options);
  const credentials: Record<string, string> = authorization === undefined ? {} : { authorization };
  const send: Send = async (method, path, { query = {}, input } = {}) => {
    const search = wireQuery(query);
    const address = `${root}${path}`;
    const response = await transport.send({
      method,
      url: search ? `${address}?${search}` : address,
      skipsText: true,
      headers: { accept: 'application/json', ...credentials, ...(input ? { 'content-type': 'application/json' } : {}) },
      body: input && JSON.stringify(input),
    });
    return { response, address };
  };
  const calendar = Object.fromEntries(resourceNames.map((name) => [name, collectionOver(send, name)])) as unknown as Calendar;
  let about: Promise<About> | undefined;
  const fetchAbout = async (): Promise<About> => {
    const unknown = { name: new URL(root).host, timezone: '', isOurs: false };
    const site = siteOf(root, namespace);
    if (site === undefined) return unknown;
    try {
      const url = `${site}?_fields=name,timezone_string,gmt_offset,generator`;
      const response = await transport.send({
        method: 'GET',
        url,
        skipsText: true,
        headers: { accept: 'application/json', ...credentials },
      });
      const { decodeEntities } = await import('../model/html/plain-text.ts');
      const discovery = contentOf(response, url) as Record<string, unknown>;
      const name = typeof discovery.name === 'string' && discovery.name ? decodeEntities(discovery.name) : unknown.name;
      const now = Date.parse(response.headers.date ?? '');
      return { name, timezone: zoneIn(discovery), now: Number.isNaN(now) ? undefined : now, isOurs: discovery.generator === generator };
    } catch {
      // Sites need not have a discovery root.
      return unknown;
    }
  };
  const remote: Remote = {
    root,
    calendar,
    async send({ method, path, whole = false, query, headers, body }) {
      const { pathname } = new URL(root);
      const server = serverOf(root);
      const absolute = whole || isAbsolute(path, pathname.slice(worldPrefixOf(pathname).length));
      const start = !absolute ? root : path === feedPath && !whole ? (siteOf(root, namespace) ?? server).replace(/\/$/, '') : server;
      const url = `${start}${path}${query ? `?${query}` : ''}`;
      const plain = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
      return transport.send({
        method,
        url,
        headers: { accept: 'application/json', ...credentials, ...plain },
        body: body.length ? body : undefined,
      });
    },
    read: (path, query) =>
      transport.send({
        method: 'GET',
        url: query ? `${root}${path}?${query}` : `${root}${path}`,
        skipsText: true,
        headers: { accept: 'application/json', ...credentials },
      }),
    write: async (method, path, input) => (await send(method, path, input ? { input } : {})).response,
    about() {
      about ??= fetchAbout();
      return about;
    },
    isOurs: async () => (await remote.about()).isOurs,
    async maySeeUnpublished(resource) {
      if (await remote.isOurs()) return true;
      if (authorization === undefined && !hasCredentials(options.headers ?? {})) return false;
      const { response } = await send('GET', `/${resource}`, { query: { per_page: '1' } });
      return response.status < 400 && /\bPOST\b/.test(response.headers.allow ?? '');
    },
    async confirmsUser() {
      if (authorization === undefined) return true;
      const site = siteOf(root, namespace);
      const url = `${site}wp/v2/users/me`;
      const me =
        site && (await transport.send({ method: 'GET', url, skipsText: true, headers: { accept: 'application/json', ...credentials } }));
      if (me && me.status === 401) contentOf(me, url);
      if (me && me.status === 200 && typeof jsonOf(me.body) === 'object') return true;
      const { response } = await send('GET', '/events', { query: { status: 'draft', per_page: '1' } });
      // The first page of an empty list is 404.
      return response.status === 200 || response.status === 404;
    },
    close: () => transport.close(),
  };
  return remote;
}
