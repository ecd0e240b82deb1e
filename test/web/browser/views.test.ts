import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

const calendars = ['/', '/?view=week', '/?view=list'];
const pages = [
  ...calendars,
  '/event/winter-tale/',
  '/event/winter-tale/?edit=true',
  '/_calendar/api',
  '/_calendar/api?operation=createEvent',
  '/_calendar/',
];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Ways to look, and what is looked at. */
const looks: [string, Parameters<Browser['newPage']>[0], string[]][] = [
  [
    'light',
    {},
    [
      ...pages,
      '/?view=day',
      '/?view=list&categories=music&search=nobody+plays+this',
      '/?day=2031-01-01',
      '/?new=event',
      '/?new=venue',
      '/venue/harbour-hall/',
      '/organizer/city-music/',
    ],
  ],
  ['dark', { colorScheme: 'dark' }, pages],
  ['on a phone', phone, pages],
  ['on a phone, dark', { ...phone, colorScheme: 'dark' }, ['/', '/event/winter-tale/']],
  ['on a wide screen', { viewport: { width: 2560, height: 1440 } }, ['/', '/event/winter-tale/']],
];

describe.skipIf(noBrowser)(`every view${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);
  });
  afterAll(() => Promise.all([browser?.close(), calendar?.close()]));

  describe.each(looks)('%s', (_, look, addresses) => {
    it.each(addresses)('%s', async (address) => {
      const { page, lines, foreign } = await watched(browser, calendar.url + address, look);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect({ lines, foreign, wide, violations: await violations(page) }).toEqual({ lines: [], foreign: [], wide: 0, violations: [] });
      await page.close();
    });
  });

  it('going back shows what was there', async () => {
    const { page } = await watched(browser, `${calendar.url}/?day=2026-12-01`);
    const heading = () => page.locator('h1').textContent();
    const before = await heading();
    await page.getByRole('link', { name: 'Later', exact: true }).click();
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.goBack();
    await page.goBack();
    expect([await heading(), new URL(page.url()).search]).toEqual([before, '?day=2026-12-01']);
    await page.close();
  });

  it.each([
    ['on a wide screen', { width: 1280, height: 700 }],
    ['on a phone', { width: 390, height: 700 }],
  ])('a list that is gone back to stands as it was left, %s', async (_, viewport) => {
    const { page } = await watched(browser, `${calendar.url}/?view=list`, { viewport });
    const place = () => page.evaluate<number>('Math.round(document.querySelector(".view").scrollTop + scrollY)');
    const link = page.locator('.line').nth(30);
    await link.scrollIntoViewIfNeeded();
    const before = await place();
    expect(before).toBeGreaterThan(500);
    await link.click();
    await page.locator('main.record h1').waitFor();
    await page.goBack();
    await expect.poll(place).toBe(before);
    await page.close();
  });

  it('months and weeks beside the one that is shown stand there at once, without another request', async () => {
    for (const view of ['month', 'week']) {
      const { page } = await watched(browser, `${calendar.url}/?view=${view}&day=2026-12-01`);
      await page.route('**/events?*', (route) => route.abort());
      const before = await page.locator('h1').textContent();
      await page.getByRole('link', { name: 'Later', exact: true }).click();
      await settled(page);
      expect(await page.locator('h1').textContent()).not.toBe(before);
      expect(await page.locator('[data-event]').count()).toBeGreaterThan(0);
      expect(await page.getByText('could not be loaded').count()).toBe(0);
      await page.close();
    }
  });

  it('weeks begin as people there begin them, in their words', async () => {
    const { page } = await watched(browser, calendar.url, { locale: 'en-US' });
    expect(await page.locator('.weekdays > span:first-child .wide').textContent()).toBe('Sun');
    const { page: german } = await watched(browser, calendar.url, { locale: 'de-DE' });
    expect([await german.locator('h1').textContent(), await german.getAttribute('html', 'lang')]).toEqual(['November 2026', 'de-DE']);
    expect(await german.locator('.weekdays > span:first-child .wide').textContent()).toBe('Mo');
    await page.close();
    await german.close();
  });
});
