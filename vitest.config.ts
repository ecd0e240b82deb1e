import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limit } from './test/support/timeouts.ts';

/** Tests of everything that can lose or corrupt data. They kill processes, damage files and fill disks, so each file runs in a separate process. */
const data = [
  'test/cli/connect/owner.test.ts',
  'test/crash/**/*.test.ts',
  'test/data/ingest/identity.test.ts',
  'test/data/round-trip.test.ts',
  'test/data/sync/pull.test.ts',
  'test/server/full-disk.test.ts',
  'test/store/{concurrency,migrations}.test.ts',
  'test/store/{file,sqlite}/*.test.ts',
];

/** Tests that need other programs (Chromium, terminals, shells, npm), attack the server, or run thousands of random cases. */
const long = [
  'test/bin/**/*.test.ts',
  'test/cli/commands/{check,learn,man}.test.ts',
  'test/client/live-site.test.ts',
  'test/cli/completion/shells.test.ts',
  'test/cli/{loading,main,signals}.test.ts',
  'test/cli/ui/{screen.test.tsx,tmux.test.ts}',
  'test/data/ingest/cost.test.ts',
  'test/data/sync/extra.test.ts',
  'test/data/upstream/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/model/fields/kinds.test.ts',
  'test/model/html/{scripts,unrender}.test.ts',
  'test/model/ical/{cost,write}.test.ts',
  'test/model/resources/sixth.test.ts',
  'test/model/time/with-timeout.test.ts',
  'test/package/**/*.test.ts',
  'test/readme.test.ts',
  'test/server/{cached,faults/wire,limits,login-throttle}.test.ts',
  'test/store/cache/*.test.ts',
  'test/testing/{calendar,hooks,many}.test.ts',
  'test/web/browser/**/*.test.ts',
];

/** Random cases for as long as FUZZ_SECONDS says. */
const fuzz = ['test/fuzz/**/*.test.ts'];

/** Parts of the contract that depend on the transport, once more over a socket. */
const http = ['test/contract/{caching,errors,wire}.test.ts'];

export default defineConfig({
  test: {
    // By default, vitest leaves one processor unused: of two, that is half.
    maxWorkers: availableParallelism(),
    testTimeout: limit(20_000),
    hookTimeout: limit(60_000),
    setupFiles: ['./test/support/seeded.ts'],
    expect: { poll: { timeout: limit(5000) } },
    reporters: ['default', './test/support/skipped-reporter.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.{ts,tsx}'], exclude: [...data, ...long, ...fuzz], isolate: false },
      },
      { extends: true, test: { name: 'data', include: data } },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          isolate: false,
          // Half of their time, these tests wait for browsers, packages and timeouts. They run after the others, which need all processors.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 1 },
          // With CALENDAR_TEST_RETRIES, a test that fails in a browser or terminal of a busy machine runs again; the report names it.
          retry: Number(process.env.CALENDAR_TEST_RETRIES ?? 0),
        },
      },
      { extends: true, test: { name: 'fuzz', include: fuzz, isolate: false } },
      { extends: true, test: { name: 'http', include: http, isolate: false, env: { CALENDAR_CONTRACT: 'over HTTP' } } },
    ],
  },
});
