import { closeSync, createReadStream, createWriteStream, openSync, readSync, type Stats, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TransportOptions } from '../../client/transport.ts';
import { DataError, Failure, systemFailure } from '../../model/error.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import type { SeedFile } from '../../model/operation-types.ts';
import { type DataFormat, dataFormats } from '../../model/operations/formats.ts';
import { withTimeout } from '../../model/time/duration.ts';
import { temporaryFolder } from '../temporary.ts';

/** Data on disk, for repeated reading. Read synchronously in chunks, since a transaction cannot wait. */
export interface Source {
  /** Name given by the user. */
  name: string;
  /** Path on disk; absent for data in memory. */
  path?: string;
  chunks(): Iterable<Uint8Array>;
  /** Deletes the temporary copy, if any. */
  end(): Promise<void>;
}

export interface SourceContext {
  /** Base folder of relative paths. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** Requests of a download. Its timeout is for the whole download. */
  transport: TransportOptions;
}

const chunkSize = 1 << 16;
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

export const sourceOf = (name: string, bytes: Uint8Array): Source => ({
  name,
  *chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  },
  end: async () => {},
});

/** The content of a file in a request, by the name that it has there. Throws `bad-request` unless it is exactly one of text and base64. */
export function sourceOfContent({ name = 'the text', text, base64 }: SeedFile): Source {
  if ((text === undefined) === (base64 === undefined)) throw new Failure('bad-request', 'Pass exactly one of text and base64');
  return sourceOf(name, text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text));
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

/** Detects the format of a source by the extension of its name, else by its first characters. Text that begins with `[` or `{` is not CSV. Throws `bad-request` for an SQL dump. */
export function detectFormat(source: Source, encoding?: string): DataFormat {
  const ending = extname(source.name.replace(/[?#].*$/s, ''))
    .slice(1)
    .toLowerCase();
  const byEnding = dataFormats.find((format) => format === (ending === 'jsonl' ? 'ndjson' : ending === 'tsv' ? 'csv' : ending));
  return byEnding && byEnding !== 'csv' ? byEnding : formatOfText(beginning(source, encoding));
}

function beginning(source: Source, encoding?: string): string {
  try {
    for (const piece of decodeChunks(source.chunks(), encoding)) if (piece.trim() !== '') return piece.slice(0, 65_536).trimStart();
  } catch (error) {
    // The reader reports invalid text with its position.
    if (!(error instanceof DataError)) throw error;
  }
  return '';
}

function formatOfText(text: string): DataFormat {
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics';
  if (text.startsWith('[')) return 'json';
  if (/^(--|PRAGMA |BEGIN TRANSACTION)/i.test(text))
    throw new Failure('bad-request', 'An SQL dump cannot be imported', 'Import an export in JSON, or load the dump with sqlite3.');
  if (!text.startsWith('{')) return 'csv';
  const line = text.split('\n', 1)[0]!;
  try {
    JSON.parse(line);
    return text.slice(line.length).trim() !== '' || /"resource"/.test(line) ? 'ndjson' : 'json';
  } catch {
    return /^\{"resource"/.test(line) ? 'ndjson' : 'json';
  }
}
