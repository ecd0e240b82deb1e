import type { NewUser } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';

/** Adds users to a calendar; each replaces one with the same name. */
export async function putUsers(store: Store, users: readonly NewUser[]): Promise<void> {
  await store.change(({ users: stored }) => {
    const names = new Set(stored.list().map(({ name }) => name));
    for (const user of users) {
      if (names.has(user.name)) stored.remove(user.name);
      stored.add(user);
    }
  });
}
