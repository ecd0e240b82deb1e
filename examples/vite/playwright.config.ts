import { defineConfig } from '@playwright/test';
import type { CalendarTestArgs, CalendarWorkerArgs } from 'local-calendar/playwright';

const [app, api] = ['http://127.0.0.1:47173', 'http://127.0.0.1:47187'];

export default defineConfig<CalendarTestArgs, CalendarWorkerArgs>({
  reporter: 'list',
  webServer: [
    { command: 'npx calendar serve --memory --port 47187', url: `${api}/_calendar/ready` },
    { command: 'npx vite preview --host 127.0.0.1 --port 47173 --strictPort', url: app, env: { API_ORIGIN: api } },
  ],
  use: {
    baseURL: app,
    // The server that the built app calls.
    calendarServer: { url: api },
    // A browser that is there already; without it, the one that `npx playwright install chromium` brings.
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
  },
});
