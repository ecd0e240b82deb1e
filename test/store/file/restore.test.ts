import fs, { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { restoreFile } from '../../../src/store/file/restore.ts';
import { add, inFolder, itemFile, names, openItems } from '../../support/items.ts';

const original = { ...fs.promises };
afterEach(() => {
  Object.assign(fs.promises, original);
  syncBuiltinESMExports();
});

/** Makes a call to the disk fail for paths with an end, as if the process were killed before it. */
function stopBefore(call: 'rename' | 'rm', end: string): void {
  Object.assign(fs.promises, {
    [call]: async (...args: [string, string]) => {
      if (args[0].endsWith(end)) throw Object.assign(new Error('killed'), { code: 'EIO', syscall: call });
      return (original[call] as (...args: [string, string]) => Promise<void>)(...args);
    },
  });
  syncBuiltinESMExports();
}

describe('a restore', () => {
  it.each([
    ['the new file is in place', 'rename', '.db-now', ['a', 'b', 'c']],
    ['the old log is removed', 'rm', '.db-log', ['a']],
  ] as const)('that is killed before %s leaves a file that opens', (_, call, end, found) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'a');
      await db.backup(`${folder}/backup.db`);
      add(db, 'b');
      await db.checkpoint();
      add(db, 'c');
      await db.synced();
      // As a killed process leaves them.
      for (const end of ['', '-log']) fs.copyFileSync(file + end, `${folder}/killed.db${end}`);
      await db.close();
      stopBefore(call, end);
      await expect(restoreFile(`${folder}/killed.db`, `${folder}/backup.db`, itemFile)).rejects.toThrow('killed');
      Object.assign(fs.promises, original);
      syncBuiltinESMExports();
      for (const mode of ['read', 'write'] as const) {
        const again = await openItems(`${folder}/killed.db`, { mode });
        expect(names(again)).toEqual(found);
        await again.close();
      }
      const former = await openItems(`${folder}/killed.db.before-restore-1`, { mode: 'read' });
      expect(names(former)).toEqual(['a', 'b', 'c']);
      await former.close();
    }),
  );

  it('of a backup that is damaged changes nothing', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'a');
      await db.close();
      const bad = readFileSync(file);
      bad[5000]! ^= 1;
      fs.writeFileSync(`${folder}/bad.db`, bad);
      const before = readFileSync(file);
      await expect(restoreFile(file, `${folder}/bad.db`, itemFile)).rejects.toThrow('does not match its checksum');
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(existsSync(`${file}.before-restore-1`)).toBe(false);
    }));
});
