import { isLoopback } from '../model/addresses.ts';
import { dataFailure, Failure } from '../model/error.ts';
import { usersForm } from '../model/formats/fixture.ts';
import { formProblems } from '../model/formats/issues.ts';
import { type NewUser, rolesOption, roleUsers, type UserList, userList } from '../model/viewer.ts';
import type { Store } from '../store/calendar.ts';
import type { OpenSource } from './ingest/source.ts';
import { parseJson } from './json-position.ts';

/** Adds users to a calendar; each replaces one with the same name, and keeps the ID that owns its records. */
export async function putUsers(store: Store, users: readonly NewUser[]): Promise<void> {
  await store.change(({ users: stored }) => {
    const ids = new Map(stored.list().map(({ id, name }) => [name, id]));
    for (const user of users) {
      const before = ids.get(user.name);
      if (before !== undefined) stored.remove(user.name);
      // ID 1 is the author of seeds.
      stored.add({ id: before === 1 && user.role !== 'administrator' ? undefined : before, ...user });
    }
  });
}

/** The users of a list or a map, or one of each role. */
export const listedUsers = (users: UserList | typeof rolesOption): readonly NewUser[] =>
  users === rolesOption ? roleUsers : userList(users);

/** The users of an option, which may be the name of a file that `open` opens. */
export const usersOf = async (users: UserList | string, open: OpenSource): Promise<readonly NewUser[]> =>
  typeof users === 'string' && users !== rolesOption ? readUsers(users, open) : listedUsers(users);

/** Throws `bad-request` for users whose passwords are documented, if the calendar is a file, or if other machines reach the server. */
export function checkRoles(users: unknown, { file, host }: { file?: string | undefined; host: string }): void {
  if (users !== rolesOption) return;
  const [problem, hint] =
    file !== undefined
      ? ['a file keeps them', 'Use a calendar in memory, or add users with calendar users add.']
      : isLoopback(host)
        ? []
        : ['other machines reach this server', 'Pass --users FILE with other passwords.'];
  if (problem) throw new Failure('bad-request', `The users of --users roles have documented passwords, and ${problem}`, hint);
}

/** Reads a JSON file of users: a list of `{name, role, password}` with an optional `id`, or a map by name. Throws a failure that lists all problems. */
async function readUsers(file: string, open: OpenSource): Promise<readonly NewUser[]> {
  const [source, { textIn }, z] = [await open(file), await import('./ingest/source.ts'), await import('zod')];
  let users: unknown;
  try {
    users = parseJson(textIn(source), file);
  } finally {
    await source.end();
  }
  const problems = formProblems(usersForm(z), users, () => []);
  if (problems.length)
    throw dataFailure(
      file,
      problems.map(({ at, reason }) => ({ at, reason })),
      'The file must contain a list of {"name", "role", "password"}.',
    );
  return userList(users as UserList);
}
