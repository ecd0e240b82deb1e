import { createColors } from 'picocolors';
import { Failure } from '../model/error.ts';

/** A place to write to, and what is known of the screen behind it. */
export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number; destroyed?: boolean };
/** A place to read from. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** What a command runs with: streams, environment, folder, clock, and word of an interruption. */
export interface Terminal {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  /** The working directory, absolute. */
  cwd: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted by SIGINT or SIGTERM; its reason is the signal's name. */
  interrupted: AbortSignal;
}

/** Thrown where nobody reads what is written any more; the command ends quietly. */
export class Unread extends Error {}

/** Thrown where the user or the system stops the command by a signal. */
export class Interrupted extends Error {
  constructor(readonly signal: string) {
    super(`interrupted by ${signal}`);
  }
}

/** Writes a text and waits until it is taken. Fails with {@link Unread} when the reader is gone. */
export function write(output: Output, text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  if (output.destroyed || !output.writable) return Promise.reject(new Unread());
  return new Promise((done, fail) => {
    output.write(text, (error) => {
      if (!error) done();
      else fail(isClosed(error) ? new Unread() : error);
    });
  });
}

const isClosed = (error: NodeJS.ErrnoException) =>
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(error.code ?? '');

/** Keeps an output's errors from ending the process by themselves: {@link write} tells of them. Gives the way to stop. */
export function tolerate(output: Output): () => void {
  const ignore = () => {};
  output.on('error', ignore);
  return () => output.off('error', ignore);
}

/** Whether colours are wanted there: NO_COLOR, FORCE_COLOR and TERM=dumb decide, else whether a person looks. */
export function isColourful(output: Output, env: Terminal['env'], asked?: boolean): boolean {
  if (asked !== undefined) return asked;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return output.isTTY === true && env.TERM !== 'dumb';
}

/** Colours for an output, or functions that change nothing. */
export const paintFor = (output: Output, env: Terminal['env'], asked?: boolean) => createColors(isColourful(output, env, asked));

const spent = new WeakSet<Input>();

/** Everything on standard input, as text. Fails the second time: two things cannot come from there. */
export async function readAll(terminal: Terminal): Promise<string> {
  if (spent.has(terminal.stdin))
    throw new Failure('bad-request', 'stdin can be read for one thing only', {}, 'Give the other as an argument or from a file.');
  spent.add(terminal.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a person can be asked: they type, and they see the question. */
export const isAttended = (terminal: Terminal): boolean => terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;

/** Asks a person yes or no on stderr; anything but a yes is a no. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr });
  try {
    return await new Promise((resolve, reject) => {
      // On a terminal ctrl-c comes as a key, and ctrl-d as an end without an answer.
      lines.once('SIGINT', () => reject(new Interrupted('SIGINT')));
      lines.once('close', () => resolve(false));
      lines.question(`${question} [y/N] `).then((answer) => resolve(/^y(es)?$/i.test(answer.trim())), reject);
    });
  } finally {
    lines.close();
  }
}

/** The value of a variable, undefined where it is empty. */
export const variable = (terminal: Terminal, name: string): string | undefined => terminal.env[name] || undefined;

/** The moment to take for now, in epoch milliseconds: `--now`, else CALENDAR_NOW, else the clock. */
export function clockOf(terminal: Terminal, asked?: string): () => number {
  const text = asked ?? variable(terminal, 'CALENDAR_NOW');
  if (text === undefined) return () => terminal.now();
  const instant = Date.parse(/\d$/.test(text) && /[T ]\d/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  if (Number.isNaN(instant))
    throw new Failure('bad-request', `not an instant: ${JSON.stringify(text)}`, {}, 'Write it like 2026-11-20T16:05:00Z.');
  return () => instant;
}
