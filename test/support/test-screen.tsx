import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { render } from 'ink';
import type { ReactNode } from 'react';
import { limit } from './timeouts.ts';

/** A screen in memory on which ink draws: its text can be read, and keys pressed. */
export class TestScreen {
  readonly #stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {}, ref: () => {}, unref: () => {} });
  readonly #stdout: EventEmitter & { columns: number; rows: number; isTTY: boolean; write: (text: string) => boolean };
  #frames: string[] = [];
  readonly #screen: ReturnType<typeof render>;

  constructor(node: ReactNode, columns = 80, rows = 24) {
    this.#stdout = Object.assign(new EventEmitter(), {
      columns,
      rows,
      isTTY: true,
      write: (text: string) => {
        this.#frames.push(text);
        return true;
      },
    });
    this.#screen = render(node, {
      stdin: this.#stdin as unknown as NodeJS.ReadStream,
      stdout: this.#stdout as unknown as NodeJS.WriteStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  }

  /** All that was ever drawn. */
  get history(): string {
    return this.#frames.join('\n');
  }

  /** The last frame, without colors. */
  get text(): string {
    return (this.#frames.at(-1) ?? '').replace(/\u001b\[[\d;]*m/g, '');
  }

  press(keys: string): void {
    this.#stdin.write(keys);
  }

  resize(columns: number, rows: number): void {
    Object.assign(this.#stdout, { columns, rows });
    this.#stdout.emit('resize');
  }

  /** Waits until a text is on the screen; gives all of the screen then. */
  async sees(what: string | RegExp): Promise<string> {
    const until = Date.now() + limit(10_000);
    for (;;) {
      const { text } = this;
      if (typeof what === 'string' ? text.includes(what) : what.test(text)) return text;
      if (Date.now() > until) throw new Error(`the screen does not say ${what}:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Resolves when the screen has exited. */
  ended(): Promise<unknown> {
    return this.#screen.waitUntilExit();
  }

  close(): void {
    this.#screen.unmount();
  }
}
