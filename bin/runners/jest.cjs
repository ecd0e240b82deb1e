const globals = require('@jest/globals');
const { internal } = require('./index.cjs');

const warn = (text) => console.warn(text);

/** Returns what jest knows about the running test: it has no function for it. */
function runningTest() {
  const state = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  return state && globalThis[state]?.currentlyRunningTest;
}

let warned = false;

/** Warns about tests that run concurrently: jest starts them before the hooks that open and reset the calendar. */
function withWarning(concurrent) {
  return new Proxy(concurrent, {
    apply(target, self, values) {
      if (!warned) {
        warned = true;
        console.warn(
          'test.concurrent starts before the hooks of useCalendar open and reset the calendar. Use test, or create a world inside the test: await calendar.worlds.create() of a calendar of createCalendar().',
        );
      }
      return Reflect.apply(target, self, values);
    },
    get(target, name) {
      const value = Reflect.get(target, name);
      return typeof value === 'function' && ['each', 'only', 'skip', 'failing'].includes(name) ? withWarning(value) : value;
    },
  });
}

exports.useCalendar = (options) => {
  const { afterAll, afterEach, beforeAll, beforeEach } = globals;
  for (const test of new Set([globals.test, globals.it, globalThis.test, globalThis.it]))
    if (test?.concurrent) test.concurrent = withWarning(test.concurrent);
  return internal.calendarBetween(
    {
      beforeAll,
      beforeEach: (work) => beforeEach(() => work({ suite: runningTest()?.parent })),
      afterEach: (work) => afterEach(() => work()),
      afterAll,
      warn,
    },
    options,
  );
};
