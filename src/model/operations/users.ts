import type { Zod } from '../fields/field.ts';
import { type NewUser, roles, type User, type UserChange } from '../viewer.ts';
import { operation, schema } from './operation.ts';

export const userRole = (z: Zod) => z.enum(roles).describe('What the user may do');
export const password = (z: Zod) => z.string().describe('Password to sign in with');
const user = schema<User>((z) =>
  z
    .object({
      id: z.int().describe('ID, which records have as their author'),
      name: z.string().describe('Name to sign in with'),
      role: userRole(z),
    })
    .meta({ id: 'User', typeName: 'User' }),
);
export const userName = (z: Zod) => z.string().describe('Name of the user');
export const users = {
  list: operation({
    id: 'users',
    method: 'GET',
    path: '/users',
    access: 'users',
    about: 'List the users',
    example: 'const users = await calendar.users.list();',
    unwrap: 'users',
    output: schema((z) => z.object({ users: z.array(user(z)).describe('The users, without passwords') })),
  }),
  add: operation({
    id: 'addUser',
    method: 'POST',
    path: '/users',
    access: 'users',
    changes: true,
    about: 'Add a user',
    example: "await calendar.users.add({ name: 'ada', role: 'editor', password: 'lovelace' });",
    input: schema<NewUser>((z) =>
      z
        .strictObject({
          id: z.int().positive().optional().describe('ID to keep if it is free'),
          name: userName(z),
          role: userRole(z),
          password: password(z),
        })
        .meta({ typeName: 'NewUser' }),
    ),
    output: user,
  }),
  change: operation({
    id: 'changeUser',
    method: 'PATCH',
    path: '/users/{name}',
    access: 'users',
    changes: true,
    about: 'Change the password or the role of a user',
    example: "await calendar.users.change({ name: 'ada', role: 'author' });",
    input: schema<UserChange>((z) =>
      z
        .strictObject({ name: userName(z), role: userRole(z).optional(), password: password(z).optional() })
        .meta({ typeName: 'UserChange' }),
    ),
    output: user,
  }),
  remove: operation({
    id: 'removeUser',
    method: 'DELETE',
    path: '/users/{name}',
    access: 'users',
    changes: true,
    about: 'Remove a user',
    example: "await calendar.users.remove('ada');",
    arg: 'name',
    input: schema((z) => z.strictObject({ name: userName(z) })),
    output: schema((z) => z.null()),
  }),
};
