import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { RecordMessage, ResetMessage } from '../../model/operations/messages.ts';
import type { Database } from '../file/sql.ts';
import { type WriteListener, watchedTables } from './change-tracker.ts';

/** Receives the changed records of committed changes. */
export interface RecordListener {
  /** Called after a change, with records in the order of their first write. */
  changed(records: readonly RecordMessage[]): void;
  /** Called if everything may have changed. */
  reset(reason: ResetMessage['reason']): void;
  /** Called synchronously after an image is restored. */
  restored?(): void;
}

/** Maximum number of records that a change reports individually. */
const maxChangedRecords = 100;

/** Actions by the presence of a record before and after the change. */
const actions = [undefined, 'created', 'deleted', 'updated'] as const;

const isResource = (table: string): table is ResourceName => resourceNames.includes(table as ResourceName);

/** Collects the records that a change writes, and reports them on commit. */
export class RecordFeed implements WriteListener {
  readonly #db: Database;
  readonly #listener: RecordListener;
  /** Records written by the current change. */
  #written = new Map<number, { resource: ResourceName; id: number; presence: number }>();
  /** True if there are too many records, or if a change of settings affects all of them. */
  #isTooMany = false;
  /** True if a part of the change was rolled back. */
  #isPartlyUndone = false;
  #replaced = false;

  constructor(db: Database, listener: RecordListener) {
    this.#db = db;
    this.#listener = listener;
  }

  written(table: number, id: number, presence: number): void {
    if (this.#isTooMany) return;
    const resource = watchedTables[table]!;
    if (resource === 'settings') this.#isTooMany = true;
    if (!isResource(resource)) return;
    const key = id * watchedTables.length + table;
    const record = this.#written.get(key);
    if (record) record.presence = (record.presence & 2) | (presence & 1);
    else if (this.#written.size < maxChangedRecords) this.#written.set(key, { resource, id, presence });
    else this.#isTooMany = true;
  }

  committed(): void {
    const [many, unsure, written] = [this.#isTooMany, this.#isPartlyUndone, this.#written];
    this.#forget();
    if (many) this.#listener.reset('many');
    else if (written.size > 0) this.#report([...written.values()], unsure);
  }

  undone(whole: boolean): void {
    if (whole) this.#forget();
    else this.#isPartlyUndone = true;
  }

  /** Reports once, however many steps the replacement takes. */
  replaced(): void {
    this.#forget();
    if (this.#replaced) return;
    this.#replaced = true;
    queueMicrotask(() => {
      this.#replaced = false;
      this.#listener.reset('replaced');
    });
  }

  #report(written: { resource: ResourceName; id: number; presence: number }[], unsure: boolean): void {
    const records = written.flatMap(({ resource, id, presence }) => {
      const action = actions[unsure ? (presence & 2) | Number(this.#isSeen(resource, id)) : presence];
      return action ? [{ resource, id, action }] : [];
    });
    if (records.length > 0) this.#listener.changed(records);
  }

  #isSeen(resource: ResourceName, id: number): boolean {
    const row = this.#db.get<{ status?: string }>(`select * from ${resource} where id = ?`, id);
    return row !== undefined && row.status !== 'trash';
  }

  #forget(): void {
    if (this.#written.size > 0) this.#written = new Map();
    this.#isTooMany = false;
    this.#isPartlyUndone = false;
  }
}
