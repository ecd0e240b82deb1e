import { Failure } from '../model/error.ts';
import type { ControlledCalendar } from './calendar.ts';
import { createCalendar } from './create.ts';
import type { CalendarOptions } from './options.ts';

/** When a runner of tests calls back: once before all tests of a file, before each of them, once after all. */
export interface TestHooks {
  beforeAll(work: () => Promise<void>): unknown;
  beforeEach(work: () => Promise<void>): unknown;
  afterAll(work: () => Promise<void>): unknown;
}

/**
 * A calendar for the tests of one file: opened before the first, brought back to its start before each, closed after the last. What is returned can be named at once, and used as soon as the tests run; before that it
 * fails with `bad-request`.
 */
export function calendarBetween(hooks: TestHooks, options?: CalendarOptions): ControlledCalendar {
  let current: ControlledCalendar | undefined;
  hooks.beforeAll(async () => {
    current = await createCalendar(options);
  });
  hooks.beforeEach(async () => {
    await current?.reset();
  });
  hooks.afterAll(async () => {
    await current?.close();
    current = undefined;
  });
  return new Proxy({} as ControlledCalendar, {
    get(_, name) {
      if (current) return Reflect.get(current, name);
      // What runners ask of any value that they show.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new Failure(
        'bad-request',
        `the calendar is not there yet: ${name} was asked for outside of a test`,
        {},
        'Use it in a test, or in a hook.',
      );
    },
  });
}
