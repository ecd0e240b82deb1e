import { randomBytes } from 'node:crypto';
import project from '../../package.json' with { type: 'json' };
import type { Transport } from '../client/transport.ts';
import { serverUrl, urlInWorld, worldPrefixOf } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { namespaceIn } from '../model/routes.ts';
import { readTime, type Time, timeForms } from '../model/time/duration.ts';
import { pageHeader, pageMark } from '../model/web-page.ts';
import { isEmptyStatus } from '../server/http.ts';
import { arrivalAt, sendAlone } from './alone.ts';
import type { ConnectedCalendar, ControlledCalendar } from './calendar.ts';
import { faceOf } from './face.ts';
import { addressAt, createRequest } from './fetch.ts';
import { atCallSite, callSiteOf } from './guarded.ts';
import { here, openHere, transportHere } from './here.ts';
import { checkedOptions, isText, type OptionChecks } from './options.ts';

/** Credentials of a user, like `{ name: 'ada', password: 'lovelace' }`. */
interface UserCredentials {
  /** Name of the user. */
  name: string;
  /** Password of the user. */
  password: string;
}

/** Options of {@link connectCalendar}, like `{ user: { name: 'ada', password: 'lovelace' } }`. */
export interface ConnectOptions {
  /** Credentials of the user whose calls of records they are. By default they are the owner's, where the caller may use the control API. */
  user?: UserCredentials;
  /** Token for the control API, if the server requires one. */
  controlToken?: string;
  /** Namespace of the API, if the URL does not end with one and it is not the default one. */
  namespace?: string;
  /** Timeout of a request, in ms or like `10s` (default 30 seconds; ten minutes for an operation). */
  timeout?: Time;
}

/** Timeout of an operation, which may be an import of a whole calendar. */
const operationTimeoutMs = 600_000;

const checks: OptionChecks<ConnectOptions> = {
  user: [
    (value) => isText((value as ConnectOptions['user'])?.name) && typeof (value as ConnectOptions['user'])?.password === 'string',
    'an object with name and password',
  ],
  controlToken: [isText, 'a non-empty string'],
  namespace: [isText, 'a non-empty string'],
  timeout: [(value) => readTime(value, 'timeout') !== undefined, timeForms('timeout')],
};

/**
 * Connects to a calendar on a server, by the URL of its API or of the server. The result has the same methods as that of {@link createCalendar}. A URL without a namespace is completed by the
 * server, if it is one of this program, and else by the default namespace; with one, nothing is sent before the first call.
 * Records work with any server of this API; operations need a server of this program whose control API is available. There, calls of records are not requests: they meet no faults and no
 * hooks, and are not logged. On any other server they are requests. They are not repeated.
 * @example const calendar = await connectCalendar('http://127.0.0.1:8787');
 */
export async function connectCalendar(address: string | URL, options: ConnectOptions = {}): Promise<ConnectedCalendar> {
  return atCallSite(callSiteOf(connectCalendar), () => connected(address, options));
}

/** Time in which a server tells its address, in ms. */
const completionTimeoutMs = 5000;

/** The root URL of a server's API, as the server knows it below the host that was typed. A server that doesn't tell has the default namespace. */
async function completed(text: string, controlToken: string | undefined): Promise<string> {
  const [{ controlAt }, { rootUrl }, { transportOf }] = await Promise.all([
    import('../client/control.ts'),
    import('../client/site.ts'),
    import('../client/transport.ts'),
  ]);
  const transport = transportOf({ ...transportHere(completionTimeoutMs), attempts: 1 });
  try {
    const { url } = await controlAt(serverUrl(text), controlToken, transport).health({});
    const { pathname } = new URL(url ?? text);
    // Behind a proxy, the server may have another path.
    if (pathname.startsWith(new URL(text).pathname.replace(/\/$/, ''))) return new URL(text).origin + pathname;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  } finally {
    await transport.close();
  }
  return rootUrl(text);
}

/** Ignores the failure for a world that is already deleted. */
function ignoreUnknownWorld(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'unknown-world') throw error;
}

