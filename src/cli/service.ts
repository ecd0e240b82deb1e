import type { Site } from '../model/post.ts';
import type { Service } from '../server/handler.ts';
import type { Store } from '../store/open.ts';

/** A store as a server shows it. */
export function serviceOf(store: Store): Service {
  const site: Site = { home: store.settings.get('home'), root: store.settings.get('home') };
  return {
    calendar: (viewer, at) => store.as(viewer, at),
    may(viewer, action, resource, ref) {
      if (action === 'list' || action === 'get') return true;
      const records = store.desk(viewer, site)[resource];
      return ref === undefined ? records.mayCreate() : records.mayChange(ref);
    },
    authenticate: (name, password) => store.users.authenticate(name, password),
    hasUsers: () => store.users.any,
    title: () => store.settings.get('title'),
    asking: () => store.asking(),
  };
}
