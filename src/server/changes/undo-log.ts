import { Failure } from '../../model/error.ts';
import type { StoredRecord } from '../../model/operations/service.ts';

/** A changed record before and after; undefined after its deletion. */
export type Replaced = readonly [before: StoredRecord, after: StoredRecord | undefined];

/** Estimated size of a record without its texts, in bytes. */
const recordBytes = 1024;

/** A change of many records that can be undone by the viewer who made it. */
export class UndoableChange {
  readonly records: Replaced[] = [];
  /** Estimated size. */
  bytes = 0;

  constructor(readonly viewer: string) {}

  add(...replaced: Replaced): void {
    this.records.push(replaced);
    for (const record of replaced) if (record) this.bytes += recordBytes + textBytes(record.row);
  }
}

const textBytes = (row: StoredRecord['row']): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** The changes of many records that can be undone, of one world, until its epoch ends. */
export class UndoLog {
  readonly #changes = new Map<string, UndoableChange>();

  /** `maxRecords` is the number of records up to which the changes before the last ones can be undone. */
  constructor(private readonly maxRecords = 50_000) {}

  /** Adds a change that begins. The oldest ones are forgotten. */
  begin(viewer: string): { undo: string; change: UndoableChange } {
    let count = 0;
    for (const [id, { records }] of [...this.#changes].reverse()) {
      count += records.length;
      if (count > this.maxRecords) this.#changes.delete(id);
    }
    const undo = crypto.randomUUID();
    const change = new UndoableChange(viewer);
    this.#changes.set(undo, change);
    return { undo, change };
  }

  /** Returns what a change of a viewer replaced, the last record first, for the only time. Throws `not-found`. */
  take(undo: string, viewer: string): Replaced[] {
    const change = this.#changes.get(undo);
    if (!change || change.viewer !== viewer) throw new Failure('not-found', 'This change can no longer be undone');
    this.#changes.delete(undo);
    return change.records.reverse();
  }

  clear(): void {
    this.#changes.clear();
  }

  /** Estimated size of all changes. */
  get bytes(): number {
    return [...this.#changes.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
