import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../src/store/file/check.ts';
import { restoreFile } from '../../../src/store/file/restore.ts';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import type { FileKind } from '../../../src/store/sqlite/sql.ts';
import { cases } from '../../support/cases.ts';
import { add, inFolder, itemFile, names, openItems, reasonOf } from '../../support/items.ts';

describe('a change', () => {
  it('is rolled back completely when it throws, and a nested one separately, also in the log', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      db.change(() => {
        add(db, 'a');
        expect(() =>
          db.change(() => {
            add(db, 'b');
            throw new Error('no');
          }),
        ).toThrow('no');
        add(db, 'c');
      });
      const before = db.version;
      expect(() =>
        db.change(() => {
          add(db, 'd');
          throw new Error('no');
        }),
      ).toThrow('no');
      expect(names(db)).toEqual(['a', 'c']);
      expect(db.version).toBe(before);
      await db.synced();
      const reader = await openItems(file, { mode: 'read' });
      expect(names(reader)).toEqual(['a', 'c']);
      await reader.close();
      await db.close();
    }));

  it('is synchronous', async () => {
    const db = await openItems(':memory:');
    expect(() => db.change(async () => add(db, 'a'))).toThrow('synchronous');
    expect(names(db)).toEqual([]);
    await db.close();
  });

  it('raises the version, reading does not', async () => {
    const db = await openItems(':memory:');
    const before = db.version;
    names(db);
    db.change(() => names(db));
    expect(db.version).toBe(before);
    add(db, 'a');
    expect(db.version).toBe(before + 1);
    await db.close();
  });
});

describe('a file', () => {
  it('is removed when it is closed unused, if opening created it', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const unused = await openItems(file);
      await unused.synced();
      expect(unused.isNew).toBe(true);
      await unused.close(unused.version);
      expect(readdirSync(folder)).toEqual([]);
      const used = await openItems(file);
      const { version } = used;
      add(used, 'a');
      await used.close(version);
      const again = await openItems(file);
      expect([again.isNew, names(again)]).toEqual([false, ['a']]);
      await again.close(again.version);
      expect(readdirSync(folder)).toEqual(['a.db']);
      // A file that was there, though empty, is not the program's to remove.
      writeFileSync(`${folder}/b.db`, '');
      const empty = await openItems(`${folder}/b.db`);
      await empty.close(empty.version);
      expect(existsSync(`${folder}/b.db`)).toBe(true);
    }));

  it('is one plain SQLite file after a close, and has everything', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      for (let i = 0; i < 100; i += 1) add(db, `item ${i}`, i / 3);
      await db.synced();
      await db.close();
      expect(['-log', '-new', '-now', '-owner'].filter((end) => existsSync(file + end))).toEqual([]);
      const sqlite = await loadSqlite();
      const plain = new sqlite.Database(readFileSync(file));
      expect(plain.exec('pragma integrity_check; select count(*) from item').map(({ values }) => values)).toEqual([[['ok']], [[100]]]);
      plain.close();
    }));

  it.each(['-new', '-now', '-log-new'])('removes an unfinished file of a process that was killed: %s', (end) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await (await openItems(file)).close();
      writeFileSync(file + end, 'half of a file');
      const db = await openItems(file);
      expect(existsSync(file + end)).toBe(false);
      add(db, 'after');
      await db.close();
      expect(names(await openItems(file, { mode: 'read' }))).toEqual(['after']);
    }),
  );

  it('keeps every kind of value through the log, the file and a replay', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const values = ['', 'ä\u{1F600}\n"\\', '\ud800', 'nul\0here', '2026-01-01 00:00:00'];
      const sizes = [0, -1, 2 ** 31, 2 ** 53 - 1, 1e308, 0.1, true, false, null];
      const read = (db: { all<T>(sql: string): T[] }) => db.all('select name, size, data, typeof(size) as type from item order by id');
      const db = await openItems(file);
      for (const [i, name] of values.entries())
        db.run('insert into item (name, size, data) values (?, ?, ?)', name, i, new Uint8Array([0, 255, i]));
      for (const [i, size] of sizes.entries()) db.run('insert into item (name, size) values (?, ?)', `size ${i}`, size);
      await db.synced();
      const expected = read(db);
      const reader = await openItems(file, { mode: 'read' });
      expect(read(reader)).toEqual(expected);
      copyFileSync(`${file}-log`, `${folder}/b.db-log`);
      const crashed = await openItems(`${folder}/b.db`);
      expect(read(crashed)).toEqual(expected);
      await crashed.close();
      await reader.close();
      await db.close();
      const again = await openItems(file);
      expect(read(again)).toEqual(expected);
      await again.close();
    }));

  it('shows readers a consistent state during writes and checkpoints', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      let done = false;
      const seen: number[] = [];
      const reading = (async () => {
        while (!done) {
          const reader = await openItems(file, { mode: 'read' });
          seen.push(names(reader).length);
          await reader.close();
          await new Promise(setImmediate);
        }
      })();
      for (let i = 0; i < cases(60); i += 1) {
        db.change(() => {
          add(db, `a ${i}`);
          add(db, `b ${i}`);
        });
        await db.synced();
        if (i % 10 === 0) await db.checkpoint();
      }
      done = true;
      await reading;
      await db.close();
      expect(seen.every((count) => count % 2 === 0)).toBe(true);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
      expect(seen.length).toBeGreaterThan(3);
    }));

  it('keeps writes during a checkpoint', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      for (let round = 0; round < 20; round += 1) {
        add(db, `before ${round}`);
        const checkpoint = db.checkpoint();
        for (let i = 0; i < 20; i += 1) {
          add(db, `during ${round} ${i}`);
          await db.synced();
        }
        await checkpoint;
        const reader = await openItems(file, { mode: 'read' });
        expect(names(reader)).toEqual(names(db));
        await reader.close();
      }
      expect(db.info().checkpoints).toBe(20);
      await db.close();
    }));

  it('is written only on close with durability none', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file, { durability: 'none' });
      add(db, 'a');
      await db.synced();
      expect([file, `${file}-log`].filter(existsSync)).toEqual([]);
      await db.close();
      const again = await openItems(file, { mode: 'read' });
      expect(names(again)).toEqual(['a']);
      await again.close();
    }));
});

