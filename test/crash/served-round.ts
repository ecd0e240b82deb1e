import { setTimeout as sleep } from 'node:timers/promises';
import { everything, type Place, put, Refusal } from './calendar.ts';
import { chance } from './chance.ts';
import { Book } from './expected.ts';
import type { Outcome } from './rounds.ts';
import { Server } from './served.ts';

/** Kills a server at a random instant while clients change its calendar and checkpoints are made, and looks whether it has everything that it answered. */
export async function servedRound(file: string, book: Book, random: () => number, outcome: Outcome): Promise<void> {
  const number = outcome.rounds;
  const { acknowledged } = book;
  const wrong = (text: string): void => void outcome.wrong.push(`round ${number}, over HTTP: ${text}`);
  const { ids } = await everything(file, 'read', () => {});
  const server = new Server(file);
  let killed = false;
  let checkpoints = 0;
  let inCheckpoint = false;
  const kill = (after: number): void =>
    void setTimeout(() => {
      killed = true;
      inCheckpoint = checkpoints % 1 !== 0;
      server.child.kill('SIGKILL');
    }, after);
  const early = random() < 0.05;
  const atCheckpoint = !early && random() < 0.5 ? 1 + Math.floor(random() * 4) : 0;
  const [delay, checkpointDelay, earlyDelay] = [random() * 600, random() * 8, random() * 600];
  if (early) kill(earlyDelay);
  if (await server.ready()) {
    if (!early) kill(atCheckpoint > 0 ? 1500 : delay);
    const clients = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) =>
      client(`c${i}`, chance(Math.floor(random() * 2 ** 31))),
    );
    const checkpointing = random() < 0.8 || atCheckpoint > 0;
    const folder = async (): Promise<void> => {
      while (checkpointing && !killed) {
        await sleep(random() * 60);
        if (atCheckpoint > 0 && Math.floor(checkpoints) === atCheckpoint - 1) kill(checkpointDelay);
        checkpoints += 0.5;
        const { status, body } = await server.checkpoint();
        checkpoints += 0.5;
        if (status !== 200) throw new Refusal(`checkpoint: ${status} ${JSON.stringify(body)}`);
      }
    };
    for (const end of await Promise.allSettled([...clients, folder()]))
      if (end.status === 'rejected' && (!killed || end.reason instanceof Refusal)) wrong(String(end.reason));
  }
  await server.ended;
  const complaint = server.complaint.replace(/^.*incomplete record.*\n/gm, '');
  if (!/^(?:calendar: Created .*\n)?$/.test(complaint)) wrong(`the server complained: ${complaint}`);
  outcome.rounds += 1;
  outcome.overHttp += 1;
  if (inCheckpoint) outcome.inCheckpoints += 1;
  outcome.acknowledged += book.acknowledged - acknowledged;
  try {
    // Half of the rounds only look, and leave what the crash left to the next server.
    const kept = await everything(file, random() < 0.5 ? 'write' : 'read', () => {
      outcome.torn += 1;
    });
    for (const text of book.settle(kept.values)) wrong(text);
  } catch (error) {
    wrong(String(error));
  }

  async function client(name: string, chance: () => number): Promise<void> {
    for (let i = 0; !killed; i += 1) {
      // Few keys, so that they are made, changed and removed again and again.
      const place: Place = chance() < 0.5 ? 'e' : chance() < 0.5 ? 'v' : 't';
      const key = `${place}.${name}.${Math.floor(chance() * 6)}`;
      const value = chance() < 0.25 ? undefined : `${number}.${name}.${i}`;
      book.note(Book.begin(key, value));
      await put(server, ids, key, value);
      book.note(Book.end(key));
      if (chance() < 0.2) await sleep(chance() * 5);
    }
  }
}
