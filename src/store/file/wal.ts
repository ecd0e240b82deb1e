import { rmSync } from 'node:fs';
import type { Identity } from './checksums.ts';
import type { OwnedFile } from './owned-file.ts';
import { WalFile } from './wal-file.ts';
import { checkpointFrame, type Frame, type LogReading, readLog } from './wal-format.ts';

/** Stands among the waiting changes for one that was too big to be logged: only a checkpoint brings it to the disk. */
const unlogged = '';

/** The write-ahead log of a database: changes that wait for the disk, and those on it that the file lacks. */
export class Wal {
  readonly path: string;
  readonly #database: OwnedFile;
  /** Undefined while there is no log on the disk. */
  #file: WalFile | undefined;
  #waiting: string[] = [];
  #waitingSize = 0;
  /** Frames appended since a checkpoint began, which the log after it holds. */
  #tail: Frame[] | undefined;

  constructor(database: OwnedFile, log: LogReading | undefined) {
    this.path = `${database.path}-log`;
    this.#database = database;
    rmSync(`${this.path}-new`, { force: true });
    this.#resume(log);
  }

  /** Takes over a change; without its line when it is too big to be logged. */
  add(line: string | undefined): void {
    this.#waiting.push(line ?? unlogged);
    this.#waitingSize += line?.length ?? 0;
  }

  /** How many changes wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a change waits that was too big to be logged. */
  get hasUnlogged(): boolean {
    return this.#waiting.includes(unlogged);
  }

  /** How much waits, in UTF-16 code units. */
  get waitingSize(): number {
    return this.#waitingSize;
  }

  /** Bytes on the disk, or with the system. */
  get length(): number {
    return this.#file?.length ?? 0;
  }

  get exists(): boolean {
    return this.#file !== undefined;
  }

  /** Whether somebody has removed or replaced the log. */
  get isLost(): boolean {
    return this.#file !== undefined && !this.#file.present;
  }

  /** Whether nobody knows what the disk holds at the end of the log, after an append that failed. */
  get isUnsound(): boolean {
    return this.#file?.sound === false;
  }

  /** Appends what waits. After a failure nothing may be appended before `abandon`. */
  async flush(sync: boolean): Promise<void> {
    await this.#append(this.#take(), sync);
  }

  /** Appends what waits, and the mark that a file of this identity holds everything so far. From here on, frames are kept for `restart`. */
  async beginCheckpoint(identity: Identity): Promise<void> {
    this.#tail = undefined;
    await this.#append([...this.#take(), checkpointFrame(identity)], true);
    this.#tail = [];
  }

  /** Marks in a log on the disk that a file of this identity holds everything, also what waits. */
  async mark(identity: Identity): Promise<void> {
    if (this.#file !== undefined) await this.#append([checkpointFrame(identity)], true);
  }

  /** Puts a log that continues the new file, with the frames since `beginCheckpoint`, in the place of this one; without such frames removes it. */
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

  /** Keeps no more frames for `restart`. */
  endCheckpoint(): void {
    this.#tail = undefined;
  }

  /** Drops the first changes that wait, which the file holds by now, or all. */
  dropWaiting(count = this.#waiting.length): void {
    for (const line of this.#waiting.splice(0, count)) this.#waitingSize -= line.length;
  }

  /** Removes a log that is of no use, because the file holds everything; should the removal not last, its mark says so. */
  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  /** Lets go of the log on the disk. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Gives up what waits and what a failed append left, and answers how many bytes of the log are good. */
  abandon(): number {
    const good = this.length;
    this.#file?.abandon();
    this.#file = undefined;
    this.dropWaiting();
    return good;
  }

  /** Goes on with the log on the disk, of which `good` bytes count. */
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
