import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The temp folder of the machine. */
const shared = tmpdir();

/** Sets what Node and other programs read: TMPDIR, and TEMP on Windows. */
export function setTemp(path: string): void {
  process.env.TMPDIR = path;
  process.env.TEMP = path;
}

/** The temporary files of commands that ran as processes, except those that they keep for the user. A command in this process may still run when its test has ended. */
const own = (name: string) => /^calendar-(edit|import)-(?!kept-)/.test(name) && !name.includes(`-${process.pid}-`);

/** Makes a new folder the temp folder of this process and of those that it starts. Returns the function that deletes it, which fails if the program left files there. */
export function separateTemp(): () => void {
  const path = mkdtempSync(join(shared, 'calendar-test-'));
  // Some tests start a program as another user.
  chmodSync(path, 0o711);
  setTemp(path);
  return () => {
    setTemp(shared);
    const remaining = readdirSync(path).filter(own);
    rmSync(path, { recursive: true, force: true });
    if (remaining.length) throw new Error(`The program left temporary files: ${remaining.join(', ')}`);
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
