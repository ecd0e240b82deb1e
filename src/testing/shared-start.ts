import { Failure } from '../model/error.ts';
import type { FaultInfo } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { isUnused, unusedText } from '../model/operations/test-report.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './changes.ts';

/** The end of a test: decided when the next one begins, because a request that the test sent may arrive after its last hook. */
interface EndedTest {
  /** Requests that were in progress, like `POST /events`. */
  inFlight: readonly string[];
  /** Faults that the test added, and that no request met, or fewer than their `times`. */
  unused: readonly FaultInfo[];
}

/** The state that the tests of one file start with: the calendar as it is when the first one begins. */
export class SharedStart {
  readonly #control: CalendarControl;
  #hasBegun = false;
  /** Numbers of records that calls outside of tests made. */
  #made: Promise<number>[] = [];
  #suite: unknown;
  #isBetween = false;
  readonly #faults = new FaultUse();

  constructor(calendar: ControlledCalendar) {
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
   * Restores the start before a test; before the first one, makes the current state the start. Returns how the test before ended. Throws `bad-request` if records would be lost that
   * were made since the last test, and the suite is another one: a hook between two tests of one suite belongs to a test.
   */
  async next(suite?: unknown): Promise<EndedTest> {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    const { faults, in_flight, made } = await this.#control.beginTest({ as_start: isFirst });
    const unused = isFirst ? [] : this.#faults.end(faults);
    this.#faults.begin();
    const created = await Promise.all(this.#made.splice(0));
    const lost = this.#isBetween && (suite === undefined || suite !== this.#suite) ? created.reduce((sum, count) => sum + count, made) : 0;
    this.#suite = suite;
    this.#isBetween = false;
    if (lost > 0)
      throw new Failure(
        'bad-request',
        `${lost === 1 ? '1 record' : `${lost} records`} made in a beforeAll of a nested describe would be lost; make them in beforeEach, or call useCalendar() in that describe`,
      );
    return { inFlight: in_flight, unused };
  }

  /** Notes that the hooks before a test have ended. */
  beginBody(): void {
    this.#faults.beginBody();
  }

  /** Notes which requests arrived before the end of a test. */
  async endTest(): Promise<void> {
    this.#faults.endBody((await this.#control.endTest({})).faults);
    this.#isBetween = true;
  }

  /** Ends the requests in progress after the last test. Returns how it ended, with the faults of hooks and options that requests met in no test. */
  async end(): Promise<EndedTest & { unusedShared: readonly FaultInfo[] }> {
    if (!this.#hasBegun) return { inFlight: [], unused: [], unusedShared: this.#faults.unusedShared() };
    const { faults, in_flight } = await this.#control.beginTest({});
    return { inFlight: in_flight, unused: this.#faults.end(faults), unusedShared: this.#faults.unusedShared() };
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
  #atEnd: readonly FaultInfo[] = [];
  #isInTest = false;

  /** Forgets the faults of the last test. */
  begin(): void {
    this.#own.clear();
    this.#removed.length = 0;
    this.#atEnd = [];
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

  /** Notes the faults at the end of a test, before hooks between two tests remove some. */
  endBody(active: readonly FaultInfo[]): void {
    this.#isInTest = false;
    this.#atEnd = active;
  }

  /** The unused faults that a test added, by the faults when the next one begins. */
  end(active: readonly FaultInfo[]): FaultInfo[] {
    const last = new Map([...this.#removed, ...this.#atEnd, ...active].map((fault) => [fault.id, fault]));
    const faults = [...last.values()];
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
  where: string | undefined,
  how: UnusedFaults,
  warn: ((text: string) => void) | undefined,
): void {
  if (how === 'ignore' || where === undefined || !faults.length) return;
  const message = `Unused faults ${where}: ${faults.map(unusedText).join('; ')}`;
  if (how === 'fail') throw new Failure('verification-failed', message);
  warn?.(message);
}
