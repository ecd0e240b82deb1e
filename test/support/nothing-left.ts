import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setTemp } from './temp.ts';

/** Packages that tests download once for all runs. */
const downloads = /^calendar-(examples|runtimes)$/;

/** Folders of the user in which programs keep files. */
const userFolders = ['.', '.config', '.cache', '.local/share', '.local/state'].map((path) => join(homedir(), path));

/** The files of the user that have our name. */
const userFiles = (): string[] =>
  userFolders.flatMap((folder) => {
    try {
      const names = readdirSync(folder).filter((name) => /calendar/i.test(name) && !downloads.test(name));
      return names.map((name) => join(folder, name));
    } catch {
      return [];
    }
  });

/** The processes that run this checkout's program, as the bundle or as tests compile it; known on Linux only. */
function programs(): string[] {
  if (process.platform !== 'linux') return [];
  const paths = [resolve('dist/calendar.js'), resolve('node_modules/.cache/calendar-tests')];
  const lines = readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
  return lines.filter((line) => paths.some((path) => line.includes(path)));
}

/** Gives a run of tests a temp folder. The run fails if something remains in it at the end, or a file of the user or a process that was not there before. */
export default function setup(): (() => Promise<void>) | undefined {
  // Each project of a run calls this.
  if (process.env.CALENDAR_TEST_RUN) return undefined;
  const shared = tmpdir();
  const folder = mkdtempSync(join(shared, 'calendar-run-'));
  // Some tests start a program as another user.
  chmodSync(folder, 0o711);
  setTemp(folder);
  process.env.CALENDAR_TEST_RUN = folder;
  const before = new Set([...userFiles(), ...programs()]);
  const remains = () => [...readdirSync(folder), ...[...userFiles(), ...programs()].filter((each) => !before.has(each))];
  return async () => {
    // Processes may still be ending.
    for (let tries = 0; remains().length && tries < 20; tries++) await sleep(100);
    const all = remains();
    setTemp(shared);
    rmSync(folder, { recursive: true, force: true });
    if (!all.length) return;
    console.error(`The tests left behind:\n${all.join('\n')}`);
    process.exitCode = 1;
  };
}
