import type { SerializedRecord } from '../../model/calendar.ts';
import type { ChangeTracker } from './change-tracker.ts';

/** A serialized record, and how to tell whether it is still valid. */
export interface CachedRecord extends SerializedRecord {
  /** The rows it shows: table, ID, table, ID… */
  dependencies: number[];
  /** The clock of the {@link ChangeTracker} when it was last validated. */
  validAt: number;
  /** The period of the cache in which it was last asked for. */
  used: number;
}

/** Records of one kind, serialized as one site shows them, by ID. */
export class Segment {
  readonly #cache: LruCache;
  readonly #records = new Map<number, CachedRecord>();

  constructor(cache: LruCache) {
    this.#cache = cache;
  }

  /** A record, unless anything that it shows was written since it was made. */
  get(id: number, changes: ChangeTracker): CachedRecord | undefined {
    const cached = this.#records.get(id);
    if (cached === undefined) return undefined;
    if (isValid(cached, changes)) {
      this.#cache.use(cached);
      return cached;
    }
    this.#records.delete(id);
    this.#cache.release(cached);
    return undefined;
  }

  /** Holds a record in the place of the one before. */
  put(id: number, record: Omit<CachedRecord, 'used'>): void {
    const before = this.#records.get(id);
    if (before) this.#cache.release(before);
    this.#records.set(id, this.#cache.admit(record));
  }

  /** Drops the records that were last used in a period, or all. */
  evict(used?: number): void {
    for (const [id, cached] of this.#records)
      if (used === undefined || cached.used === used) {
        this.#records.delete(id);
        this.#cache.release(cached);
      }
  }
}

function isValid(cached: CachedRecord, changes: ChangeTracker): boolean {
  if (cached.validAt === changes.clock) return true;
  const { dependencies } = cached;
  for (let i = 0; i < dependencies.length; i += 2)
    if (changes.lastChange(dependencies[i]!, dependencies[i + 1]!) > cached.validAt) return false;
  cached.validAt = changes.clock;
  return true;
}

/** Bytes of memory that a record takes besides its text. */
const overhead = 400;
const sizeOf = ({ bytes }: SerializedRecord) => bytes.length + overhead;

/** Sites are named by whoever asks: past so many segments all are dropped. */
const mostSegments = 48;

/** A period ends when this part of the cache was used in it. */
const periods = 16;

/** Segments that together hold at most a number of bytes: when they are full, the records go that were not asked for the longest. */
export class LruCache {
  readonly #limit: number;
  readonly #segments = new Map<string, Segment>();
  /** How many bytes were last used in each period, from the earliest of which there are any. */
  readonly #usedIn = new Map<number, number>();
  #period = 0;
  #size = 0;

  /** `limit` in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The segment of a name. */
  segment(name: string): Segment {
    let segment = this.#segments.get(name);
    if (segment === undefined) {
      if (this.#segments.size >= mostSegments) {
        for (const other of this.#segments.values()) other.evict();
        this.#segments.clear();
      }
      segment = new Segment(this);
      this.#segments.set(name, segment);
    }
    return segment;
  }

  /** Counts a record in, and evicts others when there is no room for it. */
  admit(record: Omit<CachedRecord, 'used'>): CachedRecord {
    const cached = { ...record, used: this.#period };
    this.#size += sizeOf(cached);
    this.#count(cached);
    for (const used of this.#usedIn.keys()) {
      if (this.#size <= this.#limit || used === this.#period) break;
      for (const segment of this.#segments.values()) segment.evict(used);
    }
    return cached;
  }

  /** Notes that a record was asked for. */
  use(cached: CachedRecord): void {
    if (cached.used === this.#period) return;
    this.#uncount(cached);
    cached.used = this.#period;
    this.#count(cached);
  }

  /** Counts a record out. */
  release(cached: CachedRecord): void {
    this.#size -= sizeOf(cached);
    this.#uncount(cached);
  }

  #count(cached: CachedRecord): void {
    const bytes = (this.#usedIn.get(this.#period) ?? 0) + sizeOf(cached);
    this.#usedIn.set(this.#period, bytes);
    if (bytes > this.#limit / periods) this.#period += 1;
  }

  #uncount(cached: CachedRecord): void {
    const bytes = this.#usedIn.get(cached.used)! - sizeOf(cached);
    if (bytes > 0) this.#usedIn.set(cached.used, bytes);
    else this.#usedIn.delete(cached.used);
  }
}
