import type { Input, ResourceName } from '../../model/calendar.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { placeLine } from '../../model/ical/event.ts';
import { resources } from '../../model/resources/all.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';

const normalized = (text: string) => text.trim().toLowerCase();

/** An in-memory index of records by name, address, e-mail address and slug. */
export class NameIndex {
  readonly #ids = new Map<string, number>();

  constructor(
    private readonly local: LocalCalendar,
    private readonly resource: ResourceName,
    private readonly summary: Summary,
  ) {
    const hasAddress = resources[resource].fields.some(({ name }) => name === 'address');
    for (const entry of local.entries(resource)) {
      const label = htmlToLine(labelOf(resource, entry));
      const more = hasAddress ? placeLine(entry) : String(entry.email ?? '');
      // The first record with a name wins.
      for (const key of [label, more, String(entry.slug ?? '')])
        if (key && !this.#ids.has(normalized(key))) this.#ids.set(normalized(key), entry.id);
    }
  }

  /** Returns the ID of the record with this name, name and address, e-mail address or slug, ignoring case. */
  find(name: string): number | undefined {
    return this.#ids.get(normalized(name));
  }

  /** Creates a record, counts it in the summary and indexes its names. */
  add(input: Input, ...names: string[]): number {
    const { id } = this.local[this.resource].add(input);
    this.summary.count(`new ${this.resource}`);
    for (const key of names) if (key && !this.#ids.has(normalized(key))) this.#ids.set(normalized(key), id);
    return id;
  }
}
