import { Failure } from '../../model/error.ts';
import type { FaultAnswer } from '../../model/operations/faults.ts';

/** The end of a hold: released, perhaps with a response instead of the true one, or after its time. */
export type HoldEnd = { by: 'release'; response?: FaultAnswer } | { by: 'timeout' };

/** Requests that a fault holds. */
export class Hold {
  readonly #waiting = new Set<(end: HoldEnd) => void>();
  readonly #watchers = new Set<() => void>();
  #arrived = 0;
  #end: HoldEnd | undefined;

  /** Number of requests that are held now. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Holds a request until the release, its time in ms is over, or its epoch ends. */
  wait(timeoutMs: number, signals: readonly (AbortSignal | undefined)[]): Promise<HoldEnd> {
    this.#arrived += 1;
    for (const watcher of this.#watchers) watcher();
    if (this.#end) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      const end = (how: HoldEnd) => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        for (const signal of signals) signal?.removeEventListener('abort', interrupt);
        resolve(how);
      };
      const interrupt = () => end({ by: 'release' });
      const timer = setTimeout(() => end({ by: 'timeout' }), timeoutMs);
      this.#waiting.add(end);
      for (const signal of signals) signal?.addEventListener('abort', interrupt);
    });
  }

  /** Ends the hold of every request, also of those that are about to be held. */
  release(response?: FaultAnswer): void {
    this.#end = { by: 'release', response };
    for (const end of [...this.#waiting]) end(this.#end);
    for (const watcher of this.#watchers) watcher();
  }

  /** Resolves when that number of requests has arrived. Throws `verification-failed` after a time in ms, or if the hold ends before. */
  arrived(count: number, timeoutMs: number): Promise<void> {
    const missing = () =>
      new Failure('verification-failed', `${count} ${count === 1 ? 'request' : 'requests'} should be held, and ${this.#arrived} arrived`);
    return new Promise((resolve, reject) => {
      const check = () => {
        if (this.#arrived < count && !this.#end) return;
        clearTimeout(timer);
        this.#watchers.delete(check);
        if (this.#arrived >= count) resolve();
        else reject(missing());
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(check);
        reject(missing());
      }, timeoutMs);
      this.#watchers.add(check);
      check();
    });
  }
}
