import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { application, type OpenOptions, openDatabase } from './database.ts';
import { canonical, storageError, syncFolder } from './disk.ts';
import { acquire, type Owner, ownerOf } from './lock.ts';
import { ownersOf, type Tree } from './pages.ts';
import { replay } from './record.ts';
import { loadSqlite, type SqlFunction, Sqlite } from './sqlite.ts';
import { noCalendar, otherProgram, readState, type State } from './state.ts';

/** One thing that a check found, with what to do about it. */
export interface Finding {
  where: 'file' | 'log';
  /** damage: content is wrong or missing. note: worth knowing, nothing is lost. */
  kind: 'damage' | 'note';
  text: string;
  hint?: string;
  /** Numbers of the pages concerned, from 1. */
  pages?: number[];
  /** Tables and indexes that have content on those pages. */
  tables?: string[];
}

/** What a check says of a file and its log. */
export interface Report {
  file: string;
  /** Whether the file can be served as it is. */
  ok: boolean;
  findings: Finding[];
  /** Tables and indexes that no finding touches. */
  intact: string[];
  /** Changes in the log that are not in the file yet, and can be read. */
  changes: number;
  owner: Owner | undefined;
}

/** Looks for damage in a file and its log; changes nothing, and can run while a server owns the file. Fails where there is no calendar. */
export async function check(
  file: string,
  { schema = 1, functions = {} }: { schema?: number; functions?: Record<string, SqlFunction> } = {},
): Promise<Report> {
  const report: Report = { file, ok: true, findings: [], intact: [], changes: 0, owner: undefined };
  const found = (finding: Finding): void => {
    report.findings.push(finding);
    if (finding.kind === 'damage') report.ok = false;
  };
  try {
    report.owner = await ownerOf(file);
    const state = readState(canonical(file));
    if (state.file === undefined && state.log === undefined) throw noCalendar(file);
    report.changes = state.changes.length;
    judgeLog(state, found);
    // Without its first page SQLite takes the file for no database at all.
    const sqlite = new Sqlite(await loadSqlite(), state.file?.damaged[0] === 1 ? undefined : state.file?.image, functions);
    try {
      if (state.file !== undefined && state.file.damaged.length === 0) judgeKind(file, sqlite, schema, found);
      judgeFile(state, sqlite, report, found);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    const failure = storageError(error, file);
    if (['foreign', 'missing', 'read-only'].includes(failure.reason)) throw failure;
    const { message, hint } = failure;
    found({ where: 'file', kind: 'damage', text: message, ...(hint === undefined ? {} : { hint }) });
  }
  return report;
}

/** Refuses a database of another program, and says of a later version's that it is one. */
function judgeKind(file: string, sqlite: Sqlite, schema: number, found: (finding: Finding) => void): void {
  const one = (sql: string): unknown => Object.values(sqlite.rows(sql, [])[0] ?? {})[0];
  let tables: unknown;
  try {
    tables = one('select 1 from sqlite_schema limit 1');
  } catch {
    // The check of SQLite says what is wrong.
    return;
  }
  if (tables !== undefined && one('pragma application_id') !== application) throw otherProgram(file);
  const version = one('pragma user_version') as number;
  if (version > schema)
    found({
      where: 'file',
      kind: 'note',
      text: `a later version of this program wrote the file (its format is ${version}, this version knows ${schema})`,
      hint: 'Install the later version.',
    });
}

function judgeLog({ log, changes }: State, found: (finding: Finding) => void): void {
  const broken = log?.broken;
  if (broken?.cause === 'torn')
    found({ where: 'log', kind: 'note', text: `${broken.text}, which a crash leaves; the next opening drops it` });
  else if (broken !== undefined)
    found({
      where: 'log',
      kind: 'damage',
      text: `${broken.text} (${broken.length} bytes); ${changes.length} changes before it are intact, ${broken.after} after it can be read but not applied without it`,
      hint: 'Restore a backup, or keep the changes before the damage with: calendar db repair.',
    });
}

function judgeFile({ file, changes }: State, sqlite: Sqlite, report: Report, found: (finding: Finding) => void): void {
  const trees = treesOf(sqlite);
  report.intact = trees.map(({ name }) => name);
  if (file?.seal === 'edited') found({ where: 'file', kind: 'note', text: 'another SQLite program has changed the file' });
  if (file?.seal === 'bare') found({ where: 'file', kind: 'note', text: 'the file has no checksums yet; the next write adds them' });
  if (file?.seal === 'broken')
    found({ where: 'file', kind: 'note', text: 'the checksums at the end of the file are damaged; the next write makes new ones' });
  if (file !== undefined && file.damaged.length > 0) {
    const owners = ownersOf(file.image, file.pageSize, trees);
    const tables = [...new Set(file.damaged.map((page) => owners.get(page)?.name ?? 'unused or unreachable space'))];
    report.intact = report.intact.filter((name) => !tables.includes(name));
    const rows = file.damaged.some((page) => owners.get(page)?.type !== 'index');
    found({
      where: 'file',
      kind: 'damage',
      text: `${file.damaged.length} of ${file.image.length / file.pageSize} pages do not have the content that was written; they belong to ${tables.join(', ')}`,
      hint: rows
        ? 'Restore a backup with: calendar db restore FILE. Without one, sqlite3 FILE .recover saves what can be read.'
        : 'Only indexes are damaged, every record is intact: restore a backup, or rebuild them with: sqlite3 FILE reindex.',
      pages: file.damaged,
      tables,
    });
    return;
  }
  for (const text of integrity(sqlite))
    found({ where: 'file', kind: 'damage', text, hint: 'Restore a backup with: calendar db restore FILE.' });
  if (!report.ok) return;
  try {
    for (const change of changes) replay(change, sqlite);
  } catch (error) {
    found({ where: 'log', kind: 'damage', text: `a change of the log cannot be made again: ${(error as Error).message}` });
  }
}

function treesOf(sqlite: Sqlite): Tree[] {
  const schema: Tree = { name: 'sqlite_schema', type: 'table', root: 1 };
  try {
    const rows = sqlite.rows('select name, type, rootpage as root from sqlite_schema where rootpage > 0', []);
    return [schema, ...(rows as unknown as Tree[])];
  } catch {
    return [schema];
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

/** Cuts a damaged log where the damage begins, after copying it to a file whose name is returned; undefined when there was nothing to cut. */
export async function repair(file: string, timeout = 5000): Promise<string | undefined> {
  const lock = await acquire(file, timeout);
  try {
    const log = `${lock.file}-log`;
    const { log: reading } = readState(lock.file);
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

/**
 * Puts a backup in the place of a file, upgraded where it is older. What was there before, with its log, is kept under the name that is
 * returned; undefined when there was nothing. A crash leaves the old file, the new one, or a pair that the next opening refuses.
 */
export async function restore(file: string, from: string, options: Omit<OpenOptions, 'mode'>): Promise<string | undefined> {
  const source = await openDatabase(from, { ...options, mode: 'read' });
  try {
    const lock = await acquire(file, options.timeout ?? 5000);
    try {
      const fresh = `${lock.file}-now`;
      await source.backup(fresh);
      const aside = existsSync(lock.file) || existsSync(`${lock.file}-log`) ? freeName(`${lock.file}.before-restore`) : undefined;
      if (aside !== undefined)
        for (const end of ['', '-log']) if (existsSync(lock.file + end)) await secondName(lock.file + end, aside + end);
      await rename(fresh, lock.file);
      await syncFolder(lock.file);
      await rm(`${lock.file}-log`, { force: true });
      return aside;
    } catch (error) {
      throw storageError(error, file);
    } finally {
      await lock.release();
    }
  } finally {
    await source.close();
  }
}

async function secondName(path: string, name: string): Promise<void> {
  // Some file systems have no links.
  await link(path, name).catch(() => copyFile(path, name));
}

function freeName(name: string): string {
  for (let i = 1; ; i += 1) if (!existsSync(`${name}-${i}`)) return `${name}-${i}`;
}
