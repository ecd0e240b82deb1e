import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const launchOptions = { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] };

export default defineConfig({
  test: {
    include: ['src/*.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      // A browser that is there already; without it, the one that `npx playwright install chromium` brings.
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
