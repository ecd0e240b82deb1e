import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { syncFolder, writeAll } from './files.ts';
import type { Identity } from './format.ts';
import type { OwnedFile } from './owned-file.ts';
import { checkpointFrame, encoded, type Frame, headerFor, type LogReading, readLog } from './wal-format.ts';

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

const datasync = (fd: number): Promise<void> => new Promise((done, fail) => fdatasync(fd, (error) => (error ? fail(error) : done())));

/** The log of a file, open for appending by the owner. */
export class WalFile {
  path: string;
  readonly #fd: number;
  readonly #here: Stats;
  readonly #salt: number;
  #header: Buffer | undefined;
  #frames: number;
  #good: number;
  #synced = true;
  #sound = true;

  private constructor(path: string, fd: number, salt: number, header: Buffer | undefined, frames: number, good: number) {
    this.path = path;
    this.#fd = fd;
    this.#here = fstatSync(fd);
    this.#salt = salt;
    this.#header = header;
    this.#frames = frames;
    this.#good = good;
  }

  /** Creates an empty log that continues the file `base`. The header is written with the first frame. */
  static create(path: string, base: Identity, mode = 0o600): WalFile {
    const { header, salt } = headerFor(base);
    return new WalFile(path, openSync(path, 'wx+', mode), salt, header, 0, 0);
  }

  /** Resumes a log after its valid part, which is synced. */
  static resume(path: string, reading: LogReading): WalFile {
    const fd = openSync(path, 'r+');
    try {
      ftruncateSync(fd, reading.good);
      fdatasyncSync(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    return new WalFile(path, fd, reading.salt, undefined, reading.frames.length, reading.good);
  }

  /** Number of bytes on disk or in the operating system. */
  get length(): number {
    return this.#good;
  }

  /** True if every append has succeeded. After a failure the content beyond `length` is unknown. */
  get sound(): boolean {
    return this.#sound;
  }

  /** True if the path still leads to this log. */
  get present(): boolean {
    try {
      const { ino, dev } = statSync(this.path);
      return ino === this.#here.ino && dev === this.#here.dev;
    } catch {
      return false;
    }
  }

  /** Appends frames with one write and, if `sync`, one sync. After a failure the caller must not append again. */
  async append(frames: readonly Frame[], sync: boolean): Promise<void> {
    const parts = frames.map((frame, i) => {
      const flags = { afterSync: i === 0 && this.#synced && this.#frames > 0, synced: sync && i === frames.length - 1 };
      return encoded(frame, this.#frames + 1 + i, flags, this.#salt);
    });
    const fresh = this.#header !== undefined;
    if (this.#header !== undefined) parts.unshift(this.#header);
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.#sound = false;
    writeAll(this.#fd, bytes, this.#good);
    this.#synced = sync;
    if (sync) {
      await datasync(this.#fd);
      if (fresh) await syncFolder(this.path);
    }
    this.#sound = true;
    this.#header = undefined;
    this.#frames += frames.length;
    this.#good += bytes.length;
  }

  /** Renames the log, replacing another one. */
  rename(path: string): void {
    renameSync(this.path, path);
    this.path = path;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Truncates what a failed append left, if possible. The next opening detects the rest. */
  abandon(): void {
    try {
      if (this.#good === 0) rmSync(this.path, { force: true });
      else ftruncateSync(this.#fd, this.#good);
    } catch {
      // The rest is an incomplete record, which the next recovery drops.
    }
    closeSync(this.#fd);
  }
}
