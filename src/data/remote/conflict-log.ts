import type { ResourceName } from '../../model/calendar.ts';
import type { Store } from '../../store/calendar.ts';
import { type StoredConflict, StoredConflicts } from '../../store/identity/sites.ts';
import type { Summary } from '../summary.ts';

/** A pair whose sides were changed differently. */
export type FoundConflict = Pick<StoredConflict, 'remote' | 'local' | 'kind' | 'fields' | 'entry'> & { name: ResourceName; label: string };

/** The conflicts with one site: stores them, and adds new ones to a summary. Writes must be in a transaction. */
export class ConflictLog {
  readonly #stored: StoredConflicts;
  /** The stored conflicts, so that most records need no query. */
  readonly #keys: Set<string>;

  constructor(
    store: Pick<Store, 'db'>,
    private readonly site: string,
    private readonly summary: Summary,
    /** False in a dry run without a transaction. */
    private readonly isStoring = true,
  ) {
    this.#stored = new StoredConflicts(store.db);
    this.#keys = new Set(this.#stored.all().flatMap((each) => (each.site === site ? [`${each.resource}:${each.remote}`] : [])));
  }

  add({ name: resource, label, ...conflict }: FoundConflict, isPart = false): void {
    const { site } = this;
    if (this.isStoring) this.#stored.set({ site, resource, ...conflict });
    this.#keys.add(`${resource}:${conflict.remote}`);
    const { local: id, remote, kind, fields } = conflict;
    this.summary.conflict({ resource, id, remote, site, name: label, kind, fields }, isPart);
  }

  has(name: ResourceName, remote: number): boolean {
    return this.#keys.has(`${name}:${remote}`);
  }

  drop(name: ResourceName, remote: number): void {
    if (this.isStoring && this.#keys.delete(`${name}:${remote}`)) this.#stored.drop(this.site, name, remote);
  }
}
