import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Vitest's folder for attachments, which it does not watch. Its annotations are not possible after a failure. */
const folder = '.vitest-attachments';

/** Writes the requests of a failed test to a file, and prints its path. */
async function saveRequests(calendar, { name, id }) {
  const archive = await calendar.requests.har();
  const file = join(folder, `${name.replace(/[^\w-]+/g, '-').slice(0, 60)}-${id.replace(/^-/, '')}.har`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(archive));
  warn(`The requests to the calendar of "${name}" are in ${file}`);
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
        const hasFailed = task.result?.state === 'fail' || Boolean(task.result?.errors?.length);
        if (hasFailed) await saveRequests(calendar, task).catch(() => {});
        await close(hasFailed);
      }
    },
  });
}
