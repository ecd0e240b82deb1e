import { add, type Bits, each, remove, wordsFor } from './bitset.ts';
import type { Interval } from './index-plan.ts';

/** An event as numbers: its stamps, and the keys of what it can be sought by. */
export interface IndexedEvent {
  id: number;
  start_date: number;
  end_date: number;
  date: number;
  keys: number[];
}

/** A typed array that grows. */
class Numbers {
  #values: Float64Array | Int32Array;
  #size = 0;

  constructor(kind: typeof Float64Array | typeof Int32Array) {
    this.#values = new kind(4);
  }

  push(value: number): void {
    if (this.#size === this.#values.length) {
      const grown = new (this.#values.constructor as typeof Int32Array)(this.#size * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  get size(): number {
    return this.#size;
  }

  /** The numbers themselves, until the next one is added. */
  get values(): Float64Array | Int32Array {
    return this.#values.subarray(0, this.#size);
  }
}

/** Collects events, by ascending ID, for columns: numbers alone, for a hundred thousand objects take more memory than the columns. */
export class ColumnBuilder {
  readonly columns = {
    id: new Numbers(Float64Array),
    start_date: new Numbers(Float64Array),
    end_date: new Numbers(Float64Array),
    date: new Numbers(Float64Array),
  };
  /** Which events have a key, by their place here. */
  readonly keyed = new Map<number, Numbers>();

  /** Adds an event, and answers its place here. */
  add(event: IndexedEvent): number {
    for (const name of names) this.columns[name].push(event[name]);
    const place = this.columns.id.size - 1;
    for (const key of event.keys) this.key(place, key);
    return place;
  }

  /** Gives one more key to the event at a place. */
  key(place: number, key: number): void {
    let places = this.keyed.get(key);
    if (places === undefined) {
      places = new Numbers(Int32Array);
      this.keyed.set(key, places);
    }
    places.push(place);
  }
}

const names = ['id', 'start_date', 'end_date', 'date'] as const;

/** Words of bits whose events share their earliest and latest end. */
const block = 16;

/** Events as of one moment, by columns in the order of lists; an event is named by its place. */
export class EventColumns {
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
  readonly #scratch: Bits;

  constructor({ columns, keyed }: ColumnBuilder) {
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
    [this.#live, this.#found, this.#scratch] = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)];
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

  /** Leaves an event out of searches from now on. */
  drop(id: number): void {
    const place = this.placeOf(id);
    if (place !== undefined) remove(this.#live, place);
  }

  /** Begins a search among the events that start within a range. Its two sets are memory of the columns: there is one search at a time. */
  select(starts: Interval): { found: Bits; scratch: Bits; from: number; until: number } {
    const low = bound(this.#starts, starts.least);
    const high = bound(this.#starts, Math.floor(starts.most) + 1);
    const from = low >>> 5;
    const until = Math.max(from, wordsFor(high));
    this.#found.set(this.#live.subarray(from, until), from);
    if (until > from) {
      this.#found[from]! &= -1 << (low & 31);
      if (high & 31) this.#found[until - 1]! &= ~(-1 << (high & 31));
    }
    return { found: this.#found, scratch: this.#scratch, from, until };
  }

  /** The places of events that have a key. */
  set(key: number): Int32Array | Bits | undefined {
    return this.#sets.get(key);
  }

  /** Removes from a set the events whose end is outside of a range. */
  keepEnds(bits: Bits, from: number, until: number, { least, most }: Interval): void {
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
  precedes({ start_date, date, id }: IndexedEvent, place: number): boolean {
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
