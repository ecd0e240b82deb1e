import { type Command, Option } from 'commander';
import { Follow } from '../../data/remote/follow.ts';
import { type ExitCode, exitCodes, Failure } from '../../model/error.ts';
import type { Done } from '../../model/operation-types.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { serverOf } from '../connect/file.ts';
import { operate, whileConnected } from '../connect/operate.ts';
import { addSyncOptions, confirming, onFile, preferred, rootOf, type SyncOptions, siteOf, tellInStep } from '../connect/sync.ts';
import { targetOf } from '../connect/target.ts';
import { timeFor } from '../options.ts';
import { dryOf, withProgress } from '../print/summary.ts';
import { printSync } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

interface PullOptions extends SyncOptions {
  follow?: boolean;
  every?: string;
}

/** `calendar pull`: copies the changes of a site into the file. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--delete', 'Delete records that were deleted on the site')
    .addOption(new Option('--follow', 'Pull again and again until interrupted').conflicts(['dryRun', 'json']))
    .option('--every <time>', 'Time between pulls with --follow, e.g. 30s (default 5m)', timeFor('ttl'))
    .action(runner.action((session, [url], options) => pullCommand(session, url as string | undefined, options as PullOptions)));
}

const defaultEvery = '5m';

async function pullCommand(session: Session, url: string | undefined, options: PullOptions): Promise<number> {
  if (!options.follow && options.every !== undefined) throw new Failure('bad-request', '--every requires --follow');
  if (!options.follow) return (await pullOnce(session, url, options)).exit;
  const everyMs = millisecondsIn(options.every ?? defaultEvery, '--every', 'ttl');
  const { name } = await siteOf(session, url);
  let last: string | null = null;
  const { now, interrupted } = session.terminal;
  const follow = new Follow({
    ...{ host: name, everyMs, system: now, signal: interrupted, endsWhenRejected: true, needsFirst: () => true },
    async pull() {
      const { done } = await pullOnce(session, url, options);
      last = new Date(now()).toISOString();
      return done;
    },
    pulled: () => last,
    notice: (line) => void session.tell(`calendar: ${line}`),
  });
  await follow.run();
  interrupted.throwIfAborted();
  return exitCodes.ok;
}

async function pullOnce(session: Session, url: string | undefined, options: PullOptions): Promise<{ done: Done; exit: ExitCode }> {
  const { only, delete: deleting } = options;
  const ended = async (done: Done, site: string) => {
    const exit = await printSync(session, 'pull', site, done, options);
    await tellInStep(session, options);
    return { done, exit };
  };
  const now = await pullNow(session, url, options);
  if (now) return ended(now.done, now.site);
  const { remote, name } = await siteOf(session, url);
  const input = { ...dryOf(options), ...remote, only, delete: deleting, prefer: preferred(options) };
  const work = (confirmed: object) =>
    withProgress(session, 'pulling', options, async (onProgress) =>
      operate(await onFile(session), 'write', 'pull', { ...input, ...confirmed }, onProgress),
    );
  const done = await confirming(session, { yes: options.yes }, work, true);
  return ended(done, name);
}

/** The pull of the server that pulls from the site into the selected file, if there is one and the command has no other options. */
async function pullNow(session: Session, url: string | undefined, options: PullOptions): Promise<{ done: Done; site: string } | undefined> {
  const { only, delete: deleting, dryRun, follow, ours, theirs } = options;
  const { user, header, profile, world } = session.globals;
  if ([only, deleting, dryRun, follow, ours, theirs, user, header, profile, world].some(Boolean)) return undefined;
  const file = await onFile(session);
  const target = await targetOf(file.globals, file.terminal);
  if (target.kind === 'file' && (target.file === ':memory:' || !(await serverOf(target.file)))) return undefined;
  const root = url === undefined ? undefined : await rootOf((await siteOf(session, url)).remote);
  return whileConnected(file, 'served', async (control) => {
    const { copy } = await control('health', {});
    const done = copy && (await control('pullNow', { root }).catch(ifOther));
    if (!done) return undefined;
    await session.tell(`calendar: The server pulled from ${copy.site}, with its deletions`);
    return { done, site: url ?? copy.site };
  });
}

/** Returns undefined for the failure of a server that pulls from another site. */
function ifOther(error: unknown): undefined {
  if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
}
