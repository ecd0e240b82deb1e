import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkFile, repairFile } from '../../../src/store/file/check.ts';
import { parseLog } from '../../../src/store/file/wal-format.ts';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { crashed, outcome } from '../../support/damage.ts';
import { add, inFolder, itemFile, names, openItems, reasonOf } from '../../support/items.ts';

/** Where the sector of a byte begins. */
const sectorOf = (at: number): number => at - (at % 512);

describe('a log', () => {
  it('with damage in the middle is explained by the check, and can be cut by a repair that keeps a copy', () =>
    inFolder(async (folder) => {
      const { file, log, states, ends } = await crashed(folder);
      const bad = Buffer.from(log);
      bad[ends[1]! + 60]! ^= 4;
      const { reason } = await outcome(`${folder}/a.db`, file, bad);
      expect(reason).toBe('damaged');
      const report = await checkFile(`${folder}/a.db`, itemFile);
      expect(report).toMatchObject({ ok: false, changes: 2, findings: [{ where: 'log', kind: 'damage' }] });
      expect(report.findings[0]!.text).toContain('record 3');
      expect(report.findings[0]!.text).toContain('not applicable without it: 1 change');
      const aside = await repairFile(`${folder}/a.db`, itemFile);
      expect(readFileSync(aside!).equals(bad)).toBe(true);
      const db = await openItems(`${folder}/a.db`);
      expect(names(db)).toEqual(states[2]);
      await db.close();
    }));

  it.each([
    ['the last record full of zeros', (log: Buffer, ends: number[]) => log.fill(0, ends[2]), 3],
    ['a sector of the last record that was never written', (log: Buffer, ends: number[]) => holed(log, ends), 3],
    ['zeros after the last record', (log: Buffer) => Buffer.concat([log, Buffer.alloc(5000)]), 4],
    ['nothing', () => Buffer.alloc(0), 0],
    ['a header that was never written', () => Buffer.alloc(44), 0],
  ])('with %s is torn by a power cut, not damaged', (_, tear, whole) =>
    inFolder(async (folder) => {
      const { file, log, states, ends } = await crashed(folder);
      const { items, reason } = await outcome(`${folder}/a.db`, file, tear(Buffer.from(log), ends));
      expect({ items, reason }).toEqual({ items: states[whole], reason: 'no failure' });
    }),
  );

  it('with zeros in a record that others follow is damaged', () =>
    inFolder(async (folder) => {
      const { file, log, ends } = await crashed(folder);
      const { reason } = await outcome(`${folder}/a.db`, file, Buffer.from(log).fill(0, ends[0], ends[1]));
      expect(reason).toBe('damaged');
    }));

  it.each([
    ['the first sector of two records', (log: Buffer, ends: number[]) => log.subarray(0, ends[1]).fill(0, 0, 512)],
    [
      'the end of a record and the beginning of the last',
      (log: Buffer, ends: number[]) => log.subarray(0, ends[1]).fill(0, sectorOf(ends[0]! - 1), sectorOf(ends[0]! - 1) + 1024),
    ],
  ])('with zeros in %s is damaged, for what follows was written after a sync', (_, zero) =>
    inFolder(async (folder) => {
      const { file, log, ends } = await crashed(folder, 700);
      const bad = Buffer.from(zero(Buffer.from(log), ends));
      expect(await outcome(`${folder}/a.db`, file, bad)).toMatchObject({ reason: 'damaged', items: undefined });
      expect(readFileSync(`${folder}/a.db-log`).equals(bad)).toBe(true);
    }),
  );

  it('with an end that is dropped leaves that beside it', () =>
    inFolder(async (folder) => {
      const { file, log, ends } = await crashed(folder);
      const { said } = await outcome(`${folder}/a.db`, file, log.subarray(0, ends[3]! - 5));
      expect(said).toContain('a.db-log.dropped');
      expect(readFileSync(`${folder}/a.db-log.dropped`).equals(log.subarray(ends[2], ends[3]! - 5))).toBe(true);
    }));

  it('that is already in the file is not applied again', () =>
    inFolder(async (folder) => {
      const db = await openItems(`${folder}/a.db`);
      for (const name of ['one', 'two']) add(db, name);
      await db.synced();
      await db.checkpoint();
      add(db, 'three');
      await db.synced();
      // The moment between the new file and the removal of the log: the mark that the checkpoint leaves in the log.
      const checkpoint = db.checkpoint();
      let log = Buffer.alloc(0);
      while (parseLog(log).frames.at(-1)?.kind !== 'checkpoint') {
        await new Promise(setImmediate);
        log = readFileSync(`${folder}/a.db-log`);
      }
      await checkpoint;
      const { items, reason } = await outcome(`${folder}/b.db`, readFileSync(`${folder}/a.db`), log);
      expect({ items, reason }).toEqual({ items: ['one', 'two', 'three'], reason: 'no failure' });
      expect(existsSync(`${folder}/b.db-log`)).toBe(false);
      await db.close();
    }));

  it('beside a file that it does not belong to is refused, and both are kept', () =>
    inFolder(async (folder) => {
      const { file, log } = await crashed(folder);
      const sqlite = await loadSqlite();
      const other = new sqlite.Database(parseFile(file));
      other.run(`insert into item (name) values ('by another program')`);
      const edited = Buffer.from(other.export());
      other.close();
      expect((await outcome(`${folder}/a.db`, edited, log)).reason).toBe('conflict');
      expect(readFileSync(`${folder}/a.db-log`).equals(log)).toBe(true);
      rmSync(`${folder}/a.db`);
      expect(await reasonOf(() => openItems(`${folder}/a.db`))).toBe('gone');
      expect((await outcome(`${folder}/a.db`, edited, undefined)).items).toEqual(['one', 'two', 'by another program']);
    }));
});

