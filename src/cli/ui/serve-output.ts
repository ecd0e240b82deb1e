import { addressesOf } from '../../model/addresses.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { RequestEvent } from '../../server/http.ts';
import { logLine } from '../../server/journal/log-line.ts';
import { seedInput } from '../connect/operate.ts';
import { countsText } from '../print/summary.ts';
import type { WatchedServer } from '../serving/server.ts';
import type { Session } from '../session.ts';
import { hasColor } from '../terminal/terminal.ts';
import type { ServeScreenModel } from './serve-screen.tsx';

/** The options of `serve` that decide what it prints. */
interface ServeOutputOptions {
  basePath: string;
  seed?: string;
  json?: boolean;
  quiet?: boolean;
  memory?: boolean;
  control?: boolean;
  readOnly?: boolean;
  page: boolean;
}

/** Prints the address and a line per request, until the server is stopped. */
export async function logRequests(served: WatchedServer, session: Session, options: ServeOutputOptions): Promise<void> {
  const { store, listening, watchers, close, followed } = served;
  const { file } = store.db;
  const { host, port } = listening;
  const log = new RequestLog((text) => session.tell(text));
  if (!options.quiet) watchers.add((event) => log.add(event));
  // The address of an empty copy is known when its site has answered.
  if (options.json && followed?.isUnnamed) await Promise.race([followed.ready, interrupted(session.terminal.interrupted)]);
  if (options.json)
    await session.print(`${JSON.stringify({ ...addressesOf(served.root), host, port, pid: process.pid, file: file ?? null })}\n`);
  else await session.tell(addresses(served, session, options));
  await interrupted(session.terminal.interrupted);
  await close();
  await log.flush();
}

const placeOf = ({ store }: WatchedServer): string => store.db.file ?? 'an in-memory calendar';

/** The address of the page: with the token for the person who started the server, or the plain one for logs, which others may read. */
const pageOf = ({ listening, pageToken }: WatchedServer, isPrivate: boolean): string =>
  `${listening.url}/${isPrivate && pageToken !== undefined ? `#token=${pageToken}` : ''}`;

function addresses(served: WatchedServer, { terminal: { stderr, env } }: Session, { page }: ServeOutputOptions): string {
  const first = `calendar: Serving ${placeOf(served)} at ${served.followed?.isUnnamed ? served.listening.url : served.root}`;
  return page ? `${first}\ncalendar: Open it in a browser: ${pageOf(served, stderr.isTTY === true && !env.CI)}` : first;
}

/** Opens the page of a server in a browser. */
export class PageOpener {
  #remove = () => {};

  constructor(
    private readonly served: WatchedServer,
    private readonly session: Session,
    private readonly options: Pick<ServeOutputOptions, 'page'>,
  ) {}

  /** The address that was opened, without the token. */
  async open(): Promise<string> {
    const { openInBrowser, openPrivately } = await import('../terminal/programs.ts');
    const { served, options } = this;
    const { env } = this.session.terminal;
    const address = options.page ? pageOf(served, false) : `${served.root}/events`;
    this.close();
    if (options.page && served.pageToken !== undefined) this.#remove = await openPrivately(pageOf(served, true), env);
    else await openInBrowser(address, env);
    return address;
  }

  /** Deletes the file that the browser opened. */
  close(): void {
    this.#remove();
    this.#remove = () => {};
  }
}

/** Delay of log lines in ms. Writing each line separately costs a third of the throughput. */
const logDelayMs = 250;

/** Writes log lines in batches. */
class RequestLog {
  #events: RequestEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly write: (text: string) => Promise<void>) {}

  add(event: RequestEvent): void {
    this.#events.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), logDelayMs);
  }

  /** Writes pending lines. A closed stderr doesn't stop the server. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#events.map((event) => logLine(event).text);
    this.#events = [];
    if (lines.length) await this.write(lines.join('\n')).catch(() => {});
  }
}

/** Shows requests and keys on a terminal, until the user quits. */
export async function showRequests(
  calendar: WatchedServer,
  session: Session,
  options: ServeOutputOptions,
  opener: PageOpener,
): Promise<void> {
  const { control, watchers } = calendar;
  const { seed, memory, readOnly, control: open } = options;
  const { terminal, globals } = session;
  const { showServeScreen } = await import('./serve-screen.tsx');
  const toSeed = (name: string) => async () => {
    const done = await control.seed({ ...(await seedInput(name, session)), replace: true });
    return `${name}: ${countsText(done)}`;
  };
  await session.tell(addresses(calendar, session, options));
  const served: ServeScreenModel = {
    get root() {
      return calendar.root;
    },
    place: placeOf(calendar),
    onRequest(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    open: async () => `Opened ${await opener.open()}`,
    reset: readOnly ? undefined : memory || open ? () => resetToStart(control) : seed === undefined ? undefined : toSeed(seed),
  };
  await showServeScreen(served, terminal, hasColor(terminal.stdout, terminal.env, globals.color));
}

async function resetToStart(control: CalendarControl): Promise<string> {
  const { created, took } = await control.reset({});
  return `Reset: ${created} records, ${took.toFixed(1)} ms`;
}

const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
