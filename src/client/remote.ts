import { feedPath, isAbsolute } from '../model/absolute-path.ts';
import { type Calendar, resourceNames } from '../model/calendar.ts';
import type { Query } from '../model/fields/list.ts';
import { namespace as specified } from '../model/routes.ts';
import { isZone } from '../model/time/zone.ts';
import { collectionOver, type Send } from './collection.ts';
import { contentOf, type RemoteResponse } from './response.ts';
import { type TransportOptions, transportOf } from './transport.ts';

/** A calendar on a server. */
export interface Remote {
  /** The address that routes start with. */
  root: string;
  calendar: Calendar;
  /** Sends a request to any route: below the root unless it is `whole`, starts with the root, or is that of the feed or of control. */
  ask(request: {
    method: string;
    path: string;
    whole?: boolean;
    query: string;
    headers: Record<string, string | undefined>;
    body: Uint8Array;
  }): Promise<RemoteResponse>;
  /** What the site is called, its zone and its clock, as far as its discovery root says it. */
  about(): Promise<About>;
  close(): Promise<void>;
}

/** A calendar's name and zone; empty where nobody says. */
export interface About {
  name: string;
  timezone: string;
  /** Its clock when it was asked, in epoch milliseconds, to the second: the `Date` of its answer (RFC 9110, 6.6.1). */
  now?: number;
}

/** Basic credentials as a header's value. */
export const basic = ({ name, password }: { name: string; password: string }): string =>
  `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`;

/** A query as the wire takes it: lists with commas, or bracketed where an item has one. */
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

/** How a namespace ends that a URL already carries: two words and a version. */
const carried = /\/[^/]+\/events\/v\d+$/;

/** The address that routes start with: a base URL with the namespace put after it, unless it has it already. Without a slash at the end. */
export function rootOf(url: string, namespace?: string): string {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const wanted = (namespace ?? specified).replace(/^\/+|\/+$/g, '');
  if (base === `/${wanted}` || base.endsWith(`/${wanted}`)) return origin + base;
  if (namespace === undefined && carried.test(base)) return origin + base;
  return `${origin}${base}/${wanted}`;
}

/** Where a site says what it is: the address below which the API stands. Undefined where the root of the API does not tell it. */
function siteOf(root: string, namespace = specified): string | undefined {
  const end = `/${namespace.replace(/^\/+|\/+$/g, '')}`;
  const site = root.endsWith(end) ? root.slice(0, -end.length) : root.replace(carried, '');
  return site === root ? undefined : `${site}/`;
}

/** The time zone that a site says it has: a name, or hours from Greenwich; empty where it says none. */
function zoneIn({ timezone_string: name, gmt_offset: hours }: Record<string, unknown>): string {
  const zone = name || hours === undefined ? name : `UTC${Number(hours) < 0 ? '' : '+'}${Number(hours)}`;
  return typeof zone === 'string' && isZone(zone) ? zone : '';
}

/** A calendar at an address that routes start with. Nothing is sent before it is asked for something. */
export function connectTo(root: string, authorization: string | undefined, options: TransportOptions, namespace?: string): Remote {
  const transport = transportOf(options);
  const credentials: Record<string, string> = authorization === undefined ? {} : { authorization };
  const ask: Send = async (method, path, { query = {}, input } = {}) => {
    const search = wireQuery(query);
    const address = `${root}${path}`;
    const answer = await transport.send({
      method,
      url: search ? `${address}?${search}` : address,
      headers: { accept: 'application/json', ...credentials, ...(input ? { 'content-type': 'application/json' } : {}) },
      body: input && JSON.stringify(input),
    });
    return { answer, address };
  };
  const calendar = Object.fromEntries(resourceNames.map((name) => [name, collectionOver(ask, name)])) as unknown as Calendar;
  let about: Promise<About> | undefined;
  const askAbout = async (): Promise<About> => {
    const unknown = { name: new URL(root).host, timezone: '' };
    const site = siteOf(root, namespace);
    if (site === undefined) return unknown;
    try {
      const url = `${site}?_fields=name,timezone_string,gmt_offset`;
      const answer = await transport.send({ method: 'GET', url, headers: { accept: 'application/json', ...credentials } });
      const { decodeEntities } = await import('../model/html/plain-text.ts');
      const said = contentOf(answer, url) as Record<string, unknown>;
      const name = typeof said.name === 'string' && said.name ? decodeEntities(said.name) : unknown.name;
      const now = Date.parse(answer.headers.date ?? '');
      return { name, timezone: zoneIn(said), now: Number.isNaN(now) ? undefined : now };
    } catch {
      // Not every site has a discovery root, and none must.
      return unknown;
    }
  };
  return {
    root,
    calendar,
    async ask({ method, path, whole = false, query, headers, body }) {
      const { origin, pathname } = new URL(root);
      const absolute = whole || isAbsolute(path, pathname);
      const start = !absolute ? root : path === feedPath && !whole ? (siteOf(root, namespace) ?? origin).replace(/\/$/, '') : origin;
      const url = `${start}${path}${query ? `?${query}` : ''}`;
      const plain = Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
      return transport.send({
        method,
        url,
        headers: { accept: 'application/json', ...credentials, ...plain },
        body: body.length ? body : undefined,
      });
    },
    about() {
      about ??= askAbout();
      return about;
    },
    close: () => transport.close(),
  };
}
