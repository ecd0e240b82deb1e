import { defineConfig } from '@playwright/test';

export default defineConfig({
  workers: 2,
  fullyParallel: true,
  reporter: 'list',
  // A browser that is there already; without it, the one that `npx playwright install chromium` brings.
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
});
