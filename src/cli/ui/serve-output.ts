import type { CalendarControl } from '../../model/operations/all.ts';
import { withoutSecrets } from '../../server/journal/credentials.ts';
import type { RequestEvent } from '../../server/listen.ts';
import { seedInput } from '../connect/source.ts';
import { countsText } from '../print/summary.ts';
import type { WatchedCalendar } from '../serving/server.ts';
import type { Session } from '../session.ts';
import { hasColour } from '../terminal/terminal.ts';
import type { ServeScreenModel } from './serve-screen.tsx';

/** The options of `serve` that decide what it prints. */
export interface ServeOutputOptions {
  basePath: string;
  seed?: string;
  json?: boolean;
  quiet?: boolean;
  memory?: boolean;
  control?: boolean;
  readOnly?: boolean;
  /** Whether there is a web page. */
  page: boolean;
}

/** Without a terminal: a line when the server listens and one for each request. Ends when the server has stopped and all lines are written. */
export async function logRequests(served: WatchedCalendar, session: Session, options: ServeOutputOptions): Promise<void> {
  const { store, listening, root, watchers, close } = served;
  const { file } = store.db;
  const { host, port } = listening;
  const log = new RequestLog((text) => session.tell(text));
  if (!options.quiet) watchers.add((event) => log.add(event));
  if (options.json) await session.print(`${JSON.stringify({ url: root, host, port, pid: process.pid, file: file ?? null })}\n`);
  else await session.tell(addresses(served, options));
  await interruption(session.terminal.interrupted);
  await close();
  await log.flush();
}

const placeOf = ({ store }: WatchedCalendar): string => store.db.file ?? 'the calendar in memory';
const pageOf = ({ listening }: WatchedCalendar): string => `${listening.url}/`;

/** Where the API starts and, where there is one, the address of the page. */
const addresses = (served: WatchedCalendar, { page }: ServeOutputOptions): string =>
  `calendar: ${placeOf(served)} is served at ${served.root}${page ? `\ncalendar: open it in a browser at ${pageOf(served)}` : ''}`;

/** Milliseconds from a request to its line. To write each line by itself would cost a third of the answers a second. */
const logDelay = 250;

/** Writes a line for each request, those of a short while together. */
class RequestLog {
  #events: RequestEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #write: (text: string) => Promise<void>;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  add(event: RequestEvent): void {
    this.#events.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), logDelay);
  }

  /** Writes what is not written yet. That nobody reads the lines stops no server. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#events.map(logLine);
    this.#events = [];
    if (lines.length) await this.#write(lines.join('\n')).catch(() => {});
  }
}

/** On a terminal: requests as they come, and keys, until somebody quits. */
export async function showRequests(calendar: WatchedCalendar, session: Session, options: ServeOutputOptions): Promise<void> {
  const { control, root, watchers } = calendar;
  const { seed, page, memory, readOnly, control: open } = options;
  const { terminal, globals } = session;
  const [{ showServeScreen }, { openInBrowser }] = await Promise.all([import('./serve-screen.tsx'), import('../terminal/browser.ts')]);
  const toSeed = (name: string) => async () => {
    const done = await control.seed({ ...(await seedInput(name, session)), replace: true });
    return `${name}: ${countsText(done)}`;
  };
  await session.tell(addresses(calendar, options));
  const shown = page ? pageOf(calendar) : `${root}/events`;
  const served: ServeScreenModel = {
    root,
    place: placeOf(calendar),
    onRequest(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    open: async () => {
      await openInBrowser(shown, terminal.env);
      return `opened ${shown}`;
    },
    reset: readOnly ? undefined : memory || open ? () => toStart(control) : seed === undefined ? undefined : toSeed(seed),
  };
  await showServeScreen(served, terminal, hasColour(terminal.stdout, terminal.env, globals.color));
}

/** Brings a calendar back to its start, as `POST /_calendar/reset` does. */
async function toStart(control: CalendarControl): Promise<string> {
  const { created, took } = await control.reset({});
  return `back to the start: ${created} records, ${took.toFixed(1)} ms`;
}

const logLine = ({ method, path, status, fault, error, took }: RequestEvent) =>
  `${method} ${withoutSecrets(path)} ${fault ?? status} ${error ?? `${took.toFixed(took < 10 ? 1 : 0)} ms`}`;

const interruption = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
