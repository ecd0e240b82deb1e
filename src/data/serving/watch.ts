import { type Stats, unwatchFile, watchFile } from 'node:fs';

/** Time between two checks of a file. */
const intervalMs = 100;
/** Time to wait after a change, because a file may be written in several steps; and after a removal, because another file may replace it. */
const delayMs = { written: 50, gone: 500 };

/**
 * Calls `changed`, which must not throw, after a file was written, replaced or removed; one call at a time. Checks the file by its path, which works for every editor and file system.
 * Returns a function that stops watching, and resolves when the last call has finished.
 */
export function watchPath(path: string, changed: () => Promise<void>): () => Promise<void> {
  let work = Promise.resolve();
  let waiting: NodeJS.Timeout | undefined;
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs === before.mtimeMs && now.ctimeMs === before.ctimeMs && now.size === before.size && now.ino === before.ino) return;
    clearTimeout(waiting);
    waiting = setTimeout(
      () => {
        work = work.then(changed);
      },
      now.ino === 0 ? delayMs.gone : delayMs.written,
    );
  };
  watchFile(path, { interval: intervalMs }, look);
  return () => {
    clearTimeout(waiting);
    unwatchFile(path, look);
    return work;
  };
}
