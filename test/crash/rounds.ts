import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compiled } from '../support/program.ts';
import { chance } from './chance.ts';
import { Book } from './expected.ts';
import { enlarge, everything, openRecords } from './records.ts';
import { servedRound } from './served-round.ts';

/** The result of kill rounds. */
export interface Outcome {
  rounds: number;
  /** Those of them in which a server was killed. */
  overHttp: number;
  acknowledged: number;
  /** Rounds whose writer was killed while it made a checkpoint. */
  inCheckpoints: number;
  /** Openings that dropped an unfinished record. */
  torn: number;
  wrong: string[];
}

/** The process to kill: a `calendar serve` with clients, a program that uses the store directly, or alternating. */
export type Writer = 'server' | 'store' | 'both';

/** Kills a writer at random instants, `rounds` times, and looks each time whether the store has everything that was acknowledged. */
export async function crash(rounds: number, seed: number, writer: Writer = 'both', parent = tmpdir()): Promise<Outcome> {
  const random = chance(seed);
  const outcome: Outcome = { rounds: 0, overHttp: 0, acknowledged: 0, inCheckpoints: 0, torn: 0, wrong: [] };
  const folder = mkdtempSync(join(parent, 'calendar-crash-'));
  try {
    for (let file = 0; outcome.rounds < rounds; file += 1) {
      const book = new Book();
      const one = writer === 'server' || (writer === 'both' && file % 2 === 0) ? servedRound : round;
      // Some rounds on one file, so that each begins with what a crash left.
      for (let i = 0; i < 10 && outcome.rounds < rounds; i += 1) {
        const path = `${folder}/${file}.db`;
        if (one === round && i === 5) await enlarge(path);
        await one(path, book, random, outcome);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return outcome;
}

let compiledWriter: string | undefined;
const writerProgram = () => {
  compiledWriter ??= compiled('crash/writer.ts');
  return compiledWriter;
};

async function round(file: string, book: Book, random: () => number, outcome: Outcome): Promise<void> {
  const number = outcome.rounds;
  const { acknowledged } = book;
  const writer = spawn(process.execPath, [writerProgram(), file, String(Math.floor(random() * 2 ** 31)), String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  writer.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const inCheckpoint = random() < 0.4;
  const delay = random() * (inCheckpoint ? 6 : 250);
  const before = random() < 0.05;
  let checkpoints = 0;
  const kill = (after: number): void => void setTimeout(() => writer.kill('SIGKILL'), after);
  for await (const line of createInterface({ input: writer.stdout })) {
    if (line === 'ready' && !inCheckpoint) kill(before ? 0 : delay);
    // Not always the first checkpoint, for that is of a new file.
    if (line === 'checkpoint') {
      checkpoints += 1;
      if (inCheckpoint && checkpoints === 1 + (number % 4)) kill(delay);
    }
    if (line === 'ready' && inCheckpoint) kill(400);
    book.note(line);
  }
  outcome.rounds += 1;
  if (inCheckpoint && checkpoints > 0) outcome.inCheckpoints += 1;
  if (complaint !== '') outcome.wrong.push(`round ${number}: the writer complained: ${complaint}`);
  outcome.acknowledged += book.acknowledged - acknowledged;
  try {
    // Half of the rounds only look, and leave what the crash left to the next writer.
    const db = await openRecords(file, random() < 0.5 ? 'write' : 'read', () => {
      outcome.torn += 1;
    });
    outcome.wrong.push(...book.settle(everything(db)).map((text) => `round ${number}: ${text}`));
    await db.close();
  } catch (error) {
    outcome.wrong.push(`round ${number}: ${error}`);
  }
}
