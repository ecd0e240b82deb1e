import { type OperationOptions, outcomes, type Summary } from '../../data/summary.ts';
import type { Problem } from '../../model/error.ts';
import { Failure } from '../../model/error.ts';
import type { Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

/** The options of a command that change how its operation runs and is printed. */
export interface SummaryOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** Runs an operation on a whole calendar with a line of progress. Lists the problems of a failure on stderr before it is thrown on. */
export async function runOperation<T>(
  session: Session,
  verb: string,
  { dryRun, json }: SummaryOptions,
  work: (options: OperationOptions) => Promise<T>,
): Promise<T> {
  const progress = progressOf(session.terminal, verb);
  try {
    return await work({ dryRun, listChanges: Boolean(json), onProgress: progress.update });
  } catch (error) {
    progress.end();
    const problems = error instanceof Failure ? error.data.problems : undefined;
    if (!json && Array.isArray(problems) && problems.length > 1) await printProblems(session, problems as Problem[]);
    throw error;
  } finally {
    progress.end();
  }
}

const mostProblems = 50;

async function printProblems(session: Session, problems: readonly Problem[]): Promise<void> {
  for (const { at, reason } of problems.slice(0, mostProblems)) await session.tell(`${at}: ${reason}`);
  if (problems.length > mostProblems) await session.tell(`… and ${problems.length - mostProblems} more`);
}

/** Prints the counts of a summary on stderr after a label; with `--json` counts and changes on stdout instead. */
export async function printSummary(session: Session, label: string, summary: Summary, { dryRun, json }: SummaryOptions): Promise<void> {
  if (json) await session.print(`${JSON.stringify({ ...summary.counts, dry_run: Boolean(dryRun), records: summary.changes }, null, 2)}\n`);
  else await session.tell(`calendar: ${label}: ${countsText(summary)}${dryRun ? ' (dry run: nothing was written)' : ''}`);
}

/** The counts of a summary in words: `12 created, 3 unchanged`. */
export function countsText({ counts }: Summary): string {
  const parts = outcomes.filter((outcome) => counts[outcome]).map((outcome) => `${counts[outcome]} ${outcome}`);
  return parts.length ? parts.join(', ') : 'nothing to do';
}
