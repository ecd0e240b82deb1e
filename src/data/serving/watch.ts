import { type Stats, unwatchFile, watchFile } from 'node:fs';

/** Milliseconds between two looks at a file. */
const every = 100;
/** Milliseconds from a change until the file is read, for it may be written in several steps; and from when it is gone, for another may take its place. */
const calm = { written: 50, gone: 500 };

/**
 * Calls `changed`, which must not fail, whenever a file was written, replaced or removed, one call after the other. The file is looked at by its name, so that it does not matter how
 * an editor writes it or what kind of disk it is on. The function that it gives ends this, and resolves when no call is under way.
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
      now.ino === 0 ? calm.gone : calm.written,
    );
  };
  watchFile(path, { interval: every }, look);
  return () => {
    clearTimeout(waiting);
    unwatchFile(path, look);
    return work;
  };
}
