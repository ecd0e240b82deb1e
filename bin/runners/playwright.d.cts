import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType } from '@playwright/test';
import type { Calendar, CalendarOptions, ConnectOptions, NewWorld } from './index.cjs';

export { expect } from '@playwright/test';

/** Fixtures of each test. */
export interface CalendarTestArgs {
  /** Initial state of the calendar of each test: `test.use({ calendarOptions: { seed: 'demo' } })`. */
  calendarOptions: Omit<NewWorld, 'name' | 'required' | 'from'> & {
    /** Initial records: the name of a seed or of a snapshot of the server, `empty`, or a fixture, its path or its address; by default those of the server's start. */
    seed?: NewWorld['from'];
  };
  /** The calendar of this test: a world of the worker's server. Its pages get it, too. */
  calendar: Calendar;
}

/** Fixtures of each worker. */
export interface CalendarWorkerArgs {
  /**
   * Options of the server of a worker, like `{ port: 8787 }`; or the URL of a running one: `{ url: 'http://127.0.0.1:8787' }`. With a URL, `keep: 'on-failure'` keeps the calendar of a
   * failed test and prints its URL.
   */
  calendarServer:
    | (CalendarOptions & {
        /** Starts a server if omitted. */
        url?: undefined;
        /** Requires `url`. */
        keep?: undefined;
      })
    | (ConnectOptions & {
        /** URL of a running server, like `http://127.0.0.1:8787`. */
        url: string;
        /** Keeps the calendar of a failed test on the server, and prints its URL. */
        keep?: 'on-failure';
      });
  /** The server of this worker, whose worlds are the calendars of tests. */
  workerCalendar: Calendar;
}

/** Playwright's `test`, with a separate `calendar` for each test. */
export declare const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & CalendarTestArgs,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & CalendarWorkerArgs
>;
