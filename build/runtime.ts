import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const windows = process.platform === 'win32';

/** Runs npm and returns its output. Throws with its messages if it fails or exceeds the timeout in ms. */
export async function npm(cwd: string, args: readonly string[], timeout = 0): Promise<string> {
  const { stdout } = await promisify(execFile)(windows ? 'npm.cmd' : 'npm', [...args, '--no-audit', '--no-fund'], {
    cwd,
    timeout,
    shell: windows,
    maxBuffer: 64 << 20,
    env: { ...process.env, npm_config_update_notifier: 'false' },
  }).catch((error) => {
    throw new Error(`npm ${args.join(' ')}: ${error.stderr || error.message}`);
  });
  return stdout;
}

/** Folder in which runtimes are cached between runs. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'calendar-runtimes');

/**
 * The path of a JavaScript runtime from an npm package such as `node@26`, which is installed if necessary. Throws if that fails or exceeds
 * the timeout in ms.
 */
export async function runtime(name: string, timeout: number): Promise<string> {
  const home = join(cache, name);
  const command = name.replace(/@.*/, '');
  const at = (folder: string) => join(folder, 'node_modules', '.bin', windows ? `${command}.cmd` : command);
  if (existsSync(home)) return at(home);
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, '.making-'));
  try {
    await npm(making, ['install', '--prefix', making, name], timeout);
    execFileSync(at(making), ['--version'], { shell: windows });
    renameSync(making, home);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another process may have installed it in the meantime.
    if (!existsSync(home)) throw error;
  }
  return at(home);
}
