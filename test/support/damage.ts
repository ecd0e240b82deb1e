import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { add, names, openItems, reasonOf } from './items.ts';

/** A file with two items and a log with the others, as a killed process leaves them. */
export async function crashed(folder: string, filler = 0): Promise<{ file: Buffer; log: Buffer; states: string[][]; ends: number[] }> {
  const db = await openItems(`${folder}/origin.db`);
  add(db, 'one');
  add(db, 'two');
  await db.synced();
  await db.checkpoint();
  const states = [names(db)];
  const ends: number[] = [];
  for (const name of ['three', 'four', 'five', 'six']) {
    db.change(() => {
      add(db, name + ' '.repeat(filler), name.length);
      add(db, `${name} again`, -1);
    });
    await db.synced();
    states.push(names(db));
    ends.push(db.info().logBytes);
  }
  const file = readFileSync(`${folder}/origin.db`);
  const log = readFileSync(`${folder}/origin.db-log`);
  await db.close();
  return { file, log, states, ends };
}

/** Opens for writing and returns the items, whether there was a notice, and the reason of a failure. */
export async function outcome(
  path: string,
  file: Buffer,
  log: Buffer | undefined,
): Promise<{ items: string[] | undefined; said: string; reason: string }> {
  writeFileSync(path, file);
  if (log === undefined) rmSync(`${path}-log`, { force: true });
  else writeFileSync(`${path}-log`, log);
  let said = '';
  let items: string[] | undefined;
  const reason = await reasonOf(async () => {
    const db = await openItems(path, {
      notice: (text) => {
        said += text;
      },
    });
    items = names(db);
    expect(db.get('pragma integrity_check')).toEqual({ integrity_check: 'ok' });
    await db.close();
  });
  return { items, said, reason };
}