describe('other files', () => {
  it('rejects files that it cannot open, with a reason', () =>
    inFolder(async (folder) => {
      const sqlite = await loadSqlite();
      const plain = new sqlite.Database();
      plain.run('create table other (a)');
      writeFileSync(`${folder}/other.db`, plain.export());
      plain.close();
      writeFileSync(`${folder}/text.db`, 'no database, but a text that is long enough to be one '.repeat(100));
      await (await openItems(`${folder}/newer.db`, { kind: { ...itemFile, schema: 9 } })).close();
      writeFileSync(`${folder}/busy.db-wal`, 'something');
      const reasons = await Promise.all(
        ['none.db', 'other.db', 'text.db', 'newer.db', 'busy.db', 'no/folder.db'].map((name) =>
          reasonOf(() => openItems(`${folder}/${name}`, { mode: 'read' })),
        ),
      );
      expect(reasons).toEqual(['missing', 'foreign', 'foreign', 'newer', 'conflict', 'missing']);
      for (const name of ['other.db', 'text.db', 'newer.db']) {
        const before = readFileSync(`${folder}/${name}`);
        expect(await reasonOf(() => openItems(`${folder}/${name}`))).not.toBe('no failure');
        expect(readFileSync(`${folder}/${name}`).equals(before)).toBe(true);
      }
    }));

  it.each([
    ['a device', 'null', (path: string) => symlinkSync('/dev/null', path)],
    ['a pipe', 'pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ])('refuses %s, neither waiting for it nor replacing it', (_, name, make) =>
    inFolder(async (folder) => {
      const path = `${folder}/${name}`;
      make(path);
      const { ino } = statSync(path);
      for (const mode of ['read', 'write'] as const) expect(await reasonOf(() => openItems(path, { mode }))).toBe('foreign');
      const db = await openItems(`${folder}/a.db`);
      expect(await reasonOf(() => db.backup(path))).toBe('foreign');
      await db.close();
      expect(statSync(path).ino).toBe(ino);
    }),
  );

  it('upgrades an older one in one transaction, with a copy beside', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'old');
      await db.close();
      const upgraded = (migrate: FileKind['migrate']) => openItems(file, { kind: { ...itemFile, schema: 2, migrate } });
      const failing = upgraded((to) => {
        to.run('alter table item add column color text');
        throw new Error('half way');
      });
      await expect(failing).rejects.toThrow('half way');
      const newer = await upgraded((to, from) => void to.run(`alter table item add column color text default 'c${from}'`));
      expect(newer.all('select name, color from item')).toEqual([{ name: 'old', color: 'c1' }]);
      await newer.close();
      expect(await reasonOf(() => openItems(file))).toBe('newer');
      const copy = await openItems(`${file}.v1.bak`, { mode: 'read' });
      expect(names(copy)).toEqual(['old']);
      await copy.close();
    }));

  it('is backed up while it is written, and restored with the former one kept', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      add(db, 'a');
      await db.backup(`${folder}/backup.db`);
      add(db, 'b');
      await db.synced();
      expect(await reasonOf(() => restoreFile(file, `${folder}/backup.db`, itemFile, 50))).toBe('locked');
      await db.close();
      const aside = await restoreFile(file, `${folder}/backup.db`, itemFile);
      const [now, former] = [await openItems(file), await openItems(aside!)];
      expect([names(now), names(former)]).toEqual([['a'], ['a', 'b']]);
      await now.close();
      await former.close();
      expect(await checkFile(file, itemFile)).toMatchObject({ ok: true, findings: [] });
    }));
});
