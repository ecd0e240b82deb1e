import type { Input, ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { updateIfChanged } from '../record.ts';
import type { Summary } from '../summary.ts';

/** A record whose slug another record had. */
interface Waiting {
  name: ResourceName;
  id: number;
  slug: string;
  /** How an update is counted in the end; a record that was created is counted already. */
  count?(isChanged: boolean): void;
  isChanged: boolean;
}

/**
 * Updates existing records and counts them as updated or unchanged. A slug that another record has is asked for again at the end, when that record may have another; so the
 * order of a file makes no difference, and importing it twice changes nothing.
 */
export class Updates {
  readonly #waiting = new Map<string, Waiting>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
  ) {}

  /** Updates a record, and counts it now or at the end. */
  update(name: ResourceName, id: number, { slug, ...input }: Input, label: string): void {
    const isTaken = typeof slug === 'string' && (this.local.idBy(name, 'slug', slug) ?? id) !== id;
    const isChanged = updateIfChanged(this.local, name, id, slug === undefined || isTaken ? input : { ...input, slug });
    const count = (changed: boolean) => this.summary.add(changed ? 'updated' : 'unchanged', name, label, id);
    if (!isTaken || !this.#wait({ name, id, slug, count, isChanged })) count(isChanged);
  }

  /** Has a record that was created wait for the slug that it could not get. */
  created(name: ResourceName, id: number, { slug }: Input): void {
    if (typeof slug === 'string' && slug !== '' && this.local.idBy(name, 'slug', slug) !== id)
      this.#wait({ name, id, slug, isChanged: false });
  }

  /** Returns whether the record waits: of several for one slug the first does. */
  #wait(waiting: Waiting): boolean {
    const key = `${waiting.name}:${waiting.slug}`;
    if (this.#waiting.has(key)) return false;
    this.#waiting.set(key, waiting);
    return true;
  }

  /** Gives records the slugs that became free, and counts them. */
  finish(): void {
    // Who gets a slug leaves another, for which somebody may wait in turn.
    for (const first of [...this.#waiting.values()])
      for (let next: Waiting | undefined = first; next; ) {
        const { name, id, slug }: Waiting = next;
        if (!this.#waiting.has(`${name}:${slug}`) || this.local.idBy(name, 'slug', slug) !== undefined) break;
        this.#waiting.delete(`${name}:${slug}`);
        const { slug: left, modified, modified_utc } = this.local.source(name, id)!;
        this.local[name].update({ id }, { slug, ...(modified === undefined ? {} : { modified, modified_utc }) });
        next.count?.(true);
        next = this.#waiting.get(`${name}:${left}`);
      }
    for (const { count, isChanged } of this.#waiting.values()) count?.(isChanged);
    this.#waiting.clear();
  }
}
