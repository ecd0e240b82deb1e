import type { TestContext } from 'node:test';
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
 * Returns a calendar for one test, which is closed after it: a world of a running server. Tests can be concurrent.
 * @example test('lists', async (t) => { const calendar = await calendarFor(t, { server: 'http://127.0.0.1:8787' }); });
 */
export declare function calendarFor(test: TestContext, options: TestCalendarOptions & OnServer): Promise<ConnectedCalendar>;
/**
 * Returns a calendar for one test, which is closed after it: a world of a server that the tests of this process share, or of the one at `server`. Tests can be concurrent.
 * @example test('lists', async (t) => { const calendar = await calendarFor(t, { seed: 'demo' }); });
 */
export declare function calendarFor(test: TestContext, options?: TestCalendarOptions): Promise<Calendar>;
