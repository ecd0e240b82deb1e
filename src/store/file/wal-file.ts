import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import type { Identity } from './checksums.ts';
import { syncFolder, writeAll } from './files.ts';
import { encoded, type Frame, headerFor, type LogReading } from './wal-format.ts';

const datasync = (fd: number): Promise<void> => new Promise((done, fail) => fdatasync(fd, (error) => (error ? fail(error) : done())));

/** The log of one file, open for appending by the owner of the file. */
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

  /** Makes an empty log that continues the file `base`. Its header goes to the disk with the first frame. */
  static create(path: string, base: Identity, mode = 0o600): WalFile {
    const { header, salt } = headerFor(base);
    return new WalFile(path, openSync(path, 'wx+', mode), salt, header, 0, 0);
  }

  /** Goes on with a log after what is good of it, which is on the disk from then on. */
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

  /** Bytes that are on the disk, or with the system. */
  get length(): number {
    return this.#good;
  }

  /** Whether every append has succeeded; after a failure nobody knows what the disk holds behind `length`. */
  get sound(): boolean {
    return this.#sound;
  }

  /** Whether the name still leads to this log. */
  get present(): boolean {
    try {
      const { ino, dev } = statSync(this.path);
      return ino === this.#here.ino && dev === this.#here.dev;
    } catch {
      return false;
    }
  }

  /** Appends frames with one write and, when asked, one sync. After a failure nothing of it counts; the caller must not append again. */
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

  /** Puts the log in the place of another. */
  rename(path: string): void {
    renameSync(this.path, path);
    this.path = path;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Takes back what a failed append left, as far as the disk lets us; the next opening recognises the rest. */
  abandon(): void {
    try {
      if (this.#good === 0) rmSync(this.path, { force: true });
      else ftruncateSync(this.#fd, this.#good);
    } catch {
      // The rest is a torn tail, or is taken back by the next recovery.
    }
    closeSync(this.#fd);
  }
}
