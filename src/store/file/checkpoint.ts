import { rm } from 'node:fs/promises';
import type { StorageError } from '../sqlite/sql.ts';
import { syncFolder } from './files.ts';
import type { OwnedFile, Snapshot } from './owned-file.ts';
import type { Wal } from './wal.ts';

/** Size of a log above which it is checkpointed at once, in bytes; it must also exceed a quarter of the file. */
const defaultMaxLogBytes = 4 << 20;

/** The parts of the writer that checkpoints need. */
export interface CheckpointHost {
  /** The state in memory. */
  readonly memory: { readonly version: number; bytes(): Uint8Array };
  /** True if changes are written only by checkpoints. */
  readonly unlogged: boolean;
  /** The current failure, while changes are rejected. */
  readonly failure: StorageError | undefined;
  /** Runs a task after all earlier ones. */
  serially<T>(task: () => Promise<T>): Promise<T>;
  /** Ends a failure; throws while the disk still fails. */
  recover(): void;
  /** Called when a version is on disk. */
  settle(version: number): void;
  /** Rolls back everything that is not on disk. */
  fail(error: StorageError): void;
  failureOf(error: unknown): StorageError;
  notice(text: string): void;
}

/** Writes the changes of the log into the file while further changes are made. */
export class Checkpointer {
  readonly #file: OwnedFile;
  readonly #wal: Wal;
  readonly #host: CheckpointHost;
  /** Version of the memory in the file; -1 for an unknown earlier one. */
  #version: number;
  #count = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Length of the log at which the next attempt is made after a failed one. */
  #retryFrom = 0;
  #closed = false;

  /** `version` is that of the memory if the file contains all of it, else -1. A log of more than `maxLogBytes` is checkpointed at once. */
  constructor(
    file: OwnedFile,
    wal: Wal,
    host: CheckpointHost,
    version: number,
    private readonly maxLogBytes = defaultMaxLogBytes,
  ) {
    this.#file = file;
    this.#wal = wal;
    this.#host = host;
    this.#version = version;
  }

  /** Number of checkpoints. */
  get count(): number {
    return this.#count;
  }

  /** True if the file lacks changes. */
  get isDue(): boolean {
    return this.#host.memory.version > this.#version || this.#wal.waiting > 0;
  }

  lacks(version: number): boolean {
    return this.#version !== version;
  }

  /** Sets the version in the file after it was read again; -1 for an unknown earlier one. */
  reset(version: number): void {
    this.#version = version;
  }

  /** Schedules the next checkpoint: immediately if the log is too long, else after an idle time that grows with the file. */
  plan(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#host.unlogged) return;
    const { length } = this.#wal;
    const attempt = (): void => {
      this.run().catch((error) => {
        // Retries when the log has doubled, or after a pause.
        this.#retryFrom = 2 * length;
        this.#host.notice(`Checkpoint failed; the changes stay in the log: ${error.message}`);
      });
    };
    if (length > Math.max(this.maxLogBytes, this.#file.size / 4, this.#retryFrom)) {
      if (this.#running === undefined) attempt();
    } else this.#timer = setTimeout(attempt, (this.#retryFrom > 0 ? 10_000 : 1000) + this.#file.size / 10_000).unref();
  }

  /** Cancels the scheduled checkpoint. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Stops scheduling, and resolves when no checkpoint is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.cancel();
    await this.#running?.catch(() => {});
  }

  /** Writes everything committed so far into the file while further changes are made. Joins a running checkpoint. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#wal.endCheckpoint();
    });
    return this.#running;
  }

  /** Writes the whole file at once, so that everything committed is on disk. Call only within `serially`. */
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
    const checkpoint = await this.#host.serially(() => this.#begin());
    if (checkpoint === undefined) return;
    const path = `${this.#file.path}-new`;
    try {
      await this.#file.write(path, checkpoint.snapshot);
      await this.#host.serially(() => this.#end(path, checkpoint));
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      throw this.#host.failureOf(error);
    }
    this.plan();
  }

  /** Marks in the log which file contains everything so far, so that a crash before or after the replacement neither loses nor repeats changes. */
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
    // A checkpoint of a change too large for the log was faster, and is newer.
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
