import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isSeed } from '../../data/seeds.ts';
import type { ServedCalendar } from '../../data/serving/serve.ts';
import { Failure, type Problem } from '../../model/error.ts';
import type { RequestEvent } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import { targetOf } from '../connect/target.ts';
import { connectorOf } from '../connect/transport.ts';
import { failureOf } from '../failure-message.ts';
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
  checkTogether(options);
  const [{ serveCalendar }, { plainNamespace, defaultServing }, file] = await Promise.all([
    import('../../data/serving/serve.ts'),
    import('../../data/serving/options.ts'),
    servedFile(session, options),
  ]);
  const {
    host,
    port,
    basePath,
    headerPrefix,
    cors,
    without,
    durability,
    maxBody,
    seed,
    timezone,
    controlToken,
    delay,
    fail = [],
  } = options;
  const fixed = globals.now !== undefined || variable(terminal, 'CALENDAR_NOW') !== undefined;
  const zone = timezone ?? variable(terminal, 'CALENDAR_TIMEZONE');
  const watchers = new Set<RequestListener>();
  const served = await serveCalendar({
    ...{ file, host, port, basePath, headerPrefix, cors, without, durability, maxBody, seed },
    namespace: plainNamespace(globals.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? defaultServing.namespace),
    timeout: (globals.timeout ?? 5) * 1000,
    settings: zone === undefined ? {} : { timezone: zone },
    brief: true,
    open: Boolean(options.memory || options.control),
    readOnly: options.readOnly,
    controlToken: controlToken ?? variable(terminal, 'CALENDAR_CONTROL_TOKEN'),
    system: terminal.now,
    now: fixed ? clockOf(terminal, globals.now)() : undefined,
    connectTo: connectorOf(globals, terminal),
    prepare: (store) => prepare(store, session, options),
    page: options.page ? page : undefined,
    faults: [...(delay === undefined ? [] : [{ delay }]), ...fail],
    onRequest(event) {
      for (const watcher of watchers) watcher(event);
    },
    notice: (text) => void session.tell(`calendar: ${text}`),
  });
  const unwatch = options.watch ? await watchSeed(served, session, options.seed!) : undefined;
  try {
    return await work({ ...served, watchers });
  } finally {
    await unwatch?.();
    await served.close();
  }
}

/** Fails where options contradict each other. */
function checkTogether({ memory, readOnly, watch, seed, users }: ServeOptions): void {
  const refuse = (message: string, hint: string) => {
    throw new Failure('bad-request', message, {}, hint);
  };
  if (readOnly && !memory && (seed !== undefined || users !== undefined))
    refuse(`--read-only changes no file, and ${seed === undefined ? '--users' : '--seed'} would`, 'Add --memory, or leave one out.');
  if (!watch) return;
  if (seed === undefined || isSeed(seed) || seed === '-' || /^[a-z]+:\/\//i.test(seed))
    refuse('--watch looks at a fixture file, and --seed names none', 'Give --seed FILE.');
  if (!memory) refuse('--watch replaces everything, so it works in memory alone', 'Add --memory.');
}

/** Starts a calendar anew whenever its fixture was written. What is wrong with that is told, and the calendar stays as it was. */
async function watchSeed(served: ServedCalendar, session: Session, seed: string): Promise<() => Promise<void>> {
  const { watchPath } = await import('../../data/serving/watch.ts');
  const path = resolve(session.terminal.cwd, seed);
  return watchPath(path, () =>
    served
      .refill()
      .then(
        () => session.tell(`calendar: ${seed} was read again`),
        async (error) => session.tell(`calendar: ${failureOf(error).message}${await placeIn(path, error)}; what was there before stays`),
      )
      .catch(() => {}),
  );
}

/** Where in a fixture the first of its problems is, as the end of a message. */
async function placeIn(path: string, error: unknown): Promise<string> {
  const problems = error instanceof Failure && Array.isArray(error.data.problems) ? (error.data.problems as Problem[]) : [];
  if (!problems[0]) return '';
  const { lineOf } = await import('../../data/json-position.ts');
  const line = lineOf(await readFile(path, 'utf8').catch(() => ''), problems[0].at);
  return line === undefined ? '' : problems.length > 1 ? `, the first in line ${line}` : `, in line ${line}`;
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
  if (isEmpty(store)) await session.note(`calendar: ${await seeded(store, options.seed, session)}`);
  else await session.tell(`calendar: there are records already, so --seed ${options.seed} is left out`);
}

/** Makes the records of a seed, and says how many there are. */
async function seeded(store: Store, name: string, session: Session): Promise<string> {
  const [{ seed }, { documentNamed }, { countsText, runOperation }, { sourceContext }] = await Promise.all([
    import('../../data/seed.ts'),
    import('../../data/seeds.ts'),
    import('../print/summary.ts'),
    import('../connect/source.ts'),
  ]);
  const document = await documentNamed(name, sourceContext(session));
  const summary = await runOperation(session, 'seeding', {}, (more) => seed(store, document, 'append', more));
  return `${name}: ${countsText(summary.counts)}`;
}
