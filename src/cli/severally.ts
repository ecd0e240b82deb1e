import { type ExitCode, exitCodes, Failure } from '../model/error.ts';
import type { Entry } from '../model/resource.ts';
import { failureOf, jsonOf, messageOf } from './message.ts';
import { progressOf, silent } from './progress.ts';
import type { Session } from './shell.ts';
import { Interrupted, Unread, write } from './terminal.ts';

/** Work on several things, of which some may fail. */
export interface Severally {
  /** What became of each, in order; those that failed are told of on stderr and left out. */
  entries(): AsyncIterable<Entry>;
  /** 0, or once something failed that a part of a bulk did. Right only when all entries were taken. */
  readonly exit: ExitCode;
}

/** Does the same to several things, and goes on where one fails, saying which. The failure of a single thing is thrown. */
export function severally<T>(
  session: Session,
  things: readonly T[],
  nameOf: (thing: T, at: number) => string,
  options: Record<string, unknown>,
  work: (thing: T) => Promise<Entry>,
): Severally {
  let exit: ExitCode = exitCodes.ok;
  return {
    get exit() {
      return exit;
    },
    async *entries() {
      // Where the results scroll by, a line that says so would only be in the way.
      const progress = things.length < 2 || session.terminal.stdout.isTTY ? silent : progressOf(session.terminal, 'done', things.length);
      for (const [at, thing] of things.entries()) {
        progress.at(at);
        session.terminal.interrupted.throwIfAborted();
        try {
          yield await work(thing);
        } catch (error) {
          if (things.length === 1 || error instanceof Unread || error instanceof Interrupted) throw error;
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
