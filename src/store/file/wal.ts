import { rmSync } from 'node:fs';
import type { Identity } from './checksums.ts';
import type { OwnedFile } from './owned-file.ts';
import { WalFile } from './wal-file.ts';
import { checkpointFrame, type Frame, type LogReading, readLog } from './wal-format.ts';

/** Placeholder of a waiting change that is too large to be logged and requires a checkpoint. */
const unlogged = '';

/** The write-ahead log of a database: waiting changes, and those on disk that the file lacks. */
export class Wal {
  readonly path: string;
  readonly #database: OwnedFile;
  /** Undefined if there is no log on disk. */
  #file: WalFile | undefined;
  #waiting: string[] = [];
  #waitingSize = 0;
  /** Frames appended since a checkpoint began, for the log after it. */
  #tail: Frame[] | undefined;

  constructor(database: OwnedFile, log: LogReading | undefined) {
    this.path = `${database.path}-log`;
    this.#database = database;
    rmSync(`${this.path}-new`, { force: true });
    this.#resume(log);
  }

  /** Adds a change; without a line if it is too large to be logged. */
  add(line: string | undefined): void {
    this.#waiting.push(line ?? unlogged);
    this.#waitingSize += line?.length ?? 0;
  }

  /** Number of waiting changes. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** True if a waiting change is too large to be logged. */
  get hasUnlogged(): boolean {
    return this.#waiting.includes(unlogged);
  }

  /** Length of the waiting changes, in UTF-16 code units. */
  get waitingSize(): number {
    return this.#waitingSize;
  }

  /** Number of bytes on disk or in the operating system. */
  get length(): number {
    return this.#file?.length ?? 0;
  }

  get exists(): boolean {
    return this.#file !== undefined;
  }

  /** True if the log was removed or replaced by others. */
  get isLost(): boolean {
    return this.#file !== undefined && !this.#file.present;
  }

  /** True if the end of the log on disk is unknown after a failed append. */
  get isUnsound(): boolean {
    return this.#file?.sound === false;
  }

  /** Appends the waiting changes. After a failure, `abandon` must be called before the next append. */
  async flush(sync: boolean): Promise<void> {
    await this.#append(this.#take(), sync);
  }

  /** Appends the waiting changes and the mark that a file with this identity contains everything so far. From here on, frames are kept for `restart`. */
  async beginCheckpoint(identity: Identity): Promise<void> {
    this.#tail = undefined;
    await this.#append([...this.#take(), checkpointFrame(identity)], true);
    this.#tail = [];
  }

  /** Marks in a log on disk that a file with this identity contains everything, including waiting changes. */
  async mark(identity: Identity): Promise<void> {
    if (this.#file !== undefined) await this.#append([checkpointFrame(identity)], true);
  }

  /** Replaces this log with one that continues the new file, with the frames since `beginCheckpoint`; without such frames removes it. */
  async restart(): Promise<void> {
    const tail = this.#tail ?? [];
    if (tail.length === 0) return this.remove();
    const path = `${this.path}-new`;
    rmSync(path, { force: true });
    const file = WalFile.create(path, this.#database.identity, this.#database.sideMode);
    try {
      await file.append(tail, true);
      file.rename(this.path);
    } catch (error) {
      rmSync(path, { force: true });
      file.close();
      throw error;
    }
    this.#file?.close();
    this.#file = file;
  }

  /** Stops keeping frames for `restart`. */
  endCheckpoint(): void {
    this.#tail = undefined;
  }

  /** Drops the first `count` waiting changes, which are in the file, or all. */
  dropWaiting(count = this.#waiting.length): void {
    for (const line of this.#waiting.splice(0, count)) this.#waitingSize -= line.length;
  }

  /** Removes a log whose changes are all in the file. If the removal is not durable, its mark shows that. */
  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  /** Closes the log on disk. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Drops the waiting changes and what a failed append left. Returns the number of valid bytes. */
  abandon(): number {
    const good = this.length;
    this.#file?.abandon();
    this.#file = undefined;
    this.dropWaiting();
    return good;
  }

  /** Continues the log on disk, of which `good` bytes are valid. */
  reopen(good: number): void {
    this.#resume(readLog(this.path, good));
  }

  #resume(log: LogReading | undefined): void {
    if (log === undefined) return;
    if (log.base === undefined) rmSync(this.path, { force: true });
    else this.#file = WalFile.resume(this.path, log);
  }

  #take(): Frame[] {
    if (this.#waiting.length === 0) return [];
    const payload = Buffer.from(this.#waiting.join('\n'));
    this.#waiting = [];
    this.#waitingSize = 0;
    return [{ kind: 'changes', payload }];
  }

  async #append(frames: Frame[], sync: boolean): Promise<void> {
    this.#file ??= WalFile.create(this.path, this.#database.identity, this.#database.sideMode);
    await this.#file.append(frames, sync);
    this.#tail?.push(...frames);
  }
}
