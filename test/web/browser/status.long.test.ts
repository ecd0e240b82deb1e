import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`the status beside the title${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launched();
  });
  afterEach(async () => {
    await page.close();
    await calendar.close();
  });
  afterAll(() => closeContexts(browser));
  const spot = () => page.locator('.status-spot');
  const open = async (options: Parameters<typeof servedPage>[1] = {}, locale = 'en-US') => {
    calendar = await servedPage('minimal', { now: undefined, ...options });
    ({ page } = await watched(browser, `${calendar.url}/`, { locale }));
  };

  it.each([
    ['en-US', 'Mon, Mar 1, 9:00 AM, frozen'],
    ['de-DE', 'Mon, Mar 1, 09:00, frozen'],
  ])('has the clock if it is not real, and active faults, each with a link to where it is changed (%s)', async (locale, clock) => {
    await open({}, locale);
    await spot().getByText('Main calendar').waitFor();
    expect(await spot().getByRole('link').count()).toBe(0);
    await calendar.control.setClock({ now: '2027-03-01T09:00:00Z' });
    await spot().getByText(clock).waitFor();
    await calendar.control.addFault({ match: { path: '/tags' }, then: { status: 503 }, times: 1 });
    await page.reload();
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await spot().getByText('1 fault').click();
    await page.getByRole('heading', { name: 'Faults' }).waitFor();
    // A fault that is used up is not active.
    await fetch(`${calendar.root}/tags`);
    await spot().getByText('1 fault').waitFor({ state: 'detached' });
    await page.getByText('1 hit, used up').waitFor();
    expect(await page.locator('.card-item').textContent()).toContain('503 --path /tags --times 1 1 hit, used up');
    await page.getByRole('button', { name: 'Reset clock' }).click();
    await spot().getByText(clock).waitFor({ state: 'detached' });
  });

  it('has a menu of worlds, and the name of a world is in the title', async () => {
    await open();
    await spot().getByText('Main calendar').click();
    await page.getByLabel('Name of a new world').fill('Release test');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.waitForURL(/\/_worlds\/release-test-[\da-f]{16}\/$/);
    await settled(page);
    expect(await page.title()).toMatch(/^.* – release-test – .*$/);
    await spot().getByRole('button', { name: 'release-test' }).click();
    await page.getByRole('button', { name: 'Main calendar' }).click();
    await page.waitForURL(`${calendar.url}/`);
    await settled(page);
    expect(await page.title()).not.toContain('release-test');
    await spot().getByText('Main calendar').click();
    await page.getByRole('button', { name: 'Release test' }).click();
    await page.waitForURL(/\/_worlds\/release-test-/);
  });

  it.each([620, 390])('the menu of worlds is inside of a window of %d px, and Escape closes it', async (width) => {
    await open();
    for (let count = 1; count <= 30; count++) await calendar.control.createWorld({ name: `world-${count}` });
    await page.setViewportSize({ width, height: 700 });
    await spot().getByRole('button', { name: 'Main calendar' }).click();
    const menu = page.getByRole('dialog', { name: 'Worlds' });
    await menu.getByRole('button', { name: 'world-30' }).waitFor();
    const { x, y, width: wide, height } = (await menu.boundingBox())!;
    expect([x >= 0, x + wide <= width, y >= 0, y + height <= 700]).toEqual([true, true, true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('shows neither clock nor worlds to those who may not use them', async () => {
    await open({ open: false, now: Date.parse('2027-03-01T09:00:00Z') });
    await calendar.control.addFault({ match: { path: '/tags' }, then: { status: 503 } });
    await page.reload();
    await settled(page);
    await spot().getByText('1 fault').waitFor();
    expect(await spot().textContent()).toBe('1 fault');
  });

  it.each(['/nonexist', '/_calendar/nowhere', '/_calendar/data/venues'])('nothing is at %s', async (path) => {
    await open();
    const response = await page.goto(`${calendar.url}${path}`);
    expect(response?.status()).toBe(404);
    await page.getByText('Nothing is at this address').waitFor();
    await page.getByRole('link', { name: 'Go to calendar' }).click();
    await page.waitForURL(`${calendar.url}/`);
  });
});
