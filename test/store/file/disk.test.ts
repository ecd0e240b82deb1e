import { execFileSync } from 'node:child_process';
import fs, { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { add, inFolder, names, openItems, reasonOf } from '../../support/items.ts';
import { compiled } from '../../support/program.ts';

function mounted(folder: string, size: string): boolean {
  try {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  it('rejects writes with a reason, keeps acknowledged ones, rolls back the rest, and continues when there is space', async (context) => {
    await inFolder(async (folder) => {
      const disk = `${folder}/disk`;
      if (!mounted(disk, '400k')) return context.skip('needs the right to mount');
      try {
        const file = `${disk}/a.db`;
        const said: string[] = [];
        const db = await openItems(file, { notice: (text) => said.push(text) });
        const acknowledged: string[] = [];
        const refused: string[] = [];
        const create = async (name: string): Promise<void> => {
          try {
            add(db, `${name} ${'x'.repeat(3000)}`);
            await db.synced();
            acknowledged.push(name);
          } catch (error) {
            refused.push((error as { reason: string }).reason);
          }
        };
        for (let i = 0; refused.length < 5; i += 1) await Promise.all([create(`a ${i}`), create(`b ${i}`), create(`c ${i}`)]);
        expect(new Set(refused)).toEqual(new Set(['disk-full']));
        const present = () => names(db).map((name) => name.split(' x')[0]);
        expect(present()).toEqual(acknowledged);
        expect(await reasonOf(() => db.checkpoint())).toBe('disk-full');
        execFileSync('mount', ['-o', 'remount,size=10m', disk]);
        await create('after');
        expect(acknowledged.at(-1)).toBe('after');
        await db.close();
        const again = await openItems(file);
        expect(names(again).map((name) => name.split(' x')[0])).toEqual(acknowledged);
        await again.close();
        expect(said.join('\n')).toContain('the disk is full');
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    });
  });

  it('that has no room for a new file leaves the changes in the log', async (context) => {
    await inFolder(async (folder) => {
      const disk = `${folder}/disk`;
      if (!mounted(disk, '600k')) return context.skip('needs the right to mount');
      try {
        const file = `${disk}/a.db`;
        const said: string[] = [];
        const db = await openItems(file, { notice: (text) => said.push(text) });
        for (let i = 0; i < 9; i += 1) add(db, `${i} ${'x'.repeat(10_000)}`);
        await db.synced();
        await db.checkpoint();
        writeFileSync(`${disk}/ballast`, Buffer.alloc(300_000));
        add(db, 'late');
        await db.synced();
        add(db, 'later');
        await db.close();
        expect(said.join()).toContain('until the file is opened again');
        const again = await openItems(file);
        expect(names(again).slice(9)).toEqual(['late', 'later']);
        await again.close();
        expect(existsSync(file)).toBe(true);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    });
  });
});

const diskProgram = compiled('support/disk-process.ts');

describe('a disk that reports errors', () => {
  it('rejects writes that were not synced and all later ones, and never acknowledges them', () =>
    inFolder(async (folder) => {
      const output = execFileSync(process.execPath, [diskProgram, `${folder}/a.db`, 'sync'], { encoding: 'utf8' });
      expect(JSON.parse(output)).toEqual(['a ok ok', 'b io io', 'c io io', 'a', 'd ok ok', 'a,d', 'a,d']);
    }));
});

describe('a file-size limit', () => {
  it.skipIf(process.platform === 'win32')('is a full disk like any other', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const limited = ['-c', 'ulimit -f 400; exec "$@"', 'sh', process.execPath, diskProgram, file, 'fill'];
      const { count, present, reason } = JSON.parse(execFileSync('sh', limited, { encoding: 'utf8' }));
      expect({ present, reason }).toEqual({ present: count, reason: 'disk-full' });
      const db = await openItems(file);
      expect(names(db)).toHaveLength(count);
      await db.close();
    }),
  );
});

describe('a file under its owner', () => {
  it('that is removed, replaced or changed rejects changes, serves reads, and recovers with the file', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'a');
      await db.synced();
      await db.checkpoint();
      renameSync(file, `${folder}/away`);
      expect(await reasonOf(() => add(db, 'b'))).toBe('gone');
      expect(await reasonOf(() => db.checkpoint())).toBe('no failure');
      expect(names(db)).toEqual(['a']);
      copyFileSync(`${folder}/away`, file);
      add(db, 'c');
      await db.synced();
      utimesSync(file, 1, 1);
      add(db, 'd');
      writeFileSync(file, 'something else');
      expect(await reasonOf(() => add(db, 'e'))).toBe('conflict');
      rmSync(file);
      writeFileSync(file, 'something new');
      expect(['gone', 'conflict']).toContain(await reasonOf(() => add(db, 'e')));
      expect(await reasonOf(() => db.checkpoint())).not.toBe('no failure');
      await db.backup(`${folder}/saved.db`);
      renameSync(`${folder}/away`, file);
      add(db, 'f');
      await db.close();
      for (const path of [file, `${folder}/saved.db`]) {
        const again = await openItems(path, { mode: 'read' });
        expect(names(again)).toEqual(path === file ? ['a', 'c', 'd', 'f'] : ['a', 'c', 'd']);
        await again.close();
      }
    }));

  it('whose log is removed is written as a whole', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'a');
      await db.synced();
      rmSync(`${file}-log`);
      expect(await reasonOf(() => add(db, 'b'))).toBe('gone');
      await db.checkpoint();
      add(db, 'c');
      await db.synced();
      await db.close();
      const again = await openItems(file, { mode: 'read' });
      expect(names(again)).toEqual(['a', 'c']);
      await again.close();
    }));

  it('in a folder that takes no files is served, and refuses changes until it does', async (context) => {
    await inFolder(async (folder) => {
      const disk = `${folder}/disk`;
      if (!mounted(disk, '10m')) return context.skip('needs the right to mount');
      try {
        const file = `${disk}/a.db`;
        const db = await openItems(file);
        add(db, 'a');
        await db.close();
        const open = await openItems(file);
        execFileSync('mount', ['-o', 'remount,ro', disk]);
        add(open, 'b');
        expect(await reasonOf(() => open.synced())).toBe('read-only');
        expect(await reasonOf(() => add(open, 'c'))).toBe('read-only');
        expect(names(open)).toEqual(['a']);
        const reader = await openItems(file, { mode: 'read' });
        expect(names(reader)).toEqual(['a']);
        await reader.close();
        execFileSync('mount', ['-o', 'remount,rw', disk]);
        add(open, 'd');
        await open.synced();
        await open.close();
        const again = await openItems(file, { mode: 'read' });
        expect(names(again)).toEqual(['a', 'd']);
        await again.close();
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    });
  });

  it('keeps its mode and its user', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await (await openItems(file)).close();
      chmodSync(file, 0o640);
      const { uid } = fs.statSync(folder);
      if (uid === 0) fs.chownSync(file, 1234, 1234);
      const db = await openItems(file);
      add(db, 'a');
      await db.close();
      expect(fs.statSync(file).mode & 0o777).toBe(0o640);
      expect(fs.statSync(file).uid).toBe(uid === 0 ? 1234 : uid);
    }));
});
