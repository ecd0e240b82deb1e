import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const workers = Array.from({ length: 8 }, (_, at) => `worker-${at + 1}`);

/** The same tests in eight workers at once. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    pool: 'forks',
    maxWorkers: workers.length,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: workers.map((name) => ({ extends: true, test: { name, include: ['writing.ts'], env: { WORKER: name } } })),
  },
});
