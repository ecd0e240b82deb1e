import type { ResourceName } from '../model/calendar.ts';
import type { RecordMessage, ResetMessage } from '../model/operations/messages.ts';
import { resources } from '../model/resources/all.ts';
import { links } from './records/tables.ts';
import type { ChangeListener, Database } from './sqlite/sql.ts';

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

/** The SQL of whether a row shows a record: 0 for one in the trash. */
const isListed = (row: string, family: string): string => (family === 'post' ? `(${row}.status <> 'trash')` : '1');

/** The trigger that calls `record_written` for the rows that an action writes to a table. */
function trigger(table: string, action: string, argumentsOf: (row: string) => string): string {
  const call = `record_written(${argumentsOf(action === 'delete' ? 'old' : 'new')})`;
  return `create temp trigger ${table}_${action} after ${action} on main.${table} begin select ${call}; end`;
}

/** Temporary triggers for every written row of records, links and settings, by statements and by cascades. */
const triggers: string[] = ['insert', 'update', 'delete'].flatMap((action) => [
  ...Object.values(resources).map(({ name, family }) => {
    const before = action === 'insert' ? '0' : `2 * ${isListed('old', family)}`;
    const after = action === 'delete' ? '0' : isListed('new', family);
    return trigger(name, action, (row) => `'${name}', ${row}.id, ${before} + ${after}`);
  }),
  // Writing a link updates its record, and doesn't create or delete it.
  ...links.map(({ table, owner, from }) => trigger(table, action, (row) => `'${owner.name}', ${row}.${from}, 3`)),
  trigger('settings', action, () => "'settings', 0, 3"),
]);

/** Collects the records that a change writes, and reports them on commit. */
export class RecordFeed implements ChangeListener {
  #followed: { db: Database; listener: RecordListener } | undefined;
  /** Records written by the current change. */
  #records = new Map<string, { resource: ResourceName; id: number; presence: number }>();
  /** True if there are too many records, or if settings changed, which affects all of them. */
  #isForAll = false;
  /** True if a part of the change was rolled back. */
  #isPartlyUndone = false;
  #replaced = false;

  /**
   * The SQL function `record_written`, which triggers call for every written row. `presence` has two bits: 2 if the record was visible before the write, 1 if it is visible
   * after it. Records in the trash are not visible.
   */
  readonly written = (table: unknown, id: unknown, presence: unknown): null => {
    if (table === 'settings') this.#isForAll = true;
    else this.#add(table as ResourceName, Number(id), Number(presence));
    return null;
  };

  /** Reports the changes of a database, which has the function `record_written`, from now on. */
  follow(db: Database, listener: RecordListener): void {
    this.#followed = { db, listener };
    db.watch(triggers, this);
  }

  #add(resource: ResourceName, id: number, presence: number): void {
    const key = `${resource} ${id}`;
    const record = this.#records.get(key);
    if (record) record.presence = (record.presence & 2) | (presence & 1);
    else if (this.#records.size < maxChangedRecords) this.#records.set(key, { resource, id, presence });
    else this.#isForAll = true;
  }

  committed(): void {
    const [isForAll, unsure, writtenRecords] = [this.#isForAll, this.#isPartlyUndone, this.#records];
    this.#forget();
    const { listener } = this.#followed!;
    if (isForAll) {
      listener.reset('many');
      return;
    }
    const records = this.#messagesOf([...writtenRecords.values()], unsure);
    if (records.length > 0) listener.changed(records);
  }

  undone(whole: boolean): void {
    if (whole) this.#forget();
    else this.#isPartlyUndone = true;
  }

  /** Reports once in the next microtask, however many steps the replacement takes. */
  replaced(): void {
    this.#forget();
    if (this.#replaced) return;
    this.#replaced = true;
    queueMicrotask(() => {
      this.#replaced = false;
      this.#followed?.listener.reset('replaced');
    });
  }

  #messagesOf(records: { resource: ResourceName; id: number; presence: number }[], unsure: boolean): RecordMessage[] {
    return records.flatMap(({ resource, id, presence }) => {
      const action = actions[unsure ? (presence & 2) | Number(this.#isSeen(resource, id)) : presence];
      return action ? [{ resource, id, action }] : [];
    });
  }

  #isSeen(resource: ResourceName, id: number): boolean {
    const row = this.#followed!.db.get<{ status?: string }>(`select * from ${resource} where id = ?`, id);
    return row !== undefined && row.status !== 'trash';
  }

  #forget(): void {
    if (this.#records.size > 0) this.#records = new Map();
    this.#isForAll = false;
    this.#isPartlyUndone = false;
  }
}
