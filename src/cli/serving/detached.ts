import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fstatSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Interrupted, type Session } from '../session.ts';
import { type OutputStream, write } from '../terminal/terminal.ts';

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
    const line = await Promise.race([once(createInterface(server.stdout!), 'line'), ended]);
    if (terminal.interrupted.aborted) throw new Interrupted(String(terminal.interrupted.reason));
    await relay();
    if (typeof line === 'number') return line;
    const address = JSON.parse(line[0]);
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
