import { closeSync, createReadStream, createWriteStream, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TransportOptions } from '../../client/transport.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { withTimeout } from '../../model/time/duration.ts';
import { temporaryFolder } from '../temporary.ts';
import { chunkSize, type Source } from './source.ts';

interface SourceContext {
  /** Base folder of relative paths. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** Requests of a download. Its timeout is for the whole download. */
  transport: TransportOptions;
}

const maxCopyBytes = 2 ** 31;
/** Maximum size of a download, in bytes. */
export const maxDownloadBytes = 256 << 20;

/** Opens a file, standard input (`-`), or an http(s) or webcal URL. Throws if it cannot be read. */
export async function openSource(name: string, context: SourceContext): Promise<Source> {
  if (name === '-') return temporaryCopy('standard input', context.stdin, maxCopyBytes);
  if (/^(?:https?|webcal):\/\//i.test(name)) return download(name.replace(/^webcal:/i, 'https:'), context);
  const path = resolve(context.cwd, name);
  const stat = statOf(path, name);
  // A pipe can be read only once.
  if (stat.isFIFO()) return temporaryCopy(name, createReadStream(path), maxCopyBytes);
  if (!stat.isFile()) throw new Failure('bad-request', `${name}: not a file`);
  return fileSource(name, path);
}

function statOf(path: string, name: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw systemFailure(error, name);
  }
}

async function download(address: string, { transport: options }: SourceContext): Promise<Source> {
  const { transportOf } = await import('../../client/transport.ts');
  const transport = transportOf(options);
  let signal = options.signal;
  try {
    return await withTimeout(options.timeout, options.signal, async (limited) => {
      signal = limited;
      const { status, headers, body } = await transport.open({ method: 'GET', url: address, headers: {}, follows: true }, limited);
      if (status >= 300 && status < 400 && headers.location !== undefined)
        throw new Failure('unreachable', `${address} redirects to ${headers.location}`, 'If you trust the address, use it.');
      if (status < 200 || status >= 300) throw new Failure('unreachable', `${address} returned status ${status}`);
      return temporaryCopy(address, body, maxDownloadBytes, limited);
    });
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (signal.aborted)
      throw new Failure(
        'unreachable',
        `${address} was not downloaded within ${options.timeout / 1000} s`,
        'Allow more time with --timeout SECONDS.',
      );
    if (error instanceof Failure) throw error;
    throw new Failure('unreachable', `Cannot read ${address}: ${(error as Error).message}`);
  } finally {
    await transport.close();
  }
}

async function temporaryCopy(name: string, source: AsyncIterable<Uint8Array>, maxBytes: number, signal?: AbortSignal): Promise<Source> {
  const folder = await temporaryFolder('import');
  const path = join(folder.path, 'data');
  let size = 0;
  const counted = async function* () {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new Failure('bad-request', `${name} is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  };
  try {
    await pipeline(counted, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return { name, path, chunks: () => chunksOf(path), end: () => folder.remove() };
}

export const fileSource = (name: string, path: string): Source => ({ name, path, chunks: () => chunksOf(path), end: async () => {} });

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(file, chunk, 0, chunkSize, null);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}
