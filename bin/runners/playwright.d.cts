import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from '@playwright/test';
import type { Calendar, CalendarOptions } from './index.cjs';

export interface CalendarTestArgs {
  /** The calendar of this worker, brought back to its start. */
  calendar: Calendar;
}
export interface CalendarWorkerArgs {
  /** What the calendar of a worker starts with: `test.use({ calendarOptions: { seed: 'demo' } })`. */
  calendarOptions: CalendarOptions;
  /** The same calendar as `calendar`, as the test before has left it. */
  workerCalendar: Calendar;
}

/** Playwright's `test`, with a `calendar` for each worker, which is brought back to its start before each test. */
export declare const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & CalendarTestArgs,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & CalendarWorkerArgs
>;
