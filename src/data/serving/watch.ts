import { type Stats, statSync } from 'node:fs';

/** Time between two checks of a file. */
const intervalMs = 100;
/** Time to wait after a change, because a file may be written in several steps; and after a removal, because another file may replace it. */
const delayMs = { written: 50, gone: 500 };

/** Undefined if there is none, or a folder above it is not accessible. */
function stateOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Remembers the state of a file. The result calls `changed`, which must not throw, after the file was written, replaced or removed since then; one call at a
 * time. It checks the file by its path, which works for every editor and file system, and returns a function that stops watching, and resolves when the last
 * call has finished.
 */
export function watchPath(path: string): (changed: () => Promise<void>) => () => Promise<void> {
  let last = stateOf(path);
  return (changed) => {
    let work = Promise.resolve();
    let waiting: NodeJS.Timeout | undefined;
    const look = (): void => {
      const now = stateOf(path);
      if (now?.mtimeMs === last?.mtimeMs && now?.ctimeMs === last?.ctimeMs && now?.size === last?.size && now?.ino === last?.ino) return;
      last = now;
      clearTimeout(waiting);
      waiting = setTimeout(
        () => {
          work = work.then(changed);
        },
        now === undefined ? delayMs.gone : delayMs.written,
      );
    };
    const timer = setInterval(look, intervalMs);
    return () => {
      clearTimeout(waiting);
      clearInterval(timer);
      return work;
    };
  };
}
