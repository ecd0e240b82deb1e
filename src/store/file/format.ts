import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type FileKind, StorageError } from '../sqlite/sql.ts';
import { databaseSizeOf, pageSizeOf } from '../sqlite/sqlite.ts';

/*
 * A file is a plain SQLite database followed by a checksum trailer: whole pages that SQLite does not count as its own (byte 28 of the header
 * contains the number of pages), and therefore ignores. The trailer contains a checksum of each page:
 *
 *   zeros up to a page's end | crc32 of page 1, of page 2, … | magic 16 | page size 4 | pages 4 | change counter 4 | crc32 of the trailer 4
 */
const magic = Buffer.from('calendar sums 1\n');
const footer = 32;
const sqliteMagic = Buffer.from('SQLite format 3\0');

/** Hash of the content of a database file. A log names the file that it continues. */
export type Identity = string;

/** Identity of a file that does not exist yet. */
export const nothing: Identity = '0'.repeat(32);

/** The bytes of a file after comparison with their checksums. */
export interface VerifiedBytes {
  /** The SQLite database, without the trailer. */
  database: Uint8Array;
  /** The database and, if it is intact, the trailer, into which the database can grow: otherwise, the first page that is added would copy all others. */
  memory: Uint8Array;
  /** Computed on demand: most commands only read a file without a log, and loading `node:crypto` takes longer than reading it. */
  identity(): Identity;
  pageSize: number;
  /** Pages that don't match their checksums, numbered from 1. */
  damaged: number[];
  /** intact: all pages were compared. stale: another SQLite program has changed the file since. missing: the file never had checksums. broken: the trailer is damaged. */
  trailer: 'intact' | 'stale' | 'missing' | 'broken';
}

/** The checksum trailer of a database, and the identity of both. Raises the change counter of the database above `after`. */
export function withChecksums(database: Uint8Array, after: number): { trailer: Uint8Array; identity: Identity; counter: number } {
  const view = Buffer.from(database.buffer, database.byteOffset, database.byteLength);
  const pageSize = pageSizeOf(view);
  const counter = Math.max(view.readUInt32BE(24), after) + 1;
  view.writeUInt32BE(counter, 24);
  view.writeUInt32BE(counter, 92);
  const sums = sumsOf(view, pageSize);
  const pages = sums.length / 4;
  const trailer = Buffer.alloc(Math.ceil((sums.length + footer) / pageSize) * pageSize);
  const start = trailer.length - footer - sums.length;
  sums.copy(trailer, start);
  const end = trailer.length - footer;
  magic.copy(trailer, end);
  trailer.writeUInt32BE(pageSize, end + 16);
  trailer.writeUInt32BE(pages, end + 20);
  trailer.writeUInt32BE(counter, end + 24);
  trailer.writeUInt32BE(crc32(trailer.subarray(0, end + 28)), end + 28);
  return { trailer, identity: identityOf(sums, pageSize), counter };
}

/** Compares every page of a file with its checksum. Throws a StorageError for a truncated file or one that is not a SQLite database. */
export function verifyChecksums(bytes: Buffer, file: string, kind: FileKind): VerifiedBytes {
  const trailer = findTrailer(bytes);
  if (trailer === undefined) return withoutTrailer(bytes, file, kind);
  const { pageSize, pages, counter, sums } = trailer;
  const database = bytes.subarray(0, pageSize * pages);
  const actual = sumsOf(database, pageSize);
  const identity = () => identityOf(actual, pageSize);
  if (actual.equals(sums)) return { database, memory: bytes, identity, pageSize, damaged: [], trailer: 'intact' };
  // Every SQLite program raises the counter at 24 and copies it to 92; a flipped bit cannot do both.
  const now = bytes.readUInt32BE(24);
  if (now === bytes.readUInt32BE(92) && now !== counter) return { ...withoutTrailer(bytes, file, kind), trailer: 'stale' };
  const damaged = Array.from({ length: pages }, (_, i) => i + 1).filter(
    (page) => actual.readUInt32BE(page * 4 - 4) !== sums.readUInt32BE(page * 4 - 4),
  );
  return { database, memory: database, identity, pageSize, damaged, trailer: 'intact' };
}

function withoutTrailer(bytes: Buffer, file: string, kind: FileKind): VerifiedBytes {
  if (bytes.length < 512 || !bytes.subarray(0, 16).equals(sqliteMagic))
    throw new StorageError('foreign', `${file} is not a ${kind.noun}: not a SQLite database`, 'Check the path.');
  const pageSize = pageSizeOf(bytes);
  const size = databaseSizeOf(bytes);
  if (size > bytes.length)
    throw new StorageError('damaged', `${file} is truncated: ${bytes.length} bytes, expected at least ${size}`, kind.hints.restore);
  const database = size > 0 ? bytes.subarray(0, size) : bytes;
  const identity = () => identityOf(sumsOf(database, pageSize), pageSize);
  return { database, memory: database, identity, pageSize, damaged: [], trailer: database.length === bytes.length ? 'missing' : 'broken' };
}

function findTrailer(bytes: Buffer): { pageSize: number; pages: number; counter: number; sums: Buffer } | undefined {
  const end = bytes.length - footer;
  if (end < 512 || !bytes.subarray(end, end + 16).equals(magic)) return undefined;
  const pageSize = bytes.readUInt32BE(end + 16);
  const pages = bytes.readUInt32BE(end + 20);
  const start = end - pages * 4;
  const from = pageSize * pages;
  if (from > start || crc32(bytes.subarray(from, end + 28)) !== bytes.readUInt32BE(end + 28)) return undefined;
  return { pageSize, pages, counter: bytes.readUInt32BE(end + 24), sums: bytes.subarray(start, end) };
}

function sumsOf(database: Uint8Array, pageSize: number): Buffer {
  const pages = Math.ceil(database.length / pageSize);
  const sums = Buffer.allocUnsafe(pages * 4);
  for (let page = 0; page < pages; page += 1)
    sums.writeUInt32BE(crc32(database.subarray(page * pageSize, (page + 1) * pageSize), page + 1), page * 4);
  return sums;
}

function identityOf(sums: Buffer, pageSize: number): Identity {
  return createHash('sha256').update(String(pageSize)).update(sums).digest('hex').slice(0, 32);
}
