import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { folder } from '../support/transcript.ts';

const place = folder();
let silent: net.Server;
beforeAll(async () => {
  silent = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(() => {
  silent.close();
  place.remove();
});

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [...program, ...args], { cwd: place.path, stdio: ['ignore', 'pipe', 'pipe'] });
const ended = async (child: ChildProcess) => (await once(child, 'exit')) as [number | null, string | null];

describe('a command that waits', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends by %s with %i', async (signal, exit) => {
    const { port } = silent.address() as AddressInfo;
    const connected = once(silent, 'connection');
    const child = start('events', 'list', '--url', `http://127.0.0.1:${port}`);
    await connected;
    child.kill(signal);
    expect(await ended(child)).toEqual([exit, null]);
  });
});

describe('a server', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('stops clean by %s', async (signal) => {
    const child = start('serve', '--port', '0', '--json');
    await once(child.stdout!, 'data');
    child.kill(signal);
    expect(await ended(child)).toEqual([0, null]);
  });
});

it('a reader that goes away ends the writer quietly', async () => {
  const child = start('help', 'formats');
  child.stdout!.destroy();
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  expect([await ended(child), stderr]).toEqual([[0, null], '']);
});
