import { add, type Bits, countIn, countOf, each, lowest } from './bitset.ts';
import type { EventColumns, IndexedEvent } from './columns.ts';
import type { Interval } from './index-plan.ts';

/** A search of columns: the events that are left. It works in memory of the columns, so there is one at a time. */
export class Search {
  readonly #columns: EventColumns;
  readonly #from: number;
  readonly #until: number;
  readonly #found: Bits;
  readonly #scratch: Bits;

  /** Begins with all events that start within a range. */
  constructor(columns: EventColumns, starts: Interval) {
    this.#columns = columns;
    const { found, scratch, from, until } = columns.select(starts);
    [this.#found, this.#scratch, this.#from, this.#until] = [found, scratch, from, until];
  }

  get count(): number {
    return countIn(this.#found, this.#from, this.#until);
  }

  /** Keeps the events that have one of some keys, or those that have none. */
  keep(keys: readonly number[], is: boolean): void {
    const sets = keys.map((key) => this.#columns.set(key)).filter((set) => set !== undefined);
    if (sets.length === 1 && sets[0] instanceof Uint32Array) this.#intersect(sets[0], is);
    else {
      const bits = this.#scratch.fill(0, this.#from, this.#until);
      for (const set of sets)
        if (set instanceof Uint32Array) for (let i = this.#from; i < this.#until; i += 1) bits[i]! |= set[i]!;
        else for (const place of set) add(bits, place);
      this.#intersect(bits, is);
    }
  }

  /** Keeps the events at the places that `name` calls with, or all others. */
  keepPlaces(is: boolean, name: (add: (place: number) => void) => void): void {
    const bits = this.#scratch.fill(0, this.#from, this.#until);
    name((place) => add(bits, place));
    this.#intersect(bits, is);
  }

  /** Keeps the events whose end is within a range. */
  keepEnds(range: Interval): void {
    this.#columns.keepEnds(this.#found, this.#from, this.#until, range);
  }

  ids(): number[] {
    const ids: number[] = [];
    each(this.#found, this.#from, this.#until, (place) => ids.push(this.#columns.id(place)));
    return ids;
  }

  /** At most `limit` IDs from an offset on, in the order of lists, with further events merged in, which are in that order. */
  page(offset: number, limit: number, further: readonly IndexedEvent[]): number[] {
    const ids: number[] = [];
    let skip = offset;
    let next = 0;
    const take = (id: number): void => {
      if (skip > 0) skip -= 1;
      else if (ids.length < limit) ids.push(id);
    };
    for (let at = this.#from; at < this.#until && ids.length < limit; at += 1) {
      let word = this.#found[at]!;
      if (word === 0) continue;
      const count = countOf(word);
      const calm = next >= further.length || !this.#columns.precedes(further[next]!, (at << 5) + 31 - Math.clz32(word));
      if (calm && count <= skip) {
        skip -= count;
        continue;
      }
      for (; word !== 0; word &= word - 1) {
        const place = (at << 5) + lowest(word);
        for (; next < further.length && this.#columns.precedes(further[next]!, place); next += 1) take(further[next]!.id);
        take(this.#columns.id(place));
      }
    }
    for (; next < further.length; next += 1) take(further[next]!.id);
    return ids;
  }

  #intersect(bits: Bits, is: boolean): void {
    const found = this.#found;
    if (is) for (let i = this.#from; i < this.#until; i += 1) found[i]! &= bits[i]!;
    else for (let i = this.#from; i < this.#until; i += 1) found[i]! &= ~bits[i]!;
  }
}
