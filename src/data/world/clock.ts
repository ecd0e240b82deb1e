import { Failure } from '../../model/error.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import { isDated } from '../../model/time/instant.ts';

/** The clock of a calendar that can be stopped and moved. It runs with the clock of the system, or stands still. */
export class SettableClock {
  readonly #system: () => number;
  readonly #start: number | undefined;
  /** The instant at which it stands still; undefined while it runs. */
  #stopped: number | undefined;
  /** Milliseconds that it is ahead of the system while it runs. */
  #ahead = 0;

  /** `system` gives epoch milliseconds; `stopped` is where the clock stands still at the start. */
  constructor(system: () => number, stopped?: number) {
    this.#system = system;
    this.#start = stopped;
    this.#stopped = stopped;
  }

  /** Epoch milliseconds. */
  readonly now = (): number => this.#stopped ?? this.#system() + this.#ahead;

  /** Whether it is another than that of the system. */
  get isSet(): boolean {
    return this.#stopped !== undefined || this.#ahead !== 0;
  }

  /** Moves it there, where it stands still or runs on as it did. Fails with `bad-request` where no date can say when that is. */
  moveTo(instant: number): void {
    if (!isDated(instant)) throw new Failure('bad-request', 'the clock goes from the year 1 to the year 9999');
    if (this.#stopped !== undefined) this.#stopped = instant;
    else this.#ahead = instant - this.#system();
  }

  freeze(): void {
    this.#stopped = this.now();
  }

  resume(): void {
    if (this.#stopped === undefined) return;
    this.#ahead = this.#stopped - this.#system();
    this.#stopped = undefined;
  }

  /** As it was at the start. */
  reset(): void {
    this.#stopped = this.#start;
    this.#ahead = 0;
  }

  get state(): ClockState {
    return {
      now: new Date(this.now()).toISOString(),
      frozen: this.#stopped !== undefined,
      ahead: this.#stopped === undefined ? this.#ahead : 0,
    };
  }
}
