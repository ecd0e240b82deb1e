import { collectionOver, type Send } from '../../src/client/collection.ts';
import type { Site } from '../../src/data/remote/site.ts';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { defaultServing } from '../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../src/data/serving/serve.ts';
import { type Calendar, type Entry, type Input, type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import { Failure } from '../../src/model/error.ts';
import type { FaultAnswer } from '../../src/model/operation-types.ts';
import type { SiteFault } from '../../src/model/operations/connection-faults.ts';
import type { PatchedRequest } from '../../src/model/operations/faults.ts';
import { siteFaults } from '../../src/model/operations/site-faults.ts';
import { owner, type Role } from '../../src/model/viewer.ts';
import type { HookAnswer, HookFunctions } from '../../src/server/hooks/functions.ts';
import type { LocalCalendar } from '../../src/store/calendar.ts';
import { bodyText } from './body-text.ts';
import { SiteRules } from './site-rules.ts';
import { moment } from './transcript.ts';
import { unconnected } from './unconnected.ts';

/** Behavior of one site that others do not have. */
export interface Quirks {
  /** Called with each request: returns what the site sends instead of a response. */
  request: (request: PatchedRequest) => HookAnswer | undefined | Promise<HookAnswer | undefined>;
  /** Changes the body of each response. */
  shows: (body: unknown, request: PatchedRequest) => unknown;
  /** Fields whose changes are ignored. */
  ignores: string[];
  /** Appended to each description that is written. */
  rewrites: string;
  /** Response to a question for the current user. The site takes every user for a visitor then. */
  currentUser: HookAnswer | undefined;
}

/** Returns the page that a site sends instead of each response. */
export const pageOf = (name: SiteFault): HookAnswer => siteFaults[name].then as FaultAnswer;

const html = (status: number, body: string, headers = {}): HookAnswer => ({
  status,
  headers: { 'Content-Type': 'text/html', ...headers },
  body: `<html>${body}</html>`,
});

/** Returns a rejection of requests without a header. */
export const requires =
  (header: string, value: string): Quirks['request'] =>
  ({ headers }) =>
    headers[header] === value ? undefined : html(403, 'No key');

/** Returns responses to send before the first true one. */
export const busy =
  (...answers: HookAnswer[]): Quirks['request'] =>
  () =>
    answers.shift();

/** Returns a failure of every fifth request. */
export function failsEveryFifth(): Quirks['request'] {
  let count = 0;
  return () => (++count % 5 === 0 ? html(502, 'Bad gateway') : undefined);
}

/** Notice of PHP before the JSON. */
export const notice = `\ufeff${(siteFaults['site:notice'].then as { preamble: string }).preamble}`;

/** Returns a body with a text before its JSON. */
export const preceded =
  (preamble: string): Quirks['shows'] =>
  (body) =>
    typeof body === 'string' ? body : preamble + JSON.stringify(body);

/** Adds the members of other extensions to all records: some only in lists, in single records or in embedded ones. */
export const withExtras: Quirks['shows'] = (body, { path }) => {
  const value = body as Record<string, unknown> & { id?: number };
  const list = resourceNames.find((name) => Array.isArray(value?.[name]) && value.total !== undefined);
  const records = list ? (value[list] as Record<string, unknown>[]) : value?.id !== undefined && path !== `${base}/` ? [value] : [];
  for (const record of records) {
    const id = Number(record.id);
    Object.assign(record, { custom_fields: { 'Dress code': `casual ${id}` }, is_virtual: id % 2 === 0, virtual_url: null });
    record[`only_in_${list ? 'list' : 'single'}`] = id;
    for (const each of ['venue', 'organizer', 'categories', 'tags'].flatMap((member) => record[member] ?? []))
      if (typeof each === 'object') Object.assign(each as object, { map_hint: `hint ${(each as Entry).id}` });
  }
  return body;
};

/** Quirks that a site can have all at once without losing a request. */
export function everyQuirk(): Partial<Quirks> {
  const isBusy = busy({ status: 429, headers: { 'Retry-After': '0' } });
  const isAllowed = requires('x-team', 'blue');
  const withNotice = preceded(notice);
  return {
    request: async (request) => (await isAllowed(request)) ?? isBusy(request),
    shows: (body, request) => withNotice(withExtras(body, request), request),
  };
}

export interface LiveSite {
  /** Address without the namespace; of a site without a socket, one that no request reaches. */
  url: string;
  origin: RunningServer;
  quirks: Quirks;
  /** Requests as `METHOD /path?query`, without the base path. */
  log: string[];
  headers: PatchedRequest['headers'][];
  /** Changes the site behind its API. */
  change<T>(work: (local: LocalCalendar) => T): Promise<T>;
  /** The site as pull and push see it, without a socket: as a user with a role, or as a visitor. Requests fail that a connection fault meets. */
  remote(role?: Role): Site;
  /** Restores records, quirks and faults as they were at the start. */
  reset(quirks?: Partial<Quirks>): Promise<void>;
  close(): Promise<void>;
}

const base = '/wp-json';
export const namespace = 'brand/events/v1';
const root = `${base}/${namespace}`;

/** A user with this name and the password x edits the site on behalf of its contributors. */
export const admin = 'ada';
const basicAuth = (name: string): string => `Basic ${btoa(`${name}:x`)}`;
/** A header of requests without a socket: the role of their user. */
const roleHeader = 'x-role';
/** A header of requests behind the back of a site, which follow no rule of it. */
export const behindSite = { 'x-behind-site': 'yes' };

const isWrite = (method: string) => method === 'POST' || method === 'PUT' || method === 'PATCH';
const target = (path: string) => {
  const [, name, id] = new RegExp(`^${root}/(\\w+)(?:/(\\d+))?$`).exec(path) ?? [];
  return { name: name as ResourceName | undefined, id: Number(id) };
};
const rejected = ({ code, message, status, data }: Failure): HookAnswer => ({ status, body: { code, message, data: { status, ...data } } });

/** Starts a site like those on the internet, empty or filled with a seed: a server of this program with hooks for the rules of the real service and for quirks. */
export async function liveSite(
  name: string | undefined,
  quirks: Partial<Quirks> = {},
  { listen = true, system = () => Date.parse(moment) } = {},
): Promise<LiveSite> {
  const rules = new SiteRules();
  const plain: Quirks = { request: () => undefined, shows: (body) => body, ignores: [], rewrites: '', currentUser: undefined };
  const site = { ...plain, ...quirks };
  const log: string[] = [];
  const headers: LiveSite['headers'] = [];
  const viewed = () => origin.store.local(owner, { home: '', root: '' });
  const roleOf = ({ headers: { authorization, [roleHeader]: role } }: PatchedRequest): Role | undefined => {
    if (site.currentUser || (authorization === undefined && role === undefined)) return undefined;
    const user = Buffer.from(authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')[0];
    return (role as Role | undefined) ?? origin.store.users.list().find((each) => each.name === user)?.role;
  };
  const functions: HookFunctions = {
    async request(sent) {
      if (sent.headers['x-behind-site']) return undefined;
      // A client sends the whole address to a proxy.
      const request = { ...sent, path: sent.path.replace(/^http:\/\/[^/]*/, '') };
      const { method, path, query } = request;
      const search = new URLSearchParams(query as Record<string, string>).toString();
      log.push(`${method} ${path.replace(root, '')}${search && `?${search}`}`);
      headers.push(request.headers);
      const instead = request.headers['user-agent'] === undefined ? html(403, 'Forbidden') : await site.request(request);
      if (instead) return instead;
      const { authorization, ...rest } = request.headers;
      const role = roleOf(request);
      if (path === `${base}/wp/v2/brand_events`) {
        const entries = role ? [...viewed().entries('events')] : [];
        return { status: 200, body: entries.map(({ id, title }) => ({ id, title: { rendered: title } })) };
      }
      if (site.currentUser && path.endsWith('/wp/v2/users/me')) return site.currentUser;
      if (site.currentUser && 'status' in query) return rejected(new Failure('rest_invalid_param', 'status'));
      // A site that is not of this program doesn't know it.
      const { _uid, ...known } = query;
      const isUser = authorization !== undefined && !site.currentUser;
      const changed = { ...request, query: known, headers: { ...rest, [roleHeader]: role, ...(isUser ? { authorization } : {}) } };
      const { name, id } = target(path);
      if (!name || !isWrite(method)) return changed;
      rules.ignores = site.ignores;
      try {
        const body = rules.stored(name, request.body as Input, id ? viewed().entry(name, id) : undefined, role);
        if (typeof body.description === 'string') body.description += site.rewrites;
        if (isUser && role === 'contributor') Object.assign(changed.headers, { authorization: basicAuth(admin) });
        return { ...changed, body };
      } catch (error) {
        if (error instanceof Failure) return rejected(error);
        throw error;
      }
    },
    response(response, request) {
      const { method, path } = request;
      if (request.headers['x-behind-site']) return undefined;
      const { name, id } = target(path);
      const isVisitor = request.headers[roleHeader] === undefined && !isWrite(method);
      const headers = { ...response.headers, ...(isVisitor && name ? { Allow: 'GET' } : {}) };
      let body = response.body as Record<string, unknown>;
      if (response.status >= 400) return { ...response, headers };
      if (name && (id || isWrite(method))) body = rules.shown(name, body as Entry, !id);
      else if (name) body = { ...body, [name]: (body[name] as Entry[]).map((each) => rules.shown(name, each)) };
      if (name && isVisitor && /"status":"(draft|private)"/.test(JSON.stringify(body)))
        return { headers, body: '', ...rejected(new Failure('event-not-accessible', 'No.')) };
      // The index of a site that is not of this program names another one.
      if (path === `${base}/`) body = { ...body, generator: undefined };
      return { ...response, headers, body: site.shows(body, request) };
    },
  };
  const origin: RunningServer = await serveCalendar({
    ...defaultServing,
    listen,
    port: 0,
    timeout: 1000,
    open: true,
    durability: 'none',
    system,
    basePath: base,
    namespace,
    allowHosts: ['site.test', 'www.site.test'],
    node: unconnected,
    hooks: { functions },
    prepare: name ? async (store) => void (await seed(store, await seedNamed(name), 'append')) : undefined,
  });
  const start = origin.store.image();
  const { url } = origin.listening;
  return {
    url: `${url}${base}`,
    origin,
    quirks: site,
    log,
    headers,
    change: (work) => origin.store.change((local) => work(local)),
    remote: (role) => remoteOver(origin, url, role),
    async reset(own = quirks) {
      Object.assign(site, plain, own);
      rules.reset();
      log.length = headers.length = 0;
      origin.world.served.clock.reset();
      await origin.control.clearFaults({});
      await origin.store.restore(start);
    },
    close: () => origin.close(),
  };
}

/** Returns a site as pull and push see it, without a socket. */
function remoteOver({ handle }: RunningServer, url: string, role: Role | undefined): Site {
  const { host } = new URL(url);
  const calendarAs = (as: Role | undefined): Calendar => {
    const send: Send = async (method, path, { query = {}, input } = {}) => {
      const own = {
        host,
        'user-agent': 'test',
        ...(as ? { [roleHeader]: as } : {}),
        ...(input ? { 'content-type': 'application/json' } : {}),
      };
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const body = Buffer.from(input ? JSON.stringify(input) : '');
      const response = await handle({ method, path: `${root}${path}`, query: search, headers: own, body });
      if (response.fault) throw new Failure('unreachable', 'The connection was cut');
      const names = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]);
      return {
        response: { status: response.status, headers: Object.fromEntries(names), body: bodyText(response) },
        address: `${url}${root}${path}`,
      };
    };
    return Object.fromEntries(resourceNames.map((name) => [name, collectionOver(send, name)])) as unknown as Calendar;
  };
  const calendar = calendarAs(role);
  const of = `${url}${root}`;
  return {
    calendar,
    root: of,
    about: async () => ({ name: '', timezone: '' }),
    greet: async () => ({ root: of, mayWrite: role !== undefined }),
    ...(role ? { visitors: calendarAs(undefined), user: async () => ({ isConfirmed: true, mayPublish: role !== 'contributor' }) } : {}),
  };
}
