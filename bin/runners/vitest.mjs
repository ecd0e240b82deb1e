import { afterAll, beforeAll, beforeEach } from 'vitest';
import library from './index.cjs';

export const useCalendar = (options) => library.calendarBetween({ beforeAll, beforeEach, afterAll }, options);
