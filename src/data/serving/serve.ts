import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import project from '../../../package.json' with { type: 'json' };
import { extensions } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { isLoopback } from '../../model/loopback.ts';
import { type CalendarControl, type ClockState, controlPath, isControl } from '../../model/operations/control.ts';
import type { ReadCache } from '../../model/operations/service.ts';
import { isLookingOn } from '../../model/web-page.ts';
import { createCachedHandler } from '../../server/cached.ts';
import { type ControlAccess, reachOf } from '../../server/control/access.ts';
import { admitControl, type ControlOptions, withControl } from '../../server/control/handler.ts';
import { FaultList } from '../../server/faults/fault-list.ts';
import { type Sleep, withFaults } from '../../server/faults/with-faults.ts';
import type { Handle, Request, Response } from '../../server/http.ts';
import { Journal, summaryOf } from '../../server/journal/journal.ts';
import { MessageLog } from '../../server/journal/message-log.ts';
import { type AnsweredRequest, type Listening, listen } from '../../server/listen.ts';
import { failureResponse, serialize } from '../../server/response.ts';
import { withDate } from '../../server/with-date.ts';
import { openCalendar, type Store } from '../../store/calendar.ts';
import { serviceOf } from '../../store/service.ts';
import { SettableClock } from '../control/clock.ts';
import { type ControlContext, controlOf } from '../control/control.ts';
import type { ServingOptions } from './options.ts';
import { readOnlyControl, readOnlyService } from './read-only.ts';

/** A calendar with a server that listens. */
export interface ServedCalendar {
  store: Store;
  clock: SettableClock;
  control: CalendarControl;
  /** Answers requests as the server does, without its socket; whoever is told of requests is told of these too. */
  handle: Handle;
  listening: Listening;
  /** The address at which its routes start. */
  root: string;
  /** Fills the calendar anew as at the start, beside the one that is served, then puts all of it in its place at once; a reset goes back to that from now on. Where it fails, nothing has changed. For what is in memory. */
  refill(): Promise<void>;
  /** Stops listening when the requests under way are answered, then closes the calendar. Once is enough; twice does no harm. */
  close(): Promise<void>;
}

/**
 * Opens a calendar and serves it over HTTP until it is closed. Fails with a Failure where the file or the port cannot be had, and as `prepare` does; nothing stays open then.
 * Writes nothing and takes no signals.
 */
