const globals = require('@jest/globals');
const { internal } = require('./index.cjs');

const warn = (text) => console.warn(text);
/** Not by the console, which jest prints with a part of the code. */
const report = (text) => process.stderr.write(`${text}\n`);

/** Returns what jest knows about the running test: it has no function for it. */
function runningTest() {
  const state = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  return state && globalThis[state]?.currentlyRunningTest;
}

/** Time that a wait may take: jest does not tell the timeout of a test, which is 5 s by default. */
const waitMs = 4000;

/** Calls a listener when the running test starts, after its hooks. */
function onBody(listener) {
  const test = runningTest();
  if (!test?.fn) return;
  const { fn } = test;
  const body = function (...values) {
    // A test that is repeated gets a new listener.
    test.fn = fn;
    listener();
    return fn.apply(this, values);
  };
  // Of a test with a parameter, jest waits for its callback.
  test.fn = Object.defineProperty(body, 'length', { value: fn.length });
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
      beforeEach: (work) => beforeEach(() => work({ suite: runningTest()?.parent, waitMs: () => waitMs, onBody })),
      afterEach: (work) =>
        afterEach(() => work({ name: globals.expect.getState().currentTestName, hasFailed: Boolean(runningTest()?.errors.length) })),
      afterAll,
      warn,
      report,
      stopsShared: false,
    },
    options,
  );
};
