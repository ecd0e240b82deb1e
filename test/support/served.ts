import { createControl } from '../../src/data/operations/control.ts';
import { defaultServing, type ServingOptions } from '../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../src/data/serving/serve.ts';
import { SettableClock } from '../../src/data/world/clock.ts';
import { World } from '../../src/data/world/world.ts';
import { UndoLog } from '../../src/server/changes/undo-log.ts';
import { FaultList } from '../../src/server/faults/fault-list.ts';
import type { HandlerOptions } from '../../src/server/http.ts';
import { Journal } from '../../src/server/journal/journal.ts';
import { MessageLog } from '../../src/server/journal/message-log.ts';
import { listen } from '../../src/server/listen.ts';
import { createHandler } from '../../src/server/router.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { serverWith } from './server.ts';
import { moment } from './transcript.ts';
import { unconnected } from './unconnected.ts';

/** A calendar in memory behind a server, whose clock stands still. */
export interface Served {
  url: string;
  store: Store;
  faults: FaultList;
  /** Requests that were answered, as `GET /path 200`. */
  log: string[];
  close(): Promise<void>;
}

/** Serves a calendar in memory on a free port; `controlled` is whether it can be controlled, as a server of this program can. */
export async function served(options: Partial<HandlerOptions> = {}, controlled = true): Promise<Served> {
  const clock = new SettableClock(Date.now, Date.parse(moment));
  const store = await openCalendar(':memory:', { mode: 'write', now: clock.now });
  const log: string[] = [];
  const own = {
    basePath: '',
    namespace: 'calendar/events/v1',
    headerPrefix: 'X-Calendar',
    control: controlled ? ('everyone' as const) : undefined,
    ...options,
  };
  const faults = new FaultList(own);
  const closing = new AbortController();
  const journal = new Journal({ ...own, system: Date.now, now: clock.now });
  const world = new World(store, { clock, faults, journal, messages: new MessageLog('served'), undoLog: new UndoLog() });
  world.start = store.image();
  const control = createControl({
    store,
    world,
    version: '1.2.3',
    url: () => `${listening.url}/calendar/events/v1`,
    node: unconnected,
  });
  const parts = {
    options: own,
    faults,
    controlled: controlled ? { control: () => control, access: { loopback: true, open: true } } : undefined,
    stopping: closing.signal,
  };
  const server = serverWith(createHandler(serviceOf(store), own), parts, ({ method, path, status }) =>
    log.push(`${method} ${path} ${status}`),
  );
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  store.db.change(() => store.settings.set('home', listening.url));
  return {
    url: listening.url,
    store,
    faults,
    log,
    async close() {
      closing.abort();
      faults.interrupt();
      await listening.close();
      await store.close();
    },
  };
}

/** A calendar that is served as the program does it, with the address of its server. */
export type ServedWhole = RunningServer & { url: string };

/** Serves a calendar as the program does: in memory, with a clock that stands still, unless options say otherwise. */
export async function servedWhole(options: Partial<ServingOptions> = {}): Promise<ServedWhole> {
  const calendar = await serveCalendar({
    ...defaultServing,
    port: 0,
    durability: 'none',
    timeout: 1000,
    open: true,
    system: Date.now,
    now: Date.parse(moment),
    node: unconnected,
    ...options,
  });
  return { ...calendar, url: calendar.listening.url.replace('0.0.0.0', '127.0.0.1') };
}
