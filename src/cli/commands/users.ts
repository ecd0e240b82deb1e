import { Argument, type Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { type Role, roles } from '../../model/viewer.ts';
import { operate } from '../connect/operate.ts';
import { choice, oneOf } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed, askSecret, isAttended, readAll } from '../terminal/prompt.ts';
import { variable } from '../terminal/terminal.ts';

/** `calendar users`: users and roles of a calendar's file. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('who there is')
    .option('--json', 'as JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('add')
    .summary('add a user; the password comes from CALENDAR_PASSWORD or stdin')
    .argument('<name>', 'without spaces and colons')
    .addOption(choice('--role <role>', 'what they may do', roles).makeOptionMandatory())
    .option('--json', 'as JSON')
    .action(runner.action((session, [name], options) => add(session, String(name), options)));
  command
    .command('passwd')
    .summary('give a user another password; it comes from CALENDAR_PASSWORD or stdin')
    .argument('<user>', 'who')
    .action(runner.action((session, [name]) => changePassword(session, String(name))));
  command
    .command('set-role')
    .summary('let a user do more, or less')
    .argument('<user>', 'who')
    .addArgument(new Argument('<role>', 'what they may do').choices(roles).argParser(oneOf(roles)))
    .action(runner.action((session, [name, role]) => setRole(session, String(name), role as Role)));
  command
    .command('remove')
    .alias('rm')
    .summary('take a user away; what they wrote stays')
    .argument('<user>', 'who')
    .option('-y, --yes', 'do not ask')
    .action(runner.action((session, [name], options) => remove(session, String(name), Boolean(options.yes))));
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { users } = await operate(session, 'read', 'users');
  await session.print(
    json ? `${JSON.stringify(users, null, 2)}\n` : alignColumns(users.map(({ id, name, role }) => [String(id), name, role])),
  );
}

async function add(session: Session, name: string, options: Record<string, unknown>): Promise<undefined> {
  const password = await passwordOf(session);
  const user = await operate(session, 'write', 'addUser', { name, role: options.role as Role, password });
  await session.print(options.json ? `${JSON.stringify(user)}\n` : `added ${user.role} ${user.name} with ID ${user.id}\n`);
}

async function changePassword(session: Session, name: string): Promise<undefined> {
  const password = await passwordOf(session);
  await operate(session, 'write', 'changeUser', { name, password });
  await session.print(`${name} has another password\n`);
}

async function setRole(session: Session, name: string, role: Role): Promise<undefined> {
  await operate(session, 'write', 'changeUser', { name, role });
  await session.print(`${name} is ${role}\n`);
}

/** A password: of CALENDAR_PASSWORD, of stdin, or asked for twice, since it cannot be seen. */
async function passwordOf(session: Session): Promise<string> {
  const { terminal, globals } = session;
  const known = globals.passwordStdin ? undefined : variable(terminal, 'CALENDAR_PASSWORD');
  if (known !== undefined) return known;
  const asks = isAttended(terminal) && !globals.passwordStdin;
  const password = asks ? await askSecret(terminal, 'Password: ') : (await readAll(terminal, 'the password')).replace(/\r?\n$/, '');
  if (password && asks && (await askSecret(terminal, 'The same again: ')) !== password)
    throw new Failure('bad-request', 'the two are not the same', {}, 'Nothing was changed; try again.');
  if (password) return password;
  throw new Failure('bad-request', 'there is no password', {}, 'Give it in CALENDAR_PASSWORD or on stdin.');
}

async function remove(session: Session, name: string, yes: boolean): Promise<undefined> {
  if (!(await agreed(session.terminal, `Take the user ${name} away?`, yes || !isAttended(session.terminal)))) return;
  await operate(session, 'write', 'removeUser', { name });
  await session.print(`removed ${name}\n`);
}
