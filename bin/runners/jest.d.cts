import type { Calendar, CalendarOptions } from './index.cjs';

/**
 * A calendar for the tests of this file: opened before the first, brought back to its start before each, closed after the last. It can be named at once, and used as soon as the tests run.
 */
export declare function useCalendar(options?: CalendarOptions): Calendar;
