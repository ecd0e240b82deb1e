import { extname } from 'node:path';
import { DataError, Failure } from '../../model/error.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { type DataFormat, dataFormats } from '../export.ts';
import type { Source } from './source.ts';

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
