import type { Entry } from '../../model/calendar.ts';
import { type ExitCode, exitCodes } from '../../model/error.ts';
import { failureOf, jsonOf, messageOf } from '../failure-message.ts';
import type { Session } from '../session.ts';
import { progressOf, silent } from '../terminal/progress.ts';
import { Interrupted, OutputClosed, write } from '../terminal/terminal.ts';

/** The results of a batch in which some items may fail. */
export interface BatchResult {
  /** Yields the resulting records in order. Reports failures on stderr and omits them. Shows the progress, unless records are printed to a terminal as they arrive. */
  entries(reading?: { collects?: boolean }): AsyncIterable<Entry>;
  /** 0, or `partial` after a failure. Final only when all entries have been read. */
  readonly exit: ExitCode;
}

/** Runs `work` for each item and continues after failures. Rethrows the failure of a single item. */
export function forEach<T>(
  session: Session,
  items: readonly T[],
  nameOf: (item: T, index: number) => string,
  options: Record<string, unknown>,
  work: (item: T) => Promise<Entry>,
): BatchResult {
  let exit: ExitCode = exitCodes.ok;
  return {
    get exit() {
      return exit;
    },
    async *entries({ collects = false } = {}) {
      const isSilent = items.length < 2 || (session.terminal.stdout.isTTY && !collects);
      const progress = isSilent ? silent : progressOf(session.terminal, 'done', items.length);
      for (const [index, value] of items.entries()) {
        progress.update(index);
        session.terminal.interrupted.throwIfAborted();
        try {
          yield await work(value);
        } catch (error) {
          if (items.length === 1 || error instanceof OutputClosed || error instanceof Interrupted) throw error;
          const { stderr, env } = session.terminal;
          const reason = failureOf(error);
          const item = nameOf(value, index);
          const message = reason.message.includes(item) ? reason.message : `${item}: ${reason.message}`;
          const failure = reason.with({ message, data: { ...reason.data, item } });
          await write(stderr, options.json ? jsonOf(failure) : messageOf(failure, stderr, env, session.globals.color));
          exit = exitCodes.partial;
        }
      }
      progress.end();
    },
  };
}
