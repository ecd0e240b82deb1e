import type { ResourceName } from '../../model/calendar.ts';
import type { Conflict } from '../../model/operations/summary.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { type StoredConflict, SyncConflicts, SyncState } from '../../store/identity/sync-state.ts';
import { RemoteRecords } from '../ingest/remote.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, labelOf } from '../transaction.ts';
import { ConflictLog, storedConflicts } from './conflicts.ts';
import { Deletions } from './deletions.ts';

/** Returns the stored conflicts, with the names of their records. */
export function conflictsIn(store: Store): Conflict[] {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  return storedConflicts(store.db, (name, id) => {
    const entry = local.entry(name, id);
    return entry ? labelOf(name, entry) : '';
  });
}

/** Resolves conflicts in favor of one side. What wins here is sent by the next push. */
export async function resolve(
  store: Store,
  { resource, id, prefer }: { resource?: ResourceName; id?: number; prefer: ConflictSide },
  options: OperationOptions,
): Promise<Summary> {
  const summary = new Summary(options);
  const selection = new SyncConflicts(store.db)
    .all()
    .filter((each) => (resource === undefined || each.resource === resource) && (id === undefined || each.local === id));
  if (selection.length)
    await inTransaction(store, options.dryRun ?? false, (local) => {
      for (const conflict of selection) resolveOne(store, local, conflict, prefer, summary);
    });
  return summary;
}

function resolveOne(store: Store, local: LocalCalendar, conflict: StoredConflict, prefer: ConflictSide, summary: Summary): void {
  const { site, resource: name, remote, entry } = conflict;
  const state = new SyncState(store.db, site);
  const conflicts = new ConflictLog(store.db, site, summary);
  const pair = state.ofRemote(name, remote);
  if (entry) new RemoteRecords(state, summary, { prefer, conflicts, isSync: true }).copy(local, name, [entry]);
  else if (pair) new Deletions(state, summary, { deletes: true, prefer, conflicts }).ofRemote(local, name, pair, 'deleted');
  conflicts.drop(name, remote);
}
