const { after, afterEach, before, beforeEach } = require('node:test');
const { isDeepStrictEqual } = require('node:util');
const { internal } = require('./index.cjs');

const warn = (text) => console.warn(text);
const report = (text) => process.stderr.write(`${text}\n`);

exports.useCalendar = (options) => {
  const running = new Set();
  let started = '';
  return internal.calendarBetween(
    {
      beforeAll: (work, timeout) => before(work, { timeout }),
      beforeEach: (work) =>
        beforeEach(({ fullName }) => {
          started = fullName;
          const ready = work({ suite: fullName.slice(0, fullName.lastIndexOf(' > ')) });
          running.add(fullName);
          return ready;
        }),
      afterEach: (work) =>
        afterEach(({ name, fullName, error }) => {
          running.delete(fullName);
          return work({ name, hasFailed: Boolean(error) });
        }),
      afterAll: after,
      // Subtests don't run at the same time as their parent.
      warn,
      report,
      isConcurrent: () => [...running].some((other) => !started.startsWith(`${other} > `)),
    },
    options,
  );
};

/** The servers of this process with their options. */
const sources = [];
after(() => Promise.all(sources.map(({ source }) => source.close())));

exports.calendarFor = async (test, options = {}) => {
  const cached = sources.find((each) => isDeepStrictEqual(each.options, options));
  const source = cached?.source ?? internal.worldSource(options, warn, report);
  if (!cached) sources.push({ options, source });
  const { calendar, close } = await source.open(test.name);
  test.after(async () => {
    const hasFailed = test.passed === false;
    const report = hasFailed ? await internal.failureReport(calendar, test.name).catch(() => '') : '';
    if (report) warn(report);
    await close(hasFailed);
  });
  return calendar;
};
