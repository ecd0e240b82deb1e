import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { maxLoggedLength } from './change-record.ts';
import { Checkpointer, type CheckpointHost } from './checkpoint.ts';
import type { FileKind } from './file-kind.ts';
import { probe, storageError, syncFolder } from './files.ts';
import { OwnedFile } from './owned-file.ts';
import { type RecoveredState, recover } from './recovery.ts';
import type { Durability } from './sql.ts';
import { StorageError } from './storage-error.ts';
import { Wal } from './wal.ts';
import type { LogReading } from './wal-format.ts';

/** The state in memory whose changes are written. */
export interface Memory {
  /** Grows with every change. */
  readonly version: number;
  /** The database as the bytes of a file. */
  bytes(): Uint8Array;
  /** Takes on the state of the disk. */
  load(state: RecoveredState): void;
  /** Forgets a state that the disk did not take, until the next load. */
  drop(why: StorageError): void;
}

interface Waiter {
  version: number;
  done(): void;
  fail(error: StorageError): void;
}

/** Bytes that the disk must take before changes go on after a failure. */
const probeBytes = 64 << 10;

/** A larger file is not rewritten at each close: a command that makes a small change leaves it in the log. */
const minLargeFileBytes = 4 << 20;
/** Maximum size of a log that is left at a close. Replaying it takes a few milliseconds. */
const maxLeftLogBytes = 256 << 10;

/**
 * Brings the changes of one database to the disk: appends them to the log, many with one sync. Tasks on the disk run one after the other;
 * only the new file of a checkpoint is written beside them.
 */
export class WalWriter implements CheckpointHost {
  readonly memory: Memory;
  readonly notice: (text: string, failing?: boolean) => void;
  readonly #path: string;
  readonly #kind: FileKind;
  readonly #durability: Durability;
  readonly #file: OwnedFile;
  readonly #wal: Wal;
  readonly #checkpoints: Checkpointer;
  /** Why changes are refused, how many bytes of the log are good, and whether memory has that state; undefined while all is well. */
  #failed: { error: StorageError; good: number; loaded: boolean } | undefined;
  #waiters: Waiter[] = [];
  /** Versions that the disk refused, and whether somebody who waited for them has heard of it. */
  #lost: { from: number; to: number; error: StorageError; heard: boolean }[] = [];
  /** The version up to which everything is as durable as was asked for. */
  #durable: number;
  #scheduled = false;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Goes on from `state`, which `memory` has loaded. */
  constructor(
    path: string,
    kind: FileKind,
    durability: Durability,
    memory: Memory,
    state: RecoveredState,
    notice: (text: string, failing?: boolean) => void,
  ) {
    this.#path = path;
    this.#kind = kind;
    this.#durability = durability;
    this.memory = memory;
    this.notice = notice;
    this.#durable = memory.version;
    this.#file = new OwnedFile(path, kind, state);
    for (const rest of ['-new', '-now']) rmSync(path + rest, { force: true });
    if (state.log?.broken !== undefined) this.#keepDropped(state.log);
    this.#wal = new Wal(this.#file, state.log);
    const complete = state.changes.length === 0 && (state.file === undefined || state.file.trailer === 'intact');
    this.#checkpoints = new Checkpointer(this.#file, this.#wal, this, complete ? memory.version : -1);
    if (!complete) this.#checkpoints.plan();
  }

  get unlogged(): boolean {
    return this.#durability === 'none';
  }

  get failure(): StorageError | undefined {
    return this.#failed?.error;
  }

