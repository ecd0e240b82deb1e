import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { defaultServing } from '../../src/data/serving/options.ts';
import { type ServedCalendar, serveCalendar } from '../../src/data/serving/serve.ts';
import { type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import type { SiteFault } from '../../src/model/operations/connection-faults.ts';
import type { FaultAnswer } from '../../src/model/operations/faults.ts';
import { siteFaults } from '../../src/model/operations/site-faults.ts';
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
  /** Updates of events reset omitted fields, and a venue can't be removed. */
  resetsOmitted: boolean;
  /** Appends this to each description that is written. */
  rewrites: string;
  /** Fields whose changes are ignored. */
  ignores: string[];
  /**
   * Writes like the real service: it keeps no passwords, takes an end and a time zone only with the start, refuses images that it can't download, never removes
   * a venue, and answers a new record without the records that it links to.
   */
  writesStrictly: boolean;
  /** Response to a question for the current user. The site takes every user for a visitor then. */
  currentUser: { status: number; body: string } | undefined;
  /** Called before each single record is read. */
  beforeSingle: (() => Promise<void>) | undefined;
  /** Adds members to all records: some only in lists, in single records or in embedded ones. */
  extras: boolean;
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

/** Members of an event update that a site resets when they are missing. */
const resets: Record<string, unknown> = {
  website: '',
  cost: '',
  show_map: false,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  all_day: false,
  organizer: [],
  status: 'publish',
  date: '2026-11-20 16:00:00',
};

/** Starts a site like those on the internet, filled with a seed: a server of this program behind a proxy that adds their quirks. It has no UIDs and doesn't name its generator. */
export async function liveSite(name: string, quirks: Partial<Quirks> = {}): Promise<LiveSite> {
  const origin = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: true,
    durability: 'none',
    system: () => Date.parse(moment),
    basePath: base,
    namespace,
    connectTo: () => Promise.reject(new Error('not connected')),
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
    resetsOmitted: true,
    rewrites: '',
    ignores: [],
    writesStrictly: false,
    currentUser: undefined,
    extras: false,
    beforeList: undefined,
    beforeSingle: undefined,
    ...quirks,
  };
  const log: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  let count = 0;
  const server = http.createServer(async (request, response) => {
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
    // A site that is not of this program knows neither.
    url.searchParams.delete('_uid');
    if (site.currentUser && url.pathname.endsWith('/wp/v2/users/me')) return send(site.currentUser.status, site.currentUser.body);
    if (site.currentUser && url.searchParams.has('status'))
      return send(400, '{"code":"rest_invalid_param","message":"status","data":{"status":400}}');
    const isUpdate = request.method === 'POST' && /\/\d+$/.test(url.pathname);
    if (site.writesStrictly && body.length && JSON.parse(body.toString()).image !== undefined)
      return send(
        400,
        '{"code":"rest_invalid_param","message":"Invalid parameter(s): image","data":{"status":400,"params":{"image":"no"}}}',
        {
          'Content-Type': 'application/json',
        },
      );
    const answer = await fetch(`${origin.listening.url}${url.pathname}${url.search}`, {
      method: request.method,
      headers: { 'content-type': 'application/json', ...(site.currentUser ? {} : authorizationOf(request)) },
      ...(body.length ? { body: JSON.stringify(written(JSON.parse(body.toString()), isUpdate, url.pathname, site)) } : {}),
    });
    // A site names itself in its links.
    const complete = (await answer.text()).replaceAll(new URL(origin.listening.url).host, request.headers.host!);
    const isNew = request.method === 'POST' && answer.status === 201;
    const text = site.writesStrictly && isNew ? JSON.stringify({ ...JSON.parse(complete), venue: [], organizer: [] }) : complete;
    const shown =
      site.extras && answer.ok && url.pathname !== `${base}/`
        ? withExtras(text)
        : url.pathname === `${base}/`
          ? JSON.stringify({ ...JSON.parse(text), generator: undefined })
          : text;
    if (request.method === 'GET' && !request.headers.authorization && /"status":"(draft|private)"/.test(text))
      return send(403, '{"code":"event-not-accessible","message":"No.","data":{"status":403}}');
    const names = [...answer.headers].filter(([name]) => !['content-length', 'content-encoding', 'connection', 'date'].includes(name));
    // Visitors may not write, and so are not asked for drafts.
    const more = request.headers.authorization ? {} : { allow: 'GET' };
    response.writeHead(answer.status, { ...Object.fromEntries(names), ...more });
    response.end(site.preamble + shown);
  });
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

const authorizationOf = ({ headers: { authorization } }: http.IncomingMessage): Record<string, string> =>
  authorization === undefined ? {} : { authorization };

/** Returns the body of a write as a site stores it. */
function written(input: Record<string, unknown>, isUpdate: boolean, path: string, site: Quirks): Record<string, unknown> {
  const isEvent = path.startsWith(`${base}/${namespace}/events`);
  const stored = { ...(isUpdate && isEvent && site.resetsOmitted ? resets : {}), ...input };
  if (isUpdate && isEvent && site.resetsOmitted && !(Number(stored.venue) > 0)) delete stored.venue;
  if (site.writesStrictly) {
    delete stored.post_password;
    if (input.start_date === undefined || input.end_date === undefined) {
      delete stored.end_date;
      delete stored.timezone;
    }
  }
  if (site.rewrites && typeof input.description === 'string') stored.description = `${input.description}${site.rewrites}`;
  for (const field of site.ignores) delete stored[field];
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
