import { defineConfig } from '@playwright/test';
import type { CalendarTestArgs, CalendarWorkerArgs } from 'local-calendar/playwright';

const port = Number(process.env.APP_PORT ?? 3000);
// Next calls itself localhost, also in the links of its route handlers.
const [app, api] = [`http://localhost:${port}`, `http://127.0.0.1:${port + 1}`];

export default defineConfig<CalendarTestArgs, CalendarWorkerArgs>({
  reporter: 'list',
  webServer: [
    { command: `calendar serve --memory --port ${port + 1}`, url: `${api}/_calendar/ready` },
    { command: `npx next start --hostname 127.0.0.1 --port ${port}`, url: app, env: { API_URL: `${api}/calendar/events/v1` } },
  ],
  use: {
    baseURL: app,
    // The server that the built app calls.
    calendarServer: { url: api },
    // A browser that is there already; without it, the one that `npx playwright install chromium` brings.
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
  },
});
