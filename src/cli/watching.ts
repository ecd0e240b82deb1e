import type { Listening, RequestEvent } from '../server/serve.ts';
import type { Store } from '../store/open.ts';
import type { Served } from './serve-screen.tsx';
import type { Session } from './shell.ts';
import { isColourful } from './terminal.ts';

/** Is told of a request that was answered. */
export type Watcher = (event: RequestEvent) => void;

/** A server that listens, and who watches it. */
export interface Watched {
  store: Store;
  listening: Listening;
  /** Where its routes start. */
  root: string;
  watchers: Set<Watcher>;
}

/** How much is said. */
export interface Saying {
  basePath: string;
  seed?: string;
  json?: boolean;
  quiet?: boolean;
}

/** For programs and files: a line when it listens, and one for every request. */
export async function inLines({ store, listening, root, watchers }: Watched, session: Session, options: Saying): Promise<void> {
  const { file } = store.db;
  const { url, host, port } = listening;
  if (!options.quiet) watchers.add((event) => void session.tell(logLine(event)).catch(() => {}));
  if (options.json)
    await session.print(`${JSON.stringify({ url: url + options.basePath, root, host, port, pid: process.pid, file: file ?? null })}\n`);
  else await session.tell(`calendar: ${file ?? 'a calendar in memory'} is served at ${root}`);
  await interruption(session.terminal.interrupted);
}

/** For people: requests as they come, and keys. */
export async function onScreen({ store, root, watchers }: Watched, session: Session, { seed }: Saying): Promise<void> {
  const { terminal, globals } = session;
  const [{ watch }, { openInBrowser }] = await Promise.all([import('./serve-screen.tsx'), import('./browser.ts')]);
  const place = store.db.file ?? 'the calendar in memory';
  await session.tell(`calendar: ${place} is served at ${root}`);
  const served: Served = {
    root,
    place,
    onRequest(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    open: () => openInBrowser(`${root}/events`, terminal.env),
    // Without a seed there is no beginning to go back to.
    reset: seed === undefined ? undefined : () => planted(store, seed, 'replace', session),
  };
  await watch(served, terminal, isColourful(terminal.stdout, terminal.env, globals.color));
}

/** Plants a seed and says what that made. */
export async function planted(store: Store, seed: string, planting: 'append' | 'replace', session: Session): Promise<string> {
  const { seedStore } = await import('./seed.ts');
  return `${seed}: ${(await seedStore(store, seed, planting, session)).text}`;
}

const logLine = ({ method, path, status, took }: RequestEvent) => `${method} ${path} ${status} ${took.toFixed(took < 10 ? 1 : 0)} ms`;

const interruption = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
