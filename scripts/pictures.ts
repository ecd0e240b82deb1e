/** Takes the pictures of the page that the documents show: `npx tsx scripts/pictures.ts`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launched, servedPage, watched } from '../test/support/browser.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const views = {
  month: '/',
  week: '/?view=week&day=2026-11-25',
  list: '/?view=list',
  event: '/event/winter-tale/',
  form: '/event/winter-tale/?edit=true',
  explorer: '/_calendar/api?operation=getEventBySlug',
};
const looks = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' } } as const;

mkdirSync(folder, { recursive: true });
const [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);
for (const [view, address] of Object.entries(views))
  for (const [name, look] of Object.entries(looks)) {
    const { page } = await watched(browser, calendar.url + address, { ...look, viewport: { width: 1120, height: 700 } });
    if (view === 'explorer') {
      await page.getByLabel('slug').fill('winter-tale');
      await page.getByText('Parameters', { exact: true }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForSelector('.answer');
    }
    await page.screenshot({ path: `${folder}${view}-${name}.png` });
    await page.close();
  }
const { page } = await watched(browser, calendar.url, { viewport: { width: 390, height: 780 } });
await page.screenshot({ path: `${folder}phone.png` });
await Promise.all([browser.close(), calendar.close()]);
