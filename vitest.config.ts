import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limit } from './test/support/timeouts.ts';

/** Tests that take long: thousands of random cases, processes that are started or killed, damage, full disks, terminals, the bundle, attacks. */
const slow = [
  'test/bin/**/*.test.ts',
  'test/cli/completion/shells.test.ts',
  'test/cli/connect/owner.test.ts',
  'test/cli/{loading,main,signals}.test.ts',
  'test/cli/ui/tmux.test.ts',
  'test/crash/**/*.test.ts',
  'test/data/import/{cost,identity}.test.ts',
  'test/data/round-trip.test.ts',
  'test/data/sync/pull.test.ts',
  'test/examples/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/testing/many.test.ts',
  'test/model/html/{scripts,unrender}.test.ts',
  'test/model/ical/{cost,write}.test.ts',
  'test/package/**/*.test.ts',
  'test/readme.test.ts',
  'test/server/cached.test.ts',
  'test/server/full-disk.test.ts',
  'test/store/cache/*.test.ts',
  'test/store/concurrency.test.ts',
  'test/store/file/{damage,database,disk,faults,lock}.test.ts',
  'test/web/browser/**/*.test.ts',
];

/** Random cases for as long as FUZZ_SECONDS says. */
const fuzzers = 'test/fuzz/**/*.test.ts';

export default defineConfig({
  test: {
    // Left alone, vitest keeps one processor for itself: of two that is half.
    maxWorkers: availableParallelism(),
    testTimeout: limit(20_000),
    hookTimeout: limit(60_000),
    setupFiles: ['./test/support/seeded.ts'],
    expect: { poll: { timeout: limit(5000) } },
    reporters: ['default', './test/support/skipped-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.{ts,tsx}'], exclude: [...slow, fuzzers], isolate: false } },
      { extends: true, test: { name: 'slow', include: slow } },
      { extends: true, test: { name: 'fuzz', include: [fuzzers] } },
      // The contract once more, through sockets.
      { extends: true, test: { name: 'http', include: ['test/contract/**/*.test.ts'], env: { CALENDAR_CONTRACT: 'over HTTP' } } },
    ],
  },
});
