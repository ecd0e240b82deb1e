import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { defaultServing } from '../../src/data/serving/options.ts';
import { type ServedCalendar, serveCalendar } from '../../src/data/serving/serve.ts';
import { type Entry, type Input, type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import { Failure } from '../../src/model/error.ts';
import type { SiteFault } from '../../src/model/operations/connection-faults.ts';
import type { FaultAnswer } from '../../src/model/operations/faults.ts';
import { siteFaults } from '../../src/model/operations/site-faults.ts';
import { owner } from '../../src/model/viewer.ts';
import type { HookFunctions } from '../../src/server/hooks/functions.ts';
import { SiteRules } from './site-rules.ts';
import { moment } from './transcript.ts';

/** Differences of a live site from `calendar serve`. */
export interface Quirks {
  /** Rejects requests without a User-Agent. */
  needsUserAgent: boolean;
  /** Name and value of a header that every request requires. */
  requiredHeader: [name: string, value: string] | undefined;
  /** Text before the JSON of each response. */
  preamble: string;
  /** An HTML page in place of every response. */
  page: { status: number; body: string; headers?: Record<string, string> } | undefined;
  /** Responses to return before the real one. */
  busy: { status: number; retryAfter: string }[];
  /** Answers every fifth request with 502. */
  failsEveryFifth: boolean;
  /** Redirects each read to the same path on this origin. */
  redirectTo: string | undefined;
  /** Appends this to each description that is written. */
  rewrites: string;
  /** Fields whose changes are ignored. */
  ignores: string[];
  /** Response to a question for the current user. The site takes every user for a visitor then. */
  currentUser: { status: number; body: string } | undefined;
  /** Called before each single record is read. */
  beforeSingle: (() => Promise<void>) | undefined;
  /** Adds members to all records: some only in lists, in single records or in embedded ones. */
  extras: boolean;
  /** Returns whether the connection is cut before or after a request has its effect. */
  cuts: ((method: string, path: string) => 'before' | 'after' | undefined) | undefined;
  /** Another host in the links of the site. */
  alias: string | undefined;
  /** A member that the site lacks in all records. */
  lacks: string | undefined;
  /** ID of the last tag, if it is invalid. */
  renumber: number | undefined;
  /** Lists and records are those of a cache, by address, while it is set. */
  cache: Map<string, string> | undefined;
  /** Called before each list, with its query. */
  beforeList: ((resource: ResourceName, query: URLSearchParams) => Promise<void> | void) | undefined;
}

/** Quirks that a site can have all at once without losing a request. */
export const everyQuirk = (): Partial<Quirks> => ({
  extras: true,
  preamble: `\ufeff${(siteFaults['site:notice'].then as { preamble: string }).preamble}`,
  requiredHeader: ['x-team', 'blue'],
  busy: [{ status: 429, retryAfter: '0' }],
});

/** Returns the page that a site sends instead of each response. */
export const pageOf = (name: SiteFault): NonNullable<Quirks['page']> => {
  const { status, body, headers } = siteFaults[name].then as FaultAnswer;
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers: { ...headers } };
};

export interface LiveSite {
  url: string;
  /** The calendar behind the site. */
  origin: ServedCalendar;
  quirks: Quirks;
  /** Requests as `METHOD /path?query`, without the base path. */
  log: string[];
  headers: http.IncomingHttpHeaders[];
  close(): Promise<void>;
}

const base = '/wp-json';
export const namespace = 'brand/events/v1';

/** A user with this name and the password x edits the site on behalf of its contributors. */
export const admin = 'ada';
export const basicAuth = (name: string, password = 'x'): string => `Basic ${btoa(`${name}:${password}`)}`;

/** Marks requests that came through the proxy of a site. Others, which change the site behind its back, don't follow its rules. */
const marker = 'x-through-site';

