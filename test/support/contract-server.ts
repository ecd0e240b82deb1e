import http from 'node:http';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { WebOptions } from '../../bin/web.ts';
import { openApiExamples } from '../../src/data/examples.ts';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { extensions as allExtensions, type Extension } from '../../src/model/context.ts';
import type { Role } from '../../src/model/viewer.ts';
import type { Server as CalendarServer } from '../../src/server/context.ts';
import { handleDirectly } from '../../src/server/handle.ts';
import { type HandlerOptions, noBody } from '../../src/server/http.ts';
import { type Listening, listen } from '../../src/server/listen.ts';
import { createHandler } from '../../src/server/router.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from './body-text.ts';
import { checkOf, type OpenApiCheck } from './openapi-check.ts';
import type { HandlingCalendar } from './page-calendar.ts';
import { prismOf } from './prism.ts';
import { serverWith } from './server.ts';

/** A request to send. Default: an anonymous GET without a body. */
export interface Call {
  method?: string;
  /** Below the namespace; `at` is for paths elsewhere. */
  path?: string;
  at?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** A body, sent as JSON. */
  json?: unknown;
  /** A body, sent as a form. */
  form?: string;
  /** The user who sends it; the password of all is `password`. */
  as?: string;
}

/** An answer. Header names are in lower case. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses without types
export type Json = any;

/** The options of a server under test. */
export interface Setup {
  timezone?: string;
  /** Adds users; false: every caller is the owner. */
  users?: boolean;
  extensions?: readonly Extension[];
  /** A seed that comes with the program. */
  seed?: string;
  handler?: Partial<HandlerOptions>;
  /** Sends requests outside the document, which the server tolerates: only responses are validated. */
  oddRequests?: boolean;
}

export const namespace = 'calendar/events/v1';
/** 11:05 in the morning of a Friday in New York. */
export const start = Date.parse('2026-11-20T16:05:00Z');

export const users: { id: number; name: string; role: Role }[] = [
  { id: 1, name: 'administrator', role: 'administrator' },
  { id: 2, name: 'editor', role: 'editor' },
  { id: 3, name: 'author', role: 'author' },
  { id: 4, name: 'contributor', role: 'contributor' },
  { id: 5, name: 'subscriber', role: 'subscriber' },
  { id: 6, name: 'other-author', role: 'author' },
];

export const basic = (name: string, password = 'password') => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** The transports of requests. */
type Way = 'in process' | 'by a handler' | 'over HTTP' | 'in a browser';
/** The transport of the suite: in process, or the one CALENDAR_CONTRACT names. */
export const way = (process.env.CALENDAR_CONTRACT ?? 'in process') as Way;

function addUsers(store: Store): void {
  store.db.change(() => {
    for (const user of users) store.users.add({ ...user, password: 'password' });
  });
}

const defaultZone = 'America/New_York';

/** The options of a calendar with a setup. Over a socket, its parts are opened one by one. */
const optionsOf = ({ timezone = defaultZone, extensions = allExtensions, users: withUsers = true, seed, handler }: Setup): WebOptions => {
  const { basePath, namespace, headerPrefix, publicUrl, cors } = handler ?? {};
  return {
    ...{ timezone, seed, basePath, namespace, headerPrefix, publicUrl, cors, hints: false },
    without: allExtensions.filter((each) => !extensions.includes(each)),
    ...(withUsers ? { users: users.map((user) => ({ ...user, password: 'password' })) } : {}),
  };
};

/** A server over a calendar in memory, asked in process, by its handler here or in a page, or over HTTP. */
export class Server {
  now = start;
  readonly way: Way;
  readonly #setup: Setup;
  readonly #agent = new http.Agent({ keepAlive: true });
  #store!: Store;
  #server!: CalendarServer;
  #listening?: Listening;
  #calendar?: HandlingCalendar;
  #check!: OpenApiCheck;

  constructor(way: Way, setup: Setup = {}) {
    this.way = way;
    this.#setup = setup;
  }

  async open(): Promise<void> {
    if (this.way === 'in a browser' || this.way === 'by a handler') await this.#openHandler();
    else await this.#openParts();
    const { body } = await this.#inside('GET', '/openapi.json', '', { host: '127.0.0.1:80' }, noBody);
    this.#check = checkOf(body);
    if (this.way === 'over HTTP') {
      this.#listening = await listen(this.#server, { host: '127.0.0.1', port: 0 });
    }
  }

