import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A test that fails, with the package as it was built. */
export default defineConfig({ root: fileURLToPath(new URL('.', import.meta.url)), test: { include: ['failing.mjs'] } });
