import { Failure } from '../../model/error.ts';

/** How many passwords may be tried at once, and the milliseconds after which one more may be. */
interface Allowance {
  most: number;
  every: number;
}

/** For one name from one place; and for all names from there. */
const perName: Allowance = { most: 10, every: 6000 };
const perPlace: Allowance = { most: 60, every: 1000 };

/** So many names and places are remembered; of more, those that were asked for longest ago are forgotten. */
export const maxTrackedLogins = 10_000;

/**
 * Slows the guessing of passwords: each place may try so many at once, fewer for one name, and one more each few seconds. Nobody is kept out by what is tried
 * elsewhere. `clock` gives milliseconds and never goes back.
 */
export class LoginThrottle {
  readonly #clock: () => number;
  /** When the last of the tries that were used will be there again, by place, or place and name. */
  readonly #used = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** How many names and places are remembered. */
  get size(): number {
    return this.#used.size;
  }

  /** Uses a try for a name from a place; the answer gives it back, for a password that was right. Fails with `too-many-attempts` where none is left. */
  take(place: string, name: string): () => void {
    const uses: [key: string, allowance: Allowance][] = [
      [place, perPlace],
      [`${place} ${name}`, perName],
    ];
    const now = this.#clock();
    const free = ([key]: [string, Allowance]) => Math.max(this.#used.get(key) ?? 0, now);
    const wait = Math.max(...uses.map((use) => free(use) + use[1].every - now - use[1].most * use[1].every));
    if (wait > 0) {
      const retry_after = Math.ceil(wait / 1000);
      throw new Failure('too-many-attempts', `Too many failed login attempts; try again in ${retry_after} s`, { retry_after });
    }
    for (const use of uses) this.#set(use[0], free(use) + use[1].every);
    return () => {
      for (const [key, { every }] of uses) this.#set(key, (this.#used.get(key) ?? 0) - every);
    };
  }

  /** Forgets all tries. */
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
