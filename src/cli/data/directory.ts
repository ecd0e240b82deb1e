import { placeLine } from '../../model/ical-event.ts';
import { lineOf } from '../../model/plain.ts';
import type { Input } from '../../model/resource.ts';
import type { Desk } from '../../store/open.ts';

const plain = (text: string) => text.trim().toLowerCase();

/** The venues or organizers of a calendar by what people call them: there are few, beside events. */
export class Directory {
  readonly #ids = new Map<string, number>();

  constructor(
    private readonly desk: Desk,
    private readonly name: 'venues' | 'organizers',
  ) {
    for (const entry of desk.entries(name)) {
      const label = lineOf(String(entry[name === 'venues' ? 'venue' : 'organizer']));
      const more = name === 'venues' ? placeLine(entry) : String(entry.email ?? '');
      // The first of several of one name is meant.
      for (const key of [label, more, String(entry.slug ?? '')]) if (key && !this.#ids.has(plain(key))) this.#ids.set(plain(key), entry.id);
    }
  }

  /** The record that is called so: by name, by name and address or e-mail address, or by slug. */
  find(called: string): number | undefined {
    return this.#ids.get(plain(called));
  }

  /** Makes a record, and remembers what it is called. */
  add(input: Input, ...called: string[]): number {
    const id = this.desk[this.name].add(input);
    for (const key of called) if (key && !this.#ids.has(plain(key))) this.#ids.set(plain(key), id);
    return id;
  }
}
