import { Failure } from '../model/error.ts';
import type { ControlledCalendar } from './calendar.ts';
import { placeOf, toldAt } from './guarded.ts';
import type { CalendarOptions } from './options.ts';

/** When a runner of tests calls back: once before all tests of a file, before each of them, once after all. */
export interface TestHooks {
  beforeAll(work: () => Promise<void>): unknown;
  beforeEach(work: () => Promise<void>): unknown;
  afterAll(work: () => Promise<void>): unknown;
  /** Whether the test before which the work is called back runs at the same time as another; such a test fails, for one calendar cannot be at its start for both. */
  isConcurrent?(): boolean;
}

/**
 * A calendar for the tests of one file: opened before the first, brought back to its start before each, closed after the last. What is returned can be named at once, and used as soon as the tests run; before that it
 * fails with `bad-request`.
 */
export function calendarBetween(hooks: TestHooks, options: CalendarOptions = {}): ControlledCalendar {
  let current: ControlledCalendar | undefined;
  // Where it was asked for: a hook is called by nobody that could be mended.
  const place = placeOf(calendarBetween);
  hooks.beforeAll(async () => {
    current = await toldAt(place, async () => (await import('./serve.ts')).createServed(options));
  });
  hooks.beforeEach(async () => {
    if (hooks.isConcurrent?.()) await toldAt(place, () => Promise.reject(concurrentFailure()));
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
      throw new Failure('bad-request', `the calendar is not there yet: ${name} was asked for outside of a test, or of a hook`);
    },
  });
}

const concurrentFailure = () =>
  new Failure(
    'bad-request',
    'this test runs at the same time as others, which would use the same calendar and bring it back to its start',
    {},
    'Run it by itself, or give it a calendar of its own: await createCalendar(…), or fork() of one that is shared.',
  );
