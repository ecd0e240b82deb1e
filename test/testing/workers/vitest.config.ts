import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const workers = Array.from({ length: 3 }, (_, at) => `worker-${at + 1}`);

/** The same tests in three workers at once, with the package as it was built. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    pool: 'forks',
    maxWorkers: workers.length,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: workers.map((name) => ({ extends: true, test: { name, include: ['writing.mjs'], env: { WORKER: name } } })),
  },
});
