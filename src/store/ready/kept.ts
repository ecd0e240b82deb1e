import type { Text } from '../../model/text.ts';
import type { Changes } from './changes.ts';

/** A text with what it was made of. */
export interface Kept extends Text {
  /** The rows it shows: table, ID, table, ID… */
  needs: number[];
  /** The time of {@link Changes} up to which it is known to be right. */
  right: number;
  /** When it was last asked for, as the room counts. */
  used: number;
}

/** Texts of the records of one kind, as one site shows them, by ID. */
export class Shelf {
  readonly #room: Room;
  readonly #texts = new Map<number, Kept>();

  constructor(room: Room) {
    this.#room = room;
  }

  /** The text of a record, unless anything that it shows was written since it was made. */
  get(id: number, changes: Changes): Kept | undefined {
    const kept = this.#texts.get(id);
    if (kept === undefined) return undefined;
    if (isRight(kept, changes)) {
      this.#room.use(kept);
      return kept;
    }
    this.#texts.delete(id);
    this.#room.leave(kept);
    return undefined;
  }

  /** Keeps a text in the place of the one before. */
  put(id: number, text: Omit<Kept, 'used'>): void {
    const before = this.#texts.get(id);
    if (before) this.#room.leave(before);
    this.#texts.set(id, this.#room.take(text));
  }

  /** Gives up every text that was last used at a time, or all. */
  giveUp(used?: number): void {
    for (const [id, kept] of this.#texts)
      if (used === undefined || kept.used === used) {
        this.#texts.delete(id);
        this.#room.leave(kept);
      }
  }
}

function isRight(kept: Kept, changes: Changes): boolean {
  if (kept.right === changes.clock) return true;
  const { needs } = kept;
  for (let i = 0; i < needs.length; i += 2) if (changes.of(needs[i]!, needs[i + 1]!) > kept.right) return false;
  kept.right = changes.clock;
  return true;
}

/** What a kept text weighs besides its bytes. */
const weight = 400;
const sizeOf = ({ bytes }: Text) => bytes.length + weight;

/** Times that the room tells apart: one ends when a part of the room this small was used in it. */
const parts = 16;

/** All shelves together, held to a number of bytes: when it is full, those texts go that were not asked for the longest. */
export class Room {
  readonly #most: number;
  readonly #shelves = new Map<string, Shelf>();
  /** How many bytes were last used at each time, from the earliest of which there are any. */
  readonly #usedAt = new Map<number, number>();
  #now = 0;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The shelf of a name; a few dozen are kept, for sites are named by whoever asks. */
  shelf(name: string): Shelf {
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      if (this.#shelves.size >= 48) {
        for (const other of this.#shelves.values()) other.giveUp();
        this.#shelves.clear();
      }
      shelf = new Shelf(this);
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Makes room for a text. */
  take(text: Omit<Kept, 'used'>): Kept {
    const kept = { ...text, used: this.#now };
    this.#held += sizeOf(kept);
    this.#count(kept);
    for (const used of this.#usedAt.keys()) {
      if (this.#held <= this.#most || used === this.#now) break;
      for (const shelf of this.#shelves.values()) shelf.giveUp(used);
    }
    return kept;
  }

  /** Notes that a text was asked for. */
  use(kept: Kept): void {
    if (kept.used === this.#now) return;
    this.#uncount(kept);
    kept.used = this.#now;
    this.#count(kept);
  }

  /** Notes that a text is not kept any more. */
  leave(kept: Kept): void {
    this.#held -= sizeOf(kept);
    this.#uncount(kept);
  }

  #count(kept: Kept): void {
    const bytes = (this.#usedAt.get(this.#now) ?? 0) + sizeOf(kept);
    this.#usedAt.set(this.#now, bytes);
    if (bytes > this.#most / parts) this.#now += 1;
  }

  #uncount(kept: Kept): void {
    const bytes = this.#usedAt.get(kept.used)! - sizeOf(kept);
    if (bytes > 0) this.#usedAt.set(kept.used, bytes);
    else this.#usedAt.delete(kept.used);
  }
}
