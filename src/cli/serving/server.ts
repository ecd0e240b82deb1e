import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nodeParts } from '../../data/node-parts.ts';
import type { ServingOptions } from '../../data/serving/options.ts';
import type { RunningServer } from '../../data/serving/serve.ts';
import { isLoopback } from '../../model/addresses.ts';
import { Failure, type Problem } from '../../model/error.ts';
import { isSeed } from '../../model/operations/formats.ts';
import { namespaced, namespaceIn } from '../../model/routes.ts';
import { serverOptions } from '../../model/server-options.ts';
import { type NewUser, rolesOption } from '../../model/viewer.ts';
import type { Hooks } from '../../server/hooks/functions.ts';
import type { RequestEvent } from '../../server/http.ts';
import type { Store } from '../../store/calendar.ts';
import { createdNotice, declareConfigured, settleZone, zoneOption } from '../connect/file.ts';
import { remoteAt } from '../connect/sync.ts';
import { targetOf } from '../connect/target.ts';
import { connectorOf } from '../connect/transport.ts';
import { failureOf } from '../failure-message.ts';
import type { Session } from '../session.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import type { ServeOptions } from './options.ts';

/** Called after each response. */
type RequestListener = (event: RequestEvent) => void;

/** A served calendar and the listeners for its requests. */
export interface WatchedServer extends RunningServer {
  watchers: Set<RequestListener>;
  /** Token of the page of the person who started the server; absent where every caller may do everything, and on other machines. */
  pageToken: string | undefined;
}

/** Serves a calendar while `work` runs; with `waits`, it starts when the calendar has the records of the site that it is a copy of. */
export async function whileServed<T>(
  session: Session,
  options: ServeOptions & { pageToken?: string },
  work: (served: WatchedServer) => Promise<T>,
  { waits = false } = {},
): Promise<T> {
  const { cwd } = session.terminal;
  checkOptions(options);
  await checkFiles(session, options);
  const file = await servedFile(session, options);
  const hooks = options.hooks === undefined ? undefined : await (await import('./hooks.ts')).loadHooks(options.hooks, cwd);
  const watchSeed = options.watch ? (await import('../../data/serving/watch.ts')).watchPath(resolve(cwd, options.seed!)) : undefined;
  const watchers = new Set<RequestListener>();
  const onRequest = (event: RequestEvent) => {
    for (const watcher of watchers) watcher(event);
  };
  const serving = await servingOptions(session, options, file);
  const { serveCalendar } = await import('../../data/serving/serve.ts');
  const served = await serveCalendar({ ...serving, hooks, onRequest });
  const release = hooks && (await reportRejections(hooks, session));
  const unwatch = watchSeed?.(() => reloadSeed(served, session, options.seed!));
  try {
    const watched = Object.assign(served, { watchers, pageToken: serving.pageToken });
    const { followed } = served;
    if (!followed) return await work(watched);
    if (waits) await followed.ready;
    return await Promise.race([work(watched), followed.failed]);
  } finally {
    await unwatch?.();
    await served.close();
    release?.();
  }
}

/** The options of a server, from those of the command, of the environment and of the calendar. */
async function servingOptions(
  session: Session,
  options: ServeOptions & { pageToken?: string },
  file: string | undefined,
): Promise<ServingOptions> {
  const { terminal, globals } = session;
  // Global options among the others have no effect on a server.
  const { memory, users: _, watch: __, hooks: ___, control, controlToken, pageToken, delay, fail = [], page, ...plain } = options;
  const { media, tlsCert, tlsKey, ...others } = plain;
  const pathIn = (path: string | undefined) => (path === undefined ? undefined : resolve(terminal.cwd, path));
  const hasNow = globals.now !== undefined || variable(terminal, 'CALENDAR_NOW') !== undefined;
  const zone = zoneOption(globals, terminal);
  const usual = variable(terminal, 'CALENDAR_NAMESPACE') ?? options.namespace;
  const pull = await pulledSite(session, options, usual);
  const direct = globals.namespace ?? (pull && namespaceIn(pull.root));
  const { plainNamespace, defaultServing } = await import('../../data/serving/options.ts');
  return {
    ...others,
    pageToken: page && file !== undefined && !control && isLoopback(plain.host) ? pageToken : undefined,
    file,
    namespace: plainNamespace(direct ?? usual ?? defaultServing.namespace),
    isDefaultNamespace: direct === undefined,
    pull,
    timeout: (globals.timeout ?? 5) * 1000,
    settings: zone === undefined ? {} : { timezone: zone },
    // What a user of a site sees is not for every caller.
    open: Boolean(control || (memory && !pull?.isUser)),
    media: pathIn(media),
    tlsCert: pathIn(tlsCert),
    tlsKey: pathIn(tlsKey),
    controlToken: controlToken ?? variable(terminal, 'CALENDAR_CONTROL_TOKEN'),
    system: terminal.now,
    now: hasNow ? clockOf(terminal, globals.now)() : undefined,
    node: nodeParts(connectorOf(globals, terminal)),
    async prepare(store) {
      if (file) await settleZone(store, file, zone);
      await declareConfigured(store, terminal, options.readOnly && file !== undefined ? 'read' : 'write');
      await prepare(store, session, options);
      // A copy gets the time zone of its site.
      if (file && store.db.isNew && !pull) await session.tell(`calendar: ${createdNotice(store, file, zone)}`);
    },
    page: page ? webPage : undefined,
    faults: [...(delay === undefined ? [] : [{ delay }]), ...fail],
    notice: (text) => void session.tell(`calendar: ${text}`),
  };
}

