import type { TestContext } from 'node:test';
import type { Calendar, SharedCalendarOptions, TestCalendarOptions } from './index.cjs';

/**
 * A calendar for the tests of this file: opened before the first, reset before each, closed after the last. With `server`, it is a world of that server.
 * @example const calendar = useCalendar({ seed: 'demo' });
 */
export declare function useCalendar(options?: SharedCalendarOptions): Calendar;

/**
 * Returns a calendar for one test, which is closed after it: a world of a server that the tests of this process share, or of the one at `server`. Tests can be concurrent.
 * @example test('lists', async (t) => { const calendar = await calendarFor(t, { seed: 'demo' }); });
 */
export declare function calendarFor(test: TestContext, options?: TestCalendarOptions): Promise<Calendar>;
