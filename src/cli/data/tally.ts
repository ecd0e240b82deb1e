import type { ResourceName } from '../../model/resource.ts';
import type { Session } from '../shell.ts';

/** What became of a record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'deleted';

/** What became of one record, as `--json` lists it. */
export interface Deed {
  action: Outcome;
  resource: ResourceName;
  id?: number;
  name: string;
}

const outcomes: Outcome[] = ['created', 'updated', 'unchanged', 'skipped', 'deleted'];

/** Counts what becomes of records, and lists it where that was asked for. */
export class Tally {
  readonly #counts = new Map<Outcome, number>();
  readonly deeds: Deed[] = [];
  constructor(private readonly listing: boolean) {}

  add(action: Outcome, resource: ResourceName, name: string, id?: number): void {
    this.#counts.set(action, (this.#counts.get(action) ?? 0) + 1);
    if (this.listing) this.deeds.push({ action, resource, ...(id === undefined ? {} : { id }), name });
  }

  count(action: Outcome): number {
    return this.#counts.get(action) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether anything changed. */
  get changes(): number {
    return this.count('created') + this.count('updated') + this.count('deleted');
  }

  /** `12 created, 3 unchanged`. */
  get text(): string {
    const parts = outcomes.filter((action) => this.count(action)).map((action) => `${this.count(action)} ${action}`);
    return parts.length ? parts.join(', ') : 'nothing to do';
  }

  /** Says the counts on stderr; with `--json` the list on stdout instead. */
  async tell(session: Session, what: string, options: { json?: unknown; dryRun?: unknown }): Promise<void> {
    const counts = Object.fromEntries(outcomes.map((action) => [action, this.count(action)]));
    if (options.json)
      await session.print(`${JSON.stringify({ ...counts, dry_run: Boolean(options.dryRun), records: this.deeds }, null, 2)}\n`);
    else await session.tell(`calendar: ${what}: ${this.text}${options.dryRun ? ' (dry run: nothing was written)' : ''}`);
  }
}
