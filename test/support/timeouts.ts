import { factorFrom } from './factor.ts';

/** The factor for time limits of tests, for slow or busy machines: CALENDAR_TEST_TIMEOUT_FACTOR. */
const factor = factorFrom('CALENDAR_TEST_TIMEOUT_FACTOR');

/** A limit in milliseconds, as long as this machine needs it: for tests, and for what they wait for. Never for a limit that is itself under test. */
export const limit = (milliseconds: number): number => milliseconds * factor;
