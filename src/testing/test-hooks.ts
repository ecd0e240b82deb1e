import { Failure } from '../model/error.ts';
import type { ControlledCalendar } from './calendar.ts';
import { atCallSite, callSiteOf } from './guarded.ts';
import type { CalendarOptions } from './options.ts';

/** The hooks of a test runner. */
export interface TestHooks {
  /** Runs work before the first test, like that of vitest. */
  beforeAll(work: () => Promise<void>): unknown;
  /** Runs work before each test. */
  beforeEach(work: () => Promise<void>): unknown;
  /** Runs work after the last test. */
  afterAll(work: () => Promise<void>): unknown;
  /** Returns whether the next test runs concurrently with others. Such a test fails, because tests share the calendar. */
  isConcurrent?(): boolean;
}

/**
 * Returns a calendar for the tests of one file: opened before the first test, reset before each, closed after the last. It can be used in tests and hooks; before that it throws
 * `bad-request`.
 * @example const calendar = calendarBetween({ beforeAll, beforeEach, afterAll }, { seed: 'demo' });
 */
export function calendarBetween(hooks: TestHooks, options: CalendarOptions = {}): ControlledCalendar {
  let current: ControlledCalendar | undefined;
  // Failures of hooks name this call: their own stack leads into the test runner.
  const place = callSiteOf(calendarBetween);
  hooks.beforeAll(async () => {
    current = await atCallSite(place, async () => (await import('./serve.ts')).createServed(options));
  });
  hooks.beforeEach(async () => {
    if (hooks.isConcurrent?.()) await atCallSite(place, () => Promise.reject(concurrentFailure()));
    await current?.reset();
  });
  hooks.afterAll(async () => {
    await current?.close();
    current = undefined;
  });
  return new Proxy({} as ControlledCalendar, {
    get(_, name) {
      if (current) return Reflect.get(current, name);
      // Test runners read these of any value that they print.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new Failure('bad-request', `The calendar is not open yet; use ${name} in a test or a hook`);
    },
  });
}

const concurrentFailure = () =>
  new Failure(
    'bad-request',
    'This test runs concurrently with others, which use and reset the same calendar',
    {},
    'Run it sequentially, or use a separate calendar: await createCalendar(…), or fork() of a shared one.',
  );
