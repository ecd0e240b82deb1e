import { chownSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Durability } from './database.ts';
import { probe, storageError, syncFolder, writeNew } from './disk.ts';
import { type Identity, seal } from './image.ts';
import { Journal } from './journal.ts';
import { type Frame, readLog } from './log.ts';
import { readState, type Stamp, type State, sameStamp, stampOf } from './state.ts';
import { StorageError } from './storage-error.ts';

/** The state in memory that a keeper keeps on the disk. */
export interface Memory {
  /** Grows with every change. */
  readonly version: number;
  image(): Uint8Array;
  /** Takes on the state of the disk. */
  load(state: State): void;
  /** Forgets a state that the disk did not take, until the next load. */
  drop(why: StorageError): void;
}

interface Waiter {
  version: number;
  done(): void;
  fail(error: StorageError): void;
}

/** A change whose record is larger than this is not logged: the whole file is written instead. */
export const bigChange = 16 << 20;
/** Stands among pending changes for one that was too big to keep as lines: only a fold brings it to the disk. */
const unlogged = '';
const smallestBound = 4 << 20;
const probeSize = 64 << 10;

/**
 * Brings the changes of one database to the disk: appends them to the log, many with one sync, and folds the log into the file. Tasks on the
 * disk run one after the other; only the writing of a new file runs beside them.
 */
