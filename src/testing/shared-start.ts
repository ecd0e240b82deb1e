import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { FaultInfo } from '../model/operations/faults.ts';
import { isUnused, unusedText } from '../model/operations/test-report.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './changes.ts';

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
  readonly #faults = new FaultUse();

  constructor(private readonly calendar: ControlledCalendar) {
    const watch = watchOf(calendar);
    this.#control = watch.control;
    watch.onCreate = (created) => {
      const count = created.catch(() => 0);
      if (this.#isBetween) this.#made.push(count);
    };
    watch.onFault = (fault) => this.#faults.added(fault);
    watch.onFaultsRemoved = (faults) => {
      if (!this.#isBetween) this.#faults.removed(faults);
    };
  }

  /**
   * Restores the start before a test; before the first one, makes the current state the start. Returns the requests that it interrupted. Throws `bad-request` if records would be lost that
   * were made since the last test, and the suite is another one: a hook between two tests of one suite belongs to a test.
   */
  async next(suite?: unknown): Promise<readonly string[]> {
    this.#faults.begin();
    if (!this.#snapshots) {
      this.#snapshots = new Set(await this.#snapshotNames());
      this.#suite = suite;
      const { in_flight = [] } = await this.calendar.reset({ as_start: true });
      this.#faults.begin();
      return in_flight;
    }
    const lost = this.#isBetween && (suite === undefined || suite !== this.#suite) ? await this.#madeSince() : 0;
    this.#made = [];
    this.#suite = suite;
    const added = (await this.#snapshotNames()).filter((name) => !this.#snapshots!.has(name));
    const { in_flight = [] } = await this.calendar.reset();
    this.#isBetween = false;
    for (const name of added) await this.#control.deleteSnapshot({ name });
    if (lost > 0)
      throw new Failure(
        'bad-request',
        `${lost === 1 ? '1 record' : `${lost} records`} made in a beforeAll of a nested describe would be lost; make them in beforeEach, or call useCalendar() in that describe`,
      );
    return in_flight;
  }

  /** Notes that the hooks before a test have ended. */
  beginBody(): void {
    this.#faults.beginBody();
  }

  /** Notes which requests arrived before the end of a test. Returns the unused faults that the test added. */
  async endTest(): Promise<FaultInfo[]> {
    // It waits for the arrival of what this process has sent.
    this.#lastRequest = (await this.calendar.requests.list({ limit: 1, brief: true })).total;
    this.#isBetween = true;
    return this.#faults.end((await this.#control.faults({})).faults);
  }

  /** Ends the requests in progress after the last test. Returns them, and the faults of hooks and options that requests met in no test. */
  async end(): Promise<{ inFlight: readonly string[]; unused: FaultInfo[] }> {
    this.#isBetween = true;
    const { in_flight = [] } = this.#snapshots ? await this.calendar.reset() : {};
    return { inFlight: in_flight, unused: this.#faults.unusedShared() };
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

/** Reaction to faults that no request met. */
export type UnusedFaults = 'fail' | 'warn' | 'ignore';

/** The faults of the tests of one file, and whether requests met them. */
class FaultUse {
  /** Faults that hooks added, with the most requests that met them in one test. */
  readonly #shared = new Map<string, FaultInfo>();
  /** IDs of the faults that the running test added. */
  readonly #own = new Set<number>();
  /** Faults that were removed in the running test. */
  readonly #removed: FaultInfo[] = [];
  #isInTest = false;

  /** Forgets the faults of the last test. */
  begin(): void {
    this.#own.clear();
    this.#removed.length = 0;
    this.#isInTest = false;
  }

  /** Notes that hooks have ended: faults that are added from now on are those of the test. */
  beginBody(): void {
    this.#isInTest = true;
  }

  added({ id }: FaultInfo): void {
    if (this.#isInTest) this.#own.add(id);
  }

  removed(faults: readonly FaultInfo[]): void {
    this.#removed.push(...faults);
  }

  /** Returns the unused faults that a test added. */
  end(active: readonly FaultInfo[]): FaultInfo[] {
    this.#isInTest = false;
    const faults = [...this.#removed, ...active];
    for (const fault of faults) {
      if (this.#own.has(fault.id)) continue;
      const { id, hits, held, remaining, ...input } = fault;
      const key = JSON.stringify(input);
      const before = this.#shared.get(key);
      if (!before || before.hits < hits) this.#shared.set(key, fault);
    }
    return faults.filter((fault) => this.#own.has(fault.id) && isUnused(fault));
  }

  /** Returns the faults of hooks and options that requests met in no test. */
  unusedShared(): FaultInfo[] {
    return [...this.#shared.values()].filter((fault) => fault.hits === 0 && isUnused(fault));
  }
}

/** Reports unused faults in one line. Throws `verification-failed` for `fail`. */
export function reportUnused(
  faults: readonly FaultInfo[],
  where: string,
  how: UnusedFaults,
  warn: ((text: string) => void) | undefined,
): void {
  if (how === 'ignore' || !faults.length) return;
  const message = `Unused faults ${where}: ${faults.map(unusedText).join('; ')}`;
  if (how === 'fail') throw new Failure('verification-failed', message);
  warn?.(message);
}
