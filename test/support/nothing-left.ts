import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setTemp } from './temp.ts';

/** Folders of a user in which programs keep files. */
const userFolders = ['.', '.config', '.cache', '.local/share', '.local/state'];

/** Returns the files with our name in the home folder of the tests. */
const filesIn = (home: string): string[] =>
  userFolders.flatMap((folder) => {
    try {
      return readdirSync(join(home, folder)).flatMap((name) => (/calendar/i.test(name) ? join(home, folder, name) : []));
    } catch {
      return [];
    }
  });

/** Returns the processes of this checkout's program, as the bundle or as tests compile it, that have the mark of a run. Known on Linux only. */
export function programsOf(run: string): string[] {
  if (process.platform !== 'linux') return [];
  const paths = [resolve('dist/calendar.js'), resolve('node_modules/.cache/calendar-tests')];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return [];
      const line = `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
      const isOurs = paths.some((path) => line.includes(path));
      return isOurs && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`RUN_OF_CALENDAR_TESTS=${run}`) ? [line] : [];
    } catch {
      // It has ended, or is that of another user.
      return [];
    }
  });
}

/** Gives a run of tests a temp folder and a home folder, and marks the processes that it starts. The run fails if some of its files or processes remain at the end; what others start meanwhile doesn't count. */
export default function setup(): (() => Promise<void>) | undefined {
  // Each project of a run calls this.
  if (process.env.RUN_OF_CALENDAR_TESTS) return undefined;
  const shared = tmpdir();
  const folder = mkdtempSync(join(shared, 'calendar-run-'));
  const home = mkdtempSync(join(shared, 'calendar-home-'));
  // Some tests start a program as another user.
  chmodSync(folder, 0o711);
  setTemp(folder);
  // Browsers and packages that were downloaded before stay where they are.
  process.env.XDG_CACHE_HOME ||= join(homedir(), '.cache');
  process.env.npm_config_cache ||= join(homedir(), '.npm');
  const { HOME, USERPROFILE } = process.env;
  Object.assign(process.env, { HOME: home, USERPROFILE: home, RUN_OF_CALENDAR_TESTS: folder });
  const remains = () => [...readdirSync(folder), ...filesIn(home), ...programsOf(folder)];
  return async () => {
    // Processes may still be ending.
    for (let tries = 0; remains().length && tries < 20; tries++) await sleep(100);
    const all = remains();
    setTemp(shared);
    for (const [name, value] of Object.entries({ HOME, USERPROFILE })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    if (!all.length) return;
    console.error(`The tests left behind:\n${all.join('\n')}`);
    process.exitCode = 1;
  };
}
