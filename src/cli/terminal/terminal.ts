import { Failure, systemFailure } from '../../model/error.ts';
import { readInstant } from '../../model/time/time.ts';

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number; destroyed?: boolean };
export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** The columns of a terminal (default 80); undefined for a pipe. */
export const terminalWidth = (output: OutputStream): number | undefined => (output.isTTY ? output.columns || 80 : undefined);

/** The environment of a command: streams, variables, working directory, clock and signals. */
export interface Terminal {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  env: Record<string, string | undefined>;
  /** Absolute path of the working directory. */
  cwd: string;
  /** The executable and the arguments before those of the command line, to run this program again; absent in tests. */
  self?: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted by SIGINT or SIGTERM, with the signal's name as the reason. */
  interrupted: AbortSignal;
  /** Passes signals only to a listener until the returned function is called. */
  takeSignals?(listener: (signal: NodeJS.Signals) => void): () => void;
  /** Passes the errors of promises that no code handles to a listener until the returned function is called. Without one they end the process. */
  takeRejections?(listener: (error: unknown) => void): () => void;
  /** The stack trace of an error with source positions, in a built program. */
  stackOf?(error: Error): Promise<string>;
  /** Runs synchronous work that listeners can't interrupt. Meanwhile, a signal ends the program immediately. */
  blocking?<T>(work: () => T): T;
}

/** Thrown if the reader of an output closed it. The command ends silently. */
export class OutputClosed extends Error {}

/** Thrown if a signal stopped the command. */
export class Interrupted extends Error {
  constructor(readonly signal: string) {
    super(`interrupted by ${signal}`);
  }
}

/** Writes text and waits until it is flushed. Rejects with {@link OutputClosed} if the reader is gone, and with a system failure otherwise. */
export function write(output: OutputStream, text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  if (output.destroyed || !output.writable) return Promise.reject(new OutputClosed());
  return new Promise((done, fail) => {
    output.write(text, (error) => {
      if (!error) return done();
      // The stream also emits the error, which would end the process.
      output.once('error', () => {});
      fail(isClosed(error) ? new OutputClosed() : systemFailure(error, 'Could not write the output'));
    });
  });
}

const isClosed = (error: NodeJS.ErrnoException) =>
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(error.code ?? '');

/** Ignores an output's error events, which {@link write} reports. Returns a function that stops this. */
export function ignoreErrors(output: OutputStream): () => void {
  const ignore = () => {};
  output.on('error', ignore);
  return () => output.off('error', ignore);
}

/** True to use colors: by option, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb, otherwise on a terminal only. */
export function hasColor(output: OutputStream, env: Terminal['env'], isWanted?: boolean): boolean {
  if (isWanted !== undefined) return isWanted;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return output.isTTY === true && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** Undefined if empty. */
export const variable = (terminal: Terminal, name: string): string | undefined => terminal.env[name] || undefined;

/** A clock in epoch ms: frozen by `--now` or CALENDAR_NOW, otherwise the terminal's. */
export function clockOf(terminal: Terminal, fixed?: string): () => number {
  const text = fixed ?? variable(terminal, 'CALENDAR_NOW');
  if (text === undefined) return () => terminal.now();
  const instant = readInstant(text);
  if (instant === undefined) throw new Failure('bad-request', `Invalid instant ${JSON.stringify(text)}`, 'Example: 2026-11-20T16:05:00Z');
  return () => instant;
}

/** Quotes a text as one word of a shell command, if necessary. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
