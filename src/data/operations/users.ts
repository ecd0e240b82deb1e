import { hashPassword } from '../../store/users/password.ts';
import type { Implementations } from './context.ts';

/** Returns the hash of a new password. Hashing happens before the transaction, so that no other write waits for it. */
const secretOf = async ({ password }: { password?: string }): Promise<string | undefined> =>
  password ? hashPassword(password) : undefined;

export const users: Implementations<'users'> = {
  list: ({ store }) => ({ users: store.users.list() }),
  async add({ store }, user) {
    const secret = await secretOf(user);
    return store.change(() => store.users.add(user, secret));
  },
  async change({ store }, user) {
    const secret = await secretOf(user);
    return store.change(() => store.users.change(user, secret));
  },
  async remove({ store }, { name }) {
    await store.change(() => store.users.remove(name));
    return null;
  },
};
