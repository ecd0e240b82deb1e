import { randomBytes } from 'node:crypto';
import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemFailure } from '../model/error.ts';

/**
 * Replaces a file atomically, with backpressure. Follows links and keeps the permissions. Writes directly to a pipe or device. Throws if the file cannot be written
 * or the signal aborts.
 */
export async function writeFileFrom(path: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
  let temporary: string | undefined;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    const isFile = !stats || stats.isFile();
    const file = stats?.isFile() ? realpathSync(path) : path;
    if (isFile) temporary = `${file}-${randomBytes(4).toString('hex')}.part`;
    const out = temporary ? createWriteStream(temporary, { flags: 'wx', mode: stats?.mode }) : createWriteStream(file);
    await pipeline(Readable.from(batches(pieces)), out, { signal });
    if (temporary) await rename(temporary, file);
  } catch (error) {
    if (temporary) await rm(temporary, { force: true }).catch(() => {});
    throw systemFailure(error, `cannot write ${path}`);
  }
}

/** Minimum length of a batch, in characters. */
const batchLength = 65_536;

/** Joins pieces to larger texts, to reduce the number of writes. */
export function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = '';
  }
  if (batch) yield batch;
}
