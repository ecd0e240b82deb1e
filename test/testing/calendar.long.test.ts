import { calendarSuite } from '../support/calendar-suite.ts';

for (const where of ['over HTTP', 'in a world in this process', 'in a world over HTTP']) calendarSuite(where);
