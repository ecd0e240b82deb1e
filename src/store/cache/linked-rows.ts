import type { Entry, Row } from '../../model/calendar.ts';
import type { LinkKind, ViewOptions } from '../../model/context.ts';
import { isOpen } from '../../model/redact.ts';
import type { Database } from '../file/sql.ts';
import type { RowCache } from '../records/context.ts';
import { rowById } from '../records/queries.ts';
import { tableOf } from '../records/tables.ts';
import { type ChangeTracker, places } from './change-tracker.ts';

/** Past so many rows of a kind, all of it are dropped. */
const mostRows = 1000;

/** Rows that events are linked to, each read once and held until it is written, or a change is undone. Needs a database whose changes are watched. */
export class LinkedRows implements RowCache {
  readonly #db: Database;
  readonly #changes: ChangeTracker;
  readonly #rows: Record<LinkKind, Map<number, { row: Row; validAt: number }>> = {
    venue: new Map(),
    organizer: new Map(),
    category: new Map(),
    tag: new Map(),
  };

  /** The last entry that was made of each row, and the site that it was made for. */
  readonly #entries = new WeakMap<Row, { home: string; root: string; entry: Entry } | undefined>();

  constructor(db: Database, changes: ChangeTracker) {
    this.#db = db;
    this.#changes = changes;
    changes.onUndo(() => {
      for (const rows of Object.values(this.#rows)) rows.clear();
    });
  }

  /** The same object as long as nobody writes the row; the caller must not change it. */
  get(kind: LinkKind, id: number): Row | undefined {
    const rows = this.#rows[kind];
    const cached = rows.get(id);
    if (cached && cached.validAt >= this.#changes.lastChange(places[kind], id)) return cached.row;
    const row = rowById(this.#db, tableOf[kind], id);
    if (row) {
      if (rows.size >= mostRows) rows.clear();
      rows.set(id, { row, validAt: this.#changes.clock });
      this.#entries.set(row, undefined);
    }
    return row;
  }

  /** The entry of a row as events show it: made once per site where the row is held and everybody sees it alike. */
  shown(row: Row, { site: { home, root }, single }: ViewOptions, show: () => Entry): Entry {
    if (single || !this.#entries.has(row) || !isOpen(row)) return show();
    const last = this.#entries.get(row);
    if (last?.home === home && last.root === root) return last.entry;
    const entry = show();
    this.#entries.set(row, { home, root, entry });
    return entry;
  }
}
