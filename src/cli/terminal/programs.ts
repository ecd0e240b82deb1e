import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../model/error.ts';
import { Interrupted, type Terminal } from './terminal.ts';

/** Opens a file in VISUAL, EDITOR, vi or notepad, and waits. Rejects with `bad-request` if the editor fails, and with Interrupted after a signal, which ends the editor. */
export function openInEditor(file: string, { env, interrupted }: Pick<Terminal, 'env' | 'interrupted'>): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = env.VISUAL || env.EDITOR || (isWindows ? 'notepad' : 'vi');
  // Through a shell, as git does, so that the editor may have arguments: "code --wait".
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env: env as NodeJS.ProcessEnv })
    : spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Failure('bad-request', `The editor ${JSON.stringify(editor)} ${reason}`, 'Set VISUAL or EDITOR.'));
    child.on('error', (error) => fail(`failed to start: ${error.message}`));
    // A shell waits for its command after SIGINT.
    const stop = () => child.kill('SIGTERM');
    if (interrupted.aborted) stop();
    interrupted.addEventListener('abort', stop, { once: true });
    child.on('close', (code, signal) => {
      interrupted.removeEventListener('abort', stop);
      if (interrupted.aborted) reject(new Interrupted(String(interrupted.reason)));
      else if (code === 0) resolve();
      else fail(`exited with ${signal ?? code}`);
    });
  });
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in BROWSER or the system's browser. Rejects if it can't be started. */
export function openInBrowser(url: string, env: Record<string, string | undefined>): Promise<void> {
  const [command = '', ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => reject(new Error(`Could not open ${url}: ${command} failed to start`)));
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

/** Time in which a browser reads the file that it opens, in ms. */
const openingMs = 10_000;

/**
 * Opens an address that contains a secret. The arguments of programs are visible to other users, so the browser gets a file that only this user can read, and that redirects. Returns a
 * function that deletes it, which also happens after ten seconds.
 */
export async function openPrivately(url: string, env: Record<string, string | undefined>): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-open-'));
  const file = join(folder, 'open.html');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const head = `<meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${url}">`;
  try {
    writeFileSync(file, `<!doctype html>${head}<title>calendar</title>`, { mode: 0o600 });
    await openInBrowser(pathToFileURL(file).href, env);
  } catch (error) {
    remove();
    throw error;
  }
  setTimeout(remove, openingMs).unref();
  return remove;
}
