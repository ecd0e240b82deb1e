import { add, type Bits, countIn, countOf, each, lowest, remove, wordsFor } from './bits.ts';
import type { Gathered } from './gathered.ts';
import type { Range } from './plan.ts';

/** What an index knows of an event. */
export interface Known {
  id: number;
  start_date: number;
  end_date: number;
  date: number;
  keys: number[];
}

/** The order of lists of events. */
export const byStart = (a: Known, b: Known): number => a.start_date - b.start_date || a.date - b.date || a.id - b.id;

/** Events of so many words share one look at the ends of all of them. */
const block = 16;

/** Events at one moment in the order of lists, by columns; an event is named by its place. */
export class Columns {
  readonly size: number;
  readonly #ids: Float64Array;
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #dates: Float64Array;
  /** The earliest and the latest end in each block. */
  readonly #least: Float64Array;
  readonly #most: Float64Array;
  readonly #sets = new Map<number, Int32Array | Bits>();
  /** The IDs, ascending, and where each event stands. */
  readonly #byId: Float64Array;
  readonly #places: Uint32Array;
  /** Events that are still what they were. */
  readonly #live: Bits;
  readonly #found: Bits;
  readonly #other: Bits;

  constructor({ columns, keyed }: Gathered) {
    const { size } = columns.id;
    const [ids, starts, dates] = [columns.id.values, columns.start_date.values, columns.date.values];
    // Where the events of each place here stood before, and the other way round.
    const order = Uint32Array.from({ length: size }, (_, i) => i).sort(
      (a, b) => starts[a]! - starts[b]! || dates[a]! - dates[b]! || ids[a]! - ids[b]!,
    );
    const placed = new Uint32Array(size);
    for (const [place, before] of order.entries()) placed[before] = place;
    this.#byId = Float64Array.from(ids);
    this.#places = placed;
    const column = (name: keyof typeof columns) => {
      const { values } = columns[name];
      return Float64Array.from(order, (before) => values[before]!);
    };
    this.size = size;
    [this.#ids, this.#starts, this.#ends, this.#dates] = [column('id'), column('start_date'), column('end_date'), column('date')];
    const words = wordsFor(size);
    this.#least = new Float64Array(Math.ceil(words / block)).fill(Number.POSITIVE_INFINITY);
    this.#most = new Float64Array(Math.ceil(words / block)).fill(Number.NEGATIVE_INFINITY);
    [this.#live, this.#found, this.#other] = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)];
    for (let place = 0; place < size; place += 1) {
      add(this.#live, place);
      const at = Math.floor(place / (32 * block));
      this.#least[at] = Math.min(this.#least[at]!, this.#ends[place]!);
      this.#most[at] = Math.max(this.#most[at]!, this.#ends[place]!);
    }
    for (const [key, { values }] of keyed) {
      const places = Int32Array.from(values, (before) => placed[before]!);
      this.#sets.set(key, places.length > words ? bitsOf(places, words) : places);
    }
  }

  placeOf = (id: number): number | undefined => {
    const at = bound(this.#byId, id);
    return this.#byId[at] === id ? this.#places[at] : undefined;
  };

  /** Leaves an event out from now on. */
  drop(id: number): void {
    const place = this.placeOf(id);
    if (place !== undefined) remove(this.#live, place);
  }

  /** Begins a search among the events that start within a range. */
  among(starts: Range): Search {
    const low = bound(this.#starts, starts.least);
    const high = bound(this.#starts, starts.most + 1);
    const from = low >>> 5;
    const until = Math.max(from, wordsFor(high));
    this.#found.set(this.#live.subarray(from, until), from);
    if (until > from) {
      this.#found[from]! &= -1 << (low & 31);
      if (high & 31) this.#found[until - 1]! &= ~(-1 << (high & 31));
    }
    return new Search(this, this.#found, this.#other, from, until);
  }

  set(key: number): Int32Array | Bits | undefined {
    return this.#sets.get(key);
  }

  /** Leaves those whose end lies within a range. */
  keepEnds(bits: Bits, from: number, until: number, { least, most }: Range): void {
    for (let at = Math.floor(from / block); at * block < until; at += 1) {
      if (this.#least[at]! >= least && this.#most[at]! <= most) continue;
      const first = Math.max(from, at * block);
      const last = Math.min(until, (at + 1) * block);
      if (this.#most[at]! < least || this.#least[at]! > most) bits.fill(0, first, last);
      else
        each(bits, first, last, (place) => {
          const end = this.#ends[place]!;
          if (end < least || end > most) remove(bits, place);
        });
    }
  }

  id(place: number): number {
    return this.#ids[place]!;
  }

  /** Whether an event comes before the one at a place. */
  precedes({ start_date, date, id }: Known, place: number): boolean {
    return (start_date - this.#starts[place]! || date - this.#dates[place]! || id - this.#ids[place]!) < 0;
  }
}

function bitsOf(list: Iterable<number>, words: number): Bits {
  const bits = new Uint32Array(words);
  for (const number of list) add(bits, number);
  return bits;
}

/** The first place whose value is not below one. */
function bound(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The events that are left of a search. It works in memory of the columns: one at a time. */
export class Search {
  readonly #columns: Columns;
  readonly #from: number;
  readonly #until: number;
  #found: Bits;
  #other: Bits;

  constructor(columns: Columns, found: Bits, other: Bits, from: number, until: number) {
    this.#columns = columns;
    this.#found = found;
    this.#other = other;
    this.#from = from;
    this.#until = until;
  }

  get count(): number {
    return countIn(this.#found, this.#from, this.#until);
  }

  /** Leaves those that have, or have not, one of some keys. */
  keep(keys: readonly number[], is: boolean): void {
    const sets = keys.map((key) => this.#columns.set(key)).filter((set) => set !== undefined);
    if (sets.length === 1 && sets[0] instanceof Uint32Array) this.#cross(sets[0], is);
    else {
      const bits = this.#other.fill(0, this.#from, this.#until);
      for (const set of sets)
        if (set instanceof Uint32Array) for (let i = this.#from; i < this.#until; i += 1) bits[i]! |= set[i]!;
        else for (const place of set) add(bits, place);
      this.#cross(bits, is);
    }
  }

  /** Leaves those at the places that `name` calls with, or all others. */
  keepPlaces(is: boolean, name: (add: (place: number) => void) => void): void {
    const bits = this.#other.fill(0, this.#from, this.#until);
    name((place) => add(bits, place));
    this.#cross(bits, is);
  }

  keepEnds(range: Range): void {
    this.#columns.keepEnds(this.#found, this.#from, this.#until, range);
  }

  ids(): number[] {
    const ids: number[] = [];
    each(this.#found, this.#from, this.#until, (place) => ids.push(this.#columns.id(place)));
    return ids;
  }

  /** So many IDs from an offset on, together with further events that are merged in; they stand in the order of lists. */
  page(offset: number, limit: number, further: readonly Known[]): number[] {
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

  #cross(bits: Bits, is: boolean): void {
    const found = this.#found;
    if (is) for (let i = this.#from; i < this.#until; i += 1) found[i]! &= bits[i]!;
    else for (let i = this.#from; i < this.#until; i += 1) found[i]! &= ~bits[i]!;
  }
}
