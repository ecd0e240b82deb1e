import { resourceNames } from '../../model/calendar.ts';
import type { SiteStatus } from '../../model/operations/sync.ts';
import { owner } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';
import { SyncConflicts } from '../../store/identity/sync-conflicts.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { isEqual, localFormOf } from './forms.ts';

/** Returns the state of the copies of each site: records changed here since they were copied, and conflicts. */
export function sitesIn(store: Store): SiteStatus[] {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const conflicts = new SyncConflicts(store.db).all();
  return SyncState.synchronized(store.db).map(({ site, pulled, pushed, remote_changes }) => {
    const changes = { created: 0, updated: 0, deleted: 0 };
    const state = new SyncState(store.db, site);
    for (const name of resourceNames) {
      const paired = new Set<number>();
      for (const pair of state.pairs(name)) {
        paired.add(pair.local);
        const form = localFormOf(local, name, pair.local);
        if (!form) changes.deleted++;
        else if (!isEqual({ ...pair.localBase, ...form }, pair.localBase)) changes.updated++;
      }
      for (const { id } of local.entries(name)) if (!paired.has(id)) changes.created++;
    }
    return { site, pulled, pushed, local: changes, remote_changes, conflicts: conflicts.filter((each) => each.site === site).length };
  });
}
