import { closeSync, createReadStream, createWriteStream, openSync, readSync, type Stats, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
  /** Aborts a download. */
  signal: AbortSignal;
  /** Timeout of a download, in ms. */
  timeout: number;
  /** Headers of a download; redirects to other sites are then not followed. */
  headers?: Readonly<Record<string, string>>;
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

async function download(address: string, context: SourceContext): Promise<Source> {
  let signal = context.signal;
  try {
    return await withTimeout(context.timeout, context.signal, async (limited) => {
      signal = limited;
      const response = await fetched(address, context.headers, signal);
      if (!response.ok || !response.body) throw new Failure('unreachable', `${address} returned status ${response.status}`);
      return temporaryCopy(address, Readable.fromWeb(response.body as never, { signal }), maxDownloadBytes, signal);
    });
  } catch (error) {
    if (error instanceof Failure || context.signal.aborted) throw error;
    if (signal.aborted)
      throw new Failure(
        'unreachable',
        `${address} was not downloaded within ${context.timeout / 1000} s`,
        'Allow more time with --timeout SECONDS.',
      );
    const { cause, message } = error as Error;
    throw new Failure('unreachable', `Cannot read ${address}: ${(cause as Error | undefined)?.message ?? message}`);
  }
}

/** Maximum number of redirects to follow with headers. */
const maxRedirects = 5;

/** Requests a URL. With headers, which may be credentials, follows redirects only within the same site. */
async function fetched(address: string, headers: SourceContext['headers'], signal: AbortSignal): Promise<Response> {
  if (!headers || !Object.keys(headers).length) return fetch(address, { signal, redirect: 'follow' });
  const source = new URL(address);
  const { redirectOf } = await import('../../client/redirects.ts');
  for (let url = source, count = 0; ; count++) {
    const response = await fetch(url, { signal, headers, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    const next = redirectOf(source, url, location, true);
    if (!next || count === maxRedirects)
      throw new Failure('unreachable', `${address} redirects to ${location}`, 'If you trust the address, use it.');
    url = next.url;
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
  const ending = extname(source.name.replace(/[?#].*$/, ''))
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
