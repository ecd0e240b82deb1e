import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type OpenOptions, openDatabase, type Sql } from '../../src/store/database.ts';

/** A database of items, small enough to damage it byte by byte. */
export const itemOptions: OpenOptions = {
  mode: 'write',
  schema: 1,
  timeout: 10_000,
  migrate(db: Sql) {
    db.run('create table item (id integer primary key, name text not null unique, size real, data blob)');
    db.run('create index item_size on item (size)');
  },
};

export function openItems(file: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  return openDatabase(file, { ...itemOptions, ...options });
}

export function add(db: Database, name: string, size: number | null = null): number {
  return db.change(() => db.run('insert into item (name, size) values (?, ?)', name, size).lastId);
}

export function names(db: Sql): string[] {
  return db.all<{ name: string }>('select name from item order by id').map(({ name }) => name);
}

/** A folder of its own for `work`, removed afterwards. */
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
