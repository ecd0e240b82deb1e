import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, inFolder, names, openItems } from '../../support/items.ts';

/** Writes a file with one item and a blob of a given size. */
async function create(file: string, blobBytes: number): Promise<void> {
  const db = await openItems(file);
  add(db, 'first');
  db.change(() => db.run('update item set data = zeroblob(?)', blobBytes));
  await db.close();
}

/** Opens a file, adds items in one change each, and closes it. */
async function addTo(file: string, ...items: string[]): Promise<void> {
  const db = await openItems(file);
  for (const item of items) add(db, item);
  await db.close();
}

async function read(file: string): Promise<string[]> {
  const db = await openItems(file, { mode: 'read' });
  try {
    return names(db);
  } finally {
    await db.close();
  }
}

describe('a close after a small change', () => {
  it('of a large file leaves the change in the log, where readers and the next writer find it', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'large.db');
      await create(file, 5_000_000);
      const before = readFileSync(file);
      await addTo(file, 'second');
      expect(existsSync(`${file}-log`)).toBe(true);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(await read(file)).toEqual(['first', 'second']);
      await addTo(file, 'third');
      expect(await read(file)).toEqual(['first', 'second', 'third']);
      expect(readFileSync(file).equals(before)).toBe(true);
    }));

  it('of a large file with a long log writes the file', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'long.db');
      await create(file, 5_000_000);
      await addTo(file, ...Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(8000)}`));
      expect(existsSync(`${file}-log`)).toBe(false);
      expect(await read(file)).toHaveLength(41);
    }));

  it('of a large file after a change too large for the log writes both to the file', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'unlogged.db');
      await create(file, 5_000_000);
      await addTo(file, 'x'.repeat(5_000_000), 'third');
      expect((await read(file)).map((name) => name.length)).toEqual([5, 5_000_000, 5]);
    }));

  it('of a small file writes the file', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'small.db');
      await create(file, 100_000);
      await addTo(file, 'second');
      expect(existsSync(`${file}-log`)).toBe(false);
    }));

  it('can be followed by a checkpoint, which joins file and log', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'joined.db');
      await create(file, 5_000_000);
      await addTo(file, 'second');
      const db = await openItems(file);
      await db.checkpoint();
      expect(existsSync(`${file}-log`) && statSync(`${file}-log`).size > 200).toBe(false);
      await db.close();
      expect(existsSync(`${file}-log`)).toBe(false);
      expect(await read(file)).toEqual(['first', 'second']);
    }));
});
