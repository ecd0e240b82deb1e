import type { NewUser } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';

/** Adds users to a calendar; each takes the place of one of the same name. */
export async function putUsers(store: Store, users: readonly NewUser[]): Promise<void> {
  await store.change(({ users: held }) => {
    const known = new Set(held.list().map(({ name }) => name));
    for (const user of users) {
      if (known.has(user.name)) held.remove(user.name);
      held.add(user);
    }
  });
}
