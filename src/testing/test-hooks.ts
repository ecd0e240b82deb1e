import { Failure } from '../model/error.ts';
import type { ControlledCalendar } from './calendar.ts';
import { watchOf } from './changes.ts';
import { failureReport } from './evidence.ts';
import { atCallSite, callSiteOf } from './guarded.ts';
import { HintReport, isReportedLater } from './hint-report.ts';
import { reportUnused, SharedStart, type UnusedFaults } from './shared-start.ts';
import { type OpenedCalendar, opened, openTimeoutMs, type TestCalendarOptions } from './world-source.ts';

/** A test, as far as its runner describes it. */
export interface RunningTest {
  /** Name of the test, for messages. */
  name?: string;
  /** True if it has failed. */
  hasFailed?: boolean;
  /** Returns how long a wait may take, in ms; undefined if nothing limits the test. */
  waitMs?(): number | undefined;
  /** Calls a listener when the hooks before the test have ended. */
  onBody?(listener: () => void): void;
  /** The same value for tests whose hooks are the same; undefined if that is not known. */
  suite?: unknown;
}

/** The hooks of a test runner. */
interface TestHooks {
  /**
   * Runs work before the first test, like that of vitest. `timeoutMs` is the time that the work may take.
   * @example beforeAll: (work, timeoutMs) => before(work, { timeout: timeoutMs })
   */
  beforeAll(work: () => Promise<void>, timeoutMs: number): unknown;
  /**
   * Runs work before each test.
   * @example beforeEach: (work) => beforeEach(({ task }) => work({ suite: task.suite ?? null }))
   */
  beforeEach(work: (test?: RunningTest) => Promise<void>): unknown;
  /**
   * Runs work after each test.
   * @example afterEach: (work) => afterEach(({ task }) => work({ hasFailed: task.result?.state === 'fail' }))
   */
  afterEach(work: (test?: RunningTest) => Promise<void>): unknown;
  /**
   * Runs work after the last test.
   * @example afterAll: (work) => after(work)
   */
  afterAll(work: () => Promise<void>): unknown;
  /**
   * Returns whether the next test runs concurrently with others. Such a test fails, because tests share the calendar.
   * @example isConcurrent: () => false
   */
  isConcurrent?(): boolean;
  /**
   * Prints a warning; none by default.
   * @example warn: (text) => reporter.warn(text)
   */
  warn?(text: string): void;
  /**
   * Prints a report after the last test, also if none has failed; none by default.
   * @example report: (text) => process.stderr.write(`${text}\n`)
   */
  report?(text: string): void;
  /** False if the runner does not stop the server that files share, which then reports nothing. */
  stopsShared?: boolean;
}

/** Options of a calendar that the tests of one file share. */
export interface SharedCalendarOptions extends Omit<TestCalendarOptions, 'keep'> {
  /** Reaction to requests of the previous test that are still in progress before the next: `warn` (default), `fail` or `ignore`. They change nothing any more. */
  inFlight?: 'warn' | 'fail' | 'ignore';
  /** Reaction to faults that no request met, or fewer requests than their `times`: `warn` (default), `fail` or `ignore`. Those of options and hooks are reported after the last test, if no test met them. */
  unusedFaults?: UnusedFaults;
}

/** Time that a runner gives the hook beyond the timeout of the calendar, whose message says more, in ms. */
const graceMs = 2000;

/**
 * Returns a calendar for the tests of one file: opened before the first test, reset before each, closed after the last. It can be used in tests and hooks; before that it throws
 * `bad-request`.
 * @example const calendar = calendarBetween({ beforeAll, beforeEach, afterAll }, { seed: 'demo' });
 */
