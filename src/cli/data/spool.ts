import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, existsSync, openSync, readSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../model/error.ts';
import type { Terminal } from '../terminal.ts';

/** Data that lies on the disk, to be read as often as is needed, a piece at a time and without waiting. */
export interface Spool {
  /** What the user calls it. */
  name: string;
  /** In bytes. */
  size: number;
  chunks(): Iterable<Uint8Array>;
  /** Takes away what was only lying there for the moment. */
  end(): Promise<void>;
}

const pieceSize = 1 << 16;
/** What is taken from an address at the most: what is bigger is no calendar. */
const mostBytes = 2 ** 31;

/** A file, standard input (`-`), or what an address answers. Fails where there is nothing to read. */
export async function spoolOf(name: string, terminal: Terminal, options: { timeout: number }): Promise<Spool> {
  if (name === '-') return spooled('standard input', terminal.stdin as AsyncIterable<Uint8Array>);
  if (/^(?:https?|webcal):\/\//i.test(name)) return fromAddress(name.replace(/^webcal:/i, 'https:'), terminal, options.timeout);
  const path = resolve(terminal.cwd, name);
  const stat = existsSync(path) ? statSync(path) : undefined;
  if (!stat) throw new Failure('not-found', `there is no file ${path}`);
  if (!stat.isFile() && !stat.isFIFO()) throw new Failure('bad-request', `${path} is no file`);
  return { name, size: stat.size, chunks: () => piecesOf(path), end: async () => {} };
}

async function fromAddress(address: string, { interrupted }: Terminal, timeout: number): Promise<Spool> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)]);
  let response: Response;
  try {
    response = await fetch(address, { signal, redirect: 'follow' });
  } catch (error) {
    throw new Failure(
      'unreachable',
      `cannot reach ${address}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`,
    );
  }
  if (!response.ok || !response.body) throw new Failure('unreachable', `${address} answers ${response.status}`);
  return spooled(address, Readable.fromWeb(response.body as never));
}

async function spooled(name: string, source: AsyncIterable<Uint8Array>): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-'));
  const path = join(folder, 'data');
  let size = 0;
  const counted = async function* () {
    for await (const piece of source) {
      size += piece.length;
      if (size > mostBytes) throw new Failure('bad-request', `${name} is larger than ${mostBytes} bytes`);
      yield piece;
    }
  };
  try {
    await pipeline(counted, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { name, size, chunks: () => piecesOf(path), end: () => rm(folder, { recursive: true, force: true }) };
}

/** The bytes of a file in pieces. */
function* piecesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceSize);
      const length = readSync(file, piece, 0, pieceSize, null);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** A short mark of a text, the same for the same text. */
export const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20);
