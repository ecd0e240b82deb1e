import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { usersOf } from '../../src/data/users.ts';
import { openHere } from '../../src/testing/here.ts';
import { folder } from '../support/transcript.ts';

const { path, remove } = folder();
afterAll(remove);
const file = join(path, 'users.json');
const read = (text: string) => {
  writeFileSync(file, text);
  return usersOf(file, openHere);
};

it('returns the users of a file', async () => {
  const users = [{ id: 5, name: 'ada', role: 'editor', password: 'p' }];
  expect(await read(JSON.stringify(users))).toEqual(users);
});

it.each([
  ['[{"name": "ada"', `${file}: invalid JSON at line 1, column 16: unexpected end of the text`],
  ['{"ada": {}}', `${file}: 2 problems`],
  ['[{"name": "ada", "role": "king", "password": "p"}]', 'users.json: [0].role: must be one of administrator, editor'],
  ['[{"name": "", "password": "p"}]', 'users.json: 2 problems'],
])('refuses %s', (text, message) => expect(read(text)).rejects.toThrow(message));

it('refuses a file that is not there', () => expect(usersOf(join(path, 'none'), openHere)).rejects.toMatchObject({ code: 'not-found' }));
