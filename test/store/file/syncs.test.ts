import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { add, inFolder, openItems } from '../../support/items.ts';

const { openSync, fdatasync, renameSync } = fs;
const { open, rename } = fs.promises;
let calls: string[] = [];

afterEach(() => {
  Object.assign(fs, { openSync, fdatasync, renameSync });
  Object.assign(fs.promises, { open, rename });
  syncBuiltinESMExports();
});

/** Notes every sync and every rename, by the names of the files. */
function watchDisk(folder: string): void {
  const nameOf = (path: string) => (path === folder ? 'folder' : basename(path));
  const paths = new Map<number, string>();
  Object.assign(fs, {
    openSync: (path: string, ...more: [string, number]) => {
      const fd = openSync(path, ...more);
      paths.set(fd, path);
      return fd;
    },
    fdatasync: (fd: number, done: fs.NoParamCallback) => {
      calls.push(`sync ${nameOf(paths.get(fd)!)}`);
      fdatasync(fd, done);
    },
    renameSync: (from: string, to: string) => {
      calls.push(`rename ${nameOf(from)} ${nameOf(to)}`);
      renameSync(from, to);
    },
  });
  Object.assign(fs.promises, {
    open: async (path: string, ...more: [string, number]) => {
      const file = await open(path, ...more);
      const sync = file.sync.bind(file);
      return Object.assign(file, {
        sync: () => {
          calls.push(`sync ${nameOf(path)}`);
          return sync();
        },
      });
    },
    rename: (from: string, to: string) => {
      calls.push(`rename ${nameOf(from)} ${nameOf(to)}`);
      return rename(from, to);
    },
  });
  syncBuiltinESMExports();
}

it('syncs a change before it is acknowledged, and a new file before it replaces the old one', () =>
  inFolder(async (folder) => {
    watchDisk(folder);
    const db = await openItems(`${folder}/a.db`);
    const callsOf = async (work: () => Promise<unknown>) => {
      calls = [];
      await work();
      return calls;
    };
    const change = (name: string) => () => {
      add(db, name);
      return db.synced();
    };
    expect(await callsOf(change('first'))).toEqual(['sync a.db-log']);
    expect(await callsOf(() => db.checkpoint())).toEqual(['sync a.db-log', 'sync a.db-new', 'rename a.db-new a.db', 'sync folder']);
    expect(await callsOf(change('second'))).toEqual(['sync a.db-log', 'sync folder']);
    expect(await callsOf(() => db.close())).toEqual(['sync a.db-log', 'sync a.db-now', 'rename a.db-now a.db', 'sync folder']);
  }));
