import type { Text } from '../../model/text.ts';
import type { Changes } from './changes.ts';

/** A text with what it was made of. */
export interface Kept extends Text {
  /** The rows it shows: table, ID, table, ID… */
  needs: number[];
  /** The time of {@link Changes} up to which it is known to be right. */
  right: number;
}

/** Texts of the records of one kind, as one site shows them, by ID. Those that were not asked for lately are given up when the whole room is full. */
export class Shelf {
  readonly #room: Room;
  #young = new Map<number, Kept>();
  #old = new Map<number, Kept>();

  constructor(room: Room) {
    this.#room = room;
  }

  /** The text of a record, unless anything that it shows was written since it was made. */
  get(id: number, changes: Changes): Kept | undefined {
    let kept = this.#young.get(id);
    if (kept === undefined) {
      kept = this.#old.get(id);
      if (kept === undefined) return undefined;
      if (this.#isRight(kept, changes)) this.put(id, kept);
      this.#old.delete(id);
    }
    return this.#isRight(kept, changes) ? kept : undefined;
  }

  put(id: number, kept: Kept): void {
    this.#young.set(id, kept);
    this.#room.take(kept.bytes.length);
  }

  /** Gives up what was not asked for since the last time. */
  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  #isRight(kept: Kept, changes: Changes): boolean {
    if (kept.right === changes.clock) return true;
    const { needs } = kept;
    for (let i = 0; i < needs.length; i += 2) if (changes.of(needs[i]!, needs[i + 1]!) > kept.right) return false;
    kept.right = changes.clock;
    return true;
  }
}

/** What a kept text weighs besides its bytes. */
const weight = 400;

/** All shelves together, held to a number of bytes. */
export class Room {
  readonly #most: number;
  readonly #shelves = new Map<string, Shelf>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The shelf of a name; a few dozen are kept, for sites are named by whoever asks. */
  shelf(name: string): Shelf {
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      if (this.#shelves.size >= 48) this.#shelves.clear();
      shelf = new Shelf(this);
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Notes that so many bytes were put on a shelf; when half the room is filled, everything older goes. */
  take(bytes: number): void {
    this.#taken += bytes + weight;
    if (this.#taken < this.#most / 2) return;
    this.#taken = 0;
    for (const shelf of this.#shelves.values()) shelf.age();
  }
}
