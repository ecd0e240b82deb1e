import { resources } from '../../model/resources/all.ts';
import type { ChangeListener, Database } from '../file/sql.ts';
import type { WrittenRows } from '../file/sqlite.ts';
import { links } from '../records/tables.ts';

/** Tables whose rows have IDs, those before that others refer to, and the column that tells their rows apart besides. */
const tablesOfRows: Record<string, string> = {
  images: 'url',
  ...Object.fromEntries(Object.values(resources).map(({ name }) => [name, 'slug'])),
  users: 'name',
};
/** Tables of which all rows count as one. */
const wholeTables = ['settings', 'sequences', 'copies', 'copying', 'import_marks'];
/** Every table but those of links, which count as their events; triggers name them by their place here. */
export const watchedTables: readonly string[] = [...Object.keys(tablesOfRows), ...wholeTables];
/** The place of a table in {@link watchedTables}. */
export const placeOf = (table: string): number => watchedTables.indexOf(table);
/** Every table there is, the place whose rows its rows count as, and the column with their ID; undefined where all count as one. */
const sources: [table: string, place: number, id: string | undefined][] = [
  ...watchedTables.map((table, place): [string, number, string | undefined] => [table, place, table in tablesOfRows ? 'id' : undefined]),
  ...links.map(({ table, owner, from }): [string, number, string] => [table, placeOf(owner.name), from]),
];

/** The tables of records that can be in the trash. */
const tablesWithTrash = new Set(Object.values(resources).flatMap(({ name, family }) => (family === 'post' ? [name as string] : [])));

/** What {@link WriteListener.written} is told, in SQL. Links come and go with events that stay. */
function presenceOf(table: string, action: string): string {
  if (placeOf(table) < 0) return '3';
  const seen = (row: string) => (tablesWithTrash.has(table) ? `(${row}.status <> 'trash')` : '1');
  return [action === 'insert' ? '0' : `2 * ${seen('old')}`, action === 'delete' ? '0' : seen('new')].join(' + ');
}

/** Temporary triggers that call `watched` for every written row, whatever statement or cascade writes it. */
export const triggers: string[] = sources.flatMap(([table, place, id]) =>
  ['insert', 'update', 'delete'].map((action) => {
    const row = action === 'delete' ? 'old' : 'new';
    const call = `watched(${place}, ${id ? `${row}.${id}` : 0}, ${presenceOf(table, action)})`;
    return `create temp trigger ${table}_${action} after ${action} on main.${table} begin select ${call}; end`;
  }),
);

/** Hears of every written row, and what becomes of the changes that write them. */
export interface WriteListener {
  /** `presence` has two bits: 2 where the record was seen before the write, 1 where it is after it. What is in the trash is not. */
  written(table: number, id: number, presence: number): void;
  committed(): void;
  /** When not `whole`, a part of the change was. */
  undone(whole: boolean): void;
  /** Everything was. */
  replaced(): void;
}

/** Past so many changed rows of a table, all its rows count as changed: memory stays small. */
const maxTrackedRows = 20_000;

/** A moment in the life of one calendar. */
export interface Mark {
  readonly of: ChangeTracker;
  readonly time: number;
}

/** A logical clock of written rows: when each was last written, in the order in which it happened. A change that is undone counts as one. */
export class ChangeTracker implements ChangeListener {
  /** Grows with every row that is written. */
  clock = 1;
  /** Whether the triggers are there that tell of written rows. */
  isWatching = false;
  /** When everything may have changed; 0 for never. */
  replaced = 0;
  readonly #rows = watchedTables.map(() => new Map<number, number>());
  /** Of each table: the last change of rows that are not in `#rows`, at the latest. */
  readonly #floor = watchedTables.map(() => 0);
  readonly #last = watchedTables.map(() => 0);
  /** Who is told which records were written, when that counts. */
  feed: WriteListener | undefined;

  /** The function `watched` of SQL, which triggers call for every row that was written, made or deleted. */
  readonly watched = (table: unknown, id: unknown, presence: unknown): null => {
    this.changed(Number(table), Number(id));
    this.feed?.written(Number(table), Number(id), Number(presence));
    return null;
  };

  /** A row was written, made or deleted. */
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

  /** Everything may have changed. */
  allChanged(): void {
    this.feed?.replaced();
    this.clock += 1;
    this.replaced = this.clock;
    this.#floor.fill(this.clock);
    this.#last.fill(this.clock);
    for (const rows of this.#rows) rows.clear();
  }

  /** This moment; undefined while nobody watches. */
  get mark(): Mark | undefined {
    return this.isWatching ? { of: this, time: this.clock } : undefined;
  }

  /** When a mark was set, for {@link writtenSince}; undefined where another calendar's tracker set it. */
  timeOf(mark: Mark | undefined): number | undefined {
    return mark?.of === this ? mark.time : undefined;
  }

  /** The rows that may be other than they were at an earlier time of this clock; undefined where that is not known, or they are more than `most`. */
  writtenSince(time: number, most = Number.POSITIVE_INFINITY): WrittenRows[] | undefined {
    if (!this.isWatching || time < this.replaced || this.#floor.some((floor) => floor > time)) return undefined;
    const ids = this.#rows.map((rows, place) =>
      this.#last[place]! > time ? [...rows].filter(([, at]) => at > time).map(([id]) => id) : [],
    );
    if (ids.reduce((sum, { length }) => sum + length, 0) > most) return undefined;
    return sources
      .filter(([, place]) => ids[place]!.length > 0)
      .map(([table, place, column]) => ({ table, column, ids: ids[place]!, unique: tablesOfRows[table] }));
  }

  /** Everything is again as it was at an earlier time of this clock, or at no time that is known. What was made of rows that were not written since stays valid. */
  returned(to: number | undefined): void {
    const written = to === undefined ? undefined : this.writtenSince(to);
    if (written === undefined) this.allChanged();
    else for (const { table, ids } of written) if (placeOf(table) >= 0) for (const id of ids) this.changed(placeOf(table), id);
  }

  /** A change, or a part of one, was undone: rows that were read since they were written are not what they were then. */
  undone(whole: boolean): void {
    this.feed?.undone(whole);
  }

  /** A change is done. */
  committed(): void {
    this.feed?.committed();
  }

  /** Logical time of the last write to a row; 0 if unknown. */
  lastChange(table: number, id: number): number {
    return this.#rows[table]!.get(id) ?? this.#floor[table]!;
  }
}

/** Begins to watch what is written to a database, unless that has begun. */
export function watch(db: Database, changes: ChangeTracker): void {
  if (changes.isWatching) return;
  db.watch(triggers, changes);
  changes.isWatching = true;
}
