import type { ResourceName } from '../../model/calendar.ts';
import type { Conflict } from '../../model/operations/summary.ts';
import type { Database } from '../../store/file/sql.ts';
import { type StoredConflict, SyncConflicts } from '../../store/identity/sync-state.ts';
import type { ConflictSink, FoundConflict } from '../ingest/record-copy.ts';
import type { Summary } from '../summary.ts';
import { labelOf } from '../transaction.ts';

/** Stores the conflicts of a site, and adds them to a summary. Writes must be in a transaction. */
export class ConflictLog implements ConflictSink {
  readonly #stored: SyncConflicts;
  /** The stored conflicts, so that most records need no query. */
  readonly #keys: Set<string>;

  constructor(
    db: Database,
    private readonly site: string,
    private readonly summary: Summary,
    /** False in a dry run without a transaction. */
    private readonly isStoring = true,
  ) {
    this.#stored = new SyncConflicts(db);
    this.#keys = new Set(this.#stored.all().flatMap((each) => (each.site === site ? [`${each.resource}:${each.remote}`] : [])));
  }

  add({ name: resource, label, ...conflict }: FoundConflict): void {
    const { site } = this;
    if (this.isStoring) this.#stored.set({ site, resource, ...conflict });
    this.#keys.add(`${resource}:${conflict.remote}`);
    const { local: id, remote, kind, fields } = conflict;
    this.summary.conflict({ resource, id, remote, site, name: label, kind, fields });
  }

  has(name: ResourceName, remote: number): boolean {
    return this.#keys.has(`${name}:${remote}`);
  }

  drop(name: ResourceName, remote: number): void {
    if (this.isStoring && this.#keys.delete(`${name}:${remote}`)) this.#stored.drop(this.site, name, remote);
  }
}

/** Returns the stored conflicts. `nameOf` returns the name of a local record. */
export const storedConflicts = (db: Database, nameOf: (resource: ResourceName, id: number) => string): Conflict[] =>
  new SyncConflicts(db).all().map(({ entry, local: id, ...conflict }: StoredConflict) => ({
    ...conflict,
    id,
    name: nameOf(conflict.resource, id) || (entry ? labelOf(conflict.resource, entry) : ''),
  }));
