import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { SiteStatus } from '../../model/operations/sync.ts';
import { owner } from '../../model/viewer.ts';
import type { FullEntry, LocalCalendar, Store } from '../../store/calendar.ts';
import { SyncConflicts, type SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import { isExtraChanged } from './extra-change.ts';
import { formOf, isEqual } from './forms.ts';

/** Number of records that are compared at a time. */
const batch = 500;

/** Returns whether a record was changed here since the pair agreed. */
function isChanged(local: LocalCalendar, name: ResourceName, pair: SyncedRecord, { entry, secrets, extra }: FullEntry): boolean {
  const form = { ...formOf(local.resources[name], entry), ...secrets };
  return !isEqual({ ...pair.localBase, ...form }, pair.localBase) || isExtraChanged(extra, pair);
}

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
      const pairs = state.pairs(name);
      for (let at = 0; at < pairs.length; at += batch) {
        const part = pairs.slice(at, at + batch);
        const entries = local.fullEntries(
          name,
          part.map((pair) => pair.local),
        );
        for (const pair of part) {
          paired.add(pair.local);
          const full = entries.get(pair.local);
          if (!full) changes.deleted++;
          else if (isChanged(local, name, pair, full)) changes.updated++;
        }
      }
      for (const { id } of local.entries(name)) if (!paired.has(id)) changes.created++;
    }
    return { site, pulled, pushed, local: changes, remote_changes, conflicts: conflicts.filter((each) => each.site === site).length };
  });
}
