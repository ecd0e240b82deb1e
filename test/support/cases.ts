import { factorFrom } from './factor.ts';

/** The factor for numbers of random cases and repetitions that take long: CALENDAR_TEST_CASES_FACTOR. */
const factor = factorFrom('CALENDAR_TEST_CASES_FACTOR');

/** Returns a number of cases, at least one. Each run of the tests has other ones, so `npm test` runs a share of what CI does. */
export const cases = (count: number): number => Math.max(1, Math.round(count * factor));
