import { feedPath, isAbsolute, isLoopback, serverUrl, worldPrefixOf } from '../model/addresses.ts';
import { type Calendar, type Collection, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import { postTypeOf, namespace as specified, taxonomyOf } from '../model/routes.ts';
import { isZone } from '../model/time/zone.ts';
import { collectionOver, type Send } from './collection.ts';
import { isSameSite } from './redirects.ts';
import { calendarContentOf, contentOf, parsedJson, type RemoteResponse, withUser } from './response.ts';
import { baseOf, findSite, namespaceIn, routeUrl } from './site.ts';
import { type TransportOptions, transportOf } from './transport.ts';

export interface Remote {
  /** Root URL of the API; another one than that of the connection if the site was found elsewhere. */
  readonly root: string;
  /** The address of the connection. */
  typed: string;
  /** Looks for the API at the site of the root, once. Returns true if it has another address, which later requests use. */
  find(): Promise<boolean>;
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

/** True if a failure means that no calendar is at an address: neither a rejection, nor a page that stands in for one. */
const isElsewhere = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'not-a-calendar' && error.data.unknown_status !== undefined;

/** Throws if a response shows that no calendar is at an address. */
function assertHere(response: RemoteResponse, address: string): void {
  try {
    calendarContentOf(response, address);
  } catch (error) {
    if (isElsewhere(error)) throw error;
  }
}

interface ConnectOptions extends TransportOptions {
  /** False to use just the root, and not look for the API at its site (default true). */
  finds?: boolean;
}

/**
 * Connects to a calendar by its root URL. Sends nothing before the first call. If no calendar is there, looks for it at the site once. Requests go to where reads were redirected on the same
 * site, and credentials over http to another machine only after a request without them was not redirected to https.
 */
export function connectTo(root: string, authorization: string | undefined, options: ConnectOptions, namespace?: string): Remote {
  const transport = transportOf(options);
  let at = root;
  let finding: Promise<boolean> | undefined;
  const find = async (): Promise<boolean> => {
    const page = baseOf(root, namespace) ?? root;
    const wish = namespace ?? namespaceIn(root);
    const get = (url: string) => readUrl(url, true);
    const address = await findSite(get, page, wish === specified ? undefined : wish);
    if (address === at) return false;
    at = address;
    about = undefined;
    options.trace?.(`Found the API at ${at}, by ${page}`);
    return true;
  };
  /** True after the first response of a calendar. */
  let isKnown = options.finds === false;
  /** Runs work; once more if the site was looked for and found elsewhere. */
  const located = async <T>(work: () => Promise<T>, isWrite = false): Promise<T> => {
    const before = at;
    try {
      const result = await work();
      isKnown = true;
      return result;
    } catch (error) {
      isKnown ||= !isElsewhere(error);
      if (!isElsewhere(error) || isKnown || (isWrite && ![404, 405].includes(Number(error.data.unknown_status)))) throw error;
      finding ??= find().catch((failure) => {
        throw failure.code === 'not-a-calendar' ? error.with({ hint: failure.hint }) : failure;
      });
      if (!(await finding) && at === before) throw error;
      return work();
    }
  };
  /** Notes where a read was redirected to, so that writes and credentials go there. */
  const moved = ({ url }: RemoteResponse, sent: string): void => {
    if (url === undefined) return;
    const [from, to] = [new URL(sent), new URL(url)];
    if (from.origin !== to.origin && from.pathname === to.pathname && isSameSite(from, to)) at = to.origin + at.slice(from.origin.length);
  };
  const isBare = /^http:\/\/[^:/]+(\/|$)/.test(root) && !isLoopback(new URL(root).hostname);
  const hasSecrets = authorization !== undefined || Object.keys(options.headers ?? {}).some((name) => !name.startsWith('x-calendar-'));
  let probing: Promise<void> | undefined;
  const probe = async () => {
    const bare = transportOf({ ...options, headers: {}, attempts: 1 });
    try {
      // Not followed: the site at https may be out of reach.
      const { headers } = await bare.open({ method: 'GET', url: root, headers: { accept: 'application/json' } });
      const to = URL.canParse(headers.location ?? '', root) ? new URL(headers.location!, root) : undefined;
      if (to && isSameSite(new URL(root), to)) at = to.origin + at.slice(new URL(root).origin.length);
    } catch {
      // The request itself says what is wrong.
    } finally {
      await bare.close();
    }
  };
  const settled = async () => {
    if (!isBare || !hasSecrets) return;
    probing ??= probe();
    await probing;
  };
  const credentials: Record<string, string> = authorization === undefined ? {} : { authorization };
  const sendOver =
    (over: typeof transport, more: Record<string, string>): Send =>
    async (method, path, { query = {}, input } = {}) => {
      await settled();
      const address = routeUrl(at, path);
      const url = routeUrl(at, path, wireQuery(query));
      const response = await over.send({
        method,
        url,
        skipsText: true,
        headers: { accept: 'application/json', ...more, ...(input ? { 'content-type': 'application/json' } : {}) },
        body: input && JSON.stringify(input),
      });
      if (method === 'GET') moved(response, url);
      return { response, address };
    };
  const locatedIn = ({ list, get, create, update, delete: remove }: Collection): Collection => ({
    list: (query) => located(() => list(query)),
    get: (ref, query) => located(() => get(ref, query)),
    create: (input) => located(() => create(input), true),
    update: (ref, input) => located(() => update(ref, input), true),
    delete: (ref) => located(() => remove(ref), true),
  });
  const calendarOver = (send: Send) =>
    Object.fromEntries(resourceNames.map((name) => [name, locatedIn(collectionOver(send, name))])) as unknown as Calendar;
  const send = sendOver(transport, credentials);
  const { headers: given = {} } = options;
  const anonymous = Object.fromEntries(Object.entries(given).filter(([name]) => !userHeaders.has(name)));
  const isUser = hasUser({ authorization, headers: given });
  const visiting = isUser ? transportOf({ ...options, headers: anonymous }) : undefined;
  /** The address of a route of the site itself, which has the index and the routes of WordPress. */
  const siteUrl = (route: string, query?: string): string | undefined => {
    const base = baseOf(at, at === root ? namespace : undefined);
    return base === undefined ? undefined : routeUrl(base, route, query);
  };
  const readUrl = async (url: string, staysOnHost = false) => {
    await settled();
    const response = await transport.send({
      method: 'GET',
      url,
      skipsText: true,
      staysOnHost,
      headers: { accept: 'application/json', ...credentials },
    });
    moved(response, url);
    return response;
  };
  let about: Promise<About> | undefined;
  const fetchAbout = async (): Promise<About> => {
    const unknown = { name: new URL(root).host, timezone: '' };
    const url = siteUrl('/', '_fields=name,timezone_string,gmt_offset');
    if (url === undefined) return unknown;
    try {
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
    user: () => located(confirmUser),
    async allEvents() {
      const titles = new Map<number, string>();
      const type = await typeOfEvents();
      const url = (page: number) => siteUrl(`/wp/v2/${type}`, `per_page=100&page=${page}&_fields=id,title`)!;
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
  const confirmUser = async (): Promise<{ isConfirmed: boolean; mayPublish?: boolean }> => {
    const url = siteUrl('/wp/v2/users/me', 'context=edit');
    const me = url === undefined ? undefined : await readUrl(url);
    if (me?.status === 401) rejectUser(me, url!);
    const content = me?.status === 200 ? parsedJson(me.body) : undefined;
    if (isObject(content)) return { isConfirmed: true, mayPublish: mayPublish(content) };
    const { response, address } = await send('GET', '/events', { query: { status: 'draft', per_page: '1' } });
    assertHere(response, address);
    // The first page of an empty list is 404.
    return { isConfirmed: response.status === 200 || response.status === 404 };
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
  const typeOfEvents = async (): Promise<string | undefined> => {
    const carried = namespaceIn(at);
    if (carried !== undefined) return postTypeOf(taxonomyOf(carried));
    const url = siteUrl('/wp/v2/types', '_fields=slug');
    if (url === undefined) return undefined;
    const { status, body } = await readUrl(url);
    const types = status === 200 ? parsedJson(body) : undefined;
    return isObject(types) ? Object.keys(types).find((name) => name.endsWith('_events')) : undefined;
  };
  const greet: Remote['greet'] = async () => {
    let mayWrite = false;
    for (const name of resourceNames) {
      const dates = name === 'events' ? { start_date: '1000-01-01', end_date: '9999-12-31' } : {};
      const { response, address } = await send('GET', `/${name}`, { query: { ...dates, per_page: '1' } });
      // The first page of an empty list is 404.
      if (response.status === 404) assertHere(response, address);
      const value = response.status === 404 ? undefined : calendarContentOf(response, address);
      mayWrite ||= /\bPOST\b/.test(response.headers.allow ?? '');
      const link = isObject(value) ? value.rest_url : undefined;
      if (typeof link === 'string' && URL.canParse(link)) return { root: rootIn(link, name), mayWrite };
    }
    return { mayWrite };
  };
  return {
    get root() {
      return at;
    },
    typed: root,
    find() {
      finding ??= find();
      return finding;
    },
    calendar: calendarOver(send),
    ...(isUser ? ofUser : {}),
    async send({ method, path, whole = false, query, headers, body }) {
      await settled();
      const { pathname } = new URL(at);
      const server = serverUrl(at);
      const absolute = whole || isAbsolute(path, pathname.slice(worldPrefixOf(pathname).length));
      const start = path === feedPath && !whole ? (siteUrl('') ?? server) : server;
      const url = absolute ? `${start}${path}${query ? `?${query}` : ''}` : routeUrl(at, path, query);
      const plain = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
      return transport.send({
        method,
        url,
        headers: { accept: 'application/json', ...credentials, ...plain },
        body: body.length ? body : undefined,
      });
    },
    read: (path, query) =>
      located(async () => {
        const address = routeUrl(at, path);
        const response = await readUrl(routeUrl(at, path, query));
        if (!isKnown) assertHere(response, address);
        return response;
      }),
    about() {
      about ??= fetchAbout();
      return about;
    },
    greet: () => located(greet),
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
