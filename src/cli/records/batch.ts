import type { Entry } from '../../model/calendar.ts';
import { type ExitCode, exitCodes, Failure } from '../../model/error.ts';
import { failureOf, jsonOf, messageOf } from '../failure-message.ts';
import type { Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { Interrupted, OutputClosed, write } from '../terminal/terminal.ts';

/** The results of work on several things, of which some may fail. */
export interface BatchResult {
  /** The resulting records in order; failures are reported on stderr and left out. */
  entries(): AsyncIterable<Entry>;
  /** 0, or `partial` once something failed. Final only when all entries were taken. */
  readonly exit: ExitCode;
}

/** Does the same work on several things, and goes on after a failure. The failure of a single thing is thrown. */
export function forEach<T>(
  session: Session,
  things: readonly T[],
  nameOf: (thing: T, at: number) => string,
  options: Record<string, unknown>,
  work: (thing: T) => Promise<Entry>,
): BatchResult {
  let exit: ExitCode = exitCodes.ok;
  return {
    get exit() {
      return exit;
    },
    async *entries() {
      // On a terminal the printed results are progress enough.
      const progress = things.length < 2 || session.terminal.stdout.isTTY ? silent : progressOf(session.terminal, 'done', things.length);
      for (const [at, thing] of things.entries()) {
        progress.update(at);
        session.terminal.interrupted.throwIfAborted();
        try {
          yield await work(thing);
        } catch (error) {
          if (things.length === 1 || error instanceof OutputClosed || error instanceof Interrupted) throw error;
          const { stderr, env } = session.terminal;
          const { code, message, data, hint, status } = failureOf(error);
          const item = nameOf(thing, at);
          const failure = new Failure(code, message.includes(item) ? message : `${item}: ${message}`, { ...data, item }, hint, status);
          await write(stderr, options.json ? jsonOf(failure) : messageOf(failure, stderr, env, session.globals.color));
          exit = exitCodes.partial;
        }
      }
      progress.end();
    },
  };
}
