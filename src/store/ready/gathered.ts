import type { Known } from './columns.ts';

/** Numbers one after the other, in memory that grows with them. */
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

/** Events on their way into columns, by ascending ID: numbers alone, for a hundred thousand objects take more memory than all that is made of them. */
export class Gathered {
  readonly columns = {
    id: new Numbers(Float64Array),
    start_date: new Numbers(Float64Array),
    end_date: new Numbers(Float64Array),
    date: new Numbers(Float64Array),
  };
  /** Which events have a key, by their place here. */
  readonly keyed = new Map<number, Numbers>();

  /** Takes an event over, and says its place here. */
  add(event: Known): number {
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
