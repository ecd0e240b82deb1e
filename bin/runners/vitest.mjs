import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vitest from 'vitest';
import library from './index.cjs';

const { afterAll, afterEach, beforeAll, beforeEach, TestRunner, test } = vitest;
/** The functions that read and replace the body of a test. In vitest 4.1, `TestRunner` has the first of them under both names, and the module with both prints a warning in each file. */
async function bodyFunctions() {
  if (TestRunner?.setTestFn && TestRunner.setTestFn !== TestRunner.getTestFn) return [TestRunner.getTestFn, TestRunner.setTestFn];
  const { warn } = console;
  console.warn = (...values) => void (String(values[0]).includes('vitest/suite') || warn(...values));
  try {
    const { getFn, setFn } = await import('vitest/suite');
    return [getFn, setFn];
  } finally {
    console.warn = warn;
  }
}
const [getFn, setFn] = await bodyFunctions();

const warn = (text) => console.warn(text);
/** Not by the console, which vitest hides with --silent. */
const report = (text) => process.stderr.write(`${text}\n`);

const hasFailed = ({ result }) => result?.state === 'fail' || Boolean(result?.errors?.length);

/** Returns a function that calls a listener when a test starts, after its hooks. */
const onBodyOf = (task) => (listener) => {
  const body = getFn(task);
  setFn(task, (...values) => {
    // A test that is repeated gets a new listener.
    setFn(task, body);
    listener();
    return body(...values);
  });
};

export function useCalendar(options) {
  let concurrent = false;
  return library.internal.calendarBetween(
    {
      beforeAll,
      beforeEach: (work) =>
        beforeEach(({ task }) => {
          concurrent = Boolean(task.concurrent);
          return work({ suite: task.suite ?? null, waitMs: library.internal.waitWithin(task.timeout), onBody: onBodyOf(task) });
        }),
      afterEach: (work) => afterEach(({ task }) => work({ name: task.name, hasFailed: hasFailed(task) })),
      afterAll,
      warn,
      report,
      isConcurrent: () => concurrent,
    },
    options,
  );
}

/** Vitest's folder for attachments, which it does not watch. Its annotations are not possible after a failure. */
const folder = '.vitest-attachments';

/** Writes the requests of a failed test and the changed records to files, and prints their paths. */
async function saveEvidence(calendar, changes, { name, id }) {
  const report = await library.internal.failureReport(calendar, name, true);
  if (report) warn(report);
  const start = join(folder, `${name.replace(/[^\w-]+/g, '-').slice(0, 60)}-${id.replace(/^-/, '')}`);
  await mkdir(folder, { recursive: true });
  await writeFile(`${start}.har`, JSON.stringify(await calendar.requests.har()));
  await writeFile(`${start}.json`, JSON.stringify(await changes(), null, 2));
  warn(`The requests to the calendar of "${name}" are in ${start}.har, its changes in ${start}.json`);
}

export function calendarTest(options) {
  const source = library.internal.worldSource(options, warn, report);
  afterAll(() => source.close());
  return test.extend({
    calendar: async ({ task }, use) => {
      const { calendar, close } = await source.open(task.name);
      library.internal.limitWaits(calendar, task.timeout);
      const changes = await library.recordChanges(calendar);
      try {
        await use(calendar);
      } finally {
        const isFailed = hasFailed(task);
        if (isFailed) await saveEvidence(calendar, changes, task).catch(() => {});
        await close(isFailed);
      }
    },
  });
}
