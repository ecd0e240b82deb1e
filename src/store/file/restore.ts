import { existsSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import type { FileKind } from '../sqlite/sql.ts';
import { openDatabase } from './database.ts';
import { freeName, storageError, syncFolder } from './files.ts';
import { acquire } from './lock.ts';
import { recover } from './recovery.ts';
import { WalFile } from './wal.ts';
import { checkpointFrame, readLog } from './wal-format.ts';

/**
 * Replaces a file with a backup, migrated if it is older. Returns the name under which the previous file and its log are kept; undefined if there was
 * none. A crash leaves the old file with its log, or the new one.
 */
export async function restoreFile(file: string, from: string, kind: FileKind, timeout = 5000): Promise<string | undefined> {
  const source = await openDatabase(from, { mode: 'read', kind });
  try {
    const lock = await acquire(file, timeout, kind.hints.locked);
    try {
      const fresh = `${lock.file}-now`;
      await source.backup(fresh);
      const aside = await setAside(lock.file);
      await supersedeLog(`${lock.file}-log`, recover(fresh, kind).identity());
      await rename(fresh, lock.file);
      await syncFolder(lock.file);
      await rm(`${lock.file}-log`, { force: true });
      return aside;
    } catch (error) {
      throw storageError(error, file);
    } finally {
      await lock.release();
    }
  } finally {
    await source.close();
  }
}

/** Keeps a file and its log under other names and returns the first; undefined if there is neither. */
async function setAside(file: string): Promise<string | undefined> {
  if (!existsSync(file) && !existsSync(`${file}-log`)) return undefined;
  const aside = freeName(`${file}.before-restore`);
  // Some file systems don't support hard links. The log is copied, because it is written to.
  if (existsSync(file)) await link(file, aside).catch(() => copyFile(file, aside));
  if (existsSync(`${file}-log`)) await copyFile(`${file}-log`, `${aside}-log`);
  await syncFolder(file);
  return aside;
}

/** Marks in a log that the file with this identity contains everything. Removes an unreadable log. */
async function supersedeLog(path: string, identity: string): Promise<void> {
  const reading = readLog(path);
  if (reading?.base === undefined) return rm(path, { force: true });
  const log = WalFile.resume(path, reading);
  try {
    await log.append([checkpointFrame(identity)], true);
  } finally {
    log.close();
  }
}
