import { setTimeout } from 'node:timers/promises';
import { Failure } from '../model/error.ts';
import type { Session } from './session.ts';

/** Maximum time between two tries, in ms. */
const maxDelayMs = 3_600_000;

/** Returns the time until the next try, in ms: twice as long after each failure, up to an hour. */
export const delayAfter = (everyMs: number, failures: number): number => Math.min(everyMs * 2 ** failures, Math.max(everyMs, maxDelayMs));

/** Failures that may pass: the site is busy, has an error, or can't be reached. */
const isPassing = (error: unknown): error is Failure => error instanceof Failure && (error.status >= 500 || error.status === 429);

/** Runs work again and again until it is interrupted or fails with an error that waiting doesn't help. */
export async function follow(session: Session, everyMs: number, work: () => Promise<unknown>): Promise<never> {
  for (let failures = 0; ; ) {
    try {
      await work();
      failures = 0;
    } catch (error) {
      if (!isPassing(error)) throw error;
      failures++;
      await session.tell(`calendar: ${error.message}. Trying again in ${Math.round(delayAfter(everyMs, failures) / 1000)} s`);
    }
    await setTimeout(delayAfter(everyMs, failures), undefined, { signal: session.terminal.interrupted });
  }
}
