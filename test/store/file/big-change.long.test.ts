import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { add, inFolder, names, openItems } from '../../support/items.ts';

it('a file takes a change that is too big for the log', () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const db = await openItems(file);
    add(db, 'small');
    const big = 'x'.repeat(1 << 20);
    // A checkpoint that began before the change must not put its older state in place after it.
    const checkpoint = db.checkpoint();
    while (!existsSync(`${file}-new`)) await new Promise(setImmediate);
    db.change(() => {
      for (let i = 0; i < 20; i += 1) add(db, `${i}${big}`);
    });
    await Promise.all([db.synced(), checkpoint]);
    add(db, 'after');
    await db.synced();
    const reader = await openItems(file, { mode: 'read' });
    expect(names(reader).map((name) => name.slice(0, 5))).toEqual(names(db).map((name) => name.slice(0, 5)));
    await reader.close();
    expect(db.info().logBytes).toBeLessThan(10_000);
    await db.close();
  }));
