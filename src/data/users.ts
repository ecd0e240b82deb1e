import type { NewUser } from '../model/viewer.ts';
import type { Store } from '../store/calendar.ts';

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
