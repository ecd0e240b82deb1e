import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, realpathSync, rmSync, statSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FailureCode } from '../../model/error.ts';
import { failureCodeOf, systemReason } from '../../model/error.ts';
import { StorageError, type StorageReason } from '../sqlite/sql.ts';

const free = 'No acknowledged change is lost. Free some disk space and try again.';
const path = 'Check the path.';
const rights = 'Grant this user read and write permission for the file and its folder.';

/** Storage failures and hints by failure of the operating system. */
const failures: Partial<Record<FailureCode, readonly [StorageReason, hint: string]>> = {
  'store-full': ['disk-full', free],
  'store-read-only': ['read-only', 'Mount the file system read-write. Reading still works.'],
  rest_forbidden: ['read-only', rights],
  'bad-request': ['foreign', path],
  'not-found': ['missing', path],
};

export function storageError(error: unknown, file: string): StorageError {
  if (error instanceof StorageError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const [reason, hint] = failures[failureCodeOf(code) ?? 'store-io'] ?? [
    'io',
    'No acknowledged change is lost. Check the disk and the system log.',
  ];
  const raised = code === 'EFBIG' ? 'Increase the file size limit (ulimit -f) and try again.' : hint;
  const text = reason === 'io' ? (error as Error).message : `${systemReason(error as NodeJS.ErrnoException)} (${code})`;
  return new StorageError(reason, `${file}: ${text}`, raised, error);
}

/** Throws for a path of a device, a pipe or a socket, which reading or writing could harm or block on. */
export function assertRegular(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  if (stat.isDirectory()) throw storageError({ code: 'EISDIR', message: '' }, path);
  throw new StorageError('foreign', `${path} is not a regular file`, 'Check the path.');
}

export function sameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false }));
  return resolve(a) === resolve(b) || (one !== undefined && one.ino === other?.ino && one.dev === other.dev);
}

/** The path of a regular file with links resolved, also for a missing file. The log and the lock use this path. */
export function canonical(file: string): string {
  try {
    const path = realpathSync(file);
    assertRegular(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw storageError(error, file);
  }
  try {
    return join(realpathSync(dirname(resolve(file))), basename(file));
  } catch (error) {
    throw storageError(error, dirname(file));
  }
}

/** Syncs a folder, so that created, renamed and removed files are durable. */
export async function syncFolder(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Writes a new file and syncs it. Removes it on failure. */
export async function writeNew(path: string, parts: readonly Uint8Array[], mode: number): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', mode);
  try {
    for (const part of parts)
      for (let at = 0; at < part.length; ) at += (await file.write(part, at, Math.min(part.length - at, 8 << 20))).bytesWritten;
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/** Replaces a file atomically. */
export async function replaceFile(path: string, parts: readonly Uint8Array[], mode = 0o600): Promise<void> {
  assertRegular(path);
  const fresh = `${path}-${randomBytes(4).toString('hex')}`;
  await writeNew(fresh, parts, mode);
  try {
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(path);
}

/** Writes all of `bytes` at `position`. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

/** Throws the system's error unless `size` bytes can be appended to a file. The file keeps its length. */
export function probe(path: string, length: number, size: number): void {
  const existed = length > 0;
  const fd = openSync(path, existed ? 'r+' : 'w+', 0o600);
  try {
    ftruncateSync(fd, length);
    try {
      writeAll(fd, Buffer.alloc(size), length);
      fsyncSync(fd);
    } finally {
      ftruncateSync(fd, length);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
    if (!existed) rmSync(path, { force: true });
  }
}

/** The first of `NAME-1`, `NAME-2`, … that does not exist. */
export function freeName(name: string): string {
  for (let i = 1; ; i += 1) if (!existsSync(`${name}-${i}`)) return `${name}-${i}`;
}
