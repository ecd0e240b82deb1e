import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Durability, type FileKind, StorageError } from '../sqlite/sql.ts';
import { maxLoggedLength } from './change-record.ts';
import { Checkpointer, type CheckpointHost } from './checkpoint.ts';
import { probe, storageError, syncFolder } from './files.ts';
import { OwnedFile } from './owned-file.ts';
import { type RecoveredState, recover } from './recovery.ts';
import { Wal } from './wal.ts';
import type { LogReading } from './wal-format.ts';

/** The in-memory state whose changes are written. */
export interface Memory {
  /** Incremented by every change. */
  readonly version: number;
  /** The database as the bytes of a file. */
  bytes(): Uint8Array;
  /** Loads the state on disk. */
  load(state: RecoveredState): void;
  /** Drops a state that could not be written, until the next load. */
  drop(why: StorageError): void;
}

interface Waiter {
  version: number;
  done(): void;
  fail(error: StorageError): void;
}

/** Number of bytes to write as a test before changes continue after a failure. */
const probeBytes = 64 << 10;

/** A larger file is not rewritten at each close: a command that makes a small change leaves it in the log. */
const minLargeFileBytes = 4 << 20;
/** Maximum size of a log that is left at a close. Replaying it takes a few milliseconds. */
const maxLeftLogBytes = 256 << 10;

/** Writes the changes of the log into the file while further changes are made. */
export class WalWriter implements CheckpointHost {
  readonly memory: Memory;
  readonly notice: (text: string, failing?: boolean) => void;
  readonly #path: string;
  readonly #kind: FileKind;
  readonly #durability: Durability;
  readonly #file: OwnedFile;
  readonly #wal: Wal;
  readonly #checkpoints: Checkpointer;
  /** The failure while changes are rejected, the number of valid bytes in the log, and whether the memory has that state; undefined without a failure. */
  #failed: { error: StorageError; good: number; loaded: boolean } | undefined;
  #waiters: Waiter[] = [];
  /** Versions that could not be written, and whether a caller was informed. */
  #lost: { from: number; to: number; error: StorageError; reported: boolean }[] = [];
  /** The version up to which everything is as durable as configured. */
  #durable: number;
  #scheduled = false;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Continues from `state`, which `memory` has loaded. */
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

  /** Throws if a change could not be written now. Tries to recover from an earlier failure first. */
  assertWritable(): void {
    if (this.#closed) throw new StorageError('closed', `${this.#path} is closed`);
    if (this.#failed !== undefined) this.recover();
    this.#file.assertUnchanged();
    if (this.#wal.isLost) {
      this.checkpoint().catch((error) => this.notice(error.message));
      throw new StorageError('gone', `${this.#wal.path} was removed while it was in use`, 'The whole file is being rewritten; try again.');
    }
  }

  /** Records a change that the memory has committed as its current version; without a line if it is too large for the log. */
  record(line: string | undefined): void {
    if (this.unlogged) return;
    this.#wal.add(line);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After all ready sockets are read, so that their changes share a sync.
    setImmediate(() => void this.serially(() => this.#flush()));
  }

  /** Resolves when `version` is on disk; rejects if writing it failed. */
  synced(version: number): Promise<void> {
    const lost = this.#lost.find(({ from, to }) => version >= from && version <= to);
    if (lost !== undefined) {
      lost.reported = true;
      return Promise.reject(lost.error);
    }
    if (version <= this.#durable || this.unlogged) return Promise.resolve();
    return new Promise((done, fail) => this.#waiters.push({ version, done, fail }));
  }

  /** Writes the changes of the log into the file while further ones go on. */
  checkpoint(): Promise<void> {
    return this.#checkpoints.run();
  }

  /** Writes everything into the file and releases it. If that fails, the log keeps the changes. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoints.close();
    try {
      await this.serially(() => this.#lastCheckpoint());
    } finally {
      this.#wal.close();
    }
    const unreported = this.#lost.find(({ reported }) => !reported);
    if (unreported !== undefined) throw unreported.error;
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

  /** Rolls back everything that is not on disk: in the log, in memory and for waiting callers. */
  fail(error: StorageError): void {
    this.#checkpoints.cancel();
    const good = this.#wal.abandon();
    this.#failed = { error, good, loaded: false };
    const { version } = this.memory;
    const reported = this.#waiters.some((waiter) => waiter.version === version);
    if (version > this.#durable) this.#lost.push({ from: this.#durable + 1, to: version, error, reported });
    this.memory.drop(error);
    this.notice(error.message, true);
    try {
      this.#reload(good);
      this.#failed.loaded = true;
    } catch {
      // The memory stays empty; the next use tries again.
    }
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.fail(error);
  }

  /** Ends a failure if the disk can be written again; throws otherwise. */
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

  /** Copies the dropped end of a log, unless it is empty. Failures are ignored. */
  #keepDropped({ good }: LogReading): void {
    const copy = `${this.#path}-log.dropped`;
    try {
      const bytes = readFileSync(`${this.#path}-log`).subarray(good);
      if (bytes.every((byte) => byte === 0)) return;
      rmSync(copy, { force: true });
      writeFileSync(copy, bytes, { mode: 0o600, flag: 'wx' });
      this.notice(`Saved the dropped part of the log to ${copy}`);
    } catch {
      // The dropped part was never acknowledged.
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
      // A crash can leave a log after a checkpoint.
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

  /** Reads the state from disk again after a failure. */
  #reload(good: number): void {
    const state = recover(this.#path, this.#kind, good);
    this.memory.load(state);
    this.#file.reread(state);
    this.#durable = this.memory.version;
    this.#checkpoints.reset(state.changes.length > 0 ? -1 : this.memory.version);
  }
}
