import { defineConfig } from '@playwright/test';

const port = Number(process.env.APP_PORT ?? 4173);
const server = (which: number, command: string) => ({
  command: `npx vite ${command} --host 127.0.0.1 --port ${port + which} --strictPort`,
  url: `http://127.0.0.1:${port + which}`,
});

export default defineConfig({
  reporter: 'list',
  testMatch: 'app.spec.ts',
  webServer: [server(0, 'preview'), server(1, 'dev')],
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
});
