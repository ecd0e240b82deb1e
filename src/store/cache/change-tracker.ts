import { resources } from '../../model/resources/all.ts';
import { linkTables, tableOf } from '../records/tables.ts';

/** The tables whose rows answers are made of; triggers name them by their place here. */
export const watchedTables = [...Object.values(resources).map(({ name }) => name as string), 'settings', 'users'] as const;
/** The place of a table in {@link watchedTables}. */
export const placeOf = (table: string): number => watchedTables.indexOf(table);
/** The place of the table that holds each kind of record. */
export const places = Object.fromEntries(Object.entries(tableOf).map(([kind, table]) => [kind, placeOf(table)])) as Record<
  keyof typeof tableOf,
  number
>;

/** Every table that is watched, the place whose rows its rows count as, and the column with their ID. A link counts as its event; all settings as one row. */
const sources: [table: string, place: number, id: string | undefined][] = [
  ...watchedTables.map((table, place): [string, number, string | undefined] => [table, place, table === 'settings' ? undefined : 'id']),
  ...Object.values(linkTables).map(({ table }): [string, number, string] => [table, placeOf('events'), 'event_id']),
];

/** Temporary triggers that call `watched` for every written row, whatever statement or cascade writes it. */
export const triggers: string[] = sources.flatMap(([table, place, id]) =>
  ['insert', 'update', 'delete'].map((action) => {
    const row = action === 'delete' ? 'old' : 'new';
    return `create temp trigger ${table}_${action} after ${action} on main.${table} begin select watched(${place}, ${id ? `${row}.${id}` : 0}); end`;
  }),
);

/** Past so many changed rows of a table, all its rows count as changed: memory stays small. */
const mostRows = 20_000;

/** A logical clock of written rows: when each was last written, in the order in which it happened. A change that is undone counts as one. */
export class ChangeTracker {
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
  readonly #changeListeners: ((table: number, id: number) => void)[] = [];
  readonly #undoListeners: (() => void)[] = [];

  /** The function `watched` of SQL, which triggers call for every row that was written, made or deleted. */
  readonly watched = (table: unknown, id: unknown): null => {
    this.changed(Number(table), Number(id));
    return null;
  };

  /** A row was written, made or deleted. */
  changed(table: number, id: number): void {
    this.clock += 1;
    const rows = this.#rows[table]!;
    if (rows.size >= mostRows && !rows.has(id)) {
      rows.clear();
      this.#floor[table] = this.clock;
    }
    rows.set(id, this.clock);
    this.#last[table] = this.clock;
    for (const listener of this.#changeListeners) listener(table, id);
  }

  /** Everything may have changed. */
  allChanged(): void {
    this.clock += 1;
    this.replaced = this.clock;
    this.#floor.fill(this.clock);
    this.#last.fill(this.clock);
    for (const rows of this.#rows) rows.clear();
  }

  /**
   * Everything is again as it was at an earlier time of this clock, or at no time that is known: only rows that were written since then are other than they were. What was
   * made of the others stays valid.
   */
  returned(to: number | undefined): void {
    if (to === undefined || !this.isWatching || to < this.replaced || this.#floor.some((floor) => floor > to)) {
      this.allChanged();
      return;
    }
    const written = this.#rows.map((rows) => [...rows].filter(([, at]) => at > to).map(([id]) => id));
    for (const [table, ids] of written.entries()) for (const id of ids) this.changed(table, id);
  }

  /** A change was undone: rows that were read since they were written are not what they were then. */
  undone(): void {
    for (const listener of this.#undoListeners) listener();
  }

  /** Logical time of the last write to a row; 0 if unknown. */
  lastChange(table: number, id: number): number {
    return this.#rows[table]!.get(id) ?? this.#floor[table]!;
  }

  /** Logical time of the last write to any row of a table; 0 if unknown. */
  lastChangeIn(table: number): number {
    return this.#last[table]!;
  }

  onChange(listener: (table: number, id: number) => void): void {
    this.#changeListeners.push(listener);
  }

  onUndo(listener: () => void): void {
    this.#undoListeners.push(listener);
  }
}
