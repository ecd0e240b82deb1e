import { machine } from '../machine.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { counted } from '../model/grammar.ts';
import type { SnapshotInfo } from '../model/operation-types.ts';
import type { Row } from '../model/record.ts';
import { resources } from '../model/resources/all.ts';
import { resourceNames } from '../model/resources/names.ts';
import { filesFor } from './file/access.ts';
import { keepingPairs } from './identity/kept-pairs.ts';
import { calendarFile } from './records/schema.ts';
import { automatic, inOrder, namePattern } from './snapshot-names.ts';
import { type Database, type Fingerprint, type SnapshotStore, StorageError, versionFault } from './sqlite/sql.ts';
import { Sqlite } from './sqlite/sqlite.ts';

/** The state of a store: the bytes of a SQLite file. They may be shared and must not be modified. */
export type StoreImage = Uint8Array;

/** Copies the bytes of a snapshot, which SQLite checks. Throws `bad-request` for other bytes, and a StorageError for those of a version that this one can't open. */
export async function imageOf(bytes: Uint8Array): Promise<StoreImage> {
  const image = new Uint8Array(bytes);
  const version = await versionIn(image);
  if (!version)
    throw new Failure(
      'bad-request',
      `Invalid image: ${counted(image.length, 'byte')} that are not a whole calendar`,
      'Pass the bytes of a snapshot, as `calendar.snapshots.file` returns them.',
    );
  const fault = versionFault('The image', version, calendarFile);
  if (fault) throw new StorageError(fault.reason, fault.text, fault.hint);
  return image;
}

/** The format of a calendar; undefined for damaged bytes and those of something else. */
async function versionIn(image: StoreImage): Promise<number | undefined> {
  const engine = await machine.loadSqlite();
  let sqlite: Sqlite | undefined;
  try {
    const opened = new Sqlite(engine, new Uint8Array(image), calendarFile.functions ?? {});
    sqlite = opened;
    const setting = (name: string) => Object.values(opened.rows(`pragma ${name}`, [])[0] ?? {})[0];
    const isWhole = setting('application_id') === calendarFile.applicationId && setting('quick_check(1)') === 'ok';
    return isWhole ? Number(setting('user_version')) : undefined;
  } catch {
    return undefined;
  } finally {
    sqlite?.close();
  }
}

/** The parts of a store that snapshots need. */
export interface SnapshotHost {
  readonly db: Database;
  image(): StoreImage;
  restore(image: StoreImage): Promise<void>;
}

/** Limits of the automatic snapshots of a calendar, the oldest of which are deleted, and of named ones, which are never deleted automatically. */
const limits = { automatic: 10, named: 100, automaticBytes: 512 << 20, namedBytes: 1 << 30 };

const reserved = new Set(['start', 'empty']);

/** The snapshots of a calendar. Those of a file are SQLite files in the folder `FILE-snapshots`, others are in memory. */
export class Snapshots {
  readonly #host: SnapshotHost;
  readonly #limits: typeof limits;
  readonly #snapshots: SnapshotStore;
  /** Those in memory by name, each of which is replaced when it changes; empty for a file. */
  readonly saved = new Map<string, MemorySnapshot>();

  constructor(host: SnapshotHost, changed: Partial<typeof limits> = {}) {
    this.#host = host;
    this.#limits = { ...limits, ...changed };
    const { file } = host.db;
    this.#snapshots = file === undefined ? new MemorySnapshots(this.saved) : filesFor(file).snapshots(file);
  }

  /** Size of all snapshots. */
  get bytes(): number {
    return bytesOf(this.list());
  }

  /** All snapshots, the oldest first. */
  list(): SnapshotInfo[] {
    return this.#snapshots.list();
  }

  /** Deletes incomplete files that a killed process left. Only the owner of the file may call it. */
  removeIncomplete(): void {
    this.#snapshots.removeIncomplete();
  }