/** Returns hooks with the rules of the real service: how it takes writes, and users whom it rejects or doesn't let publish. */
function siteHooks(origin: () => ServedCalendar, rules: SiteRules): HookFunctions {
  const roleOf = async (authorization: string) => {
    const me = await fetch(`${origin().listening.url}${base}/wp/v2/users/me?context=edit`, { headers: { authorization } });
    return me.ok ? ((await me.json()) as { roles: string[] }).roles[0] : undefined;
  };
  const target = (path: string) => {
    const [, name, id] = new RegExp(`^${base}/${namespace}/(\\w+)(?:/(\\d+))?$`).exec(path) ?? [];
    return { name: name as ResourceName, id: Number(id) };
  };
  const isWrite = (method: string) => method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    async request(request) {
      const { [marker]: isThrough, authorization, ...headers } = request.headers;
      const { name, id } = target(request.path);
      if (!isThrough || !name) return undefined;
      const role = authorization === undefined ? undefined : await roleOf(authorization);
      // A wrong password makes a visitor.
      const as = authorization === undefined || role === undefined ? {} : { authorization };
      if (!isWrite(request.method)) return { ...request, headers: { ...headers, ...as } };
      const local = origin().store.local(owner, { home: '', root: '' });
      try {
        const body = rules.stored(name, request.body as Input, id ? local.entry(name, id) : undefined);
        if (role !== 'contributor') return { ...request, headers: { ...headers, ...as }, body };
        const status = ['publish', 'future', undefined].includes(body.status as string | undefined) ? 'pending' : body.status;
        return {
          ...request,
          headers: { ...headers, authorization: basicAuth(admin) },
          body: { ...body, ...('status' in body || !id ? { status } : {}) },
        };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { code, message, status, data } = error;
        return { status, body: { code, message, data: { status, ...data } } };
      }
    },
    response(response, { method, path }) {
      const { name, id } = target(path);
      const body = response.body as Entry & Record<string, Entry[]>;
      if (!name || response.status >= 400) return undefined;
      if (id) return { ...response, body: rules.shown(name, body) };
      if (isWrite(method)) return { ...response, body: rules.created(name, body) };
      return { ...response, body: { ...body, [name]: body[name]?.map((each) => rules.shown(name, each)) } };
    },
  };
}

/** Starts a site like those on the internet, filled with a seed: a server of this program with the rules of the real service, behind a proxy that adds quirks. */
export async function liveSite(name: string, quirks: Partial<Quirks> = {}): Promise<LiveSite> {
  const rules = new SiteRules();
  const origin: ServedCalendar = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: true,
    durability: 'none',
    system: () => Date.parse(moment),
    basePath: base,
    namespace,
    connectTo: () => Promise.reject(new Error('not connected')),
    hooks: { functions: siteHooks(() => origin, rules) },
    prepare: async (store) => void (await seed(store, await seedNamed(name), 'append')),
  });
  const site: Quirks = {
    needsUserAgent: true,
    requiredHeader: undefined,
    preamble: '',
    page: undefined,
    busy: [],
    failsEveryFifth: false,
    redirectTo: undefined,
    rewrites: '',
    ignores: [],
    currentUser: undefined,
    extras: false,
    cuts: undefined,
    cache: undefined,
    alias: undefined,
    renumber: undefined,
    lacks: undefined,
    beforeList: undefined,
    beforeSingle: undefined,
    ...quirks,
  };
  const log: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  let count = 0;
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(request.url!, 'http://site');
    log.push(`${request.method} ${url.pathname.replace(`${base}/${namespace}`, '')}${url.search}`);
    headers.push(request.headers);
    const send = (status: number, text: string, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'text/html', ...more });
      response.end(text);
    };
    if (site.page) return send(site.page.status, site.page.body, site.page.headers);
    if (site.needsUserAgent && !request.headers['user-agent']) return send(403, '<html>Forbidden</html>');
    if (site.requiredHeader && request.headers[site.requiredHeader[0]] !== site.requiredHeader[1]) return send(403, '<html>No key</html>');
    const busy = site.busy.shift();
    if (busy) return send(busy.status, 'busy', { 'Retry-After': busy.retryAfter });
    if (site.failsEveryFifth && ++count % 5 === 0) return send(502, '<html>Bad gateway</html>');
    if (site.redirectTo && request.method === 'GET') return send(301, '', { Location: `${site.redirectTo}${url.pathname}${url.search}` });
    const resource = resourceNames.find((name) => url.pathname === `${base}/${namespace}/${name}`);
    if (resource && request.method === 'GET') await site.beforeList?.(resource, url.searchParams);
    if (/\/\d+$/.test(url.pathname) && request.method === 'GET') await site.beforeSingle?.();
    const cut = site.cuts?.(request.method!, url.pathname);
    if (cut === 'before') return void response.destroy();
    if (url.pathname === `${base}/wp/v2/brand_events`) return send(200, JSON.stringify(await allEvents(origin, request)));
    // A site that is not of this program knows neither.
    url.searchParams.delete('_uid');
    if (site.currentUser && url.pathname.endsWith('/wp/v2/users/me')) return send(site.currentUser.status, site.currentUser.body);
    if (site.currentUser && url.searchParams.has('status'))
      return send(400, '{"code":"rest_invalid_param","message":"status","data":{"status":400}}');
    rules.ignores = site.ignores;
    const answer = await fetch(`${origin.listening.url}${url.pathname}${url.search}`, {
      method: request.method,
      headers: { 'content-type': 'application/json', [marker]: 'yes', ...(site.currentUser ? {} : authorizationOf(request)) },
      ...(body.length ? { body: JSON.stringify(written(JSON.parse(body.toString()), site)) } : {}),
    });
    // A site names itself in its links.
    const text = (await answer.text()).replaceAll(new URL(origin.listening.url).host, site.alias ?? request.headers.host!);
    let shown =
      site.extras && answer.ok && url.pathname !== `${base}/`
        ? withExtras(text)
        : url.pathname === `${base}/`
          ? JSON.stringify({ ...JSON.parse(text), generator: undefined })
          : text;
    if (cut === 'after') return void response.destroy();
    if (request.method === 'GET' && !request.headers.authorization && /"status":"(draft|private)"/.test(text))
      return send(403, '{"code":"event-not-accessible","message":"No.","data":{"status":403}}');
    const names = [...answer.headers].filter(([name]) => !['content-length', 'content-encoding', 'connection', 'date'].includes(name));
    // Visitors may not write, and so are not asked for drafts.
    const more = request.headers.authorization ? {} : { allow: 'GET' };
    response.writeHead(answer.status, { ...Object.fromEntries(names), ...more });
    if (site.renumber !== undefined && resource === 'tags')
      shown = shown.replace(/"id":\d+(?=(?:(?!"id":).)*"slug":"odd")/, `"id":${site.renumber}`);
    if (site.lacks) shown = shown.replaceAll(new RegExp(`"${site.lacks}":[^,]*,`, 'g'), '');
    const cached = request.method === 'GET' ? site.cache?.get(request.url!) : undefined;
    if (request.method === 'GET' && answer.ok && !cached) site.cache?.set(request.url!, shown);
    response.end(site.preamble + (cached ?? shown));
  };
  // A connection of the calendar behind it that breaks is one of the site.
  const server = http.createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    origin,
    quirks: site,
    log,
    headers,
    async close() {
      server.closeAllConnections();
      server.close();
      await origin.close();
    },
  };
}

