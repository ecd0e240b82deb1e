import { Argument, type Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { type Role, roles } from '../../model/viewer.ts';
import { operate } from '../connect/operate.ts';
import { secretFor, targetOf } from '../connect/target.ts';
import { choice, parseOneOf } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed, askSecret, isAttended, readAll } from '../terminal/prompt.ts';

/** `calendar users`: users and roles of a calendar. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List users')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('add')
    .summary('Add a user; reads the password from CALENDAR_PASSWORD or standard input')
    .argument('<name>', 'Name without spaces and colons')
    .addOption(choice('--role <role>', 'Role', roles).makeOptionMandatory())
    .option('--json', 'Output JSON')
    .action(runner.action((session, [name], options) => add(session, String(name), options)));
  command
    .command('passwd')
    .summary('Change a password; reads it from CALENDAR_PASSWORD or standard input')
    .argument('<user>', 'Username')
    .action(runner.action((session, [name]) => changePassword(session, String(name))));
  command
    .command('set-role')
    .summary('Change the role of a user')
    .argument('<user>', 'Username')
    .addArgument(new Argument('<role>', 'Role').choices(roles).argParser(parseOneOf(roles)))
    .action(runner.action((session, [name, role]) => setRole(session, String(name), role as Role)));
  command
    .command('remove')
    .alias('rm')
    .summary('Remove a user; keeps their records')
    .argument('<user>', 'Username')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .action(runner.action((session, [name], options) => remove(session, String(name), Boolean(options.yes))));
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { users } = await operate(session, 'read', 'users', {});
  await session.print(
    json ? `${JSON.stringify(users, null, 2)}\n` : alignColumns(users.map(({ id, name, role }) => [String(id), name, role])),
  );
}

async function add(session: Session, name: string, options: Record<string, unknown>): Promise<undefined> {
  const password = await passwordOf(session);
  const user = await operate(session, 'write', 'addUser', { name, role: options.role as Role, password });
  await session.print(options.json ? `${JSON.stringify(user)}\n` : `Added ${user.role} ${user.name} (ID ${user.id})\n`);
}

async function changePassword(session: Session, name: string): Promise<undefined> {
  const password = await passwordOf(session);
  await operate(session, 'write', 'changeUser', { name, password });
  await session.print(`Changed the password of ${name}\n`);
}

async function setRole(session: Session, name: string, role: Role): Promise<undefined> {
  await operate(session, 'write', 'changeUser', { name, role });
  await session.print(`Changed the role of ${name} to ${role}\n`);
}

/** A password from CALENDAR_PASSWORD, stdin, or a prompt that asks twice. */
async function passwordOf(session: Session): Promise<string> {
  const { terminal, globals } = session;
  const preset = globals.passwordStdin ? undefined : secretFor(await targetOf(globals, terminal), 'CALENDAR_PASSWORD', terminal);
  if (preset !== undefined) return preset;
  const prompts = isAttended(terminal) && !globals.passwordStdin;
  const password = prompts ? await askSecret(terminal, 'Password: ') : (await readAll(terminal, 'the password')).replace(/\r?\n$/, '');
  if (password && prompts && (await askSecret(terminal, 'Repeat password: ')) !== password)
    throw new Failure('bad-request', "The passwords don't match", 'Nothing was changed. Try again.');
  if (password) return password;
  throw new Failure('bad-request', 'Missing password', 'Set CALENDAR_PASSWORD, or pass it on standard input.');
}

async function remove(session: Session, name: string, yes: boolean): Promise<undefined> {
  if (!(await agreed(session.terminal, `Remove the user ${name}?`, yes || !isAttended(session.terminal)))) return;
  await operate(session, 'write', 'removeUser', { name });
  await session.print(`Removed ${name}\n`);
}
