import { extname } from 'node:path';
import { decodeChunks } from '../../model/text-source.ts';
import type { DataFormat } from './out.ts';
import { formats } from './out.ts';
import type { Spool } from './spool.ts';

/** The format of data: by the name of the file, else by how it begins. */
export function formatOfData(spool: Spool): DataFormat {
  const ending = extname(spool.name.replace(/[?#].*$/, ''))
    .slice(1)
    .toLowerCase();
  const named = formats.find((format) => format === (ending === 'jsonl' ? 'ndjson' : ending === 'tsv' ? 'csv' : ending));
  return named ?? formatOfText(beginning(spool));
}

function beginning(spool: Spool): string {
  for (const piece of decodeChunks(spool.chunks())) return piece.slice(0, 4096).trimStart();
  return '';
}

function formatOfText(text: string): DataFormat {
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics';
  if (!text.startsWith('{')) return 'csv';
  const line = text.split('\n', 1)[0]!;
  try {
    JSON.parse(line);
    return text.length > line.length && text.slice(line.length).trim() !== '' ? 'ndjson' : /"resource"/.test(line) ? 'ndjson' : 'json';
  } catch {
    return /^\{"resource"/.test(line) ? 'ndjson' : 'json';
  }
}
