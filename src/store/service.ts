import type { Service } from '../model/operations/service.ts';
import { mayCreate } from '../model/viewer.ts';
import type { Store } from './calendar.ts';

/** Returns the service of a store. */
export function serviceOf(store: Store): Service {
  return {
    calendar: (viewer, site) => store.calendarFor(viewer, site),
    may(viewer, action, resource, ref) {
      if (action === 'list' || action === 'get') return true;
      // Visitors, who are most callers, need no lookup.
      if (!mayCreate(viewer)) return false;
      const records = store.collection(viewer, { home: '', root: '' }, resource);
      return ref === undefined ? records.mayCreate() : records.mayChange(ref);
    },
    authenticate: (name, password, place) => store.users.authenticate(name, password, place),
    checkRecordPassword: (password, place) => store.checkRecordPassword(password, place),
    hasUsers: () => store.users.any,
    resources: () => store.resources,
    title: () => store.settings.get('title'),
    requestContext: () => store.requestContext(),
  };
}
