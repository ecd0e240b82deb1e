import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { dataFailure, systemFailure } from '../model/error.ts';
import { userForm } from '../model/formats/fixture.ts';
import { formProblems } from '../model/formats/issues.ts';
import type { NewUser } from '../model/viewer.ts';
import { parseJson } from './json-position.ts';

/** Reads a JSON list of users: `{name, role, password}` with an optional `id`. Throws a failure that lists all problems. */
export async function readUsers(file: string): Promise<NewUser[]> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw systemFailure(error, file);
  });
  const users = parseJson(text, file);
  const problems = formProblems(z.array(userForm(z)), users, () => []);
  if (problems.length)
    throw dataFailure(
      file,
      problems.map(({ at, reason }) => ({ at, reason })),
      'The file must contain a list of {"name", "role", "password"}.',
    );
  return users as NewUser[];
}
