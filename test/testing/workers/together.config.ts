import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that use one calendar at once, with the package as it was built. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: { include: ['together.mjs'], testTimeout: 60_000 },
});
