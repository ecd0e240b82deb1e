import type { OnProgress, OperationOptions } from '../../data/summary.ts';
import type { Problem } from '../../model/error.ts';
import { Failure } from '../../model/error.ts';
import { type Done, type DryRun, outcomes } from '../../model/operations/summary.ts';
import type { Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';
import { tellUndo } from './undo.ts';

/** The options of a command that change how its operation runs and is printed. */
export interface SummaryOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** The same options as operations take them. */
export const dryOf = ({ dryRun, json }: SummaryOptions): DryRun => ({ dry_run: Boolean(dryRun), list: Boolean(json) });

/** Runs an operation on a whole calendar with a line of progress. Lists the problems of a failure on stderr before it is thrown on. */
export async function withProgress<T>(
  session: Session,
  verb: string,
  { json }: SummaryOptions,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const progress = progressOf(session.terminal, verb);
  try {
    return await work(progress.update);
  } catch (error) {
    progress.end();
    const problems = error instanceof Failure ? error.data.problems : undefined;
    if (!json && Array.isArray(problems) && problems.length > 1) await printProblems(session, problems as Problem[]);
    throw error;
  } finally {
    progress.end();
  }
}

/** Runs an operation of this process. */
export const runOperation = <T>(
  session: Session,
  verb: string,
  options: SummaryOptions,
  work: (options: OperationOptions) => Promise<T>,
): Promise<T> =>
  withProgress(session, verb, options, (onProgress) => work({ dryRun: options.dryRun, listChanges: Boolean(options.json), onProgress }));

const mostProblems = 50;

async function printProblems(session: Session, problems: readonly Problem[]): Promise<void> {
  for (const { at, reason } of problems.slice(0, mostProblems)) await session.tell(`${at}: ${reason}`);
  if (problems.length > mostProblems) await session.tell(`… and ${problems.length - mostProblems} more`);
}

/** Prints what an operation did: counts on stderr after a label, then how to undo it; with `--json` counts and changes on stdout instead. */
export async function printDone(session: Session, label: string, done: Done, { json }: SummaryOptions): Promise<void> {
  const { dry_run, records } = done;
  if (json) await session.print(`${JSON.stringify({ ...countsOf(done), dry_run, records }, null, 2)}\n`);
  else await session.tell(`calendar: ${label}: ${countsText(done)}${dry_run ? ' (dry run: nothing was written)' : ''}`);
  await tellUndo(session, done.undo);
}

const countsOf = (done: Done) => Object.fromEntries(outcomes.map((outcome) => [outcome, done[outcome]]));

/** Counts in words: `12 created, 3 unchanged`. */
export function countsText(done: Record<(typeof outcomes)[number], number>): string {
  const parts = outcomes.filter((outcome) => done[outcome]).map((outcome) => `${done[outcome]} ${outcome}`);
  return parts.length ? parts.join(', ') : 'nothing to do';
}