  async #openHandler(): Promise<void> {
    const { openInPage, openHere } = await import('./page-calendar.ts');
    const open = this.way === 'in a browser' ? openInPage : openHere;
    this.#calendar = await open(optionsOf(this.#setup));
  }

  async #openParts(): Promise<void> {
    const { timezone = defaultZone, extensions, users: withUsers = true, handler } = this.#setup;
    this.#store = await openCalendar(':memory:', { mode: 'write', now: () => this.now, settings: { timezone }, extensions });
    if (withUsers) addUsers(this.#store);
    if (this.#setup.seed) await seed(this.#store, await seedNamed(this.#setup.seed), 'append');
    const options = { basePath: '', namespace, headerPrefix: 'X-Calendar', examples: openApiExamples, ...handler };
    this.#server = serverWith(createHandler(serviceOf(this.#store), options), { options });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#listening?.close();
    await (this.#calendar ?? this.#store).close();
  }

  get port(): number {
    return this.#listening!.port;
  }

  /** Sends a request, and holds it and its answer to `/openapi.json` as a validating proxy would. */
  async send(call: Call): Promise<Reply> {
    const { method = 'GET', path = '', at = `/${namespace}${path}`, query = '', json, form, as } = call;
    const type = json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
    const headers: Record<string, string> = {
      host: `127.0.0.1:${this.#listening?.port ?? 8080}`,
      ...(type ? { 'content-type': type } : {}),
      ...(as ? { authorization: basic(as) } : {}),
      ...call.headers,
    };
    const body = Buffer.from(json !== undefined ? JSON.stringify(json) : (form ?? call.body ?? ''));
    const reply = this.#listening
      ? await this.#over(method, query ? `${at}?${query}` : at, headers, body)
      : await this.#inside(method, at, query, headers, body);
    const { status } = reply;
    const exchanged = { method, path: at, query, headers, body: body.toString(), status, answered: reply };
    const faults = this.#check.faults(exchanged, this.#setup.oddRequests ? 'answer' : 'both');
    faults.push(...((await prismOf(this.#check))?.(exchanged) ?? []));
    expect(faults, `${method} ${at}?${query} ${body.toString().slice(0, 300)} -> ${status} ${reply.body.slice(0, 300)}`).toEqual([]);
    return reply;
  }

  async #inside(method: string, path: string, query: string, headers: Record<string, string>, body: Uint8Array): Promise<Reply> {
    if (this.#calendar) {
      const url = `http://${headers.host}${path}${query && `?${query}`}`;
      return this.#calendar.ask({ method, url, headers, body: Buffer.from(body).toString('base64'), now: this.now });
    }
    const response = await handleDirectly({ server: this.#server, request: { method, path, query, headers, body } });
    const { status, headers: own } = response;
    return {
      status,
      body: bodyText(response),
      headers: Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  #over(method: string, path: string, headers: Record<string, string>, body: Buffer): Promise<Reply> {
    const length: Record<string, number> = body.length || method === 'POST' ? { 'content-length': body.length } : {};
    return new Promise((resolve, reject) => {
      const request = http.request(
        { port: this.port, method, path, agent: this.#agent, headers: { ...headers, ...length } },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          resolve({
            status: response.statusCode!,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(chunks).toString(),
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends a request and reads the answer, which has the status that is given. */
  async ask(status: number, call: Call): Promise<Json> {
    const reply = await this.send(call);
    expect(
      reply.status,
      `${call.method ?? 'GET'} ${call.path ?? call.at}?${call.query ?? ''} ${JSON.stringify(call.json ?? call.form ?? '')}: ${reply.body.slice(0, 400)}`,
    ).toBe(status);
    return reply.body === '' ? undefined : JSON.parse(reply.body);
  }

  get(path: string, query = '', as?: string): Promise<Json> {
    return this.ask(200, { path, query, as });
  }

  /** Makes a record. */
  make(resource: string, json: unknown, as: string | undefined = 'administrator'): Promise<Json> {
    return this.ask(201, { method: 'POST', path: `/${resource}`, json, as: this.#setup.users === false ? undefined : as });
  }

  /** Changes a record. */
  change(resource: string, id: number, json: unknown, as: string | undefined = 'administrator'): Promise<Json> {
    return this.ask(200, { method: 'PATCH', path: `/${resource}/${id}`, json, as: this.#setup.users === false ? undefined : as });
  }

  /** Takes a record away. */
  drop(resource: string, id: number, as: string | undefined = 'administrator'): Promise<Json> {
    return this.ask(200, { method: 'DELETE', path: `/${resource}/${id}`, as: this.#setup.users === false ? undefined : as });
  }

  /** The names of a list's records, in order. */
  async names(resource: string, query = '', as?: string): Promise<string[]> {
    const page = await this.get(`/${resource}`, query, as);
    return page[resource].map((record: Json) => record.title ?? record.venue ?? record.organizer ?? record.name);
  }
}

const { noBrowser } = way === 'in a browser' ? await import('./browser.ts') : {};

/** One suite with a separate server, in process; CALENDAR_CONTRACT='over HTTP' uses sockets, 'in a browser' the web build in a page. */
export function contract(title: string, setup: Setup, suite: (server: Server) => void): void {
  // A calendar in memory has no token for its owner.
  if (way === 'in a browser' && setup.handler?.token !== undefined) return;
  describe.skipIf(noBrowser)(`${title}, ${way}${noBrowser ? ` (${noBrowser})` : ''}`, () => {
    const server = new Server(way, setup);
    beforeAll(() => server.open());
    afterAll(() => server.close());
    suite(server);
  });
}

/** The body of a failure of validation, by the parameters that it names. */
export const faulty = (...names: string[]) => ({
  code: 'rest_invalid_param',
  message: expect.any(String),
  data: { status: 400, params: Object.fromEntries(names.map((name) => [name, expect.any(String)])), details: expect.anything() },
});
