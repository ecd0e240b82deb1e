import type { ResourceName } from '../../model/calendar.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import type { ConflictSink } from '../ingest/record-copy.ts';
import type { Summary } from '../summary.ts';
import { labelOf } from '../transaction.ts';
import { isEqual, localFormOf } from './forms.ts';

export interface DeletionOptions {
  /** True to delete; otherwise deletions are only reported. */
  deletes: boolean;
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
  conflicts: ConflictSink;
}

/** Copies deletions of a site. Only records that were copied can be deleted. */
export class Deletions {
  constructor(
    private readonly state: SyncState,
    private readonly summary: Summary,
    private readonly options: DeletionOptions,
  ) {}

  /** Handles a copied record that the site deleted or doesn't show any more. */
  ofRemote(local: LocalCalendar, name: ResourceName, pair: SyncedRecord, remoteState: 'deleted' | 'hidden'): void {
    const entry = local.entry(name, pair.local);
    const label = entry ? labelOf(name, entry) : '';
    const at = `${name} ${pair.local} (${label})`;
    const { deletes, prefer, conflicts } = this.options;
    if (remoteState === 'hidden') {
      this.summary.notes.push({ at, reason: 'no longer visible on the site' });
      return;
    }
    if (!entry) {
      this.#forget(name, pair);
      return;
    }
    const isEdited = !isEqual({ ...pair.localBase, ...localFormOf(local, name, pair.local) }, pair.localBase);
    if (isEdited && prefer === undefined)
      conflicts.add({ name, label, remote: pair.remote, local: pair.local, kind: 'deleted-there', fields: {} });
    else if (isEdited && prefer === 'ours') {
      // The next push creates it again.
      this.#forget(name, pair);
      this.summary.add('unchanged', name, label, pair.local);
    } else if (deletes) {
      local[name].delete({ id: pair.local });
      this.#forget(name, pair);
      this.summary.add('deleted', name, label, pair.local);
    } else {
      this.summary.add('unchanged', name, label, pair.local);
      this.summary.notes.push({ at, reason: 'deleted on the site; pull --delete deletes it here' });
    }
  }

  #forget(name: ResourceName, { remote }: SyncedRecord): void {
    this.state.drop(name, remote);
    this.options.conflicts.drop(name, remote);
  }
}
