import { Failure } from '../../model/error.ts';
import type { ClockState } from '../../model/operation-types.ts';
import { isDated } from '../../model/time/time.ts';

/** Where a clock is stopped, which is undefined while it runs, and how many milliseconds it is ahead of the system's clock then. */
export interface ClockPosition {
  stopped: number | undefined;
  ahead: number;
}

/** The clock of a calendar, which can be stopped and moved. */
export class SettableClock {
  /** At the start. */
  #start: ClockPosition;
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
    this.restore(this.#start);
  }

  get position(): ClockPosition {
    return { stopped: this.#stopped, ahead: this.#ahead };
  }

  restore({ stopped, ahead }: ClockPosition): void {
    this.#stopped = stopped;
    this.#ahead = ahead;
  }

  /** Makes the current state the one that a reset restores. */
  makeStart(): void {
    this.#start = this.position;
  }

  get state(): ClockState {
    return {
      now: new Date(this.now()).toISOString(),
      frozen: this.#stopped !== undefined,
      ahead: this.#stopped === undefined ? this.#ahead : 0,
    };
  }
}
