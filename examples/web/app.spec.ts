import { expect, test } from '@playwright/test';

const port = Number(process.env.APP_PORT ?? 4173);
const [built, inDevelopment] = [`http://127.0.0.1:${port}/`, `http://127.0.0.1:${port + 1}/`];

for (const [name, app] of [
  ['the built app', built],
  ['the app in development', inDevelopment],
])
  test(`${name} shows events of the calendar in the page`, async ({ page }) => {
    await page.goto(app!);
    await expect(page.getByRole('listitem')).toHaveCount(5);
  });

test('each story has its own state', async ({ page }) => {
  const story = (name: string) => page.goto(`${built}storybook/iframe.html?viewMode=story&id=agenda--${name}`);
  await story('outage');
  await expect(page.getByText('The events are not available at the moment.')).toBeVisible();
  await story('empty');
  await expect(page.getByText('Nothing is planned.')).toBeVisible();
  await story('seeded');
  await expect(page.getByRole('listitem')).toHaveCount(5);
  await story('after-the-season');
  await expect(page.getByText('Nothing is planned.')).toBeVisible();
});
