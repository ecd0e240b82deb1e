import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closeContexts,
  geometryFaults,
  launched,
  noBrowser,
  type ServedPage,
  servedPage,
  settled,
  standards,
  violations,
  watched,
} from '../../support/browser.ts';

const calendars = ['/', '/?view=week', '/?view=list'];
const pages = [
  ...calendars,
  '/event/winter-tale/',
  '/event/winter-tale/?edit=true',
  '/_calendar/',
  '/_calendar/data',
  '/_calendar/traffic',
  '/_calendar/traffic?new=POST+/calendar/events/v1/events',
];
/** Addresses whose content is wider than a narrow screen. */
const narrow = ['/', '/?view=week', '/_calendar/data', '/_calendar/traffic', '/_calendar/traffic?new='];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Viewing conditions and the addresses to test with them. */
const looks: [string, Parameters<Browser['newPage']>[0], string[]][] = [
  [
    'light',
    { viewport: { width: 1280, height: 860 } },
    [
      ...pages,
      '/?view=day',
      '/?view=list&categories=music&search=no+such+event',
      '/?day=2031-01-01',
      '/?new=event',
      '/?new=venue',
      '/venue/harbour-hall/',
      '/organizer/city-music/',
    ],
  ],
  ['dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }, pages],
  ['on a phone', phone, pages],
  ['on a phone, dark', { ...phone, colorScheme: 'dark' }, ['/', '/event/winter-tale/']],
  ['at 360 px', { viewport: { width: 360, height: 740 }, hasTouch: true }, narrow],
  ['at 200 %', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, narrow],
  ['at 1920 px', { viewport: { width: 1920, height: 1080 } }, ['/', '/?view=week']],
  ['on a wide screen', { viewport: { width: 2560, height: 1440 } }, ['/', '/event/winter-tale/']],
];

describe.skipIf(noBrowser)(`views${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  describe.each(looks)('%s', (name, look, addresses) => {
    // Later pages of a context find the script in its cache.
    let context: BrowserContext;
    beforeAll(async () => {
      context = await browser.newContext({ locale: 'en-GB', ...look });
    });
    afterAll(() => context?.close());

    it.each(addresses)('%s', async (address) => {
      const { page, lines, foreign } = await watched(context, calendar.url + address);
      const layout = await geometryFaults(page);
      // Other sizes show the same elements in the same colors, and the dark page the same elements in others.
      const rules = name === 'dark' ? ['color-contrast'] : standards;
      const found = ['light', 'dark', 'on a phone'].includes(name) ? await violations(page, rules) : [];
      expect({ lines, foreign, layout, violations: found }).toEqual({ lines: [], foreign: [], layout: [], violations: [] });
      await page.close();
    });
  });

  it('with reduced motion, nothing is animated', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const { page } = await watched(context, `${calendar.url}/?event=66`);
    const animated = `[...document.querySelectorAll('*')].filter((each) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(each);
      const seconds = (text) => Math.max(...text.split(',').map((part) => Number.parseFloat(part)));
      return (animationName !== 'none' && seconds(animationDuration) > 0.02) || seconds(transitionDuration) > 0.02;
    }).map((each) => each.className)`;
    expect(await page.evaluate(animated)).toEqual([]);
    await context.close();
  });

  it('Back shows the previous view', async () => {
    const { page } = await watched(browser, `${calendar.url}/?day=2026-12-01`);
    const heading = () => page.locator('h1').textContent();
    const before = await heading();
    await page.getByRole('link', { name: /^Next (month|week)$/ }).click();
    await page.getByRole('link', { name: 'Week', exact: true }).click();
    await page.goBack();
    await page.goBack();
    expect([await heading(), new URL(page.url()).search]).toEqual([before, '?day=2026-12-01']);
    await page.close();
  });

  it.each([
    ['on a wide screen', { width: 1280, height: 700 }],
    ['on a phone', { width: 390, height: 700 }],
  ])('Back restores the scroll position of a list %s', async (_, viewport) => {
    const { page } = await watched(browser, `${calendar.url}/?view=list`, { viewport });
    const scrollPosition = () => page.evaluate<number>('Math.round(document.querySelector(".view").scrollTop + scrollY)');
    const link = page.locator('.agenda-line').nth(30);
    await link.scrollIntoViewIfNeeded();
    const before = await scrollPosition();
    expect(before).toBeGreaterThan(500);
    await link.click();
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.locator('main.record h1').waitFor();
    await page.goBack();
    await page.keyboard.press('Escape');
    await expect.poll(scrollPosition).toBe(before);
    await page.close();
  });

  it('the first load requests, besides the icon, what is listed here', async () => {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname.replace(/-[\w-]+(?=\.\w+$)/, '')));
    await page.goto(calendar.url);
    await page.locator('.chip').first().waitFor();
    await page.waitForTimeout(1000);
    expect(requests.sort()).toEqual([
      '/',
      '/_calendar/assets/main.css',
      '/_calendar/assets/main.js',
      '/_calendar/events',
      '/_calendar/health',
      '/_calendar/page/events',
      '/calendar/events/v1/categories',
    ]);
    await page.close();
  });

  it.each([
    ['/?view=venues&day=2026-12-03&venue=1', '/?view=week&day=2026-12-03&venue=1', 'Week'],
    ['/?view=year&day=2026-12-03', '/?day=2026-12-03', 'Month'],
  ])('the address of a former view shows another one: %s', async (address, expected, view) => {
    const { page } = await watched(browser, calendar.url + address);
    expect(await page.getByRole('navigation', { name: 'View' }).locator('[aria-current]').textContent()).toBe(view);
    await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: view, exact: true }).click();
    expect(page.url()).toBe(calendar.url + expected);
    await page.close();
  });

  it.each([
    ['en-US', 'Sun', 'November 2026', 'Friday, November 20, 2026, 2 events'],
    ['en-GB', 'Mon', 'November 2026', 'Friday, 20 November 2026, 2 events'],
    ['de-DE', 'Mon', 'November 2026', 'Friday, November 20, 2026, 2 events'],
    ['ar-EG', 'Sat', 'November 2026', 'Friday, November 20, 2026, 2 events'],
  ])('weeks start by the viewer’s locale, and all words are English: %s', async (locale, firstDay, heading, day) => {
    const { page } = await watched(browser, calendar.url, { locale });
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(await page.locator('.month-weekdays > span:first-child .wide-only').textContent()).toBe(firstDay);
    expect(await page.locator('h1').textContent()).toBe(heading);
    const label = (await page.locator('.month-cell.now a .unseen').textContent())!;
    // ICU versions differ in the comma of en-GB.
    expect(label.replace(/^Friday /, 'Friday, ').replace(/\d+ events/, '2 events')).toBe(day);
    await page.close();
  });

  it('dates and numbers are English for a viewer with another language', async () => {
    const { page } = await watched(browser, `${calendar.url}/event/winter-tale/`, { locale: 'de-DE' });
    const week = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
    expect(await page.locator('.record-when').textContent()).toMatch(
      new RegExp(`^(${week}), \\w+ \\d+, 2026, \\d\\d:\\d\\d – \\d\\d:\\d\\d`),
    );
    await page.goto(`${calendar.url}/?view=week`);
    await settled(page);
    expect(await page.locator('h1 .wide-only').textContent()).toMatch(/^November 16 – 22, 2026$/);
    await page.close();
  });
});
