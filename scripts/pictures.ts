/** Takes the screenshots in the docs. Run with `npx tsx scripts/pictures.ts`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launched, servedPage, settled, watched } from '../test/support/browser.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const views = {
  month: '/',
  week: '/?view=week&day=2026-11-25',
  list: '/?view=list',
  event: '/event/winter-tale/',
  form: '/event/winter-tale/?edit=true',
  request: '/_calendar/traffic?new=GET+/calendar/events/v1/events/by-slug/winter-tale',
  data: '/_calendar/data',
  traffic: '/_calendar/traffic',
  workbench: '/_calendar/',
};
const colorSchemes = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' } } as const;

const [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);

/** Sends requests for the picture of the traffic, one of them to a world. */
async function sendRequests(): Promise<void> {
  const events = `${calendar.root}/events`;
  const send = (path: string, method = 'GET', body?: object) =>
    fetch(events + path, { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  for (const path of ['?search=jazz', '/by-slug/winter-tale', '/by-slug/summer-tale', '?categories=music&starts_after=2026-12-01'])
    await send(path);
  await calendar.control.addFault({ match: { method: 'PATCH' }, then: { status: 503 }, times: 1 });
  const event = { title: 'Moonlight Swim', start_date: '2026-12-04 21:00', end_date: '2026-12-04 22:30' };
  const { id } = (await (await send('', 'POST', event)).json()) as { id: number };
  await send(`/${id}`, 'PATCH', { cost: '5' });
  await send(`/${id}`, 'DELETE');
  await calendar.control.clearFaults({});
  for (const { id } of (await calendar.control.worlds({})).worlds) await calendar.control.deleteWorld({ id });
  const { url } = await calendar.control.createWorld({ name: 'checkout' });
  await fetch(`${url}/events?search=theater`);
}

mkdirSync(folder, { recursive: true });
for (const [view, address] of Object.entries(views))
  for (const [name, options] of Object.entries(colorSchemes)) {
    const { page } = await watched(browser, calendar.url + address, { ...options, viewport: { width: 1280, height: 860 } });
    if (view === 'request') {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForSelector('.response');
    }
    if (view === 'traffic') {
      await sendRequests();
      await page.reload();
      await page.locator('.request .world').first().waitFor();
      await page.getByText('/events/by-slug/summer-tale').first().click();
    }
    await settled(page);
    await page.screenshot({ path: `${folder}${view}-${name}.png` });
    await calendar.control.clearRequests({});
    await page.close();
  }
const { page } = await watched(browser, calendar.url, { viewport: { width: 390, height: 780 } });
await page.screenshot({ path: `${folder}phone.png` });
await Promise.all([browser.close(), calendar.close()]);
