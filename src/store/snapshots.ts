import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../model/error.ts';
import type { SnapshotInfo } from '../model/operations/snapshots.ts';
import type { Mark } from './cache/change-tracker.ts';
import type { Database } from './file/sql.ts';
import { calendarFile } from './records/calendar-file.ts';

/** A state of a calendar. */
export interface StoreImage {
  /** The state itself, as the bytes of a SQLite file. Others may hold the same bytes: nobody changes them. */
  readonly bytes: Uint8Array;
  /** When the calendar was last in it; undefined where nobody watched its changes. */
  mark?: Mark;
}

/** What snapshots need of a store. */
export interface SnapshotHost {
  readonly db: Database;
  image(): StoreImage;
  restore(image: StoreImage): Promise<void>;
}

/** How many snapshots are kept, and their bytes together: those that commands take, of which the oldest go, and those with a name, of which none go by themselves. */
const most = { automatic: 10, named: 100, automaticBytes: 512 << 20, namedBytes: 1 << 30 };

const named = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const automatic = /^(before|undone)-(?:.*-)?(\d+)$/;
const reserved = new Set(['start', 'empty']);

/** Where snapshots are kept. */
interface Shelf {
  list(): SnapshotInfo[];
  put(name: string, image: StoreImage): Promise<void>;
  get(name: string): Promise<StoreImage>;
  drop(name: string): void;
}

/** The snapshots of one calendar: of a file in the folder `FILE-snapshots`, each a file that SQLite reads; else in memory. */
export class Snapshots {
  readonly #host: SnapshotHost;
  readonly #shelf: Shelf;

  constructor(host: SnapshotHost) {
    this.#host = host;
    this.#shelf = host.db.file === undefined ? new MemoryShelf() : new FolderShelf(host.db.file);
  }

  /** The snapshots there are, the oldest first. */
  list(): SnapshotInfo[] {
    return this.#shelf.list();
  }

  /** Keeps the state under a name of one's own. Fails with `conflict` where the name is taken, unless it may be replaced, and when there are too many. */
  async save(name: string, replace = false): Promise<SnapshotInfo> {
    if (!named.test(name) || reserved.has(name) || automatic.test(name))
      throw new Failure(
        'bad-request',
        `Invalid snapshot name ${JSON.stringify(name)}`,
        {},
        'Use lowercase letters, digits, dots, dashes and underscores. The names start, empty and before-…-1 are reserved.',
      );
    const others = this.list().filter((each) => !each.automatic && each.name !== name);
    if (!replace && this.#find(name))
      throw new Failure('conflict', `Snapshot ${name} already exists`, {}, 'Pass --replace, or use another name.');
    const image = this.#host.image();
    if (others.length >= most.named || bytesOf(others) + image.bytes.length > most.namedBytes)
      throw new Failure('conflict', `Too many snapshots: ${others.length} with ${bytesOf(others)} bytes`, {}, 'Delete some of them first.');
    await this.#shelf.put(name, image);
    return this.#find(name)!;
  }

  /** Keeps the state before something is done with many records; the oldest of these go. `what` is one word for the name. */
  async keep(what: string): Promise<SnapshotInfo> {
    return this.#keep(`before-${what}`);
  }

  /** Does something with many records, having kept the state before, unless `changed` says of the result that nothing was. Gives the name of the snapshot too. */
  async undoable<T>(what: string, work: () => Promise<T>, changed: (result: T) => boolean): Promise<{ result: T; undo?: string }> {
    const { db } = this.#host;
    const { version } = db;
    const { name } = await this.keep(what);
    try {
      const result = await work();
      if (changed(result)) return { result, undo: name };
      this.#shelf.drop(name);
      return { result };
    } catch (error) {
      // What failed half way, as a pull can, is worth a way back.
      if (db.version === version) this.#shelf.drop(name);
      throw error;
    }
  }

  /** Brings a snapshot back. What a file held before is kept under the name that is returned. */
  async restore(name: string): Promise<string | undefined> {
    const image = await this.image(name);
    const kept = this.#host.db.file === undefined ? undefined : await this.keep('restore');
    await this.#host.restore(image);
    return kept?.name;
  }

  /** Brings back what the last change of many records found, and takes that snapshot away, so that the next undo goes further back. */
  async undo(): Promise<{ restored: string; undo: string }> {
    const last = this.list().findLast(({ name }) => automatic.exec(name)?.[1] === 'before');
    if (!last) throw new Failure('not-found', 'Nothing to undo', {}, 'List the snapshots with: calendar snapshot list');
    const image = await this.image(last.name);
    const { name } = await this.#keep('undone');
    await this.#host.restore(image);
    this.#shelf.drop(last.name);
    return { restored: last.name, undo: name };
  }

  /** A snapshot as it can be restored. Fails with `not-found`. */
  async image(name: string): Promise<StoreImage> {
    if (!this.#find(name)) throw this.#missing(name);
    return this.#shelf.get(name);
  }

  /** Takes a snapshot away. */
  delete(name: string): SnapshotInfo {
    const found = this.#find(name);
    if (!found) throw this.#missing(name);
    this.#shelf.drop(name);
    return found;
  }

  async #keep(what: string): Promise<SnapshotInfo> {
    const kept = this.list().filter((each) => each.automatic);
    const next = 1 + Math.max(0, ...kept.map(({ name }) => Number(automatic.exec(name)![2])));
    const name = `${what}-${next}`;
    await this.#shelf.put(name, this.#host.image());
    const found = this.#find(name)!;
    let [count, bytes] = [kept.length + 1, bytesOf(kept) + found.bytes];
    for (const old of kept) {
      if (count <= most.automatic && bytes <= most.automaticBytes) break;
      this.#shelf.drop(old.name);
      count -= 1;
      bytes -= old.bytes;
    }
    return found;
  }

  #find(name: string): SnapshotInfo | undefined {
    return this.list().find((each) => each.name === name);
  }

