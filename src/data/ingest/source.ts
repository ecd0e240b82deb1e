import { DataError, dataFailure, Failure } from '../../model/error.ts';
import { base64Bytes, utf8Bytes } from '../../model/formats/bytes.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import type { SeedFile } from '../../model/operation-types.ts';
import { type DataFormat, dataFormats } from '../../model/operations/formats.ts';

/** Data for repeated reading. Read synchronously in chunks, since a transaction cannot wait. */
export interface Source {
  /** Name given by the user. */
  name: string;
  /** Path on disk; absent for data in memory. */
  path?: string;
  chunks(): Iterable<Uint8Array>;
  /** Deletes the temporary copy, if any. */
  end(): Promise<void>;
}

/** Opens what a user names: a file, standard input (`-`) or a URL. Throws if it cannot be read. */
export type OpenSource = (name: string) => Promise<Source>;

export const chunkSize = 1 << 16;

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
  return sourceOf(name, text === undefined ? base64Bytes(base64!) : utf8Bytes(text));
}

/** The text of a source. Throws a failure with the line of the first invalid byte. */
export function textIn(source: Source): string {
  try {
    return [...decodeChunks(source.chunks())].join('');
  } catch (error) {
    throw error instanceof DataError ? dataFailure(source.name, [{ at: error.at, reason: error.reason }]) : error;
  }
}

/** Detects the format of a source by the extension of its name, else by its first characters. Text that begins with `[` or `{` is not CSV. Throws `bad-request` for an SQL dump. */
export function detectFormat(source: Source, encoding?: string): DataFormat {
  const [, ending] = /[^/\\]\.([^./\\]*)\/*$/.exec(source.name.replace(/[?#].*$/s, '').toLowerCase()) ?? [];
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
