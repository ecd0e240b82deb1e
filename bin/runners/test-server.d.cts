import type { SharedServerOptions } from './index.cjs';

/** Starts the server of a run, and returns what stops it. The parameter is that of the runner. */
type Setup = (setup?: unknown) => Promise<() => Promise<void>>;
/**
 * Starts a server for all files of a run, which vitest, jest and Playwright call.
 * @example module.exports = { globalSetup: 'local-calendar/jest/server' };
 */
declare const setup: Setup & {
  /**
   * Returns a set-up with options of the server, for a file that the configuration names instead.
   * @example module.exports = calendarServer({ port: 8790 });
   */
  calendarServer(options?: SharedServerOptions): Setup;
  /**
   * Starts the server for `node --test --test-global-setup`.
   * @example await globalSetup();
   */
  globalSetup(): Promise<void>;
  /**
   * Stops it.
   * @example await globalTeardown();
   */
  globalTeardown(): Promise<void>;
};
export = setup;
