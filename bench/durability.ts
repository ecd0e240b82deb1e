/* tsx bench/durability.ts [folder]: what a synced create costs, beside a bare loop of append and fdatasync of the same number of bytes. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { inFolder, openItems } from '../test/support/items.ts';

const rounds = 5;

await inFolder(async (folder) => {
  const db = await openItems(`${folder}/a.db`);
  let made = 0;
  const create = (): void => {
    made += 1;
    db.change(() =>
      db.run(
        'insert into item (name, size, data) values (?, ?, ?)',
        `an event of about the usual size, number ${made}`,
        made,
        new Uint8Array(400),
      ),
    );
  };
  const perSecond = async (clients: number, count: number): Promise<number> => {
    let left = count;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (left > 0) {
          left -= 1;
          create();
          await db.synced();
        }
      }),
    );
    return count / ((performance.now() - start) / 1000);
  };
  const before = db.info().logBytes;
  create();
  await db.synced();
  const size = db.info().logBytes - before;
  const bare = (count: number): number => {
    const fd = openSync(`${folder}/bare`, 'w');
    const bytes = Buffer.alloc(size, 'x');
    const start = performance.now();
    for (let i = 0; i < count; i += 1) {
      writeSync(fd, bytes);
      fdatasyncSync(fd);
    }
    closeSync(fd);
    return count / ((performance.now() - start) / 1000);
  };
  for (const items of [1000, 100_000]) {
    db.change(() => {
      while (made < items) create();
    });
    await db.synced();
    await db.checkpoint();
    const figures: Record<string, number[]> = {};
    for (let i = 0; i < rounds; i += 1) {
      const note = (name: string, value: number): void => {
        figures[name] = [...(figures[name] ?? []), Math.round(value)];
      };
      note('bare', bare(500));
      for (const clients of [1, 8, 64]) note(`${clients} clients`, await perSecond(clients, 500 * Math.min(clients, 8)));
    }
    console.log(`${items} items, ${size} bytes each, creates per second (median of ${rounds}, lowest and highest):`);
    for (const [name, values] of Object.entries(figures)) {
      values.sort((a, b) => a - b);
      console.log(`  ${name.padEnd(12)} ${values[rounds >> 1]} (${values[0]}, ${values.at(-1)})`);
    }
  }
  let start = performance.now();
  create();
  await db.checkpoint();
  console.log(`checkpoint of ${(db.info().fileBytes / 1e6).toFixed(0)} MB: ${(performance.now() - start).toFixed(0)} ms`);
  await db.close();
  start = performance.now();
  const again = await openItems(`${folder}/a.db`);
  console.log(`opening: ${(performance.now() - start).toFixed(0)} ms; memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
  await again.close();
}, process.argv[2]);
