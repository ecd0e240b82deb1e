import { resolve } from 'node:path';
import type { ServedCalendar } from '../../data/serving/serve.ts';
import { Failure } from '../../model/error.ts';
import type { RequestEvent } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import { targetOf } from '../connect/target.ts';
import { connectorOf } from '../connect/transport.ts';
import type { Session } from '../session.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import type { ServeOptions } from './options.ts';

/** Called after each answered request. */
export type RequestListener = (event: RequestEvent) => void;

/** A served calendar and the listeners for its requests. */
export interface WatchedCalendar extends ServedCalendar {
  watchers: Set<RequestListener>;
}

/** Serves a calendar for as long as the work takes. */
export async function whileServed<T>(session: Session, options: ServeOptions, work: (served: WatchedCalendar) => Promise<T>): Promise<T> {
  const { terminal, globals } = session;
  const [{ serveCalendar }, { plainNamespace, usualServing }, file] = await Promise.all([
    import('../../data/serving/serve.ts'),
    import('../../data/serving/options.ts'),
    servedFile(session, options),
  ]);
  const { host, port, basePath, headerPrefix, cors, without, durability, maxBody, seed, timezone, controlToken } = options;
  const fixed = globals.now !== undefined || variable(terminal, 'CALENDAR_NOW') !== undefined;
  const zone = timezone ?? variable(terminal, 'CALENDAR_TIMEZONE');
  const watchers = new Set<RequestListener>();
  const served = await serveCalendar({
    ...{ file, host, port, basePath, headerPrefix, cors, without, durability, maxBody, seed },
    namespace: plainNamespace(globals.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? usualServing.namespace),
    timeout: (globals.timeout ?? 5) * 1000,
    settings: zone === undefined ? {} : { timezone: zone },
    open: Boolean(options.memory || options.control),
    controlToken: controlToken ?? variable(terminal, 'CALENDAR_CONTROL_TOKEN'),
    system: terminal.now,
    now: fixed ? clockOf(terminal, globals.now)() : undefined,
    connectTo: connectorOf(globals, terminal),
    prepare: (store) => prepare(store, session, options),
    page: options.page ? page : undefined,
    onRequest(event) {
      for (const watcher of watchers) watcher(event);
    },
    notice: (text) => void session.tell(`calendar: ${text}`),
  });
  try {
    return await work({ ...served, watchers });
  } finally {
    await served.close();
  }
}

/** The page for people. */
const page = async () => (await import('../../web/page.ts')).webPage();

/** Only a file can be served, so CALENDAR_URL does not count. */
const withoutUrl = (terminal: Terminal): Terminal => ({ ...terminal, env: { ...terminal.env, CALENDAR_URL: undefined } });

/** The file that is meant; undefined in memory. */
async function servedFile({ terminal, globals }: Session, options: ServeOptions): Promise<string | undefined> {
  if (options.memory && globals.db !== undefined)
    throw new Failure('bad-request', '--memory and --db name two calendars', {}, 'Give one of them.');
  if (options.memory) return undefined;
  const target = await targetOf({ ...globals, user: undefined }, withoutUrl(terminal));
  if (target.kind === 'file') return target.file;
  throw new Failure('bad-request', `${target.source} names a server; this serves a file`, {}, 'Give --db FILE or --memory.');
}

/** Adds the users and records of the options before the server listens. */
async function prepare(store: Store, session: Session, options: ServeOptions): Promise<void> {
  if (options.users !== undefined) {
    const [{ readUsers }, { putUsers }] = await Promise.all([import('../../data/users-file.ts'), import('../../data/serving/users.ts')]);
    await putUsers(store, await readUsers(resolve(session.terminal.cwd, options.users)));
  }
  if (options.seed === undefined) return;
  const { isEmpty } = await import('../../data/seed.ts');
  if (isEmpty(store)) await session.note(`calendar: ${await seeded(store, options.seed, 'append', session)}`);
  else await session.tell(`calendar: there are records already, so --seed ${options.seed} is left out`);
}

/** Makes the records of a seed, and says how many there are. */
export async function seeded(store: Store, name: string, mode: 'append' | 'replace', session: Session): Promise<string> {
  const [{ seed }, { documentNamed }, { countsText, runOperation }, { sourceContext }] = await Promise.all([
    import('../../data/seed.ts'),
    import('../../data/seeds.ts'),
    import('../print/summary.ts'),
    import('../connect/source.ts'),
  ]);
  const document = await documentNamed(name, sourceContext(session));
  const summary = await runOperation(session, 'seeding', {}, (more) => seed(store, document, mode, more));
  return `${name}: ${countsText(summary.counts)}`;
}
