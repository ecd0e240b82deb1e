import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { RecordMessage, ResetMessage } from '../../model/operations/messages.ts';
import type { Database } from '../file/sql.ts';
import { type WriteListener, watchedTables } from './change-tracker.ts';

/** Hears what became of records, once it counts. */
export interface RecordListener {
  /** By one change, in the order in which records were first written. */
  changed(records: readonly RecordMessage[]): void;
  /** Everything may be other than it was. */
  reset(reason: ResetMessage['reason']): void;
  /** Called in the step in which an image was restored. */
  restored?(): void;
}

/** Past so many records, those of a change are not told one by one. */
const maxChangedRecords = 100;

/** What became of a record, by its presence before and after. */
const actions = [undefined, 'created', 'deleted', 'updated'] as const;

const isResource = (table: string): table is ResourceName => resourceNames.includes(table as ResourceName);

/** Puts together which records a change writes, and tells it when the change is committed. */
export class RecordFeed implements WriteListener {
  readonly #db: Database;
  readonly #listener: RecordListener;
  /** What the change under way has written. */
  #written = new Map<number, { resource: ResourceName; id: number; presence: number }>();
  /** Whether that is too much to tell, or all records are shown otherwise. */
  #many = false;
  /** Whether a part of the change was undone. */
  #unsure = false;
  #replaced = false;

  constructor(db: Database, listener: RecordListener) {
    this.#db = db;
    this.#listener = listener;
  }

  written(table: number, id: number, presence: number): void {
    if (this.#many) return;
    const resource = watchedTables[table]!;
    if (resource === 'settings') this.#many = true;
    if (!isResource(resource)) return;
    const key = id * watchedTables.length + table;
    const record = this.#written.get(key);
    if (record) record.presence = (record.presence & 2) | (presence & 1);
    else if (this.#written.size < maxChangedRecords) this.#written.set(key, { resource, id, presence });
    else this.#many = true;
  }

  committed(): void {
    const [many, unsure, written] = [this.#many, this.#unsure, this.#written];
    this.#forget();
    if (many) this.#listener.reset('many');
    else if (written.size > 0) this.#tell([...written.values()], unsure);
  }

  undone(whole: boolean): void {
    if (whole) this.#forget();
    else this.#unsure = true;
  }

  /** Is told once, however many steps it takes. */
  replaced(): void {
    this.#forget();
    if (this.#replaced) return;
    this.#replaced = true;
    queueMicrotask(() => {
      this.#replaced = false;
      this.#listener.reset('replaced');
    });
  }

  #tell(written: { resource: ResourceName; id: number; presence: number }[], unsure: boolean): void {
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
    this.#many = false;
    this.#unsure = false;
  }
}
