import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
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
    .addOption(new Option('--ours', 'Keep the values in the file; the next push sends them').conflicts('theirs'))
    .option('--theirs', 'Take the values of the site')
    .action(runner.action((session, [record], options) => resolve(session, record as RecordRef | undefined, options)));
}

interface RecordRef {
  resource?: ResourceName;
  id: number;
}

function recordRef(text: string): RecordRef {
  const [, resource, id] = /^(?:(\w+)\/)?(\d+)$/.exec(text) ?? [];
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

async function resolve(session: Session, record: RecordRef | undefined, options: Record<string, unknown>): Promise<undefined> {
  const prefer = options.ours ? 'ours' : options.theirs ? 'theirs' : undefined;
  if (prefer === undefined) throw new Failure('bad-request', 'Missing side', 'Pass --ours (the file) or --theirs (the site).');
  if (!record === !options.all) throw new Failure('bad-request', 'Pass either a record or --all', 'See: calendar conflicts list');
  const done = await operate(await onFile(session), 'write', 'resolveConflicts', { ...record, prefer });
  await session.tell(`calendar: Resolved conflicts: ${countsText(done)}`);
  if (done.undo !== undefined) await tellUndo(session, done.undo);
}
