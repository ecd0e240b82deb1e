import { closeSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { counted } from '../../model/grammar.ts';
import { loadSqlite } from '../sqlite/engine.ts';
import { type FileKind, versionFault } from '../sqlite/sql.ts';
import { Sqlite } from '../sqlite/sqlite.ts';
import { replay } from './change-record.ts';
import { canonical, freeName, storageError } from './files.ts';
import { acquire, ownerOf } from './lock.ts';
import type { Owner } from './owner-card.ts';
import { missing, otherProgram, type RecoveredState, recover } from './recovery.ts';

/** A finding of a check, with advice. */
interface Finding {
  where: 'file' | 'log';
  /** damage: content is wrong or missing. note: information; nothing is lost. */
  kind: 'damage' | 'note';
  text: string;
  hint?: string;
  /** Affected pages, numbered from 1. */
  pages?: number[];
}

/** The result of a check. */
interface Report {
  file: string;
  /** True if the file can be used. */
  ok: boolean;
  findings: Finding[];
  /** Number of readable changes in the log that are not in the file yet. */
  changes: number;
  owner: Owner | undefined;
}

/** Checks a file and its log for damage without changing them; works while another process owns the file. Throws if it is not a file of this kind. */
export async function checkFile(file: string, kind: FileKind): Promise<Report> {
  const report: Report = { file, ok: true, findings: [], changes: 0, owner: undefined };
  const addFinding = (finding: Finding): void => {
    report.findings.push(finding);
    if (finding.kind === 'damage') report.ok = false;
  };
  try {
    report.owner = await ownerOf(file);
    const state = recover(canonical(file), kind);
    if (state.file === undefined && state.log === undefined) throw missing(file, kind);
    report.changes = state.changes.length;
    checkLog(state, kind, addFinding);
    // SQLite doesn't recognize a database without its first page.
    const sqlite = new Sqlite(await loadSqlite(), state.file?.damaged[0] === 1 ? undefined : state.file?.database, kind.functions ?? {});
    try {
      if (state.file !== undefined && state.file.damaged.length === 0) checkKind(file, sqlite, kind, addFinding);
      checkContent(state, sqlite, kind, report, addFinding);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    const failure = storageError(error, file);
    if (['foreign', 'missing', 'read-only'].includes(failure.reason)) throw failure;
    const { message, hint } = failure;
    addFinding({ where: 'file', kind: 'damage', text: message, ...(hint === undefined ? {} : { hint }) });
  }
  return report;
}

/** Throws for a database of another program, and reports one of a version that this one can't open. */
function checkKind(file: string, sqlite: Sqlite, kind: FileKind, addFinding: (finding: Finding) => void): void {
  const one = (sql: string): unknown => Object.values(sqlite.rows(sql, [])[0] ?? {})[0];
  let tables: unknown;
  try {
    tables = one('select 1 from sqlite_schema limit 1');
  } catch {
    // The integrity check reports it.
    return;
  }
  if (tables !== undefined && one('pragma application_id') !== kind.applicationId) throw otherProgram(file);
  const version = one('pragma user_version') as number;
  const fault = versionFault('The file', version, kind);
  if (fault) addFinding({ where: 'file', kind: 'note', text: fault.text, hint: fault.hint });
}

function checkLog({ log, changes }: RecoveredState, { hints }: FileKind, addFinding: (finding: Finding) => void): void {
  const broken = log?.broken;
  if (broken?.cause === 'torn')
    addFinding({ where: 'log', kind: 'note', text: `${broken.text}, left by a crash; it will be dropped when the file is opened` });
  else if (broken !== undefined)
    addFinding({
      where: 'log',
      kind: 'damage',
      text: `${broken.text} (${broken.length} bytes); intact before it: ${counted(changes.length, 'change')}; readable after it, but not applicable without it: ${counted(broken.after, 'change')}`,
      hint: hints.repair,
    });
}

function checkContent(
  { file, changes }: RecoveredState,
  sqlite: Sqlite,
  { hints }: FileKind,
  report: Report,
  onFinding: (finding: Finding) => void,
): void {
  if (file?.trailer === 'stale') onFinding({ where: 'file', kind: 'note', text: 'The file was changed by another SQLite program' });
  if (file?.trailer === 'missing')
    onFinding({ where: 'file', kind: 'note', text: 'The file has no checksums yet; the next write adds them' });
  if (file?.trailer === 'broken')
    onFinding({ where: 'file', kind: 'note', text: 'The checksums at the end of the file are damaged; the next write replaces them' });
  if (file !== undefined && file.damaged.length > 0) {
    onFinding({
      where: 'file',
      kind: 'damage',
      text: `${file.damaged.length} of ${file.database.length / file.pageSize} pages do not match their checksums`,
      hint: `${hints.restore} Without one, extract the readable records with: sqlite3 FILE .recover`,
      pages: file.damaged,
    });
    return;
  }
  for (const text of integrity(sqlite)) onFinding({ where: 'file', kind: 'damage', text, hint: hints.restore });
  if (!report.ok) return;
  try {
    for (const change of changes) replay(change, sqlite);
  } catch (error) {
    onFinding({ where: 'log', kind: 'damage', text: `A change in the log cannot be replayed: ${(error as Error).message}` });
  }
}

function integrity(sqlite: Sqlite): string[] {
  try {
    return sqlite
      .rows('pragma integrity_check(20)', [])
      .map((row) => String(row.integrity_check))
      .filter((text) => text !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Truncates a damaged log where the damage starts, after copying it. Returns the name of the copy; undefined if the log is not damaged. */
export async function repairFile(file: string, kind: FileKind, timeout = 5000): Promise<string | undefined> {
  const lock = await acquire(file, timeout, kind.hints.locked);
  try {
    const log = `${lock.file}-log`;
    const { log: reading } = recover(lock.file, kind);
    if (reading?.broken === undefined) return undefined;
    const aside = freeName(`${log}.damaged`);
    await copyFile(log, aside);
    const fd = openSync(log, 'r+');
    try {
      ftruncateSync(fd, reading.good);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return aside;
  } catch (error) {
    throw storageError(error, file);
  } finally {
    await lock.release();
  }
}
