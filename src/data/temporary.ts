import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for files that end with the process. */
interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder and its files. */
  remove(): Promise<void>;
  /** Keeps the folder for the user. Returns its new path. */
  keep(): Promise<string>;
}

/** Creates a temporary folder, like `calendar-edit-HOST-PID-Xa81bz`. It is removed when the process ends, and after SIGKILL by the next call for the same kind. */
export async function temporaryFolder(kind: string): Promise<TemporaryFolder> {
  // Containers with the same temporary folder don't see each other's processes.
  const prefix = `calendar-${kind}-${hostname().replaceAll(/[^\w.]/g, '')}-`;
  await removeAbandoned(prefix);
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', removeNow);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      process.off('exit', removeNow);
    },
    async keep() {
      const folder = join(tmpdir(), `calendar-${kind}-kept-${path.slice(-6)}`);
      await rename(path, folder);
      process.off('exit', removeNow);
      return folder;
    },
  };
}

async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(prefix) ? /^(\d+)-\w+$/.exec(name.slice(prefix.length))?.[1] : undefined;
    // Another user's folder stays.
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
