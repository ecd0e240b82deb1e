import { defineConfig } from '@playwright/test';
import type { CalendarTestArgs, CalendarWorkerArgs } from 'local-calendar/playwright';

const port = Number(process.env.APP_PORT ?? 4321);
const [app, api] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];

export default defineConfig<CalendarTestArgs, CalendarWorkerArgs>({
  reporter: 'list',
  webServer: [
    { command: `calendar serve --memory --port ${port + 1}`, url: `${api}/_calendar/ready` },
    {
      command: 'node dist/server/entry.mjs',
      url: app,
      env: { HOST: '127.0.0.1', PORT: String(port), API_URL: `${api}/calendar/events/v1` },
    },
  ],
  use: {
    baseURL: app,
    // The server that the built app calls.
    calendarServer: { url: api },
    // A browser that is there already; without it, the one that `npx playwright install chromium` brings.
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
  },
});
