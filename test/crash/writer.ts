/* Writes to a store until it is killed, saying each change and each acknowledgement: writer FILE SEED ROUND. */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chance } from './chance.ts';
import { Book } from './expected.ts';
import { openRecords, put } from './records.ts';

const [file = '', seed = '0', round = '0'] = process.argv.slice(2);
const random = chance(Number(seed));
const clients = 1 + Math.floor(random() * 12);

/** Says a line at once, and as a whole, so that a kill after it cannot take it back. */
function say(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      // The pipe is full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
}

let db = await openRecords(file);
let turn = Promise.resolve();
say('ready');

async function client(name: string): Promise<never> {
  for (let i = 0; ; i += 1) {
    await turn;
    // Few keys, so that they are made, changed and removed again and again.
    const key = `${name}-${Math.floor(random() * 8)}`;
    const value = random() < 0.25 ? undefined : `${round}.${name}.${i}`;
    say(Book.begin(key, value));
    put(db, key, value);
    await db.synced();
    say(Book.end(key));
    if (random() < 0.3) await sleep(random() * 5);
  }
}

async function folder(): Promise<never> {
  for (;;) {
    await sleep(random() * 20);
    say('checkpoint');
    await db.checkpoint();
  }
}

/** Now and then the file is closed and opened again, while the clients wait. */
async function closer(): Promise<never> {
  for (;;) {
    await sleep(20 + random() * 200);
    let go = (): void => {};
    turn = new Promise((done) => {
      go = done;
    });
    await db.synced();
    say('checkpoint');
    await db.close();
    db = await openRecords(file);
    go();
  }
}

await Promise.all([
  ...Array.from({ length: clients }, (_, i) => client(`c${i}`)),
  ...(random() < 0.7 ? [folder()] : []),
  ...(random() < 0.3 ? [closer()] : []),
]);
