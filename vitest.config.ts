import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limit } from './test/support/timeouts.ts';

/** Tests that need other programs (Chromium, terminals, shells, npm), attack the server, or try every case: what `npm run check` runs beside `npm test`. */
const long = ['test/**/*.long.test.{ts,tsx}'];

/** Random cases for as long as FUZZ_SECONDS says. */
const fuzz = ['test/fuzz/*.test.ts'];

/** Parts of the contract that depend on the transport, once more over a socket. */
const http = ['test/contract/{caching,errors,wire}.test.ts'];

/** The web build in Chromium: the contract, the recorded exchanges, and requests drawn from the document. */
const inPage = ['test/contract/*.test.ts', 'test/reference/replay.test.ts', 'test/fuzz/openapi.test.ts'];

export default defineConfig({
  test: {
    // By default, vitest leaves one processor unused: of two, that is half.
    maxWorkers: availableParallelism(),
    // A process runs many files: a file must not leave anything behind that changes another.
    isolate: false,
    testTimeout: limit(20_000),
    hookTimeout: limit(60_000),
    globalSetup: ['./test/support/nothing-left.ts'],
    setupFiles: ['./test/support/each-file.ts'],
    expect: { poll: { timeout: limit(5000) } },
    // Compiled sources are kept between runs, by their content.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/support/reporter.ts'],
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.{ts,tsx}'], exclude: [...long, ...fuzz] } },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          // Half of their time, these tests wait for browsers, packages and timeouts. They run after the others, which need all processors.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 1 },
          // With CALENDAR_TEST_RETRIES, a test that fails in a browser or terminal of a busy machine runs again; the report names it.
          retry: Number(process.env.CALENDAR_TEST_RETRIES ?? 0),
        },
      },
      { extends: true, test: { name: 'fuzz', include: fuzz } },
      { extends: true, test: { name: 'http', include: http, env: { CALENDAR_CONTRACT: 'over HTTP' } } },
      {
        extends: true,
        test: { name: 'browser', include: inPage, exclude: long, env: { CALENDAR_CONTRACT: 'in a browser' } },
      },
    ],
  },
});
