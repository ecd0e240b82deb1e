import type { ResourceName } from '../model/calendar.ts';
import type { Problem } from '../model/error.ts';
import { type Done, type Outcome, outcomes, type RecordChange } from '../model/operations/summary.ts';

/** Is told how many records are done, and of how many when that is known. */
export type OnProgress = (count: number, total?: number) => void;

/** The options that every operation on a whole calendar takes. */
export interface OperationOptions {
  /** Do everything, then undo it. */
  dryRun?: boolean;
  /** List every change in the summary; without it only counts are held. */
  listChanges?: boolean;
  onProgress?: OnProgress;
}

/** What an operation on a whole calendar did: plain data to print or to send. */
export class Summary {
  readonly counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  /** Empty unless changes were asked for. */
  readonly changes: RecordChange[] = [];
  /** What was wrong with records that were left out. */
  readonly problems: Problem[] = [];
  /** What else there is to know: why records were skipped that nothing was wrong with, links that were left out. */
  readonly notes: Problem[] = [];
  readonly #options: OperationOptions;
  readonly #expected: number | undefined;

  /** `expected` is how many records there will be, when that is known. */
  constructor(options: OperationOptions = {}, expected?: number) {
    this.#options = options;
    this.#expected = expected;
  }

  /** Counts one record, and reports progress; what goes to make room is not among the records that are expected. */
  add(action: Outcome, resource: ResourceName, name: string, id?: number, reason?: string): void {
    this.counts[action] += 1;
    if (this.#options.listChanges)
      this.changes.push({ action, resource, ...(id === undefined ? {} : { id }), name, ...(reason === undefined ? {} : { reason }) });
    this.#options.onProgress?.(this.#expected === undefined ? this.total : this.total - this.counts.deleted, this.#expected);
  }

  /** Counts a record that nothing is done with; `at` is its place in the source. */
  skip(resource: ResourceName, name: string, at: string, reason: string, id?: number): void {
    this.add('skipped', resource, name, id, reason);
    this.notes.push({ at: name ? `${at} (${name})` : at, reason });
  }

  /** Counts a record that is left out because of what is wrong with it. */
  refuse(resource: ResourceName, name: string, problems: readonly Problem[]): void {
    this.problems.push(...problems);
    this.add('skipped', resource, name, undefined, problems.map(({ reason }) => reason).join('; '));
  }

  /** Whether any record is other than it was, or gone. */
  get hasChanged(): boolean {
    return this.counts.created + this.counts.updated + this.counts.deleted > 0;
  }

  /** How many records were looked at. */
  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** All of it as plain data; `undo` names the snapshot of what was there before, `took` counts milliseconds. */
  done(took: number, undo?: string): Done {
    const { counts, changes: records, problems, notes } = this;
    return { ...counts, dry_run: this.#options.dryRun ?? false, records, problems, notes, ...(undo === undefined ? {} : { undo }), took };
  }
}
