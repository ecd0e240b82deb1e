import { existsSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { openDatabase } from './database.ts';
import type { FileKind } from './file-kind.ts';
import { freeName, storageError, syncFolder } from './files.ts';
import { acquire } from './lock.ts';
import { recover } from './recovery.ts';
import { WalFile } from './wal-file.ts';
import { checkpointFrame, readLog } from './wal-format.ts';

/**
 * Puts a backup in the place of a file, upgraded where it is older. What was there before, with its log, is kept under the name that is
 * returned; undefined when there was nothing. A crash leaves the old file with its log, or the new one.
 */
export async function restore(file: string, from: string, kind: FileKind, timeout = 5000): Promise<string | undefined> {
  const source = await openDatabase(from, { mode: 'read', kind });
  try {
    const lock = await acquire(file, timeout, kind.hints.locked);
    try {
      const fresh = `${lock.file}-now`;
      await source.backup(fresh);
      const aside = await setAside(lock.file);
      await supersedeLog(`${lock.file}-log`, recover(fresh, kind).identity);
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

/** Gives a file and its log second names, the first of which is returned; undefined when there is neither. */
async function setAside(file: string): Promise<string | undefined> {
  if (!existsSync(file) && !existsSync(`${file}-log`)) return undefined;
  const aside = freeName(`${file}.before-restore`);
  // Some file systems have no links. The log is copied, for it is written to.
  if (existsSync(file)) await link(file, aside).catch(() => copyFile(file, aside));
  if (existsSync(`${file}-log`)) await copyFile(`${file}-log`, `${aside}-log`);
  await syncFolder(file);
  return aside;
}

/** Marks in a log that the file with this identity has everything; a log of which nothing can be read is removed. */
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