/** The site of `--pull`; `usual` is the namespace for addresses without one. Throws `bad-request` for options that need it. */
async function pulledSite(
  session: Session,
  { pull, pullFile, every }: ServeOptions,
  usual: string | undefined,
): Promise<ServingOptions['pull']> {
  const { user, header } = session.globals;
  if (pull === undefined) {
    const extra = every !== undefined ? 'every' : user !== undefined ? 'user' : header !== undefined ? 'header' : undefined;
    const hint = extra === 'user' ? 'Users of the served calendar are in --users FILE.' : 'Pass --pull URL.';
    if (extra) throw new Failure('bad-request', `--${extra} requires --pull`, hint);
    return undefined;
  }
  const { hasUser } = await import('../../client/remote.ts');
  // With a whole address, the option is the path of the copy.
  const namespace = namespaced.test(pull) ? undefined : session.globals.namespace;
  const from = pullFile === undefined ? undefined : { file: pullFile, retry: `If you trust that address, pass it: --pull ${pull}` };
  const site = await remoteAt({ ...session, globals: { ...session.globals, namespace } }, pull, from);
  return { ...site, ...(site.namespace !== undefined && usual !== undefined ? { namespace: usual } : {}), isUser: hasUser(site) };
}

/** Throws `bad-request` if options contradict each other. */
function checkOptions({ memory, readOnly, watch, seed, users, media, maxUpload, pull }: ServeOptions): void {
  const reject = (message: string, hint: string) => {
    throw new Failure('bad-request', message, hint);
  };
  if (readOnly && !memory && (seed !== undefined || users !== undefined))
    reject(`Can't use ${seed === undefined ? '--users' : '--seed'} with --read-only on a file`, 'Add --memory, or omit one of them.');
  if (pull !== undefined && (readOnly || seed !== undefined))
    reject(`Use either --pull or ${readOnly ? '--read-only' : '--seed'}, not both`, 'The records are those of the site.');
  if (maxUpload !== serverOptions.maxUpload.default && media === undefined) reject('--max-upload requires --media', 'Pass --media FOLDER.');
  if (!watch) return;
  if (seed === undefined || !isFixtureFile(seed)) reject('--watch requires a fixture file', 'Pass --seed FILE.');
  if (!memory) reject('--watch requires --memory', 'Add --memory: each reload replaces the whole calendar.');
}

/** Reads the files of the options, so that a missing one is reported before a port that is in use. */
async function checkFiles(session: Session, { seed, users, memory, host }: ServeOptions): Promise<void> {
  if (seed !== undefined && isFixtureFile(seed)) {
    const [{ documentNamed }, { opensFor }] = await Promise.all([import('../../data/seeds.ts'), import('../connect/operate.ts')]);
    await documentNamed(seed, opensFor(session));
  }
  if (users === undefined) return;
  const { checkRoles } = await import('../../data/users.ts');
  checkRoles(users, { file: memory ? undefined : 'a file', host });
  await usersIn(session, users);
}

/** The users in a file; `roles` stands for one user of each role. */
async function usersIn(session: Session, users: string): Promise<readonly NewUser[]> {
  const [{ usersOf }, { opensFor }] = await Promise.all([import('../../data/users.ts'), import('../connect/operate.ts')]);
  return usersOf(users === rolesOption ? users : resolve(session.terminal.cwd, users), opensFor(session));
}