  /** Saves the state under a name. Throws `conflict` if the name is taken, unless `replace` is set, or if there are too many. */
  async save(name: string, replace = false): Promise<SnapshotInfo> {
    if (!namePattern.test(name) || reserved.has(name) || automatic.test(name))
      throw new Failure(
        'bad-request',
        `Invalid snapshot name ${JSON.stringify(name)}`,
        'Use lowercase letters, digits, dots, dashes and underscores. The names start, empty and before-…-1 are reserved.',
      );
    const others = this.list().filter((each) => !each.automatic && each.name !== name);
    if (!replace && this.#find(name))
      throw new Failure('conflict', `Snapshot ${name} already exists`, 'Pass --replace, or use another name.');
    const image = this.#host.image();
    const bytes = bytesOf(others);
    if (others.length >= this.#limits.named || bytes + image.length > this.#limits.namedBytes)
      throw new Failure('conflict', `Too many snapshots: ${others.length} with ${bytes} bytes`, 'Delete some of them first.');
    await this.#snapshots.put(name, image);
    return this.#find(name)!;
  }

  /** Saves the state automatically before a change of many records. The oldest automatic snapshots are deleted. `action` is one word for the name. */
  async keep(action: string): Promise<SnapshotInfo> {
    return this.#keep(`before-${action}`);
  }

  /** Runs a change of many records after saving the state, and returns the name of the snapshot unless `hasChanged` returns false. */
  async undoable<T>(action: string, work: () => Promise<T>, hasChanged: (result: T) => boolean): Promise<{ result: T; undo?: string }> {
    const { db } = this.#host;
    const { version } = db;
    const { name } = await this.keep(action);
    try {
      const result = await work();
      if (hasChanged(result)) {
        await this.settle(name);
        return { result, undo: name };
      }
      this.#snapshots.drop(name);
      return { result };
    } catch (error) {
      // A change that failed halfway, as a pull can, can be undone.
      if (db.version === version) this.#snapshots.drop(name);
      else await this.settle(name);
      throw error;
    }
  }

  /** Notes the state after the change that an automatic snapshot was saved before, so that an undo can tell later changes. Throws `not-found`. */
  async settle(name: string): Promise<SnapshotInfo> {
    const snapshot = this.#find(name);
    if (!snapshot) throw this.#missing(name);
    await this.#snapshots.putAfter(name, fingerprintOf(this.#host.db));
    return snapshot;
  }

  /** Restores a snapshot. Returns the name of the snapshot with the previous state of a file. */
  async restore(name: string): Promise<string | undefined> {
    const image = await this.image(name);
    const restore = () => this.#replace(image);
    if (this.#host.db.file !== undefined) return (await this.undoable('restore', restore, () => true)).undo;
    await restore();
    return undefined;
  }

  /**
   * Restores the state before the last change of many records and deletes that snapshot, so that the next undo goes further back. Throws `conflict` if
   * something was changed after that change, unless `discard` is set.
   */
  async undo(discard = false): Promise<{ restored: string; undo: string }> {
    const last = this.list().findLast(({ name }) => automatic.exec(name)?.[1] === 'before');
    if (!last) throw new Failure('not-found', 'Nothing to undo', 'List the snapshots with: calendar snapshot list');
    if (!discard) await this.#assertLast(last.name);
    const image = await this.image(last.name);
    const { name } = await this.#keep('undone');
    await this.#replace(image);
    this.#snapshots.drop(last.name);
    return { restored: last.name, undo: name };
  }

  /** Throws `not-found`. */
  async image(name: string): Promise<StoreImage> {
    if (!this.#find(name)) throw this.#missing(name);
    return this.#snapshots.get(name);
  }

  delete(name: string): SnapshotInfo {
    const snapshot = this.#find(name);
    if (!snapshot) throw this.#missing(name);
    this.#snapshots.drop(name);
    return snapshot;
  }

  /** Throws `conflict` if something was changed after the change that a snapshot was saved before, with all of it as data. */
  async #assertLast(name: string): Promise<void> {
    const after = await this.#snapshots.getAfter(name);
    const later = after ? laterChanges(this.#host.db, after) : [];
    if (later.length === 0) return;
    const message = `Restoring ${name} would also discard ${changesText(later)}`;
    throw new Failure('conflict', message, 'Pass {"discard": true} to undo anyway.', { later });
  }

  /** Keeps the pairs of records that a push sent since. */
  #replace(image: StoreImage): Promise<void> {
    return keepingPairs(this.#host.db, () => this.#host.restore(image));
  }

  async #keep(prefix: string): Promise<SnapshotInfo> {
    const snapshots = this.list().filter((each) => each.automatic);
    const next = 1 + Math.max(0, ...snapshots.map(({ name }) => Number(automatic.exec(name)![2])));
    const name = `${prefix}-${next}`;
    await this.#snapshots.put(name, this.#host.image());
    const snapshot = this.#find(name)!;
    let [count, bytes] = [snapshots.length + 1, bytesOf(snapshots) + snapshot.bytes];
    for (const old of snapshots) {
      if (count <= this.#limits.automatic && bytes <= this.#limits.automaticBytes) break;
      this.#snapshots.drop(old.name);
      count -= 1;
      bytes -= old.bytes;
    }
    return snapshot;
  }

  #find(name: string): SnapshotInfo | undefined {
    return this.list().find((each) => each.name === name);
  }

  #missing(name: string): Failure {
    const names = this.list().map((each) => each.name);
    return new Failure(
      'not-found',
      `Snapshot ${JSON.stringify(name)} not found`,
      didYouMean(name, [...reserved, ...names]) ?? (names.length ? `Existing snapshots: ${names.join(', ')}.` : undefined),
    );
  }
}

/** A record, setting or user that was changed after a change of many records. */
interface LaterChange {
  action: 'created' | 'updated' | 'deleted';
  /** The table and the key: `events 86`, `settings title`. */
  what: string;
  /** Name of the record, if it exists. */
  name?: string;
}

const fingerprinted = [...resourceNames, 'settings', 'users'];

const hashOf = (row: Row): string => machine.hash('sha1', JSON.stringify(row), 'base64url').slice(0, 12);

const rowsOf = (db: Database, table: string): [key: string, row: Row][] =>
  db.all<Row>(`select * from ${table}`).map((row) => [String(row.id ?? row.name), row]);

const fingerprintOf = (db: Database): Fingerprint =>
  Object.fromEntries(fingerprinted.map((table) => [table, Object.fromEntries(rowsOf(db, table).map(([key, row]) => [key, hashOf(row)]))]));

function laterChanges(db: Database, after: Fingerprint): LaterChange[] {
  return fingerprinted.flatMap((table) => {
    const before = new Map(Object.entries(after[table] ?? {}));
    const label = resourceNames.find((name) => name === table);
    const changed = rowsOf(db, table).flatMap(([key, row]): LaterChange[] => {
      const hash = before.get(key);
      before.delete(key);
      if (hash === hashOf(row)) return [];
      const name = label && row[resources[label].label];
      return [
        {
          action: hash === undefined && table !== 'settings' ? 'created' : 'updated',
          what: `${table} ${key}`,
          ...(name ? { name: String(name) } : {}),
        },
      ];
    });
    return [...changed, ...[...before.keys()].map((key): LaterChange => ({ action: 'deleted', what: `${table} ${key}` }))];
  });
}

/** Maximum number of later changes that a message names. */
const maxNamed = 5;

/** Formats changes: `2 later changes: created events 105 (Picnic), deleted tags 7`. */
function changesText(changes: readonly LaterChange[]): string {
  const names = changes.slice(0, maxNamed).map(({ action, what, name }) => `${action} ${what}${name ? ` (${name})` : ''}`);
  const more = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : '';
  return `${changes.length} later ${changes.length === 1 ? 'change' : 'changes'}: ${names.join(', ')}${more}`;
}

const bytesOf = (snapshots: readonly SnapshotInfo[]): number => snapshots.reduce((sum, { bytes }) => sum + bytes, 0);

/** A snapshot in memory, as plain data. */
interface MemorySnapshot {
  image: StoreImage;
  info: SnapshotInfo;
  /** The state after the change that it was saved before. */
  after?: Fingerprint;
}

class MemorySnapshots implements SnapshotStore {
  constructor(readonly saved: Map<string, MemorySnapshot>) {}

  list(): SnapshotInfo[] {
    return inOrder([...this.saved.values()].map(({ info }) => info));
  }

  async put(name: string, image: StoreImage): Promise<void> {
    const info = { name, taken: new Date().toISOString(), bytes: image.length, automatic: automatic.test(name) };
    this.saved.set(name, { image, info });
  }

  async get(name: string): Promise<StoreImage> {
    return this.saved.get(name)!.image;
  }

  async putAfter(name: string, after: Fingerprint): Promise<void> {
    this.saved.set(name, { ...this.saved.get(name)!, after });
  }

  async getAfter(name: string): Promise<Fingerprint | undefined> {
    return this.saved.get(name)?.after;
  }

  drop(name: string): void {
    this.saved.delete(name);
  }

  removeIncomplete(): void {}
}