describe('a file', () => {
  it('that is truncated is refused', () =>
    inFolder(async (folder) => {
      const { file, states } = await crashed(folder);
      const content = file.readUInt32BE(28) * 4096;
      for (let cut = 1; cut < file.length; cut += 97) {
        const { items, reason } = await outcome(`${folder}/cut.db`, file.subarray(0, cut), undefined);
        if (cut < content) expect(['damaged', 'foreign']).toContain(reason);
        else expect({ items, reason }).toEqual({ items: states[0], reason: 'no failure' });
      }
    }));

  it('that another SQLite program has changed is accepted, and sealed again', () =>
    inFolder(async (folder) => {
      const { file } = await crashed(folder);
      writeFileSync(`${folder}/a.db`, editedInPlace(file, await loadSqlite()));
      let said = '';
      const db = await openItems(`${folder}/a.db`, {
        notice: (text) => {
          said += text;
        },
      });
      expect(names(db)).toEqual(['one', 'two']);
      expect(said).toContain('another SQLite program');
      await db.close();
      expect((await checkFile(`${folder}/a.db`, itemFile)).findings).toEqual([]);
    }));

  it('with damage is explained by the check: damaged pages', () =>
    inFolder(async (folder) => {
      const path = `${folder}/a.db`;
      const db = await openItems(path);
      db.change(() => {
        for (let i = 0; i < 500; i += 1)
          db.run('insert into item (name, size, data) values (?, ?, ?)', `item ${i}`, i, new Uint8Array(i === 7 ? 20_000 : 9));
      });
      await db.close();
      const file = readFileSync(path);
      copyFileSync(path, `${folder}/good.db`);
      const roots = await openItems(`${folder}/good.db`, { mode: 'read' });
      const { rootpage } = roots.get<{ rootpage: number }>(`select rootpage from sqlite_schema where name = 'item_size'`)!;
      await roots.close();
      const bad = Buffer.from(file);
      bad[rootpage * 4096 - 1]! ^= 1;
      writeFileSync(path, bad);
      expect(await checkFile(path, itemFile)).toMatchObject({ ok: false, findings: [{ pages: [rootpage] }] });
      bad.copyWithin(0, 4096, 8192);
      writeFileSync(path, bad);
      expect(await checkFile(path, itemFile)).toMatchObject({ ok: false, findings: [{ pages: [1, rootpage] }] });
    }));
});

function holed(log: Buffer, ends: number[]): Buffer {
  // A last record that is longer than a sector, with the second sector missing.
  const start = ends[2]!;
  const header = Buffer.from(log.subarray(start, start + 20));
  header.writeUInt32BE(5000, 8);
  const parsed = parseLog(log);
  header.writeUInt32BE(crc32(header.subarray(0, 16), parsed.salt), 16);
  const payload = Buffer.alloc(5000, 'x');
  const whole = Buffer.concat([log.subarray(0, start), header, payload]);
  const hole = Math.ceil((start + 600) / 512) * 512;
  return whole.fill(0, hole, hole + 512);
}

function parseFile(file: Buffer): Buffer {
  return file.subarray(0, file.readUInt32BE(28) * 4096);
}

/** Changes a row like a SQLite program: other content, a higher change counter, the same trailer. */
function editedInPlace(file: Buffer, sqlite: Awaited<ReturnType<typeof loadSqlite>>): Buffer {
  const other = new sqlite.Database(parseFile(file));
  other.run('update item set size = 5');
  const image = Buffer.from(other.export());
  other.close();
  return Buffer.concat([image, file.subarray(image.length)]);
}
