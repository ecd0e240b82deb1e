import type { LinkKind } from '../model/asking.ts';
import { isOpen, type Look } from '../model/post.ts';
import type { Entry, Row } from '../model/resource.ts';
import { rowById, tableOf } from './context.ts';
import type { Database } from './database.ts';
import { type Changes, places } from './ready/changes.ts';

/** So many rows of a kind are kept; then all of it are given up. */
const mostRows = 1000;

/** Rows that events are linked to, each read once and kept until it is written, or what was written is undone. Needs a database whose changes are watched. */
export class Rows {
  readonly #db: Database;
  readonly #changes: Changes;
  readonly #kept: Record<LinkKind, Map<number, { row: Row; right: number }>> = {
    venue: new Map(),
    organizer: new Map(),
    category: new Map(),
    tag: new Map(),
  };

  /** How kept rows were shown the last time, and where. */
  readonly #shown = new WeakMap<Row, { home: string; root: string; entry: Entry } | undefined>();

  constructor(db: Database, changes: Changes) {
    this.#db = db;
    this.#changes = changes;
    changes.onUndone(() => {
      for (const kept of Object.values(this.#kept)) kept.clear();
    });
  }

  /** The same object as long as nobody writes the row; not to be changed. */
  get(kind: LinkKind, id: number): Row | undefined {
    const kept = this.#kept[kind];
    const known = kept.get(id);
    if (known && known.right >= this.#changes.of(places[kind], id)) return known.row;
    const row = rowById(this.#db, tableOf[kind], id);
    if (row) {
      if (kept.size >= mostRows) kept.clear();
      kept.set(id, { row, right: this.#changes.clock });
      this.#shown.set(row, undefined);
    }
    return row;
  }

  /** A row as an event shows it; made once where the row is kept and everybody sees it alike. */
  shown(row: Row, { site: { home, root }, single }: Look, show: () => Entry): Entry {
    if (single || !this.#shown.has(row) || !isOpen(row)) return show();
    const last = this.#shown.get(row);
    if (last?.home === home && last.root === root) return last.entry;
    const entry = show();
    this.#shown.set(row, { home, root, entry });
    return entry;
  }
}
