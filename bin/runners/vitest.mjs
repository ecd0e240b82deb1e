import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import library from './index.cjs';

const warn = (text) => console.warn(text);

export function useCalendar(options) {
  let concurrent = false;
  return library.calendarBetween(
    {
      beforeAll,
      beforeEach: (work) =>
        beforeEach(({ task }) => {
          concurrent = Boolean(task.concurrent);
          return work();
        }),
      afterAll,
      warn,
      isConcurrent: () => concurrent,
    },
    options,
  );
}

export function calendarTest(options) {
  const source = library.worldSource(options, warn);
  afterAll(() => source.close());
  return test.extend({
    calendar: async ({ task }, use) => {
      const { calendar, close } = await source.open(task.name);
      try {
        await use(calendar);
      } finally {
        await close(task.result?.state === 'fail' || Boolean(task.result?.errors?.length));
      }
    },
  });
}
