import { Failure } from '../../model/error.ts';
import type { ClockState } from '../../model/operation-types.ts';
import { isDated } from '../../model/time/time.ts';

/** The clock of a calendar, which can be stopped and moved. */
export class SettableClock {
  /** Where it is stopped at the start, or how far ahead it is. */
  #start: { stopped: number | undefined; ahead: number };
  /** Where it is stopped; undefined while it runs. */
  #stopped: number | undefined;
  /** Milliseconds ahead of the system's clock while it runs. */
  #ahead = 0;

  /** `system` returns epoch milliseconds; `stopped` is where the clock is stopped at the start. */
  constructor(
    private readonly system: () => number,
    stopped?: number,
  ) {
    this.#start = { stopped, ahead: 0 };
    this.#stopped = stopped;
  }

  /** Epoch milliseconds. */
  readonly now = (): number => this.#stopped ?? this.system() + this.#ahead;

  /** True if it differs from the system's clock. */
  get isSet(): boolean {
    return this.#stopped !== undefined || this.#ahead !== 0;
  }

  /** Moves the clock; it stays stopped or running. Throws `bad-request` outside of the years 1 to 9999. */
  moveTo(instant: number): void {
    if (!isDated(instant)) throw new Failure('bad-request', 'The clock can be set to the years 1 to 9999');
    if (this.#stopped !== undefined) this.#stopped = instant;
    else this.#ahead = instant - this.system();
  }

  freeze(): void {
    this.#stopped = this.now();
  }

  resume(): void {
    if (this.#stopped === undefined) return;
    this.#ahead = this.#stopped - this.system();
    this.#stopped = undefined;
  }

  reset(): void {
    this.#stopped = this.#start.stopped;
    this.#ahead = this.#start.ahead;
  }

  /** Sets the clock to a {@link state}. */
  restore({ now, frozen, ahead }: ClockState): void {
    this.#stopped = frozen ? Date.parse(now) : undefined;
    this.#ahead = ahead;
  }

  /** Makes the current state the one that a reset restores. */
  makeStart(): void {
    this.#start = { stopped: this.#stopped, ahead: this.#ahead };
  }

  get state(): ClockState {
    return {
      now: new Date(this.now()).toISOString(),
      frozen: this.#stopped !== undefined,
      ahead: this.#stopped === undefined ? this.#ahead : 0,
    };
  }
}
