/* A process that adds items to a file of a disk that fails: disk-process FILE fill, until it is full; disk-process FILE sync, whose syncs fail for a while. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import '../../bin/machine/here.ts';
import { add, names, openItems } from './items.ts';

const [file = '', mode] = process.argv.slice(2);
// As the program does it, and the library leaves to the program that uses it.
process.on('SIGXFSZ', () => {});
const result = mode === 'fill' ? await fill() : await failSyncs();
process.stdout.write(JSON.stringify(result));

async function fill(): Promise<object> {
  const db = await openItems(file);
  let count = 0;
  let reason: string | undefined;
  while (reason === undefined)
    try {
      add(db, count + 'x'.repeat(5000));
      await db.synced();
      count += 1;
    } catch (error) {
      reason = (error as { reason?: string }).reason ?? String(error);
    }
  const present = names(db).length;
  await db.close();
  return { count, present, reason };
}

async function failSyncs(): Promise<string[]> {
  const { fdatasync } = fs;
  let failing = false;
  const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  Object.assign(fs, {
    fdatasync: (fd: number, done: (error: Error | null) => void) => (failing ? setTimeout(() => done(failure), 5) : fdatasync(fd, done)),
  });
  syncBuiltinESMExports();
  const db = await openItems(file);
  const steps: string[] = [];
  const outcome = (version: number) =>
    db.synced(version).then(
      () => 'ok',
      (error) => error.reason,
    );
  const create = async (name: string) => {
    add(db, name);
    const { version } = db;
    steps.push([name, await outcome(version), await outcome(version)].join(' '));
  };
  await create('a');
  failing = true;
  const first = create('b');
  await sleep(2);
  await Promise.all([first, create('c')]);
  steps.push(names(db).join());
  failing = false;
  await create('d');
  steps.push(names(db).join());
  await db.close();
  const again = await openItems(file);
  steps.push(names(again).join());
  await again.close();
  return steps;
}
