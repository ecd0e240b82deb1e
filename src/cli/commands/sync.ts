import type { Command } from 'commander';
import { exitCodes } from '../../model/error.ts';
import type { Conflict, Done, PushInput } from '../../model/operation-types.ts';
import { outcomes } from '../../model/operations/summary.ts';
import { operate } from '../connect/operate.ts';
import { addSyncOptions, confirming, mayDelete, onFile, preferred, type SyncOptions, siteOf, tellInStep } from '../connect/sync.ts';
import { countsText, doneJson, dryOf, tellUndo, withProgress } from '../print/summary.ts';
import { printLeft } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar sync`: a pull, a push and, if that changed anything, another pull. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--delete', 'Copy deletions of both sides')
    .action(runner.action((session, [url], options) => syncCommand(session, url as string | undefined, options as SyncOptions)));
}

async function syncCommand(session: Session, url: string | undefined, options: SyncOptions): Promise<number> {
  const { remote, name } = await siteOf(session, url, { writes: true });
  const { only, delete: deleting, dryRun, json, yes } = options;
  const input = { ...dryOf(options), ...remote, only, delete: deleting, prefer: preferred(options) };
  const file = await onFile(session);
  let confirmed: Pick<PushInput, 'yes' | 'separate' | 'unpublished'> = { yes };
  const run = (what: 'pull' | 'push') =>
    confirming(
      session,
      confirmed,
      (given) => {
        confirmed = given;
        return withProgress(session, `${what}ing`, options, (onProgress) =>
          operate(file, 'update', what, { ...input, ...given }, onProgress),
        );
      },
      what === 'pull',
    );
  const pulled = await run('pull');
  if (deleting && (await hasDeletions(file)) && !(await mayDelete(session, name, options))) return exitCodes.ok;
  const pushed = await run('push');
  const isChanged = pushed.created + pushed.updated + pushed.deleted > 0 || (await sitesOf(file)).some((site) => site.remote_changes > 0);
  const again = isChanged && !dryRun ? await run('pull') : undefined;
  const pull = again ? sumOf(pulled, again) : pulled;
  // The second pull belongs to the step of the first one.
  if (pulled.undo !== undefined && again?.undo !== undefined) {
    await operate(file, 'write', 'deleteSnapshot', { name: again.undo });
    await operate(file, 'write', 'settleSnapshot', { name: pulled.undo });
  }
  if (json) await session.print(`${JSON.stringify({ pull: doneJson(pull), push: doneJson(pushed) }, null, 2)}\n`);
  else {
    const suffix = dryRun ? ' (dry run, nothing was written; the push does not know what the pull would copy)' : '';
    await session.tell(`calendar: Pulled from ${name}: ${countsText(pull)}; pushed: ${countsText(pushed)}${suffix}`);
    if (pull.undo !== undefined) await tellUndo(session, pull.undo);
  }
  const exit = await printLeft(session, leftOf(again ?? pulled, pushed));
  await tellInStep(session, options);
  return exit;
}

const sitesOf = async (file: Session) => (await operate(file, 'read', 'sites', {})).sites;
const hasDeletions = async (file: Session) =>
  (await sitesOf(file)).some(({ local }) => local.deleted > 0) ||
  (await operate(file, 'read', 'conflicts', {})).conflicts.some(({ kind }) => kind === 'deleted-here');

/** The counts and records of two pulls. */
const sumOf = (first: Done, second: Done): Done => ({
  ...second,
  ...Object.fromEntries(outcomes.map((outcome) => [outcome, first[outcome] + (outcome === 'unchanged' ? 0 : second[outcome])])),
  records: [...first.records, ...second.records.filter(({ action }) => action !== 'unchanged')],
  undo: first.undo ?? second.undo,
});

/** The conflicts, problems and notes of a pull and a push, each once. */
function leftOf(...done: readonly Done[]): Required<Pick<Done, 'conflicts' | 'problems' | 'notes'>> {
  const once = <T>(list: readonly T[], keyOf: (each: T) => string) => [...new Map(list.map((each) => [keyOf(each), each])).values()];
  const conflictKey = ({ resource, id }: Conflict) => `${resource} ${id}`;
  return {
    conflicts: once(
      done.flatMap(({ conflicts = [] }) => conflicts),
      conflictKey,
    ),
    problems: once(
      done.flatMap(({ problems }) => problems),
      (each) => JSON.stringify(each),
    ),
    notes: once(
      done.flatMap(({ notes }) => notes),
      (each) => JSON.stringify(each),
    ),
  };
}