async function connected(
  address: string | URL,
  options: ConnectOptions,
  beforeClose: () => Promise<unknown> = async () => {},
): Promise<ControlledCalendar> {
  const text = String(address);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Failure('bad-request', `Invalid URL ${JSON.stringify(text)}`, 'Use one like http://127.0.0.1:8787.');
  const { user, controlToken, namespace, timeout: given } = checkedOptions('connectCalendar', options, checks);
  const timeout = readTime(given, 'timeout');
  // A calendar of this process needs no client.
  const [{ controlAt }, { basic, connectTo }, { rootUrl }, { transportOf }] = await Promise.all([
    import('../client/control.ts'),
    import('../client/remote.ts'),
    import('../client/site.ts'),
    import('../client/transport.ts'),
  ]);
  const transport = transportOf(transportHere(timeout ?? operationTimeoutMs));
  const control = controlAt(serverUrl(text), controlToken, transport);
  const url = (namespace ?? namespaceIn(text)) === undefined ? await completed(text, controlToken) : rootUrl(text, namespace);
  const authorization = user && basic(user);
  const headers = { [pageHeader]: pageMark('api', controlToken) };
  const remote = connectTo(url, authorization, { ...transportHere(timeout), headers, attempts: 1, finds: false }, namespace);
  const { beginTest, endTest } = controlAt(serverUrl(url), controlToken, { ...transport, send: sendAlone });
  return faceOf({
    url,
    calendar: remote.calendar,
    control: withoutFunctions(control),
    open: openHere,
    arrival: () => arrivalAt(url),
    between: { beginTest, endTest },
    async fetch(input, init) {
      const request = createRequest(addressAt(url, input), input, init, url);
      if (authorization !== undefined && !request.headers.has('authorization')) request.headers.set('authorization', authorization);
      return fetch(request);
    },
    async handler(incoming) {
      const { pathname, search } = new URL(incoming.url);
      const { origin } = new URL(url);
      const start = worldPrefixOf(pathname) === '' ? serverUrl(url) : origin;
      const outgoing = createRequest(new URL(start + pathname + search), incoming, undefined, url);
      return handled(outgoing, transport);
    },
    fork: () => copyOf(control, url),
    async openWorld(input) {
      const { id, name } = await control.createWorld(input);
      // The server may know itself by another address.
      const own = urlInWorld(url, id);
      const remove = () => control.deleteWorld({ id }).then(undefined, ignoreUnknownWorld);
      return Object.assign(await connected(own, options, remove), { id, name });
    },
    async close() {
      await beforeClose();
      await Promise.all([remote.close(), transport.close()]);
    },
  });
}

/** Sends a request of a handler. `fetch` is not used: a tool of tests that calls the handler may have replaced it by the handler. A connection fault is `Response.error()`, as in this process. */
async function handled(request: Request, transport: Transport): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = { 'user-agent': '', ...Object.fromEntries(request.headers) };
  const outgoing = { method: request.method, url: request.url, headers, ...(body.length ? { body } : {}) };
  try {
    const { status, headers, body } = await transport.open(outgoing, request.signal);
    return new Response(request.method === 'HEAD' || isEmptyStatus(status) ? null : ReadableStream.from(body), { status, headers });
  } catch (error) {
    if (request.signal.aborted || (error instanceof Failure && error.code !== 'unreachable')) throw error;
    return Response.error();
  }
}

/** Returns operations of which the one that adds a fault refuses a function, which another process cannot call. */
const withoutFunctions = (control: CalendarControl): CalendarControl => ({
  ...control,
  async addFault(input) {
    if (typeof (input?.then as { patch?: unknown } | undefined)?.patch !== 'function') return control.addFault(input);
    throw new Failure(
      'bad-request',
      'A fault of a calendar on another server cannot be a function',
      'Use createCalendar, or useCalendar({ server: false }) for a server of this file.',
    );
  },
});

/** Serves a copy of a calendar on a server from this process. Throws `conflict` if the server has another version, whose files may differ. */
async function copyOf(control: CalendarControl, url: string): Promise<ControlledCalendar> {
  const { version, clock } = await control.health({});
  if (version !== project.version)
    throw new Failure('conflict', `The server has version ${version}, but this is version ${project.version}`);
  const name = `fork-${randomBytes(6).toString('hex')}`;
  await control.saveSnapshot({ name });
  try {
    const [bytes, { serveCopy }] = await Promise.all([control.snapshotFile({ name }), import('./serve.ts')]);
    const { pathname } = new URL(url);
    const path = pathname.slice(worldPrefixOf(pathname).length).split('/');
    const { frozen, ahead } = clock;
    return await serveCopy(bytes, here, {
      namespace: path.slice(-3).join('/'),
      basePath: path.slice(0, -3).join('/'),
      ...(frozen ? { now: Date.parse(clock.now), system: Date.now } : { system: () => Date.now() + ahead }),
    });
  } finally {
    await control.deleteSnapshot({ name });
  }
}
