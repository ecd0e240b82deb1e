import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { command } from './command.ts';
import { compiled } from './program.ts';

/** Processes that run `calendar events create` on one file at once, each a number of times, one after the other. */
export class EventWriters {
  readonly #processes: number;
  readonly #creates: number;

  constructor(processes: number, creates: number) {
    this.#processes = processes;
    this.#creates = creates;
  }

  async run(file: string): Promise<void> {
    const program = compiled('support/event-process.ts');
    const children = Array.from({ length: this.#processes }, (_, i) =>
      spawn(process.execPath, [program, file, `process ${i}`, String(this.#creates)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const outputs = (await Promise.all(children.map((child) => text(child.stdout)))).map(
      (output) => JSON.parse(output) as { ids: number[]; refused: string[] },
    );
    expect(outputs.flatMap(({ refused }) => refused)).toEqual([]);
    expect(new Set(outputs.flatMap(({ ids }) => ids)).size).toBe(this.#processes * this.#creates);
  }

  /** Fails unless the file has exactly the events that the processes created. */
  async expectAll(file: string): Promise<void> {
    const list = ['events', 'list', '--all', '--status', 'publish', '--start-date', '2000-01-01', '--fields', 'title', '--format', 'tsv'];
    const { stdout } = await command(...list, '--db', file);
    const titles = Array.from({ length: this.#processes }, (_, i) => Array.from({ length: this.#creates }, (_, k) => `process ${i} ${k}`));
    expect(stdout.trim().split('\n').slice(1).sort()).toEqual(titles.flat().sort());
  }
}
