import type { ResourceName } from '../model/calendar.ts';
import type { Problem } from '../model/error.ts';
import type { Conflict, Done, RecordChange, TableHeadings } from '../model/operation-types.ts';
import { type Outcome, outcomes } from '../model/operations/summary.ts';

/** Called with the number of processed records, and the total if known. */
export type OnProgress = (count: number, total?: number) => void;

/** Options of all operations on a whole calendar. */
export interface OperationOptions {
  /** Roll back all changes at the end. */
  dryRun?: boolean;
  /** List every change in the summary instead of only counting. */
  listChanges?: boolean;
  onProgress?: OnProgress;
}

/** Why a record was skipped, and the dates of an event. */
export type ChangeDetails = Omit<RecordChange, 'action' | 'resource' | 'id' | 'name'>;

/** The result of an operation on a whole calendar, as plain data. */
export class Summary {
  readonly counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  /** Empty unless `listChanges` is set. */
  readonly changes: RecordChange[] = [];
  /** Problems of records that were not written. */
  readonly problems: Problem[] = [];
  /** Notes on valid records: why they were skipped, links that were omitted. */
  readonly notes: Problem[] = [];
  /** Records of a site that were not copied, without conflicts. */
  readonly left: Problem[] = [];
  /** Records that were changed differently on both sides. */
  readonly conflicts: Conflict[] = [];
  /** Names of the records that were created because others refer to them, by resource. */
  readonly added: Partial<Record<ResourceName, string[]>> = {};
  /** The headings of a table, if `listChanges` is set. */
  table: TableHeadings | undefined;
  /** Numbers of converted values by kind. */
  readonly #conversions: Record<string, number> = {};
  readonly #options: OperationOptions;
  readonly #expected: number | undefined;

  /** `expected` is the expected number of records, if known. */
  constructor(options: OperationOptions = {}, expected?: number) {
    this.#options = options;
    this.#expected = expected;
  }

  /** Counts one record and reports progress. Deleted records don't count towards the expected number. */
  add(action: Outcome, resource: ResourceName, name: string, id?: number, more: ChangeDetails = {}): void {
    this.counts[action] += 1;
    if (this.#options.listChanges) this.changes.push({ action, resource, ...(id === undefined ? {} : { id }), name, ...more });
    this.#options.onProgress?.(this.#expected === undefined ? this.total : this.total - this.counts.deleted, this.#expected);
  }

  /** Counts a record as updated that was counted as unchanged. */
  shown(resource: ResourceName, id: number): void {
    this.counts.unchanged -= 1;
    this.counts.updated += 1;
    const change = this.changes.findLast((each) => each.resource === resource && each.id === id);
    if (change) change.action = 'updated';
  }

  /** Counts a skipped record. `at` is its position in the source. */
  skip(resource: ResourceName, name: string, at: string, reason: string, id?: number): void {
    this.add('skipped', resource, name, id, { reason });
    this.notes.push({ at: name ? `${at} (${name})` : at, reason });
  }

  /** Counts a record that is not written because of problems. */
  reject(resource: ResourceName, name: string, problems: readonly Problem[]): void {
    this.problems.push(...problems);
    this.left.push(...problems);
    this.add('skipped', resource, name, undefined, { reason: problems.map(({ reason }) => reason).join('; ') });
  }

  /** Adds a conflict, and counts its record as skipped unless a part of it is written. */
  conflict(conflict: Conflict, isPart = false): void {
    this.conflicts.push(conflict);
    if (!isPart) this.add('skipped', conflict.resource, conflict.name, conflict.id, { reason: 'conflict' });
  }

  /** Counts values that were converted, e.g. `rewritten dates`. */
  count(what: string, count = 1): void {
    if (count) this.#conversions[what] = (this.#conversions[what] ?? 0) + count;
  }

  /** Counts a record that was created because another refers to it. */
  link(resource: ResourceName, name: string, id: number): void {
    this.count(`new ${resource}`);
    this.added[resource] = [...(this.added[resource] ?? []), name];
    if (this.#options.listChanges) this.changes.push({ action: 'created', resource, id, name });
  }

  /** True if every change is listed. */
  get isListing(): boolean {
    return this.#options.listChanges === true;
  }

  /** True if any record was created, updated or deleted. */
  get hasChanged(): boolean {
    return this.counts.created + this.counts.updated + this.counts.deleted > 0;
  }

  /** Number of processed records. */
  get total(): number {
    let total = 0;
    for (const outcome of outcomes) total += this.counts[outcome];
    return total;
  }

  /** The summary as plain data. `undo` is the name of the snapshot of the previous state, `took` is in ms. */
  done(took: number, undo?: string): Done {
    const { counts, changes: records, problems, notes, conflicts, added, table } = this;
    return {
      ...counts,
      dry_run: this.#options.dryRun ?? false,
      records,
      problems,
      notes,
      ...(conflicts.length ? { conflicts } : {}),
      conversions: this.#conversions,
      ...(Object.keys(added).length ? { added } : {}),
      ...(table ? { table } : {}),
      ...(undo === undefined ? {} : { undo }),
      took,
    };
  }
}
