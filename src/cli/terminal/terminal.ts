import { createColors } from 'picocolors';
import { Failure } from '../../model/error.ts';
import { systemFailure } from '../../model/system-error.ts';
import { readInstant } from '../../model/time/instant.ts';

/** An output stream, and the size of its terminal if it is one. */
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number; destroyed?: boolean };
/** An input stream. */
export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** The columns of an output that is a terminal, 80 where it does not know how many; undefined for a pipe. */
export const columnsOf = (output: OutputStream): number | undefined => (output.isTTY ? output.columns || 80 : undefined);

/** The surroundings of a command: streams, environment, working directory, clock, interruption. */
export interface Terminal {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  env: Record<string, string | undefined>;
  /** The working directory, absolute. */
  cwd: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted by SIGINT or SIGTERM; its reason is the signal's name. */
  interrupted: AbortSignal;
  /** Hands signals to a listener alone, until the function that it gives is called: for a command whose child has to end first. */
  takeSignals?(listener: (signal: NodeJS.Signals) => void): () => void;
  /** Returns the stack trace of an error with source positions, where the program was built from other files. */
  stackOf?(error: Error): Promise<string>;
  /** Does work that nothing can interrupt, such as a change of a whole calendar; a signal ends the program at once meanwhile. */
  blocking?<T>(work: () => T): T;
}

/** The reader of an output has gone away; the command ends quietly. */
export class OutputClosed extends Error {}

/** The command was stopped by a signal. */
export class Interrupted extends Error {
  constructor(readonly signal: string) {
    super(`interrupted by ${signal}`);
  }
}

/** Writes a text and waits until it is flushed. Fails with {@link OutputClosed} when the reader is gone, and as the system says when the disk is full. */
export function write(output: OutputStream, text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  if (output.destroyed || !output.writable) return Promise.reject(new OutputClosed());
  return new Promise((done, fail) => {
    output.write(text, (error) => {
      if (!error) return done();
      // The stream says the same once more, as an event that would end the process.
      output.once('error', () => {});
      fail(isClosed(error) ? new OutputClosed() : systemFailure(error, 'cannot write the output'));
    });
  });
}

const isClosed = (error: NodeJS.ErrnoException) =>
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(error.code ?? '');

/** Keeps an output's error events from ending the process, since {@link write} reports them; returns a function that stops this. */
export function ignoreErrors(output: OutputStream): () => void {
  const ignore = () => {};
  output.on('error', ignore);
  return () => output.off('error', ignore);
}

/** Whether to write in colour: as asked, else by NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb, else on a terminal only. */
export function hasColour(output: OutputStream, env: Terminal['env'], asked?: boolean): boolean {
  if (asked !== undefined) return asked;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return output.isTTY === true && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** Colour functions for an output; without colours they change nothing. */
export const paintFor = (output: OutputStream, env: Terminal['env'], asked?: boolean) => createColors(hasColour(output, env, asked));

/** An environment variable; undefined when empty. */
export const variable = (terminal: Terminal, name: string): string | undefined => terminal.env[name] || undefined;

/** A clock in epoch milliseconds: fixed by `--now` or CALENDAR_NOW, else the terminal's. */
export function clockOf(terminal: Terminal, asked?: string): () => number {
  const text = asked ?? variable(terminal, 'CALENDAR_NOW');
  if (text === undefined) return () => terminal.now();
  const instant = readInstant(text);
  if (instant === undefined)
    throw new Failure('bad-request', `not an instant: ${JSON.stringify(text)}`, {}, 'Write it like 2026-11-20T16:05:00Z.');
  return () => instant;
}
