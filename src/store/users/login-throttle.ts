import { Failure } from '../../model/error.ts';

/** A token bucket: `burst` attempts at once, then one more every `intervalMs`. */
interface Allowance {
  burst: number;
  intervalMs: number;
}

/** Limits per name and peer, and per peer. */
const perName: Allowance = { burst: 10, intervalMs: 6000 };
const perPlace: Allowance = { burst: 60, intervalMs: 1000 };

/** Maximum number of tracked names and peers. The least recently used are dropped. */
export const maxTrackedLogins = 10_000;

/** Limits password attempts per peer, and per peer and name. Attempts from elsewhere don't lock out a user. `clock` returns monotonic milliseconds. */
export class LoginThrottle {
  readonly #clock: () => number;
  /** When the last used attempt is available again, by key. */
  readonly #used = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#used.size;
  }

  /** Uses an attempt; call the result to return it after a correct password. Throws `too-many-attempts`. */
  take(place: string, name: string): () => void {
    const uses: [key: string, allowance: Allowance][] = [
      [place, perPlace],
      [`${place} ${name}`, perName],
    ];
    const now = this.#clock();
    const free = ([key]: [string, Allowance]) => Math.max(this.#used.get(key) ?? 0, now);
    const wait = Math.max(...uses.map((use) => free(use) + use[1].intervalMs - now - use[1].burst * use[1].intervalMs));
    if (wait > 0) {
      const retry_after = Math.ceil(wait / 1000);
      throw new Failure('too-many-attempts', `Too many wrong passwords; try again in ${retry_after} s`, undefined, { retry_after });
    }
    for (const use of uses) this.#set(use[0], free(use) + use[1].intervalMs);
    return () => {
      for (const [key, { intervalMs }] of uses) this.#set(key, (this.#used.get(key) ?? 0) - intervalMs);
    };
  }

  clear(): void {
    this.#used.clear();
  }

  #set(key: string, until: number): void {
    this.#used.delete(key);
    if (until <= this.#clock()) return;
    this.#used.set(key, until);
    for (const oldest of this.#used.keys()) {
      if (this.#used.size <= maxTrackedLogins) break;
      this.#used.delete(oldest);
    }
  }
}
