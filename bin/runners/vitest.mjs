import { afterAll, beforeAll, beforeEach } from 'vitest';
import library from './index.cjs';

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
      isConcurrent: () => concurrent,
    },
    options,
  );
}
