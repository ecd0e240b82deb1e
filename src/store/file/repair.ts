import { closeSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { FileKind } from './file-kind.ts';
import { freeName, storageError } from './files.ts';
import { acquire } from './lock.ts';
import { recover } from './recovery.ts';

/** Truncates a damaged log where the damage starts, after copying it. Returns the name of the copy; undefined if the log is not damaged. */
export async function repair(file: string, kind: FileKind, timeout = 5000): Promise<string | undefined> {
  const lock = await acquire(file, timeout, kind.hints.locked);
  try {
    const log = `${lock.file}-log`;
    const { log: reading } = recover(lock.file, kind);
    if (reading?.broken === undefined) return undefined;
    const aside = freeName(`${log}.damaged`);
    await copyFile(log, aside);
    const fd = openSync(log, 'r+');
    try {
      ftruncateSync(fd, reading.good);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return aside;
  } catch (error) {
    throw storageError(error, file);
  } finally {
    await lock.release();
  }
}
