import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { Failure } from '../model/error.ts';
import { type Role, roles } from '../model/viewer.ts';
import type { NewUser } from '../store/users.ts';
import { byOwner } from './errands.ts';
import { lines } from './lines.ts';
import { choice } from './options.ts';
import type { Session, Shell } from './shell.ts';
import { isAttended, readAll, variable } from './terminal.ts';

const usersFile = z.array(
  z.object({
    id: z.int().positive().optional(),
    name: z.string().min(1),
    role: z.enum(roles as [Role, ...Role[]]),
    password: z.string().min(1),
  }),
);

/** `calendar users`: who may do what in a calendar's file. */
export function build(command: Command, shell: Shell): void {
  command
    .command('list')
    .summary('who there is')
    .option('--json', 'as JSON')
    .action(shell.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('add')
    .summary('add a user; the password comes from CALENDAR_PASSWORD or stdin')
    .argument('<name>', 'without spaces and colons')
    .addOption(choice('--role <role>', 'what they may do', roles).makeOptionMandatory())
    .option('--json', 'as JSON')
    .action(shell.action((session, [name], options) => add(session, String(name), options)));
  command
    .command('remove')
    .alias('rm')
    .summary('take a user away; what they wrote stays')
    .argument('<name>', 'the user')
    .action(shell.action((session, [name]) => remove(session, String(name))));
}

/** The users in a JSON file: a list of `{name, role, password}`, with an `id` where it matters. */
export async function readUsers(file: string): Promise<NewUser[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(
      missing ? 'not-found' : 'bad-request',
      `cannot read users from ${file}: ${missing ? 'there is no such file' : (error as Error).message}`,
    );
  }
  const result = usersFile.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Failure(
    'bad-request',
    `${file}: ${[...issue!.path, issue!.message].join(': ')}`,
    {},
    'It holds a list of {"name", "role", "password"}.',
  );
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const users = await byOwner(session, 'read', 'users');
  await session.print(json ? `${JSON.stringify(users, null, 2)}\n` : lines(users.map(({ id, name, role }) => [String(id), name, role])));
}

async function add(session: Session, name: string, options: Record<string, unknown>): Promise<undefined> {
  const password = await passwordOf(session);
  const user = await byOwner(session, 'write', 'addUser', { name, role: options.role as Role, password });
  await session.print(options.json ? `${JSON.stringify(user)}\n` : `added ${user.role} ${user.name} with ID ${user.id}\n`);
}

async function passwordOf(session: Session): Promise<string> {
  const { terminal, globals } = session;
  const known = globals.passwordStdin ? undefined : variable(terminal, 'CALENDAR_PASSWORD');
  if (known !== undefined) return known;
  if (isAttended(terminal) && !globals.passwordStdin) {
    const { askSecret } = await import('./secret.ts');
    return askSecret(terminal, 'Password: ');
  }
  const password = (await readAll(terminal)).replace(/\r?\n$/, '');
  if (password) return password;
  throw new Failure('bad-request', 'there is no password', {}, 'Give it in CALENDAR_PASSWORD or on stdin.');
}

async function remove(session: Session, name: string): Promise<undefined> {
  await byOwner(session, 'write', 'removeUser', name);
  await session.print(`removed ${name}\n`);
}