export class Keeper {
  readonly #path: string;
  readonly #durability: Durability;
  readonly #memory: Memory;
  readonly #notice: (text: string, failing?: boolean) => void;
  #identity: Identity;
  #stamp: Stamp | undefined;
  #mode: number;
  #user: { uid: number; gid: number } | undefined;
  #counter = 0;
  #journal: Journal | undefined;
  /** How much of the log is good after a failure; undefined while all is well. */
  #failed: { error: StorageError; good: number; loaded: boolean } | undefined;
  #pending: string[] = [];
  #pendingSize = 0;
  #waiters: Waiter[] = [];
  /** Versions that the disk refused, and whether somebody who waited for them was told. */
  #lost: { from: number; to: number; error: StorageError; told: boolean }[] = [];
  #safe: number;
  #folded: number;
  #tail: Frame[] | undefined;
  #folds = 0;
  #folding: Promise<void> | undefined;
  #foldFrom = 0;
  #scheduled = false;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  /** Goes on from `state`, which `memory` has loaded. */
  constructor(path: string, durability: Durability, memory: Memory, state: State, notice: (text: string, failing?: boolean) => void) {
    this.#path = path;
    this.#durability = durability;
    this.#memory = memory;
    this.#notice = notice;
    this.#safe = memory.version;
    this.#identity = state.identity;
    this.#stamp = state.file?.stamp;
    this.#mode = state.file?.mode ?? 0o644;
    this.#user = state.file && { uid: state.file.uid, gid: state.file.gid };
    for (const rest of ['-new', '-now', '-log-new']) rmSync(path + rest, { force: true });
    this.#continueLog(state);
    this.#folded = state.changes.length > 0 || (state.file !== undefined && state.file.seal !== 'sealed') ? -1 : memory.version;
    if (this.#folded < 0) this.#rest();
  }

  /** Throws when a change could not be kept now, before memory has changed. Tries first to recover from an earlier failure. */
  ready(): void {
    if (this.#closed) throw new StorageError('closed', `${this.#path} is closed`);
    if (this.#failed !== undefined) this.#recover();
    this.#stillOurs();
    if (this.#journal !== undefined && !this.#journal.present) {
      this.checkpoint().catch((error) => this.#notice(error.message));
      throw new StorageError('gone', `${this.#path}-log was removed while it was in use`, 'The whole file is being written; try again.');
    }
  }

  /** Takes over a change that memory has made as its present version; without its line when it is too big for the log. */
  record(line: string | undefined): void {
    if (this.#durability === 'none') return;
    this.#pending.push(line ?? unlogged);
    this.#pendingSize += line?.length ?? 0;
    this.#schedule();
  }

  get #mustFold(): boolean {
    return this.#pending.includes(unlogged);
  }

  /** Resolves once `version` of the memory is on the disk; rejects when the disk refused it. */
  synced(version: number): Promise<void> {
    const lost = this.#lost.find(({ from, to }) => version >= from && version <= to);
    if (lost !== undefined) {
      lost.told = true;
      return Promise.reject(lost.error);
    }
    if (version <= this.#safe || this.#durability === 'none') return Promise.resolve();
    return new Promise((done, fail) => this.#waiters.push({ version, done, fail }));
  }

  /** Folds the log into the file while changes go on. */
  checkpoint(): Promise<void> {
    this.#folding ??= this.#fold().finally(() => {
      this.#folding = undefined;
      this.#tail = undefined;
    });
    return this.#folding;
  }

  /** Folds what is left and lets go of the file. When the disk takes no new file, the log stays and holds the changes. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#folding?.catch(() => {});
    try {
      await this.#serially(() => this.#lastFold());
    } finally {
      this.#dropJournal();
    }
    const untold = this.#lost.find(({ told }) => !told);
    if (untold !== undefined) throw untold.error;
  }

  async #lastFold(): Promise<void> {
    if (this.#failed !== undefined) return;
    if (!this.#dirty) {
      // A log that a crash left after it was folded.
      if (this.#journal !== undefined) await syncFolder(this.#path);
      return this.#removeLog();
    }
    const { version } = this.#memory;
    try {
      this.#stillOurs();
      await this.#foldNow();
      this.#settle(version);
    } catch (error) {
      const failure = failureIn(error, this.#path);
      if (this.#durability === 'none' || this.#folded === version) throw failure;
      if (this.#journal?.sound === false) this.#fail(failure);
      else await this.#flush(true);
      this.#notice(`The changes stay in ${this.#path}-log until the next opening: ${failure.message}`);
    }
  }

  info(): { logBytes: number; folds: number; failure: string | undefined; fileBytes: number } {
    return {
      fileBytes: this.#stamp?.size ?? 0,
      logBytes: this.#journal?.length ?? this.#failed?.good ?? 0,
      folds: this.#folds,
      failure: this.#failed?.error.message,
    };
  }

  get #dirty(): boolean {
    return this.#memory.version > this.#folded || this.#pending.length > 0;
  }

  #serially<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => {});
    return result;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the sockets that are ready now have been read, so that their changes share the sync.
    setImmediate(() => void this.#serially(() => this.#flush()));
  }

  async #flush(closing = false): Promise<void> {
    this.#scheduled = false;
    if (this.#pending.length === 0 || this.#failed !== undefined) return;
    const { version } = this.#memory;
    try {
      if (this.#mustFold || (this.#pendingSize > bigChange && !closing)) await this.#foldNow();
      else await this.#append([this.#take()]);
      this.#settle(version);
      this.#rest();
    } catch (error) {
      this.#fail(failureIn(error, this.#path));
    }
  }

  async #append(frames: Frame[], sync = this.#durability === 'full'): Promise<void> {
    this.#journal ??= Journal.create(`${this.#path}-log`, this.#identity, this.#mode & 0o666);
    await this.#journal.append(frames, sync);
    this.#tail?.push(...frames);
  }

  #take(): Frame {
    const payload = Buffer.from(this.#pending.join('\n'));
    this.#pending = [];
    this.#pendingSize = 0;
    return { kind: 'changes', payload };
  }

  #settle(version: number): void {
    this.#safe = Math.max(this.#safe, version);
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.version > this.#safe);
    for (const waiter of waiters) if (waiter.version <= this.#safe) waiter.done();
  }

  #reject(error: StorageError): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.fail(error);
  }

  /** Plans the next fold: at once when the log is past its bound, else when nothing is written for a while that grows with the file. */
  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#closed || this.#durability === 'none') return;
    const size = this.#stamp?.size ?? 0;
    const log = this.#journal?.length ?? 0;
    const fold = (): void => {
      this.checkpoint().catch((error) => {
        // The log goes on; the next attempt when it has doubled, or after a rest.
        this.#foldFrom = 2 * log;
        this.#notice(`The log could not be folded into the file: ${error.message}`);
      });
    };
    if (log > Math.max(smallestBound, size / 4, this.#foldFrom)) {
      if (this.#folding === undefined) fold();
    } else this.#idle = setTimeout(fold, (this.#foldFrom > 0 ? 10_000 : 1000) + size / 10_000).unref();
  }

  async #fold(): Promise<void> {
    const begun = await this.#serially(() => this.#beginFold());
    if (begun === undefined) return;
    const fresh = `${this.#path}-new`;
    try {
      await writeNew(fresh, begun.parts, this.#mode);
      await this.#serially(() => this.#endFold(fresh, begun));
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => {});
      throw failureIn(error, this.#path);
    }
    this.#rest();
  }

  /** Marks in the log which file holds everything up to here, so that a crash before or after the new file is in place loses and repeats nothing. */
  async #beginFold() {
    if (this.#failed !== undefined) this.#recover();
    if (!this.#dirty) return undefined;
    this.#stillOurs();
    const lost = this.#journal !== undefined && !this.#journal.present;
    if (this.#durability === 'none' || lost || this.#mustFold) {
      if (lost) this.#dropJournal();
      const { version } = this.#memory;
      await this.#foldNow();
      this.#settle(version);
      return undefined;
    }
    const { version } = this.#memory;
    const changes = this.#pending.length > 0 ? [this.#take()] : [];
    const { parts, identity, counter } = this.#snapshot();
    this.#tail = undefined;
    try {
      await this.#append([...changes, folded(identity)], true);
    } catch (error) {
      const failure = failureIn(error, this.#path);
      this.#fail(failure);
      throw failure;
    }
    this.#settle(version);
    this.#tail = [];
    return { parts, identity, counter, version, fold: this.#folds };
  }

  async #endFold(fresh: string, begun: { identity: Identity; counter: number; version: number; fold: number }): Promise<void> {
    if (this.#failed !== undefined) throw this.#failed.error;
    // Another fold, of a change too big for the log, was faster: what it wrote is newer.
    if (this.#folds !== begun.fold) return rm(fresh, { force: true });
    this.#stillOurs();
    this.#place(fresh, begun.identity, begun.counter, begun.version);
    await syncFolder(this.#path);
    const tail = this.#tail ?? [];
    if (tail.length === 0) return this.#removeLog();
    const log = `${this.#path}-log`;
    rmSync(`${log}-new`, { force: true });
    const journal = Journal.create(`${log}-new`, begun.identity, this.#mode & 0o666);
    try {
      await journal.append(tail, true);
      journal.rename(log);
    } catch (error) {
      rmSync(`${log}-new`, { force: true });
      journal.close();
      throw error;
    }
    this.#journal?.close();
    this.#journal = journal;
    try {
      await syncFolder(this.#path);
    } catch (error) {
      this.#fail(failureIn(error, this.#path));
      throw error;
    }
  }

  /** Writes the whole file in one go; everything committed is then on the disk. */
  async #foldNow(): Promise<void> {
    const { version } = this.#memory;
    const included = this.#pending.length;
    const { parts, identity, counter } = this.#snapshot();
    if (this.#journal !== undefined) await this.#append([folded(identity)], true);
    const fresh = `${this.#path}-now`;
    await writeNew(fresh, parts, this.#mode);
    this.#place(fresh, identity, counter, version);
    for (const line of this.#pending.splice(0, included)) this.#pendingSize -= line.length;
    await syncFolder(this.#path);
    this.#removeLog();
  }

  #snapshot(): { parts: Uint8Array[]; identity: Identity; counter: number } {
    const image = this.#memory.image();
    const { bytes, identity, counter } = seal(image, this.#counter);
    return { parts: [image, bytes], identity, counter };
  }

  #place(fresh: string, identity: Identity, counter: number, version: number): void {
    this.#keepUser(fresh);
    renameSync(fresh, this.#path);
    this.#stamp = stampOf(this.#path);
    this.#identity = identity;
    this.#counter = counter;
    this.#folded = version;
    this.#folds += 1;
    this.#foldFrom = 0;
  }

  /** An administrator who writes to the file of a user does not take it away. */
  #keepUser(fresh: string): void {
    try {
      if (this.#user !== undefined) chownSync(fresh, this.#user.uid, this.#user.gid);
    } catch {
      // Only an administrator may give files away.
    }
  }

  /** The log is of no use once the file holds everything; should its removal not last, its mark says so. */
  #removeLog(): void {
    this.#dropJournal();
    rmSync(`${this.#path}-log`, { force: true });
  }

  #dropJournal(): void {
    this.#journal?.close();
    this.#journal = undefined;
  }

  /** Refuses to go on over a file that is not the one we know. */
  #stillOurs(): void {
    const stamp = stampOf(this.#path);
    if (sameStamp(stamp, this.#stamp)) return;
    if (stamp === undefined)
      throw new StorageError(
        'gone',
        `${this.#path} was removed while it was in use`,
        'Put it back, or stop the server and restore a backup.',
      );
    if (this.#sameContent()) {
      this.#stamp = stamp;
      return;
    }
    throw new StorageError(
      this.#stamp?.ino === stamp.ino ? 'conflict' : 'gone',
      `${this.#path} was ${this.#stamp?.ino === stamp.ino ? 'changed by another program' : 'replaced'} while it was in use`,
      'What is acknowledged is in memory and in its log. Put the file back, or copy this state away with: calendar db backup FILE.',
    );
  }

  #sameContent(): boolean {
    try {
      return readState(this.#path, 0).identity === this.#identity;
    } catch {
      return false;
    }
  }

  /** Takes back everything that is not on the disk: in the log, in memory, and towards those who wait. */
  #fail(error: StorageError): void {
    clearTimeout(this.#idle);
    const good = this.#journal?.length ?? 0;
    this.#journal?.abandon();
    this.#journal = undefined;
    this.#failed = { error, good, loaded: false };
    const { version } = this.#memory;
    const told = this.#waiters.some((waiter) => waiter.version === version);
    if (version > this.#safe) this.#lost.push({ from: this.#safe + 1, to: version, error, told });
    this.#pending = [];
    this.#pendingSize = 0;
    this.#memory.drop(error);
    this.#notice(error.message, true);
    try {
      this.#reload(good);
      this.#failed.loaded = true;
    } catch {
      // Memory stays empty and says why; the next use tries again.
    }
    this.#reject(error);
  }

  /** Reads the state back from the disk, after a failure. */
  #reload(good: number): void {
    const state = readState(this.#path, good);
    this.#memory.load(state);
    this.#identity = state.identity;
    this.#stamp = state.file?.stamp;
    this.#safe = this.#memory.version;
    this.#folded = state.changes.length > 0 ? -1 : this.#memory.version;
  }

  /** Comes back after a failure when the disk takes bytes again; throws when it does not. */
  #recover(): void {
    const { good, loaded } = this.#failed!;
    try {
      probe(`${this.#path}-log`, good, probeSize);
      if (!loaded) this.#reload(good);
      this.#continueLog({ log: readLog(`${this.#path}-log`, good) });
    } catch (error) {
      throw failureIn(error, this.#path);
    }
    this.#failed = undefined;
    this.#notice(`${this.#path}: the disk takes changes again`);
  }

  #continueLog({ log }: Pick<State, 'log'>): void {
    if (log === undefined) return;
    if (log.base === undefined) rmSync(`${this.#path}-log`, { force: true });
    else this.#journal = Journal.resume(`${this.#path}-log`, log);
  }
}

/** The failure that an error of the system stands for, in a file that was there. */
function failureIn(error: unknown, path: string): StorageError {
  const failure = storageError(error, path);
  if (failure.reason !== 'missing') return failure;
  return new StorageError('gone', failure.message, 'Put the file or its folder back, or stop the server and restore a backup.', error);
}

function folded(identity: Identity): Frame {
  return { kind: 'folded', payload: Buffer.from(identity, 'hex') };
}
