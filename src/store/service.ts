import { resourceNames } from '../model/calendar.ts';
import type { AdminCalls, Service } from '../model/service.ts';
import { mayCreate } from '../model/viewer.ts';
import type { Store } from './calendar.ts';

/** A store as a server gives it to its callers. */
export function serviceOf(store: Store): Service {
  return {
    calendar: (viewer, site) => store.as(viewer, site),
    may(viewer, action, resource, ref) {
      if (action === 'list' || action === 'get') return true;
      // Whoever may create nothing may change nothing: most callers are visitors.
      if (!mayCreate(viewer)) return false;
      const records = store.collection(viewer, { home: '', root: '' }, resource);
      return ref === undefined ? records.mayCreate() : records.mayChange(ref);
    },
    authenticate: (name, password) => store.users.authenticate(name, password),
    hasUsers: () => store.users.any,
    title: () => store.settings.get('title'),
    requestContext: () => store.requestContext(),
    admin: adminOf(store),
  };
}

/** What the process that owns a calendar's file does for others of the same user. */
export function adminOf(store: Store): AdminCalls {
  const { db, settings, users } = store;
  const count = (name: string) => db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n;
  return {
    info: async () => ({ ...db.info(), records: Object.fromEntries(resourceNames.map((name) => [name, count(name)])) }),
    checkpoint: () => db.checkpoint(),
    backup: (file) => db.backup(file),
    settings: async () => settings.list(),
    setting: async (name) => settings.get(name),
    set: ({ name, value }) => store.change(() => settings.set(name, value)),
    users: async () => users.list(),
    addUser: (user) => store.change(() => users.add(user)),
    changeUser: (user) => store.change(() => users.change(user)),
    removeUser: (name) => store.change(() => users.remove(name)),
  };
}