  /** Throws when a change could not reach the disk now, before memory has changed. Tries first to recover from an earlier failure. */
  assertWritable(): void {
    if (this.#closed) throw new StorageError('closed', `${this.#path} is closed`);
    if (this.#failed !== undefined) this.recover();
    this.#file.assertUnchanged();
    if (this.#wal.isLost) {
      this.checkpoint().catch((error) => this.notice(error.message));
      throw new StorageError('gone', `${this.#wal.path} was removed while it was in use`, 'The whole file is being rewritten; try again.');
    }
  }

  /** Takes over a change that memory has made as its present version; without its line when it is too big for the log. */
  record(line: string | undefined): void {
    if (this.unlogged) return;
    this.#wal.add(line);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the sockets that are ready now have been read, so that their changes share the sync.
    setImmediate(() => void this.serially(() => this.#flush()));
  }

  /** Resolves once `version` of the memory is on the disk; rejects when the disk refused it. */
  synced(version: number): Promise<void> {
    const lost = this.#lost.find(({ from, to }) => version >= from && version <= to);
    if (lost !== undefined) {
      lost.heard = true;
      return Promise.reject(lost.error);
    }
    if (version <= this.#durable || this.unlogged) return Promise.resolve();
    return new Promise((done, fail) => this.#waiters.push({ version, done, fail }));
  }

  /** Writes the changes of the log into the file while further ones go on. */
  checkpoint(): Promise<void> {
    return this.#checkpoints.run();
  }

  /** Writes what is left into the file and lets go of it. When the disk takes no new file, the log stays and holds the changes. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoints.close();
    try {
      await this.serially(() => this.#lastCheckpoint());
    } finally {
      this.#wal.close();
    }
    const unheard = this.#lost.find(({ heard }) => !heard);
    if (unheard !== undefined) throw unheard.error;
  }

  info(): { logBytes: number; checkpoints: number; failure: string | undefined; fileBytes: number } {
    return {
      fileBytes: this.#file.size,
      logBytes: this.#failed?.good ?? this.#wal.length,
      checkpoints: this.#checkpoints.count,
      failure: this.#failed?.error.message,
    };
  }

  serially<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => {});
    return result;
  }

  settle(version: number): void {
    this.#durable = Math.max(this.#durable, version);
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.version > this.#durable);
    for (const waiter of waiters) if (waiter.version <= this.#durable) waiter.done();
  }

  /** Takes back everything that is not on the disk: in the log, in memory, and towards those who wait. */
  fail(error: StorageError): void {
    this.#checkpoints.cancel();
    const good = this.#wal.abandon();
    this.#failed = { error, good, loaded: false };
    const { version } = this.memory;
    const heard = this.#waiters.some((waiter) => waiter.version === version);
    if (version > this.#durable) this.#lost.push({ from: this.#durable + 1, to: version, error, heard });
    this.memory.drop(error);
    this.notice(error.message, true);
    try {
      this.#reload(good);
      this.#failed.loaded = true;
    } catch {
      // Memory stays empty and says why; the next use tries again.
    }
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.fail(error);
  }

  /** Ends a failure when the disk takes bytes again; throws when it does not. */
  recover(): void {
    const { good, loaded } = this.#failed!;
    try {
      probe(this.#wal.path, good, probeBytes);
      if (!loaded) this.#reload(good);
      this.#wal.reopen(good);
    } catch (error) {
      throw this.failureOf(error);
    }
    this.#failed = undefined;
    this.notice(`${this.#path}: writing to the disk works again`);
  }

  failureOf(error: unknown): StorageError {
    const failure = storageError(error, this.#path);
    return failure.reason === 'missing' ? new StorageError('gone', failure.message, this.#kind.hints.removed, error) : failure;
  }

  /** Copies the end of a log that is dropped, unless there is nothing in it. A disk that does not take the copy is no failure. */
  #keepDropped({ good }: LogReading): void {
    const copy = `${this.#path}-log.dropped`;
    try {
      const bytes = readFileSync(`${this.#path}-log`).subarray(good);
      if (bytes.every((byte) => byte === 0)) return;
      rmSync(copy, { force: true });
      writeFileSync(copy, bytes, { mode: 0o600, flag: 'wx' });
      this.notice(`Saved the dropped part of the log to ${copy}`);
    } catch {
      // The opening goes on: what is dropped was never acknowledged.
    }
  }

  async #flush(closing = false): Promise<void> {
    this.#scheduled = false;
    if (this.#wal.waiting === 0 || this.#failed !== undefined) return;
    const { version } = this.memory;
    try {
      if (this.#wal.hasUnlogged || (this.#wal.waitingSize > maxLoggedLength && !closing)) await this.#checkpoints.runNow();
      else await this.#wal.flush(this.#durability === 'full');
      this.settle(version);
      this.#checkpoints.plan();
    } catch (error) {
      this.fail(this.failureOf(error));
    }
  }

  /** True if replaying the log at the next opening costs less than writing the file now. */
  get #isLogEnough(): boolean {
    if (this.unlogged || this.#wal.hasUnlogged || this.#wal.isLost || this.#wal.isUnsound) return false;
    return this.#file.size > minLargeFileBytes && this.#wal.length + this.#wal.waitingSize < maxLeftLogBytes;
  }

  async #lastCheckpoint(): Promise<void> {
    if (this.#failed !== undefined) return;
    if (!this.#checkpoints.isDue) {
      // A log that a crash left after a checkpoint.
      if (this.#wal.exists) await syncFolder(this.#path);
      return this.#wal.remove();
    }
    if (this.#isLogEnough) return this.#flush(true);
    const { version } = this.memory;
    try {
      this.#file.assertUnchanged();
      await this.#checkpoints.runNow();
      this.settle(version);
    } catch (error) {
      const failure = this.failureOf(error);
      if (this.unlogged || !this.#checkpoints.lacks(version)) throw failure;
      if (this.#wal.isUnsound) this.fail(failure);
      else await this.#flush(true);
      this.notice(`The changes stay in ${this.#wal.path} until the file is opened again: ${failure.message}`);
    }
  }

  /** Reads the state back from the disk, after a failure. */
  #reload(good: number): void {
    const state = recover(this.#path, this.#kind, good);
    this.memory.load(state);
    this.#file.reread(state);
    this.#durable = this.memory.version;
    this.#checkpoints.reset(state.changes.length > 0 ? -1 : this.memory.version);
  }
}
