/** The mark of this run in the environment of the programs that its tests start: what has it at the end was left behind. An environment that is not inherited needs it. */
export const runMark: Record<string, string> = process.env.RUN_OF_CALENDAR_TESTS
  ? { RUN_OF_CALENDAR_TESTS: process.env.RUN_OF_CALENDAR_TESTS }
  : {};
