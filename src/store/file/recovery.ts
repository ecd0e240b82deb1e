import { closeSync, existsSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { counted } from '../../model/grammar.ts';
import { type FileKind, StorageError } from '../sqlite/sql.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { storageError } from './files.ts';
import { type Identity, nothing, type VerifiedBytes, verifyChecksums } from './format.ts';
import { type LogReading, payloadLines, readLog } from './wal-format.ts';

/** Identifies a version of a file without reading it. */
export interface Stamp {
  dev: number;
  ino: number;
  size: number;
  mtimeMs: number;
}

/** A consistent state of a file and its log. */
export interface RecoveredState {
  /** Undefined if the file does not exist or is empty. */
  file: (VerifiedBytes & { stamp: Stamp; mode: number; uid: number; gid: number }) | undefined;
  identity(): Identity;
  log: LogReading | undefined;
  /** Recorded changes in the log that are not in the file. */
  changes: string[];
}

export function stampOf(file: string): Stamp | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs };
}

export function sameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.dev === b?.dev && a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs;
}

/** Reads a consistent state of the file and its log, also while their owner replaces them. Does not check for damage. `limit` is the number of bytes of the log that count. */
export function recover(path: string, kind: FileKind, limit?: number): RecoveredState {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const file = readFile(path, kind);
      const log = readLog(`${path}-log`, limit);
      const settled = sameStamp(file?.stamp, stampOf(path)) || attempt === 50;
      const state = settled ? combine(path, file, log, attempt === 50) : undefined;
      if (state !== undefined) return state;
    } catch (error) {
      throw storageError(error, path);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

function readFile(path: string, kind: FileKind): RecoveredState['file'] {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { dev, ino, size, mtimeMs, mode, uid, gid } = fstatSync(fd);
    if (size === 0) return undefined;
    return { ...verifyChecksums(readFileSync(fd), path, kind), stamp: { dev, ino, size, mtimeMs }, mode: mode & 0o777, uid, gid };
  } finally {
    closeSync(fd);
  }
}

/** Combines a file and its log. If they don't belong together, returns undefined, or throws on the last attempt. */
function combine(path: string, file: RecoveredState['file'], log: LogReading | undefined, last: boolean): RecoveredState | undefined {
  const identity = file?.identity ?? (() => nothing);
  if (log?.base === undefined) return { file, identity, log, changes: [] };
  const current = identity();
  const mark = log.frames.findLastIndex((frame) => frame.kind === 'checkpoint' && frame.payload.toString('hex') === current);
  if (mark >= 0 || log.base === current) {
    const changes = log.frames.slice(mark + 1).flatMap((frame) => (frame.kind === 'changes' ? payloadLines(frame.payload) : []));
    return { file, identity, log, changes };
  }
  // A file with damaged pages has another identity than its log expects; the damage is reported instead.
  if (file !== undefined && file.damaged.length > 0) return { file, identity, log, changes: [] };
  if (!last) return undefined;
  const waiting = log.frames.reduce((sum, frame) => sum + (frame.kind === 'changes' ? payloadLines(frame.payload).length : 0), 0);
  if (file === undefined)
    throw new StorageError(
      'gone',
      `${path} is missing or empty, but its log ${path}-log contains ${counted(waiting, 'change')} to it`,
      'Put the file back next to its log, or delete the log to discard the changes.',
    );
  throw new StorageError(
    'conflict',
    `${path} was changed or replaced by another program while ${path}-log contained ${counted(waiting, 'change')}`,
    'Neither was modified. Put back the file that belongs to the log, or move the log away to continue without its changes.',
  );
}

export function missing(path: string, { noun }: FileKind): StorageError {
  const empty = existsSync(path);
  return new StorageError(
    'missing',
    empty ? `${path} is empty and does not contain a ${noun}` : `${path}: no such file`,
    empty ? 'The first write creates one.' : 'Check the path.',
  );
}

export function otherProgram(path: string): StorageError {
  return new StorageError('foreign', `${path} is a SQLite database of another program`, 'Check the path.');
}

/** Throws if a state is damaged, with the intact parts. */
export function refuseDamage(path: string, state: RecoveredState, kind: FileKind): void {
  const pages = state.file?.damaged ?? [];
  if (pages.length > 0)
    throw new StorageError(
      'damaged',
      `${path}: ${pages.length === 1 ? 'page' : 'pages'} ${listed(pages)} of ${state.file!.database.length / state.file!.pageSize} ${pages.length === 1 ? 'does' : 'do'} not match ${pages.length === 1 ? 'its checksum' : 'their checksums'}`,
      kind.hints.damaged,
    );
  const broken = state.log?.broken;
  if (broken?.cause === 'damaged')
    throw new StorageError(
      'damaged',
      `${path}-log: ${broken.text}; intact before it: ${counted(state.changes.length, 'change')}; readable after it: ${broken.after}`,
      kind.hints.damaged,
    );
}

function listed(pages: readonly number[]): string {
  return pages.length <= 8 ? pages.join(', ') : `${pages.slice(0, 8).join(', ')} and ${pages.length - 8} more`;
}

/** Notices about a usable state. */
export function noticesOf(path: string, { file, log }: RecoveredState): string[] {
  const notices: string[] = [];
  if (log?.broken?.cause === 'torn') notices.push(`${path}-log: ${log.broken.text}; dropped it. Every earlier change is intact.`);
  if (file?.trailer === 'stale') notices.push(`${path} was changed by another SQLite program. Its content is valid.`);
  if (file?.trailer === 'broken') notices.push(`${path}: the checksums are damaged or missing. The content is valid.`);
  return notices;
}

/** Throws if another SQLite program has an open transaction, or crashed in one. */
export function refuseOpenTransaction(file: string): void {
  for (const end of ['-wal', '-journal'])
    if ((statSync(file + end, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw new StorageError(
        'conflict',
        `${file}${end} exists: another SQLite program is using the file, or crashed while writing to it`,
        'Open and close the file with that program (for example `sqlite3 FILE vacuum`), then try again.',
      );
}

/** Throws if SQLite's integrity check fails. Used for content without checksums. */
export function refuseIllFormed(sqlite: Sqlite, file: string, kind: FileKind): void {
  let findings: string[];
  try {
    findings = sqlite.rows('pragma integrity_check(5)', []).map((row) => String(row.integrity_check));
  } catch (error) {
    findings = [(error as Error).message];
  }
  if (findings[0] !== 'ok') throw new StorageError('damaged', `${file} is damaged: ${findings.join('; ')}`, kind.hints.damaged);
}
