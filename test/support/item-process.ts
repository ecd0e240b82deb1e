/* A process that adds items to a file, opening and closing it for each: creator FILE PREFIX COUNT; or one that holds it: creator FILE hold. */
import '../../bin/machine/here.ts';
import { acquire } from '../../src/store/file/lock.ts';
import { add, openItems } from './items.ts';
import { limit } from './timeouts.ts';

const [file = '', prefix = '', count = '0'] = process.argv.slice(2);
if (prefix === 'hold') {
  await acquire(file, 5000);
  process.stdout.write('held\n');
  setInterval(() => {}, 1000);
} else {
  const ids: number[] = [];
  for (let i = 0; i < Number(count); i += 1) {
    const db = await openItems(file, { timeout: limit(60_000) });
    ids.push(add(db, `${prefix} ${i}`));
    await db.close();
  }
  process.stdout.write(`${JSON.stringify(ids)}\n`);
}
