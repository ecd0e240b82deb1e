import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Entry, type ResourceName, resourceNames } from '../../src/model/calendar.ts';

/** The forms of a record as a site showed them. */
export type RecordedForms = Partial<Record<'single' | 'listed' | 'embedded', Entry>>;

/** Responses of a site, recorded when it was open to everybody. Every text is scrambled letter by letter. */
interface Recording {
  id: string;
  home: string;
  name?: string;
  zone?: object;
  hasIndex: boolean;
  records: Record<ResourceName, [id: number, forms: RecordedForms][]>;
}

const folder = join(import.meta.dirname, 'recorded');
export const recordings: Recording[] = readdirSync(folder)
  .sort()
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

const namespace = 'calendar/events/v1';

export interface RecordedSite {
  /** Address of the site, without the API. */
  address: string;
  origin: string;
  /** Path of the site before that of the API. */
  folder: string;
  /** Records with the address of this server. Tests may change them. */
  records: Map<ResourceName, Map<number, { single: Entry; listed: Entry }>>;
  /** Bodies of updates. The site only takes titles, names and slugs of them. */
  bodies: Entry[];
  close(): Promise<void>;
}

/** Plays a recording over HTTP: records, lists, the index, and updates of a user. Only the address of the site is replaced. */
export async function recordedSite({ home, name, zone, hasIndex, records }: Recording): Promise<RecordedSite> {
  const server = http.createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = home.replace(/^https?:\/\/[^/]*/, '');
  const start = home.slice(0, home.length - path.length);
  const moved = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, inner) =>
      typeof inner === 'string' && inner.startsWith(start) && !/[<>"]/.test(inner) ? origin + inner.slice(start.length) : inner,
    );
  const own = new Map(
    resourceNames.map((each) => {
      const entries = records[each].map(([id, { single, listed, embedded }]): [number, { single: Entry; listed: Entry }] => {
        const whole = single ?? listed ?? embedded!;
        return [Number(id), { single: moved(whole), listed: moved(listed ?? whole) }];
      });
      return [each, new Map(entries)];
    }),
  );
  const bodies: Entry[] = [];
  const failure = (status: number, code: string) => ({ status, body: { code, message: code, data: { status } } });
  const root = `${origin}${path}/wp-json`;

  function respond(method: string, url: URL, body: string, isUser: boolean): { status: number; body: unknown } {
    const [, route = ''] = url.pathname.split(`${path}/wp-json`);
    if (route === '/' || route === '')
      return {
        status: 200,
        body: {
          ...(hasIndex ? { name, url: `${origin}${path}`, home: `${origin}${path}`, ...zone } : {}),
          namespaces: [namespace],
          routes: {},
        },
      };
    if (route === '/wp/v2/users/me')
      return isUser
        ? { status: 200, body: { id: 1, name: 'ada', slug: 'ada', roles: ['administrator'], capabilities: { administrator: true } } }
        : failure(401, 'rest_not_logged_in');
    const [each, id] = route.replace(`/${namespace}`, '').split('/').filter(Boolean) as [ResourceName | undefined, string?];
    if (!route.startsWith(`/${namespace}`) || (each && !own.has(each))) return failure(404, 'rest_no_route');
    if (!each) return { status: 200, body: { namespace, routes: {} } };
    const entries = own.get(each)!;
    if (id === undefined) {
      const all = [...entries.values()].map(({ listed }) => listed);
      return { status: 200, body: { [each]: all, rest_url: `${root}/${namespace}/${each}`, total: all.length, total_pages: 1 } };
    }
    const found = entries.get(Number(id));
    if (!found) return failure(404, 'event-not-found');
    if (method === 'GET') return { status: 200, body: found.single };
    if (!isUser) return failure(401, 'rest_forbidden');
    const input = JSON.parse(body) as Entry;
    bodies.push(input);
    const taken = Object.fromEntries(
      ['title', 'venue', 'organizer', 'name', 'slug'].flatMap((key) => (typeof input[key] === 'string' ? [[key, input[key]]] : [])),
    );
    for (const form of [found.single, found.listed]) Object.assign(form, taken, { modified_utc: '2030-01-01 00:00:00' });
    return { status: 200, body: found.single };
  }

  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = respond(
        request.method!,
        new URL(request.url!, origin),
        Buffer.concat(chunks).toString(),
        request.headers.authorization !== undefined,
      );
      response.writeHead(status, { 'Content-Type': 'application/json', Link: `<${root}/>; rel="https://api.w.org/"` });
      response.end(JSON.stringify(body));
    });
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { address: `${origin}${path}`, origin, folder: path, records: own, bodies, close };
}

/** The members of a value by path, as JSON, without the IDs that depend on the host. */
export function leavesOf(value: unknown, path = '', found: Record<string, string> = {}): Record<string, string> {
  const entries = value && typeof value === 'object' ? Object.entries(value) : [];
  if (path.includes('global_id')) return found;
  if (!entries.length) found[path] = JSON.stringify(value) ?? 'undefined';
  for (const [key, inner] of entries) leavesOf(inner, path ? `${path}.${key}` : key, found);
  return found;
}