export function calendarBetween(hooks: TestHooks, options: SharedCalendarOptions = {}): ControlledCalendar {
  const { inFlight = 'warn', unusedFaults = 'warn', ...opening } = options;
  for (const [name, value] of Object.entries({ inFlight, unusedFaults }))
    if (!['warn', 'fail', 'ignore'].includes(value))
      throw new Failure('bad-request', `Invalid ${name} ${JSON.stringify(value)}: must be warn, fail or ignore`);
  let current: OpenedCalendar | undefined;
  let start: SharedStart | undefined;
  let runningTests = 0;
  let hasFailedTest = false;
  /** The last test, for a message; undefined if it has failed. */
  let last: string | undefined;
  let failure: unknown;
  const hints = new HintReport();
  let isEnded = false;
  // Failures of hooks name this call: their own stack leads into the test runner.
  const place = callSiteOf(calendarBetween);
  hooks.beforeAll(async () => {
    failure = new Failure('bad-request', 'The calendar did not open');
    try {
      current = await atCallSite(place, () => opened(opening, undefined, () => isEnded));
      start = new SharedStart(current.calendar);
      failure = undefined;
    } catch (error) {
      failure = error;
      throw error;
    }
  }, openTimeoutMs(options) + graceMs);
  hooks.beforeEach(async ({ suite, waitMs, onBody } = {}) => {
    // Some runners run tests although their hooks failed.
    if (failure !== undefined) throw failure;
    if (hooks.isConcurrent?.()) await atCallSite(place, () => Promise.reject(concurrentFailure()));
    runningTests += 1;
    watchOf(current!.calendar).waitMs = waitMs;
    await atCallSite(place, async () => {
      const ended = await start!.next(suite);
      report(ended.inFlight, 'previous', inFlight, hooks);
      reportUnused(ended.unused, last, unusedFaults, hooks.warn);
    });
    onBody?.(() => start?.beginBody());
  });
  hooks.afterEach(async ({ name, hasFailed = false } = {}) => {
    runningTests = Math.max(0, runningTests - 1);
    // A test with subtests goes on after each of them.
    if (runningTests > 0 || !current || !start) return;
    await start.endTest();
    if (current.isOwn) await hints.endTest(watchOf(current.calendar).control, name);
    // The report of a failed test has its faults.
    last = hasFailed ? undefined : `in ${name ?? 'a test'}`;
    if (!hasFailed) return;
    hasFailedTest = true;
    const text = await failureReport(current.calendar, name);
    if (text) hooks.warn?.(text);
  });
  hooks.afterAll(async () => {
    isEnded = true;
    const ended = start;
    start = undefined;
    try {
      const { inFlight: requests, unused, unusedShared } = (await ended?.end()) ?? { inFlight: [], unused: [], unusedShared: [] };
      await atCallSite(place, async () => {
        report(requests, 'last', inFlight, hooks);
        reportUnused(unused, last, unusedFaults, hooks.warn);
        reportUnused(unusedShared, 'of options and hooks', unusedFaults, hooks.warn);
      });
    } finally {
      if (current && !isReportedLater(current.calendar.url, hooks.stopsShared)) await hints.endCalendar(watchOf(current.calendar).control);
      const text = hints.text();
      if (text) hooks.report?.(text);
      await current?.close(hasFailedTest);
      current = undefined;
    }
  });
  return new Proxy({} as ControlledCalendar, {
    get(_, name) {
      if (current) return Reflect.get(current.calendar, name);
      // Test runners read these of any value that they print.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new Failure('bad-request', `The calendar is not open yet; use ${name} in a test or a hook`);
    },
  });
}

/** Reports requests that a reset interrupted. Throws `world-reset` for `fail`. */
function report(requests: readonly string[], test: 'previous' | 'last', how: SharedCalendarOptions['inFlight'], { warn }: TestHooks): void {
  if (how === 'ignore' || !requests.length) return;
  const are = requests.length === 1 ? `1 request from the ${test} test was` : `${requests.length} requests from the ${test} test were`;
  const message = `${are} still in flight: ${requests.join(', ')}`;
  if (how === 'fail') throw new Failure('world-reset', message, 'Await every request before the test ends.');
  warn?.(message);
}

const concurrentFailure = () =>
  new Failure(
    'bad-request',
    'This test runs concurrently with others, which use and reset the same calendar',
    'Run it sequentially, or give each test a world: calendarTest(…) of vitest, calendarFor(t) of node:test, or await calendar.worlds.create().',
  );
