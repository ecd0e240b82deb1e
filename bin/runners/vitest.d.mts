import type { TestAPI } from 'vitest';
import type { Calendar, ConnectedCalendar, OnServer, SharedCalendarOptions, TestCalendarOptions } from './index.cjs';

/**
 * A calendar for the tests of this file, as a world of a running server: opened before the first, reset before each, closed after the last.
 * @example const calendar = useCalendar({ server: 'http://127.0.0.1:8787' });
 */
export declare function useCalendar(options: SharedCalendarOptions & OnServer): ConnectedCalendar;
/**
 * A calendar for the tests of this file: opened before the first, reset before each, closed after the last. With `server`, it is a world of that server.
 * @example const calendar = useCalendar({ seed: 'demo' });
 */
export declare function useCalendar(options?: SharedCalendarOptions): Calendar;

/**
 * Returns vitest's `test` with a `calendar` for each test: a world of a running server. Tests can be concurrent.
 * @example const test = calendarTest({ server: 'http://127.0.0.1:8787' });
 */
export declare function calendarTest(options: TestCalendarOptions & OnServer): TestAPI<{
  /** The calendar of this test. */
  calendar: ConnectedCalendar;
}>;
/**
 * Returns vitest's `test` with a `calendar` for each test: a world of a server that the tests of this file share, or of the one at `server`. Tests can be concurrent.
 * @example const test = calendarTest({ seed: 'demo' });
 */
export declare function calendarTest(options?: TestCalendarOptions): TestAPI<{
  /** The calendar of this test. */
  calendar: Calendar;
}>;
