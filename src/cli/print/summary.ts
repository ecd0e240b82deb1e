import type { OnProgress, OperationOptions } from '../../data/summary.ts';
import type { ResourceName } from '../../model/calendar.ts';
import { Failure, type Problem } from '../../model/error.ts';
import type { Done } from '../../model/operation-types.ts';
import { type DryRun, outcomes } from '../../model/operations/summary.ts';
import type { Globals } from '../global-options.ts';
import type { Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';
import { shellWord } from '../terminal/terminal.ts';

/** The options of commands that print a summary. */
export interface SummaryOptions {
  dryRun?: boolean;
  json?: boolean;
}

export const dryOf = ({ dryRun, json }: SummaryOptions): DryRun => ({ dry_run: Boolean(dryRun), list: Boolean(json) });

/** Runs an operation with a progress line. Prints the problems of a failure to stderr and rethrows it. */
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

/** Runs an operation in this process. */
export const runAndPrint = <T>(
  session: Session,
  verb: string,
  options: SummaryOptions,
  work: (options: OperationOptions) => Promise<T>,
): Promise<T> =>
  withProgress(session, verb, options, (onProgress) => work({ dryRun: options.dryRun, listChanges: Boolean(options.json), onProgress }));

const maxProblems = 50;

/** Prints problems or notes to stderr, at most 50. */
export async function printProblems(session: Session, problems: readonly Problem[]): Promise<void> {
  for (const { at, reason } of problems.slice(0, maxProblems)) await session.tell(`${at}: ${reason}`);
  if (problems.length > maxProblems) await session.tell(`… and ${problems.length - maxProblems} more`);
}

/** Minimum number of notes that are printed as one. */
const minGrouped = 4;

/** Prints notes to stderr: of several that differ only in their values, the first and their number. With `-v`, prints all. */
export async function printNotes(session: Session, notes: readonly Problem[]): Promise<void> {
  const groups = new Map<string, Problem[]>();
  for (const note of notes) {
    const key = session.globals.verbose ? `${note.at} ${note.reason}` : note.reason.replace(/"(?:[^"\\]|\\.)*"?|\d+/g, '"');
    groups.set(key, [...(groups.get(key) ?? []), note]);
  }
  for (const group of groups.values())
    if (group.length < minGrouped) for (const { at, reason } of group) await session.tell(`${at}: ${reason}`);
    else await session.tell(`${group[0]!.at}: ${group[0]!.reason} (and ${group.length - 1} more like this; -v lists them)`);
}

/** Prints the summary of an operation and how to undo it to stderr; with `--json`, counts and changes to stdout. */
export async function printDone(session: Session, label: string, done: Done, options: SummaryOptions): Promise<void> {
  await printCounts(session, label, done, options);
  // Records that were only added can be deleted again.
  if (done.undo !== undefined || (!done.dry_run && done.updated + done.deleted > 0)) await tellUndo(session, done.undo);
}

/** Prints the summary of an operation to stderr; with `--json`, counts and changes to stdout. */
export async function printCounts(session: Session, label: string, done: Done, { json }: SummaryOptions): Promise<void> {
  const { dry_run, conversions } = done;
  if (json) await session.print(`${JSON.stringify(doneJson(done), null, 2)}\n`);
  else {
    const counted = Object.entries(conversions).map(([what, count]) => `${what}: ${count}${namesOf(what, done)}`);
    const suffix = dry_run ? ' (dry run, nothing was written)' : '';
    await session.tell(`calendar: ${label}: ${[countsText(done), ...counted].join(', ')}${suffix}`);
  }
}

/** Maximum number of new names in a summary. */
const maxNames = 5;

/** Formats the names of new records: ` (Town Hall, Library)`. */
function namesOf(what: string, { added = {} }: Done): string {
  const names = added[what.replace('new ', '') as ResourceName] ?? [];
  return names.length ? ` (${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''})` : '';
}

/** A summary as `--json` prints it. */
export const doneJson = (done: Done) => {
  const { dry_run, records, conversions, conflicts, added, problems, notes } = done;
  return { ...countsOf(done), dry_run, conversions, added, records, problems, notes, conflicts };
};

const countsOf = (done: Done) => Object.fromEntries(outcomes.map((outcome) => [outcome, done[outcome]]));

/** Formats counts: `12 created, 3 unchanged`. */
export function countsText(done: Record<(typeof outcomes)[number], number>): string {
  const parts = outcomes.filter((outcome) => done[outcome]).map((outcome) => `${done[outcome]} ${outcome}`);
  return parts.length ? parts.join(', ') : 'no changes';
}

/** Prints how to undo a bulk change to stderr, or without a snapshot that the calendar has no undo. */
export async function tellUndo(session: Session, snapshot: string | undefined): Promise<void> {
  await session.tell(
    snapshot === undefined
      ? 'calendar: This calendar has no undo.'
      : `calendar: Saved snapshot ${snapshot}. Undo with: calendar undo${selectionOf(session.globals)}`,
  );
}

/** Prints how to restore the state before an undo. */
export const tellRedo = (session: Session, snapshot: string): Promise<void> =>
  session.tell(`calendar: Saved snapshot ${snapshot}. Redo with: calendar snapshot restore ${snapshot}${selectionOf(session.globals)}`);

/** The options that select the same calendar again, as a shell reads them. An operation needs no user; that of a pull is one of the site. */
function selectionOf({ db, url, world, profile }: Globals): string {
  const options = Object.entries({ db, url, world, profile }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return options.map(([name, value]) => ` --${name} ${shellWord(value)}`).join('');
}
