import { rm } from 'node:fs/promises';
import { syncFolder } from './files.ts';
import type { OwnedFile, Snapshot } from './owned-file.ts';
import type { StorageError } from './storage-error.ts';
import type { Wal } from './wal.ts';

/** A log is written into the file at once when it is longer than this many bytes, and than a quarter of the file. */
const minLogBytes = 4 << 20;

/** What checkpoints need of the writer that they work for. */
export interface CheckpointHost {
  /** The state in memory. */
  readonly memory: { readonly version: number; bytes(): Uint8Array };
  /** Whether changes are written by checkpoints alone. */
  readonly unlogged: boolean;
  /** Why changes are refused at present. */
  readonly failure: StorageError | undefined;
  /** Runs a task on the disk after those that were asked for before. */
  serially<T>(task: () => Promise<T>): Promise<T>;
  /** Ends a failure; throws while the disk still refuses. */
  recover(): void;
  /** A version is on the disk. */
  settle(version: number): void;
  /** Takes back what is not on the disk. */
  fail(error: StorageError): void;
  /** The failure that an error of the system stands for. */
  failureOf(error: unknown): StorageError;
  notice(text: string): void;
}

/** Writes the changes of a log into the file, while further changes go on. */
export class Checkpointer {
  readonly #file: OwnedFile;
  readonly #wal: Wal;
  readonly #host: CheckpointHost;
  /** The version of memory that the file holds; -1 for an earlier one. */
  #version: number;
  #count = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The length of the log from which the next attempt is made, after one that failed. */
  #retryFrom = 0;
  #closed = false;

  /** `version` is that of memory when the file holds all of it, else -1. */
  constructor(file: OwnedFile, wal: Wal, host: CheckpointHost, version: number) {
    this.#file = file;
    this.#wal = wal;
    this.#host = host;
    this.#version = version;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** Whether the file lacks changes. */
  get isDue(): boolean {
    return this.#host.memory.version > this.#version || this.#wal.waiting > 0;
  }

  /** Whether the file holds another version than this one. */
  lacks(version: number): boolean {
    return this.#version !== version;
  }

  /** The version of memory that the file holds was read again; -1 for an earlier one. */
  reset(version: number): void {
    this.#version = version;
  }

  /** Plans the next one: at once when the log is past its limit, else when nothing is written for a while that grows with the file. */
  plan(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#host.unlogged) return;
    const { length } = this.#wal;
    const attempt = (): void => {
      this.run().catch((error) => {
        // The log goes on; the next attempt when it has doubled, or after a rest.
        this.#retryFrom = 2 * length;
        this.#host.notice(`Checkpoint failed; the changes stay in the log: ${error.message}`);
      });
    };
    if (length > Math.max(minLogBytes, this.#file.size / 4, this.#retryFrom)) {
      if (this.#running === undefined) attempt();
    } else this.#timer = setTimeout(attempt, (this.#retryFrom > 0 ? 10_000 : 1000) + this.#file.size / 10_000).unref();
  }

  /** Forgets what is planned. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Plans none any more, and resolves when none is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.cancel();
    await this.#running?.catch(() => {});
  }

  /** Writes everything committed so far into the file, while changes go on. Joins one that is under way. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#wal.endCheckpoint();
    });
    return this.#running;
  }

  /** Writes the whole file in one go; everything committed is then on the disk. Only as a task of `serially`. */
  async runNow(): Promise<void> {
    const included = this.#wal.waiting;
    const snapshot = this.#snapshot();
    await this.#wal.mark(snapshot.identity);
    const path = `${this.#file.path}-now`;
    await this.#file.write(path, snapshot);
    this.#place(path, snapshot);
    this.#wal.dropWaiting(included);
    await syncFolder(this.#file.path);
    this.#wal.remove();
  }

  async #run(): Promise<void> {
    const begun = await this.#host.serially(() => this.#begin());
    if (begun === undefined) return;
    const path = `${this.#file.path}-new`;
    try {
      await this.#file.write(path, begun.snapshot);
      await this.#host.serially(() => this.#end(path, begun));
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      throw this.#host.failureOf(error);
    }
    this.plan();
  }

  /** Marks in the log which file holds everything up to here, so that a crash before or after the new file is in place loses and repeats nothing. */
  async #begin(): Promise<{ snapshot: Snapshot; count: number } | undefined> {
    const host = this.#host;
    if (host.failure !== undefined) host.recover();
    if (!this.isDue) return undefined;
    this.#file.assertUnchanged();
    const { isLost } = this.#wal;
    const { version } = host.memory;
    if (host.unlogged || isLost || this.#wal.hasUnlogged) {
      if (isLost) this.#wal.close();
      await this.runNow();
      host.settle(version);
      return undefined;
    }
    const snapshot = this.#snapshot();
    try {
      await this.#wal.beginCheckpoint(snapshot.identity);
    } catch (error) {
      const failure = host.failureOf(error);
      host.fail(failure);
      throw failure;
    }
    host.settle(version);
    return { snapshot, count: this.#count };
  }

  async #end(path: string, { snapshot, count }: { snapshot: Snapshot; count: number }): Promise<void> {
    if (this.#host.failure !== undefined) throw this.#host.failure;
    // Another one, of a change too big for the log, was faster: what it wrote is newer.
    if (this.#count !== count) return rm(path, { force: true });
    this.#file.assertUnchanged();
    this.#place(path, snapshot);
    await syncFolder(this.#file.path);
    await this.#wal.restart();
    if (!this.#wal.exists) return;
    try {
      await syncFolder(this.#file.path);
    } catch (error) {
      this.#host.fail(this.#host.failureOf(error));
      throw error;
    }
  }

  #snapshot(): Snapshot {
    const { memory } = this.#host;
    return this.#file.snapshot(memory.bytes(), memory.version);
  }

  #place(path: string, snapshot: Snapshot): void {
    this.#file.replaceBy(path, snapshot);
    this.#version = snapshot.version;
    this.#count += 1;
    this.#retryFrom = 0;
  }
}
