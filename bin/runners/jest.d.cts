import type { Calendar, ConnectedCalendar, OnServer, SharedCalendarOptions } from './index.cjs';

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
