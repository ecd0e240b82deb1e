import { resources } from '../../model/resources/all.ts';
import type { ChangeListener, Database } from '../file/sql.ts';
import { links } from '../records/tables.ts';
import type { WrittenRows } from '../sqlite/sqlite.ts';

/** Tables whose rows have IDs, referenced tables first, with another unique column. */
const tablesOfRows: Record<string, string> = {
  images: 'url',
  ...Object.fromEntries(Object.values(resources).map(({ name }) => [name, 'slug'])),
  users: 'name',
};
/** Tables that are tracked as a whole. */
const wholeTables = [
  'settings',
  'sequences',
  'copies',
  'copying',
  'conflicts',
  'sites',
  'import_marks',
  'series',
  'upstream',
  'coverage',
  'upstream_forms',
];
/** Every table except those of links, whose rows count as their events. Triggers refer to them by index. */
export const watchedTables: readonly string[] = [...Object.keys(tablesOfRows), ...wholeTables];
/** Returns the index of a table in {@link watchedTables}. */
export const placeOf = (table: string): number => watchedTables.indexOf(table);
/** Every table, the index that its rows count for, and the column with their ID; undefined if the table is tracked as a whole. */
const sources: [table: string, place: number, id: string | undefined][] = [
  ...watchedTables.map((table, place): [string, number, string | undefined] => [table, place, table in tablesOfRows ? 'id' : undefined]),
  ...links.map(({ table, owner, from }): [string, number, string] => [table, placeOf(owner.name), from]),
];

/** Tables with a trash. */
const tablesWithTrash = new Set(Object.values(resources).flatMap(({ name, family }) => (family === 'post' ? [name as string] : [])));

/** Returns the SQL of the `presence` argument of {@link WriteListener.written}. Writing links doesn't create or delete the event. */
function presenceOf(table: string, action: string): string {
  if (placeOf(table) < 0) return '3';
  const isListed = (row: string) => (tablesWithTrash.has(table) ? `(${row}.status <> 'trash')` : '1');
  return [action === 'insert' ? '0' : `2 * ${isListed('old')}`, action === 'delete' ? '0' : isListed('new')].join(' + ');
}

/** Temporary triggers that call `watched` for every written row, by statements and by cascades. */
export const triggers: string[] = sources.flatMap(([table, place, id]) =>
  ['insert', 'update', 'delete'].map((action) => {
    const row = action === 'delete' ? 'old' : 'new';
    const call = `watched(${place}, ${id ? `${row}.${id}` : 0}, ${presenceOf(table, action)})`;
    return `create temp trigger ${table}_${action} after ${action} on main.${table} begin select ${call}; end`;
  }),
);

/** Receives every written row, and the end of each change. */
export interface WriteListener {
  /** `presence` has two bits: 2 if the record was visible before the write, 1 if it is visible after it. Records in the trash are not visible. */
  written(table: number, id: number, presence: number): void;
  committed(): void;
  /** The change was rolled back; if not `whole`, a nested part of it. */
  undone(whole: boolean): void;
  /** The whole state was replaced. */
  replaced(): void;
}

/** Maximum number of tracked rows of a table. With more, all its rows count as changed. */
const maxTrackedRows = 20_000;

/** A logical time of one calendar. */
export interface Mark {
  readonly of: ChangeTracker;
  readonly time: number;
}

/** A logical clock that records when each row was last written. Rollbacks count as writes. */
export class ChangeTracker implements ChangeListener {
  /** Incremented by every written row. */
  clock = 1;
  /** True if the triggers exist. */
  isWatching = false;
  /** Logical time of the last replacement of the whole state; 0 for never. */
  replaced = 0;
  readonly #rows = watchedTables.map(() => new Map<number, number>());
  /** For each table, an upper bound for the last change of rows that are not in `#rows`. */
  readonly #floor = watchedTables.map(() => 0);
  readonly #last = watchedTables.map(() => 0);
  /** Receives the written records of committed changes. */
  feed: WriteListener | undefined;

  /** The SQL function `watched`, which triggers call for every written row. */
  readonly watched = (table: unknown, id: unknown, presence: unknown): null => {
    this.changed(Number(table), Number(id));
    this.feed?.written(Number(table), Number(id), Number(presence));
    return null;
  };

  /** Records that a row was created, updated or deleted. */
  changed(table: number, id: number): void {
    this.clock += 1;
    const rows = this.#rows[table]!;
    if (rows.size >= maxTrackedRows && !rows.has(id)) {
      rows.clear();
      this.#floor[table] = this.clock;
    }
    rows.set(id, this.clock);
    this.#last[table] = this.clock;
  }

  /** Records that everything may have changed. */
  allChanged(): void {
    this.feed?.replaced();
    this.clock += 1;
    this.replaced = this.clock;
    this.#floor.fill(this.clock);
    this.#last.fill(this.clock);
    for (const rows of this.#rows) rows.clear();
  }

  /** The current logical time; undefined if changes are not tracked. */
  get mark(): Mark | undefined {
    return this.isWatching ? { of: this, time: this.clock } : undefined;
  }

  /** Returns the time of a mark, for {@link writtenSince}; undefined for a mark of another calendar. */
  timeOf(mark: Mark | undefined): number | undefined {
    return mark?.of === this ? mark.time : undefined;
  }

  /** Returns the rows that may differ from an earlier time; undefined if unknown, or if they are more than `max`. */
  writtenSince(time: number, max = Number.POSITIVE_INFINITY): WrittenRows[] | undefined {
    if (!this.isWatching || time < this.replaced || this.#floor.some((floor) => floor > time)) return undefined;
    const ids = this.#rows.map((rows, place) =>
      this.#last[place]! > time ? [...rows].filter(([, at]) => at > time).map(([id]) => id) : [],
    );
    if (ids.reduce((sum, { length }) => sum + length, 0) > max) return undefined;
    return sources
      .filter(([, place]) => ids[place]!.length > 0)
      .map(([table, place, column]) => ({ table, column, ids: ids[place]!, unique: tablesOfRows[table] }));
  }

  /** Records that the state was restored to an earlier time, or an unknown one. Rows that were not written since stay valid. */
  returned(to: number | undefined): void {
    const rows = to === undefined ? undefined : this.writtenSince(to);
    if (rows === undefined) this.allChanged();
    else for (const { table, ids } of rows) if (placeOf(table) >= 0) for (const id of ids) this.changed(placeOf(table), id);
  }

  /** Called after a rollback of a change or a part of it. */
  undone(whole: boolean): void {
    this.feed?.undone(whole);
  }

  committed(): void {
    this.feed?.committed();
  }

  /** Logical time of the last write to a row; 0 if unknown. */
  lastChange(table: number, id: number): number {
    return this.#rows[table]!.get(id) ?? this.#floor[table]!;
  }
}

/** Creates the triggers and starts tracking, unless that is done already. */
export function watch(db: Database, changes: ChangeTracker): void {
  if (changes.isWatching) return;
  db.watch(triggers, changes);
  changes.isWatching = true;
}