const isFixtureFile = (seed: string): boolean => !isSeed(seed) && seed !== '-' && !/^[a-z]+:\/\//i.test(seed);

/** Reloads a calendar after its fixture has changed. A fixture with errors is reported and changes nothing. */
const reloadSeed = (served: RunningServer, session: Session, seed: string): Promise<void> =>
  served
    .refill()
    .then(
      () => session.tell(`calendar: Reloaded ${seed}`),
      async (error) => {
        const place = await placeIn(resolve(session.terminal.cwd, seed), error);
        await session.tell(`calendar: ${failureOf(error).message}${place}. The calendar is unchanged.`);
      },
    )
    .catch(() => {});

/** The line of the first problem in a fixture, as the end of a message. */
async function placeIn(path: string, error: unknown): Promise<string> {
  const problems = error instanceof Failure && Array.isArray(error.data.problems) ? (error.data.problems as Problem[]) : [];
  if (!problems[0]) return '';
  const { lineOf } = await import('../../data/json-position.ts');
  const line = lineOf(await readFile(path, 'utf8').catch(() => ''), problems[0].at);
  return line === undefined ? '' : problems.length > 1 ? `, the first on line ${line}` : `, on line ${line}`;
}

/** Prints the errors of promises that hooks do not await, which would end the server. */
async function reportRejections(hooks: Hooks, { terminal, tell }: Session): Promise<(() => void) | undefined> {
  const { unawaitedText } = await import('../../server/hooks/hooks.ts');
  return terminal.takeRejections?.((error) => void tell(`calendar: ${unawaitedText(hooks, error)}`));
}

const webPage = async () => (await import('../../web/page.ts')).webPage();

/** Ignores CALENDAR_URL and CALENDAR_WORLD, since only a file can be served. */
const withoutUrl = (terminal: Terminal): Terminal => ({
  ...terminal,
  env: { ...terminal.env, CALENDAR_URL: undefined, CALENDAR_WORLD: undefined },
});

/** The file to serve, or undefined for a calendar in memory. */
async function servedFile({ terminal, globals }: Session, options: ServeOptions): Promise<string | undefined> {
  if (options.memory && globals.db !== undefined) throw new Failure('bad-request', 'Use either --memory or --db, not both');
  if (options.memory) return undefined;
  const target = await targetOf({ ...globals, user: undefined }, withoutUrl(terminal));
  if (target.kind === 'file') return target.file;
  throw new Failure('bad-request', `${target.source} is a server, and serve needs a file`, 'Pass --db FILE or --memory.');
}

/** Adds the users and records of the options. */
async function prepare(store: Store, session: Session, options: ServeOptions): Promise<void> {
  if (options.users !== undefined) {
    const { putUsers } = await import('../../data/users.ts');
    await putUsers(store, await usersIn(session, options.users));
  }
  const isNew = store.db.isNew || store.db.file === undefined;
  if (options.seed !== undefined) await loadSeed(store, session, options.seed);
  if (isNew && options.settings)
    await (await import('../../data/initial-state.ts')).putSettings(store, options.settings as Record<string, string>);
}

/** Loads a seed into an empty calendar. */
async function loadSeed(store: Store, session: Session, seed: string): Promise<void> {
  const { isEmpty } = await import('../../data/transaction.ts');
  if (isEmpty(store)) await session.note(`calendar: ${await seeded(store, seed, session)}`);
  else {
    const [{ shellWord }, { file }] = [await import('../terminal/terminal.ts'), store.db];
    const replace = `calendar seed ${shellWord(seed)} --replace${file === undefined ? '' : ` --db ${shellWord(file)}`}`;
    await session.tell(`calendar: The calendar has records. Ignoring --seed ${seed}. To replace them: ${replace}`);
  }
}

/** Loads a seed and returns a summary. */
async function seeded(store: Store, name: string, session: Session): Promise<string> {
  const [{ fill }, { documentNamed }, { countsText, printNotes, runAndPrint }, { opensFor }] = await Promise.all([
    import('../../data/initial-state.ts'),
    import('../../data/seeds.ts'),
    import('../print/summary.ts'),
    import('../connect/operate.ts'),
  ]);
  const from = isSeed(name) ? name : ((await documentNamed(name, opensFor(session))).document as object);
  const summary = await runAndPrint(session, 'seeding', {}, (more) => fill(store, from, {}, { name, ...more }));
  if (!isSeed(name)) await printNotes(session, summary.notes);
  return `${name}: ${countsText(summary.counts)}`;
}