  #missing(name: string): Failure {
    const names = this.list().map((each) => each.name);
    return new Failure(
      'not-found',
      `Snapshot ${JSON.stringify(name)} not found`,
      {},
      names.length ? `Existing snapshots: ${names.join(', ')}.` : undefined,
    );
  }
}

const bytesOf = (snapshots: readonly SnapshotInfo[]): number => snapshots.reduce((sum, { bytes }) => sum + bytes, 0);

/** Oldest first; of the same moment in the order of their numbers. */
const inOrder = (snapshots: SnapshotInfo[]): SnapshotInfo[] =>
  snapshots.sort(
    (a, b) => a.taken.localeCompare(b.taken) || Number(automatic.exec(a.name)?.[2] ?? 0) - Number(automatic.exec(b.name)?.[2] ?? 0),
  );

class MemoryShelf implements Shelf {
  readonly #kept = new Map<string, StoreImage & { info: SnapshotInfo }>();

  list(): SnapshotInfo[] {
    return inOrder([...this.#kept.values()].map(({ info }) => info));
  }

  async put(name: string, image: StoreImage): Promise<void> {
    const info = { name, taken: new Date().toISOString(), bytes: image.bytes.length, automatic: automatic.test(name) };
    this.#kept.set(name, { ...image, info });
  }

  async get(name: string): Promise<StoreImage> {
    return this.#kept.get(name)!;
  }

  drop(name: string): void {
    this.#kept.delete(name);
  }
}

/** A folder beside a file, for its user alone; each snapshot is a file with checksums, put in place as one step. */
class FolderShelf implements Shelf {
  readonly #folder: string;
  /** Marks of those that this process took. */
  readonly #marks = new Map<string, Mark | undefined>();

  constructor(file: string) {
    this.#folder = `${file}-snapshots`;
  }

  list(): SnapshotInfo[] {
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.db') && named.test(file.slice(0, -3)));
    return inOrder(
      files.flatMap((file) => {
        const stat = statSync(join(this.#folder, file), { throwIfNoEntry: false });
        const name = file.slice(0, -3);
        return stat?.isFile() ? [{ name, taken: stat.mtime.toISOString(), bytes: stat.size, automatic: automatic.test(name) }] : [];
      }),
    );
  }

  async put(name: string, { bytes, mark }: StoreImage): Promise<void> {
    const [{ replaceFile, storageError }, { withChecksums }] = await Promise.all([
      import('./file/files.ts'),
      import('./file/checksums.ts'),
    ]);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      await replaceFile(this.#path(name), [bytes, withChecksums(bytes, 0).trailer]);
    } catch (error) {
      throw storageError(error, this.#path(name));
    }
    this.#marks.set(name, mark);
  }

  /** Reads a snapshot, compares it with its checksums, and brings one of an earlier version up to date. */
  async get(name: string): Promise<StoreImage> {
    const { openDatabase } = await import('./file/database.ts');
    const db = await openDatabase(this.#path(name), { mode: 'read', kind: calendarFile });
    try {
      return { bytes: db.bytes(), mark: this.#marks.get(name) };
    } finally {
      await db.close();
    }
  }

  drop(name: string): void {
    rmSync(this.#path(name), { force: true });
    this.#marks.delete(name);
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.db`);
  }
}
