import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import type { Identity } from './checksums.ts';
import { syncFolder, writeAll } from './files.ts';
import { encoded, type Frame, headerFor, type LogReading } from './wal-format.ts';

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
