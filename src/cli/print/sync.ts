import { conflictKinds } from '../../model/conflict-choices.ts';
import { type ExitCode, exitCodes, type Problem } from '../../model/error.ts';
import { decodeEntities, htmlToLine } from '../../model/html/plain-text.ts';
import type { Conflict, Done } from '../../model/operation-types.ts';
import type { Session } from '../session.ts';
import { printCounts, printDone, type SummaryOptions } from './summary.ts';

/** Prints the summary of a pull or a push, whose changes of a site can't be undone, with conflicts, problems and notes on stderr. Returns the exit code. */
export async function printSync(
  session: Session,
  what: 'pull' | 'push',
  site: string,
  done: Done,
  options: SummaryOptions,
): Promise<ExitCode> {
  if (what === 'pull') await printDone(session, `Pulled from ${site}`, done, options);
  else await printCounts(session, `Pushed to ${site}`, done, options);
  return printLeft(session, done);
}

/** Prints the notes, problems and conflicts of pulls and pushes to stderr. Returns the exit code. */
export async function printLeft(
  session: Session,
  { conflicts = [], problems, notes }: Pick<Done, 'conflicts' | 'problems' | 'notes'>,
): Promise<ExitCode> {
  const isNew = ({ told }: Problem) => !told || session.globals.verbose;
  for (const { at, reason } of [...notes.filter(isNew), ...problems]) await session.tell(`calendar: ${at}: ${reason}`);
  if (conflicts.length) {
    const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
    await session.tell(`calendar: ${count}. Nothing was written for these records:`);
    for (const conflict of conflicts) await session.tell(conflictText(conflict).trimEnd());
    await session.tell('  Resolve with --ours (the file) or --theirs (the site), or see: calendar conflicts list');
  }
  return conflicts.length + problems.length ? exitCodes.partial : exitCodes.ok;
}

/** Formats a conflict: the record, and its fields with the last common, the local and the remote value. */
export function conflictText({ resource, id, name, kind, fields }: Conflict): string {
  const lines = Object.entries(fields).map(([field, { base, local, remote }]) => {
    const [was, here, there] = valueTexts([base, local, remote]);
    return `    ${field}: was ${was}, here ${here}, there ${there}\n`;
  });
  return `  ${resource} ${id} (${htmlToLine(name)}): ${conflictKinds[kind]}\n${lines.join('')}`;
}

/** Formats values of one field on a line each; `unknown` for a missing one. Entities are shown as text, unless the values differ in them only. */
export function valueTexts(values: readonly unknown[]): string[] {
  const decoded = (_: string, value: unknown) => (typeof value === 'string' ? decodeEntities(value) : value);
  const [raw, plain] = [undefined, decoded].map((replacer) => values.map((value) => JSON.stringify(value, replacer) ?? 'unknown'));
  const isSame = new Set(raw).size === new Set(plain).size;
  return (isSame ? plain! : raw!).map((json) => (json.length > 120 ? `${json.slice(0, 117)}…` : json));
}
