import type { Calendar, SharedCalendarOptions } from './index.cjs';

/**
 * A calendar for the tests of this file: opened before the first, reset before each, closed after the last. With `server`, it is a world of that server.
 * @example const calendar = useCalendar({ seed: 'demo' });
 */
export declare function useCalendar(options?: SharedCalendarOptions): Calendar;
