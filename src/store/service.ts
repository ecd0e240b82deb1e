import { Failure } from '../model/error.ts';
import type { Service } from '../model/operations/service.ts';
import { mayCreate, mayUpload, owner, type Viewer } from '../model/viewer.ts';
import type { Store } from './calendar.ts';
import { putBack, storedRecord } from './records/put-back.ts';
import { sitePageAt } from './records/site-pages.ts';

/** Throws if a viewer may not upload images: 401 for visitors, 403 for users. */
function checkUpload(viewer: Viewer): void {
  if (mayUpload(viewer)) return;
  const isAnonymous = viewer.role === 'anonymous';
  const who = isAnonymous ? 'Visitors are' : `User ${JSON.stringify(viewer.name)} is`;
  throw new Failure('rest_cannot_create', `${who} not allowed to upload images`, undefined, {}, isAnonymous ? 401 : 403);
}

export function serviceOf(store: Store): Service {
  return {
    calendar: (viewer, site) => store.calendarFor(viewer, site),
    async together(work) {
      const result = store.db.change(work);
      await store.db.synced();
      return result;
    },
    stored: (resource, id) => storedRecord(store.db, resource, id),
    putBack: (before, after) => putBack(store.db, before, after),
    may(viewer, action, resource, ref) {
      if (action === 'list' || action === 'get') return true;
      // Visitors, who are most callers, need no lookup.
      if (!mayCreate(viewer)) return false;
      const records = store.collection(viewer, { home: '', root: '' }, resource);
      return ref === undefined ? records.mayCreate() : records.mayChange(ref);
    },
    authenticate: (name, password) => store.users.authenticate(name, password),
    hasUsers: () => store.users.any,
    defaultViewer: () => owner,
    resources: () => store.resources,
    findImage: (ref) => store.findImage(ref),
    checkUpload,
    addUpload: (path, upload) => store.addUpload(path, upload),
    title: () => store.settings.get('title'),
    slugs: () => store.settings.slugs,
    sitePageAt: (path) => sitePageAt(store.db, path, store.settings.slugs),
    requestContext: () => store.requestContext(),
  };
}
