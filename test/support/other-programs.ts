import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian packages of the programs that long tests start. */
const packages = {
  fish: 'fish',
  go: 'golang-go',
  gofmt: 'golang-go',
  mvn: 'maven',
  php: 'php-cli',
  phpunit: 'phpunit',
  pytest: 'python3-pytest',
  python3: 'python3',
  sqlite3: 'sqlite3',
  tmux: 'tmux',
  zsh: 'zsh',
} as const;

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** True if tests must not be skipped because a program is missing, and run on each version of Node: CALENDAR_TEST_COMPLETE. */
export const isComplete = Boolean(process.env.CALENDAR_TEST_COMPLETE);

/** Returns the reason to skip tests. Throws it instead if all of them must run. */
export function skipReason(reason: string): string {
  if (isComplete) throw new Error(reason);
  return reason;
}

/** Returns why tests that need a program are skipped, and how to install it; undefined where it is installed. */
export function missing(program: string): string | undefined {
  if (isInstalled(program)) return undefined;
  return skipReason(`needs ${program}: apt-get install ${packages[program as keyof typeof packages] ?? program}`);
}
