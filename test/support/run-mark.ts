/** The mark of this run in the environment of the programs that its tests start: what has it at the end was left behind. An environment that is not inherited needs it. */
export const runMark: Record<string, string> = process.env.CALENDAR_TEST_RUN ? { CALENDAR_TEST_RUN: process.env.CALENDAR_TEST_RUN } : {};
