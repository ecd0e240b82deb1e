/** How much longer than usual a test may take: CALENDAR_TEST_TIMEOUT_FACTOR, for machines that are slow or busy. */
const factor = Number(process.env.CALENDAR_TEST_TIMEOUT_FACTOR ?? 1);
if (!(factor > 0)) throw new Error(`CALENDAR_TEST_TIMEOUT_FACTOR is a number above 0, not ${process.env.CALENDAR_TEST_TIMEOUT_FACTOR}`);

/** A limit in milliseconds, as long as this machine needs it: for tests, and for what they wait for. Never for a limit that is itself under test. */
export const limit = (milliseconds: number): number => milliseconds * factor;

/** Milliseconds that a server which stops gives to requests under way (`Listening.close`): one that took less waited for nobody. */
export const mostPatience = 3000;
