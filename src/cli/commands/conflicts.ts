import { type Command, InvalidArgumentError } from 'commander';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { choicesOf } from '../../model/conflict-choices.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { operate } from '../connect/operate.ts';
import { onFile } from '../connect/sync.ts';
import { countsText, tellUndo } from '../print/summary.ts';
import { conflictText } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar conflicts`: lists and resolves conflicts that pull and push found. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List records that were changed differently on both sides')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('resolve')
    .summary('Resolve conflicts in favor of one side')
    .argument('[record]', 'ID of the record in the file, or e.g. tags/3', recordRef)
    .option('--all', 'Resolve all conflicts')
    .option('--ours [fields]', 'Keep the values in the file, of all fields or e.g. title,dates; the next push sends them')
    .option('--theirs [fields]', 'Take the values of the site, of all fields or e.g. title,dates')
    .action(runner.action((session, [record], options) => resolve(session, record as RecordRef | undefined, options)));
}

interface RecordRef {
  resource?: ResourceName;
  id: number;
}

const recordPattern = /^(?:(\w+)\/)?(\d+)$/;

function recordRef(text: string): RecordRef {
  const [, resource, id] = recordPattern.exec(text) ?? [];
  if (id === undefined || (resource !== undefined && !(resourceNames as readonly string[]).includes(resource)))
    throw new InvalidArgumentError('Expected an ID such as 26 or tags/3.');
  return { ...(resource ? { resource: resource as ResourceName } : {}), id: Number(id) };
}

async function list(session: Session, json: boolean): Promise<number> {
  const { conflicts } = await operate(await onFile(session), 'read', 'conflicts', {});
  if (json) await session.print(`${JSON.stringify(conflicts, null, 2)}\n`);
  else for (const conflict of conflicts) await session.print(conflictText(conflict).replace(/^ {2}/gm, ''));
  return exitCodes.ok;
}

async function resolve(session: Session, argument: RecordRef | undefined, options: Record<string, unknown>): Promise<undefined> {
  const sides = (['ours', 'theirs'] as const).filter((side) => options[side] !== undefined);
  const [prefer] = sides;
  if (prefer === undefined) throw new Failure('bad-request', 'Missing side', 'Pass --ours (the file) or --theirs (the site).');
  // The parser takes the record in `--ours 26` for the value of the option.
  const swallowed = sides.flatMap((side) => (recordPattern.test(String(options[side])) ? recordRef(String(options[side])) : []));
  const byName = sides.flatMap((side) => {
    const value = options[side];
    return typeof value === 'string' && !recordPattern.test(value) ? [[side, value.split(',').map((name) => name.trim())] as const] : [];
  });
  if (sides.length > 1 && byName.length < 2)
    throw new Failure('bad-request', 'Use either --ours or --theirs, not both', 'Both need names of fields: --ours title --theirs dates.');
  const [record, other] = [...(argument ? [argument] : []), ...swallowed];
  if (!record === !options.all || other || (options.all && byName.length))
    throw new Failure('bad-request', 'Pass either a record or --all', 'See: calendar conflicts list');
  const input = byName.length ? { fields: Object.fromEntries(byName) } : { prefer };
  const done = await operate(await onFile(session), 'write', 'resolveConflicts', { ...record, ...input });
  await session.tell(`calendar: Resolved conflicts: ${countsText(done)}`);
  for (const conflict of done.conflicts ?? []) {
    const { resource, id, name } = conflict;
    await session.tell(`calendar: ${resource} ${id} (${htmlToLine(name)}): still a conflict: ${choicesOf(conflict).join(', ')}`);
  }
  if (done.undo !== undefined) await tellUndo(session, done.undo);
}
