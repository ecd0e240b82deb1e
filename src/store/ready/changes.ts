import { resources } from '../../model/resources.ts';
import { tableOf } from '../context.ts';
import { linkTables } from '../schema.ts';

/** The tables whose rows answers are made of; triggers call them by their place here. */
export const watchedTables = [...Object.values(resources).map(({ name }) => name as string), 'settings', 'users'] as const;
/** The place of a table in {@link watchedTables}. */
export const placeOf = (table: string): number => watchedTables.indexOf(table);
/** The place of the table that holds each kind of record. */
export const places = Object.fromEntries(Object.entries(tableOf).map(([kind, table]) => [kind, placeOf(table)])) as Record<
  keyof typeof tableOf,
  number
>;

/** Every table that is watched, what its rows count as, and the column that says which. A link counts as its event; settings are one. */
const sources: [table: string, place: number, id: string | undefined][] = [
  ...watchedTables.map((table, place): [string, number, string | undefined] => [table, place, table === 'settings' ? undefined : 'id']),
  ...Object.values(linkTables).map(({ table }): [string, number, string] => [table, placeOf('events'), 'event_id']),
];

/** Triggers, of one connection only, that tell of every row that is written, whatever statement or cascade writes it. */
export const triggers: string[] = sources.flatMap(([table, place, id]) =>
  ['insert', 'update', 'delete'].map((action) => {
    const row = action === 'delete' ? 'old' : 'new';
    return `create temp trigger ${table}_${action} after ${action} on main.${table} begin select watched(${place}, ${id ? `${row}.${id}` : 0}); end`;
  }),
);

/** Past so many changed rows of a table, all its rows count as changed: what is remembered stays small. */
const mostRows = 20_000;

/** Remembers which rows were written, in the order in which it happened. A change that is undone counts as one. */
export class Changes {
  /** Grows with every row that is written. */
  clock = 1;
  /** When everything may have changed; 0 for never. */
  replaced = 0;
  readonly #rows = watchedTables.map(() => new Map<number, number>());
  /** Of each table: rows of which nothing is remembered may have changed at this time. */
  readonly #floor = watchedTables.map(() => 0);
  readonly #last = watchedTables.map(() => 0);
  #listeners: ((table: number, id: number) => void)[] = [];
  readonly #undone: (() => void)[] = [];

  /** A row was written, made or deleted. */
  touch(table: number, id: number): void {
    this.clock += 1;
    const rows = this.#rows[table]!;
    if (rows.size >= mostRows && !rows.has(id)) {
      rows.clear();
      this.#floor[table] = this.clock;
    }
    rows.set(id, this.clock);
    this.#last[table] = this.clock;
    for (const told of this.#listeners) told(table, id);
  }

  /** Everything may have changed. */
  touchAll(): void {
    this.clock += 1;
    this.replaced = this.clock;
    this.#floor.fill(this.clock);
    this.#last.fill(this.clock);
    for (const rows of this.#rows) rows.clear();
  }

  /** Rows that were read since they were written are not what they were then. */
  undone(): void {
    for (const told of this.#undone) told();
  }

  /** When a row was last written, as far as is known; 0 for long ago. */
  of(table: number, id: number): number {
    return this.#rows[table]!.get(id) ?? this.#floor[table]!;
  }

  /** When any row of a table was last written. */
  ofTable(table: number): number {
    return this.#last[table]!;
  }

  /** What triggers call. */
  readonly watched = (table: unknown, id: unknown): null => {
    this.touch(Number(table), Number(id));
    return null;
  };

  onUndone(told: () => void): void {
    this.#undone.push(told);
  }

  onTouch(told: (table: number, id: number) => void): void {
    this.#listeners.push(told);
  }
}
