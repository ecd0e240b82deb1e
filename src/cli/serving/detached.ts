import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fstatSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { acquire, ownerOf } from '../../store/file/lock.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { Interrupted, type Session } from '../session.ts';
import { type OutputStream, write } from '../terminal/terminal.ts';

// In a container, a user may have no name.
const user = () => process.getuid?.() ?? userInfo().username.replaceAll(/[^\w.-]/g, '');
const fileOf = (port: number): string => join(tmpdir(), `calendar-port-${user()}-${port}`);

/** Records that this process serves on a port, for {@link serverOnPort} of the same user. Returns a function that ends this. */
export async function lockPort(port: number, url: string): Promise<() => Promise<void>> {
  try {
    const lock = await acquire(fileOf(port), 0);
    lock.announce(url, '');
    return () => lock.release();
  } catch {
    // A server on the same port of another address has it, or the folder is not writable: `calendar stop` then refuses the address.
    return async () => {};
  }
}

/** Returns the `calendar serve` of this user that serves on a port of this machine. Of another process that claims this only the ID is known; undefined for none. */
export const serverOnPort = (port: number): Promise<Owner | undefined> => ownerOf(fileOf(port));

/**
 * Runs `calendar serve` with the same options in a separate process, and prints its address when it is ready. Its messages go to stderr if that is a file,
 * otherwise to a temporary file. Returns the exit code: that of the server if it does not start.
 */
export async function serveDetached(session: Session, isJson: boolean): Promise<number> {
  const { program, terminal } = session;
  const log = isFile(terminal.stderr) ? undefined : join(tmpdir(), `calendar-serve-${randomBytes(6).toString('hex')}.log`);
  const [executable = process.execPath, ...script] = terminal.self ?? [];
  const args = program.args.filter((arg) => arg !== '--detach');
  const server = spawn(executable, [...script, ...args, '--detached'], {
    cwd: terminal.cwd,
    env: terminal.env,
    detached: true,
    windowsHide: true,
    // A password or a fixture may come from stdin.
    stdio: [terminal.stdin.isTTY ? 'ignore' : 'inherit', 'pipe', log === undefined ? 'inherit' : openSync(log, 'wx', 0o600)],
  });
  const ended = new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
  const stop = () => server.kill();
  terminal.interrupted.addEventListener('abort', stop, { once: true });
  const relay = async () => {
    if (log !== undefined) await write(terminal.stderr, await readFile(log, 'utf8'));
  };
  try {
    const line = await Promise.race([firstLine(server.stdout!), ended]);
    if (terminal.interrupted.aborted) throw new Interrupted(String(terminal.interrupted.reason));
    await relay();
    if (typeof line === 'number') return line;
    const address = JSON.parse(line);
    await session.print(isJson ? `${JSON.stringify({ ...address, log: log ?? null })}\n` : `${address.url}\n`);
    await session.tell(
      `calendar: Runs as process ${server.pid}${log === undefined ? '' : `, and logs to ${log}`}. Stop it with calendar stop ${address.url}`,
    );
    return 0;
  } catch (error) {
    stop();
    await ended.catch(() => {});
    throw error;
  } finally {
    terminal.interrupted.removeEventListener('abort', stop);
    server.stdout!.destroy();
    server.unref();
  }
}

function isFile({ fd }: OutputStream & { fd?: number }): boolean {
  return fd !== undefined && fstatSync(fd).isFile();
}

/** Resolves with the first line of a stream; never if it ends before. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}
