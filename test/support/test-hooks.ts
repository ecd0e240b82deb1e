import type { SharedCalendarOptions } from '../../bin/library.ts';
import { calendarBetween, type RunningTest } from '../../src/testing/test-hooks.ts';

type Hook = (test?: RunningTest) => Promise<void>;

/** Collects the hooks of a test file, which the test runs itself. */
export function collectHooks(options: SharedCalendarOptions) {
  const hooks: Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Hook> = {} as never;
  let hookTimeoutMs = 0;
  const reports: string[] = [];
  const calendar = calendarBetween(
    {
      beforeAll(work, timeoutMs) {
        hooks.beforeAll = work;
        hookTimeoutMs = timeoutMs;
      },
      beforeEach: (work) => {
        hooks.beforeEach = work;
      },
      afterEach: (work) => {
        hooks.afterEach = work;
      },
      afterAll: (work) => {
        hooks.afterAll = work;
      },
      warn: (text) => console.warn(text),
      report: (text) => reports.push(text),
    },
    options,
  );
  return {
    start: hooks.beforeAll,
    next: hooks.beforeEach,
    endTest: hooks.afterEach,
    end: hooks.afterAll,
    calendar,
    hookTimeoutMs,
    reports,
  };
}
