import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './watch.ts';

/** The state that the tests of one file start with: the calendar as it is when the first one begins. */
export class SharedStart {
  readonly #control: CalendarControl;
  /** Names of the snapshots at the start; undefined before the first test. */
  #snapshots: ReadonlySet<string> | undefined;
  /** ID of the last request that arrived before the end of the last test. */
  #lastRequest = 0;
  /** Numbers of records that calls outside of tests made. */
  #made: Promise<number>[] = [];
  #suite: unknown;
  #isBetween = false;

  constructor(private readonly calendar: ControlledCalendar) {
    const watch = watchOf(calendar);
    this.#control = watch.control;
    watch.onCreate = (created) => {
      const count = created.catch(() => 0);
      if (this.#isBetween) this.#made.push(count);
    };
  }

  /**
   * Restores the start before a test; before the first one, makes the current state the start. Returns the requests that it interrupted. Throws `bad-request` if records would be lost that
   * were made since the last test, and the suite is another one: a hook between two tests of one suite belongs to a test.
   */
  async next(suite?: unknown): Promise<readonly string[]> {
    if (!this.#snapshots) {
      this.#snapshots = new Set(await this.#snapshotNames());
      this.#suite = suite;
      return (await this.calendar.data.reset({ as_start: true })).in_flight ?? [];
    }
    const lost = this.#isBetween && (suite === undefined || suite !== this.#suite) ? await this.#madeSince() : 0;
    this.#isBetween = false;
    this.#made = [];
    this.#suite = suite;
    const added = (await this.#snapshotNames()).filter((name) => !this.#snapshots!.has(name));
    const { in_flight = [] } = await this.calendar.reset();
    for (const name of added) await this.#control.deleteSnapshot({ name });
    if (lost > 0)
      throw new Failure(
        'bad-request',
        `${lost === 1 ? '1 record' : `${lost} records`} made in a beforeAll of a nested describe would be lost; make them in beforeEach, or call useCalendar() in that describe`,
      );
    return in_flight;
  }

  /** Notes which requests arrived before the end of a test. */
  async endTest(): Promise<void> {
    // It waits for the arrival of what this process has sent.
    this.#lastRequest = (await this.calendar.requests.list({ limit: 1, brief: true })).total;
    this.#isBetween = true;
  }

  async #madeSince(): Promise<number> {
    const created = { after: this.#lastRequest, method: ['POST'], status: ['201'], brief: true };
    const { requests } = await this.#control.requests(created as never);
    return (await Promise.all(this.#made)).reduce((sum, count) => sum + count, requests.length);
  }

  async #snapshotNames(): Promise<string[]> {
    return (await this.#control.snapshots({})).snapshots.map(({ name }) => name);
  }
}