export async function serveCalendar(options: ServingOptions): Promise<ServedCalendar> {
  checkToken(options.controlToken);
  checkNames(options);
  const clock = new SettableClock(options.system, options.now);
  const store = await opened(clock, options);
  try {
    return await serveStore(store, clock, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Fails where a token cannot stand in an Authorization header (RFC 6750), so that nobody could bring it. */
function checkToken(token: string | undefined): void {
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return;
  const hint = 'Take letters, digits and -._~+/, as openssl rand -hex 24 gives them.';
  throw new Failure('bad-request', 'the control token holds what no header can bring, or nothing', {}, hint);
}

/** Fails for names that no address and no header can hold, and for origins as no browser sends them: who asks would never be answered as was meant. */
function checkNames({ basePath, namespace, headerPrefix, cors = [] }: ServingOptions): void {
  const refuse = (message: string, hint: string) => {
    throw new Failure('bad-request', message, {}, hint);
  };
  const path = `${basePath}/${namespace}`;
  if (namespace === '' || !URL.canParse(path, 'http://localhost') || new URL(path, 'http://localhost').pathname !== path)
    refuse(`the API cannot start at the path ${JSON.stringify(path)}`, 'Take letters, digits, dashes and slashes, like /wp-json.');
  if (isControl(path)) refuse(`the API cannot stand at ${path}: below ${controlPath} is control`, 'Take another base path or namespace.');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(headerPrefix))
    refuse(`no header can start with ${JSON.stringify(headerPrefix)}`, 'Take letters, digits and dashes, like X-Calendar.');
  for (const origin of cors)
    if (origin !== '*' && !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(origin))
      refuse(`${JSON.stringify(origin)} is no origin of a page`, 'Write it as browsers do, like https://app.example.org, or * for all.');
}

function opened(clock: SettableClock, options: ServingOptions): Promise<Store> {
  const { file = ':memory:', image, durability, timeout, brief, settings, without, notice, readOnly } = options;
  return openCalendar(file, {
    mode: readOnly && file !== ':memory:' ? 'read' : 'write',
    image,
    now: clock.now,
    durability,
    timeout,
    brief,
    settings,
    extensions: extensions.filter((part) => !without?.includes(part)),
    notice,
  });
}

async function serveStore(store: Store, clock: SettableClock, options: ServingOptions): Promise<ServedCalendar> {
  const { host, port, maxBody, seed, connectTo } = options;
  const token = randomBytes(24).toString('base64url');
  const faults = new FaultList(options, options.faults);
  const stopping = new AbortController();
  const sleep: Sleep = (milliseconds) => wait(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  const messages = new MessageLog(randomBytes(6).toString('hex'));
  const journal = new Journal({ ...options, now: clock.now });
  let answer: Handle = notReady;
  let controlled: ControlOptions | undefined;
  const answered = (event: AnsweredRequest): void => {
    // What controls the server and what its page needs are not what somebody wants to know of.
    if (!isLookingOn(event) && (!event.path.startsWith(controlPath) || !isControl(event.path.split('?')[0]!))) {
      journal.add(event);
      if (messages.isFollowed) messages.publish('request', summaryOf(journal.last()));
    }
    options.onRequest?.(event);
  };
  const listening = await listen((request) => answer(request), {
    host,
    port,
    admit: (head) => (controlled && isControl(head.path) ? admitControl(head, controlled, maxBody) : maxBody),
    onRequest: answered,
    onConnectionError: options.onRequest,
  }).catch((error) => cannotListen(error, options));
  const root = `${listening.url}${options.basePath}/${options.namespace}`;
  const onClock = ({ now, frozen, ahead }: ClockState) => store.db.announce(root, token, frozen ? { now } : { ahead });
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping.abort();
    await listening.close();
    await store.close();
  };
  try {
    await options.prepare?.(store);
    // Before the start is kept, so that a reset to it knows what was written since.
    const cache = await store.cached(serialize);
    // A file that nobody may reset needs no second copy of itself in memory.
    const start = (options.open || options.keepsStart) && !options.readOnly ? store.image() : undefined;
    store.follow({
      changed: (records) => {
        for (const record of records) messages.publish('change', record);
      },
      reset: (reason) => messages.publish('reset', { reason }),
    });
    const context: ControlContext = {
      version: project.version,
      url: () => root,
      seed,
      start,
      connectTo,
      clock,
      faults,
      onClock,
      messages,
      journal,
    };
    const control = options.readOnly ? readOnlyControl(controlOf(store, context)) : controlOf(store, context);
    const access = accessOf(token, options);
    const handle = withDate(handlerOf(store, cache, { control, access, token, faults, sleep }, options), clock);
    controlled = { control, access };
    answer = handle;
    onClock(clock.state);
    return {
      store,
      clock,
      control,
      handle: (request) => answeredBy(handle, request, answered),
      listening,
      root,
      async refill() {
        const fresh = await opened(clock, options);
        try {
          await options.prepare?.(fresh);
          const image = fresh.image();
          if (context.start) context.start = image;
          await store.restore(image);
        } finally {
          await fresh.close();
        }
      },
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await listening.close();
    throw error;
  }
}

/** Answers a request that came through no socket, and tells of it as of the others. */
async function answeredBy(handle: Handle, request: Request, answered: (event: AnsweredRequest) => void): Promise<Response> {
  const begun = performance.now();
  const { method, headers, body } = request;
  const answer = await handle(request);
  const path = request.query === '' ? request.path : `${request.path}?${request.query}`;
  answered({ method, path, headers, body, answer, status: answer.status, fault: answer.fault, took: performance.now() - begun });
  return answer;
}

const accessOf = (ownerToken: string, { host, open, readOnly, controlToken }: ServingOptions): ControlAccess => ({
  ...{ loopback: isLoopback(host), open, readOnly, ownerToken, controlToken },
});

/** What is answered until everything is there that the calendar starts with. */
const notReady: Handle = () =>
  failureResponse(new Failure('not-ready', 'the calendar is not ready yet: it is being filled'), { 'Retry-After': '1' });

/** What stands around the API of a server. */
interface Around extends ControlOptions {
  token: string;
  faults: FaultList;
  sleep: Sleep;
}

/**
 * What answers requests: the API, from memory where that can be, then around it what sees or changes every exchange, the innermost first. A layer that concerns the API alone goes
 * before control; one that concerns every request goes behind it.
 */
function handlerOf(store: Store, cache: ReadCache, { control, access, token, faults, sleep }: Around, options: ServingOptions): Handle {
  const { basePath, namespace, headerPrefix, cors, page, readOnly } = options;
  const handling = { basePath, namespace, headerPrefix, cors, token, control: reachOf(access), page };
  const api = createCachedHandler(readOnly ? readOnlyService(serviceOf(store)) : serviceOf(store), handling, cache);
  return withControl(withFaults(api, faults, handling, sleep), { control, access });
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: ServingOptions): never {
  if (error.code === 'EADDRINUSE')
    throw new Failure('conflict', `port ${port} is in use`, {}, 'Give another with --port; --port 0 takes any free one.');
  if (error.code === 'EACCES')
    throw new Failure('bad-request', `this user may not listen on port ${port}`, {}, 'Take a port from 1024 on.');
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new Failure('bad-request', `${host} is no address of this machine`, {}, 'Take 127.0.0.1, or 0.0.0.0 for all.');
  throw error;
}
