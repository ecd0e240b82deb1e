import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { dataFailure, Failure } from '../model/error.ts';
import { userForm } from '../model/formats/fixture.ts';
import { formProblems } from '../model/formats/issues.ts';
import type { NewUser } from '../model/viewer.ts';
import { parseJson } from './json-position.ts';

/** Reads a file of users: a JSON list of `{name, role, password}`, with an `id` where it matters. Fails with everything that is wrong with it. */
export async function readUsers(file: string): Promise<NewUser[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const missing = error.code === 'ENOENT';
    throw new Failure(
      missing ? 'not-found' : 'bad-request',
      `cannot read users from ${file}: ${missing ? 'there is no such file' : error.message}`,
    );
  });
  const users = parseJson(text, file);
  const problems = formProblems(z.array(userForm(z)), users, () => []);
  if (problems.length)
    throw dataFailure(
      file,
      problems.map(({ at, reason }) => ({ at, reason })),
      'It holds a list of {"name", "role", "password"}.',
    );
  return users as NewUser[];
}
