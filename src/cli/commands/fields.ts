import { Argument, type Command } from 'commander';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { type DeclaredType, declaredTypes } from '../../model/fields/declared.ts';
import type { Declarations } from '../../model/resources/declared.ts';
import { operate } from '../connect/operate.ts';
import { choice, parseOneOf } from '../options.ts';
import { tellUndo } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed, isAttended } from '../terminal/prompt.ts';

/** `calendar fields`: the fields that a calendar adds to its records. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List declared fields')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('add')
    .summary('Declare a field')
    .addArgument(resourceArgument())
    .argument('<field>', 'Name: lowercase letters, digits and underscores')
    .addOption(choice('--type <type>', 'Type of its values (default string)', declaredTypes))
    .option('--filter', 'Add list parameters that filter by it')
    .option('--about <text>', 'Description in help and documents')
    .action(runner.action((session, [resource, name], options) => add(session, resource as ResourceName, String(name), options)));
  command
    .command('remove')
    .alias('rm')
    .summary('Remove a declared field and its values')
    .addArgument(resourceArgument())
    .argument('<field>', 'Name of the field')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .action(runner.action((session, [resource, name], options) => remove(session, `${resource}.${name}`, Boolean(options.yes))));
}

const resourceArgument = () => new Argument('<resource>', 'Resource').choices(resourceNames).argParser(parseOneOf(resourceNames));

async function list(session: Session, json: boolean): Promise<undefined> {
  const { fields } = await operate(session, 'read', 'fields', {});
  await session.print(json ? `${JSON.stringify(fields, null, 2)}\n` : alignColumns(rowsOf(fields)));
}

const rowsOf = (fields: Declarations): string[][] =>
  Object.entries(fields).flatMap(([resource, declared]) =>
    Object.entries(declared).map(([name, { type, filter, about = '' }]) => [resource, name, type, filter ? 'filter' : '', about]),
  );

async function add(session: Session, resource: ResourceName, name: string, options: Record<string, unknown>): Promise<undefined> {
  const { type = 'string', filter, about } = options as { type?: DeclaredType; filter?: boolean; about?: string };
  await operate(session, 'write', 'addField', { resource, name, type, ...(filter && { filter }), ...(about && { about }) });
  await session.print(`Declared ${name} of ${resource} (${type})\n`);
}

async function remove(session: Session, field: string, yes: boolean): Promise<undefined> {
  if (!(await agreed(session.terminal, `Remove the field ${field} and its values?`, yes || !isAttended(session.terminal)))) return;
  const { undo } = await operate(session, 'write', 'removeField', { field });
  await session.print(`Removed ${field}\n`);
  await tellUndo(session, undo);
}
