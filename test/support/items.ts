import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/file/database.ts';
import { openInMemory } from '../../src/store/sqlite/memory-database.ts';
import type { Database, FileKind, OpenOptions, Sql } from '../../src/store/sqlite/sql.ts';
import { limit } from './timeouts.ts';

/** Files of items, small enough to be damaged byte by byte. */
export const itemFile: FileKind = {
  noun: 'list of items',
  applicationId: 1,
  schema: 1,
  migrate(db) {
    db.run('create table item (id integer primary key, name text not null unique, size real, data blob)');
    db.run('create index item_size on item (size)');
  },
  hints: { locked: '', damaged: '', restore: '', repair: '', replaced: '', removed: '' },
};

export function openItems(file: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  if (file === ':memory:') return openInMemory(itemFile);
  return openDatabase(file, { mode: 'write', timeout: limit(10_000), kind: itemFile, ...options });
}

export function add(db: Database, name: string, size: number | null = null): number {
  return db.insert('insert into item (name, size) values (?, ?)', name, size);
}

export function names(db: Sql): string[] {
  return db.all<{ name: string }>('select name from item order by id').map(({ name }) => name);
}

/** Runs `work` with a temporary folder, removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  const folder = mkdtempSync(join(parent, 'calendar-store-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reason of the StorageError that a promise or a function ends with, or how it ended otherwise. */
export async function reasonOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'no failure';
  } catch (error) {
    return (error as { reason?: string }).reason ?? `unexplained: ${error}`;
  }
}