/** Returns the events that a user may know, as the routes of WordPress do: also those that lists hide. */
async function allEvents({ store }: ServedCalendar, { headers: { authorization } }: http.IncomingMessage): Promise<object[]> {
  if (authorization === undefined) return [];
  const entries = [...store.local(owner, { home: '', root: '' }).entries('events')];
  return entries.map(({ id, title }) => ({ id, title: { rendered: title } }));
}

const authorizationOf = ({ headers: { authorization } }: http.IncomingMessage): Record<string, string> =>
  authorization === undefined ? {} : { authorization };

/** Returns the body of a write with the quirks of the site. */
function written(input: Record<string, unknown>, site: Quirks): Record<string, unknown> {
  const stored = { ...input };
  if (site.rewrites && typeof input.description === 'string') stored.description = `${input.description}${site.rewrites}`;
  return stored;
}

/** Adds the members of other extensions to the records in a response. */
function withExtras(text: string): string {
  const value = JSON.parse(text);
  const list = resourceNames.find((name) => Array.isArray(value[name]) && value.total !== undefined);
  for (const record of list ? value[list] : [value]) addExtras(record, list ? 'list' : 'single');
  return JSON.stringify(value);
}

function addExtras(record: Record<string, unknown>, form: 'list' | 'single'): void {
  const id = Number(record.id);
  Object.assign(record, {
    custom_fields: { 'Dress code': `casual ${id}` },
    is_virtual: id % 2 === 0,
    virtual_url: null,
    [`only_in_${form}`]: id,
  });
  for (const member of ['venue', 'organizer', 'categories', 'tags'])
    for (const each of [record[member]].flat())
      if (each && typeof each === 'object') Object.assign(each, { map_hint: `hint ${(each as { id: number }).id}` });
}
