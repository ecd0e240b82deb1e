import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The temp folder of the machine. */
const shared = tmpdir();

/** Sets what Node and other programs read: TMPDIR, and TEMP on Windows. */
function setTemp(path: string): void {
  process.env.TMPDIR = path;
  process.env.TEMP = path;
}

/** Makes a new folder the temp folder of this process and of those that it starts. Returns the function that deletes it. */
export function separateTemp(): () => void {
  const path = mkdtempSync(join(shared, 'calendar-test-'));
  // Some tests start a program as another user.
  chmodSync(path, 0o711);
  setTemp(path);
  return () => {
    setTemp(shared);
    rmSync(path, { recursive: true, force: true });
  };
}

/** Runs `work`, which starts something that several files of tests use, with the temp folder of the machine. */
export async function withSharedTemp<T>(work: () => Promise<T>): Promise<T> {
  const path = tmpdir();
  setTemp(shared);
  try {
    return await work();
  } finally {
    setTemp(path);
  }
}
