/** The factor for numbers of random cases and repetitions that take long: CALENDAR_TEST_CASES_FACTOR. */
const factor = Number(process.env.CALENDAR_TEST_CASES_FACTOR ?? 1);
if (!(factor > 0)) throw new Error(`CALENDAR_TEST_CASES_FACTOR is a number above 0, not ${process.env.CALENDAR_TEST_CASES_FACTOR}`);

/** Returns a number of cases, at least one. Each run of the tests has other ones, so `npm test` runs a share of what CI does. */
export const cases = (count: number): number => Math.max(1, Math.round(count * factor));
