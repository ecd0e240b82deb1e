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
  #records = new Map<number, { resource: ResourceName; id: number; presence: number }>();
  /** True if there are too many records. */
  #isTooMany = false;
  /** True if settings changed, which affects all records. */
  #isForAll = false;
  /** True if a part of the change was rolled back. */
  #isPartlyUndone = false;
  #replaced = false;

  constructor(db: Database, listener: RecordListener) {
    this.#db = db;
    this.#listener = listener;
  }

  written(table: number, id: number, presence: number): void {
    const resource = watchedTables[table]!;
    if (resource === 'settings') this.#isForAll = true;
    if (!isResource(resource)) return;
    const key = id * watchedTables.length + table;
    const record = this.#records.get(key);
    if (record) record.presence = (record.presence & 2) | (presence & 1);
    else if (this.#records.size < maxChangedRecords) this.#records.set(key, { resource, id, presence });
    else this.#isTooMany = true;
  }

  committed(): void {
    const [isForAll, unsure, writtenRecords] = [this.#isTooMany || this.#isForAll, this.#isPartlyUndone, this.#records];
    this.#forget();
    if (isForAll) {
      this.#listener.reset('many');
      return;
    }
    const records = this.#messagesOf([...writtenRecords.values()], unsure);
    if (records.length > 0) this.#listener.changed(records);
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

  #messagesOf(records: { resource: ResourceName; id: number; presence: number }[], unsure: boolean): RecordMessage[] {
    return records.flatMap(({ resource, id, presence }) => {
      const action = actions[unsure ? (presence & 2) | Number(this.#isSeen(resource, id)) : presence];
      return action ? [{ resource, id, action }] : [];
    });
  }

  #isSeen(resource: ResourceName, id: number): boolean {
    const row = this.#db.get<{ status?: string }>(`select * from ${resource} where id = ?`, id);
    return row !== undefined && row.status !== 'trash';
  }

  #forget(): void {
    if (this.#records.size > 0) this.#records = new Map();
    this.#isTooMany = false;
    this.#isForAll = false;
    this.#isPartlyUndone = false;
  }
}
