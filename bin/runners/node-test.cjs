const { after, afterEach, before, beforeEach } = require('node:test');
const { calendarBetween } = require('./index.cjs');

exports.useCalendar = (options) => {
  const running = new Set();
  let started = '';
  afterEach(({ fullName }) => running.delete(fullName));
  return calendarBetween(
    {
      beforeAll: before,
      beforeEach: (work) =>
        beforeEach(({ fullName }) => {
          started = fullName;
          const ready = work();
          running.add(fullName);
          return ready;
        }),
      afterAll: after,
      // The tests inside of a test are none beside it.
      isConcurrent: () => [...running].some((other) => !started.startsWith(`${other} > `)),
    },
    options,
  );
};
