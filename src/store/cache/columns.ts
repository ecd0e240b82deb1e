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

/** What columns hold; once made, it stays as it is. */
interface ColumnData {
  readonly size: number;
  readonly ids: Float64Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly dates: Float64Array;
  /** The earliest and the latest end in each block. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly sets: ReadonlyMap<number, Int32Array | Bits>;
  /** The IDs, ascending, and where each event stands. */
  readonly byId: Float64Array;
  readonly places: Uint32Array;
}

function columnData({ columns, keyed }: ColumnBuilder): ColumnData {
  const { size } = columns.id;
  const [ids, starts, dates] = [columns.id.values, columns.start_date.values, columns.date.values];
  // Where the events of each place here stood before, and the other way round.
  const order = Uint32Array.from({ length: size }, (_, i) => i).sort(
    (a, b) => starts[a]! - starts[b]! || dates[a]! - dates[b]! || ids[a]! - ids[b]!,
  );
  const places = new Uint32Array(size);
  for (const [place, before] of order.entries()) places[before] = place;
  const column = (name: keyof typeof columns) => {
    const { values } = columns[name];
    return Float64Array.from(order, (before) => values[before]!);
  };
  const ends = column('end_date');
  const words = wordsFor(size);
  const least = new Float64Array(Math.ceil(words / block)).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(Math.ceil(words / block)).fill(Number.NEGATIVE_INFINITY);
  for (const [place, end] of ends.entries()) {
    const at = Math.floor(place / (32 * block));
    least[at] = Math.min(least[at]!, end);
    most[at] = Math.max(most[at]!, end);
  }
  const sets = new Map<number, Int32Array | Bits>();
  for (const [key, { values }] of keyed) {
    const placed = Int32Array.from(values, (before) => places[before]!);
    sets.set(key, placed.length > words ? bitsOf(placed, words) : placed);
  }
  const byId = Float64Array.from(ids);
  return { size, ids: column('id'), starts: column('start_date'), ends, dates: column('date'), least, most, sets, byId, places };
}

/** Events as of one moment, by columns in the order of lists; an event is named by its place. */
export class EventColumns {
  readonly #data: ColumnData;
  readonly #ids: Float64Array;
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #dates: Float64Array;
  readonly #least: Float64Array;
  readonly #most: Float64Array;
  /** Events that are still what they were. */
  readonly #live: Bits;
  readonly #found: Bits;
  readonly #scratch: Bits;

  private constructor(data: ColumnData, live: Bits) {
    this.#data = data;
    ({ ids: this.#ids, starts: this.#starts, ends: this.#ends, dates: this.#dates, least: this.#least, most: this.#most } = data);
    [this.#live, this.#found, this.#scratch] = [live, new Uint32Array(live.length), new Uint32Array(live.length)];
  }

  /** Columns of the events that were collected. */
  static of(builder: ColumnBuilder): EventColumns {
    const data = columnData(builder);
    const live = new Uint32Array(wordsFor(data.size));
    for (let place = 0; place < data.size; place += 1) add(live, place);
    return new EventColumns(data, live);
  }

  /** The same events, of which others can be dropped from now on: what stays as it is, both share. */
  copy(): EventColumns {
    return new EventColumns(this.#data, this.#live.slice());
  }

  get size(): number {
    return this.#data.size;
  }

  placeOf = (id: number): number | undefined => {
    const { byId, places } = this.#data;
    const at = bound(byId, id);
    return byId[at] === id ? places[at] : undefined;
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
    return this.#data.sets.get(key);
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
