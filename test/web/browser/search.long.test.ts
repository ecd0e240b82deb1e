import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`searches${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    browser = await launched();
    calendar = await servedPage('minimal');
  });
  afterAll(async () => {
    await closeContexts(browser);
    await calendar.close();
  });

  it.each([
    ['/', 'Search events'],
    ['/_calendar/data', 'Search records'],
  ])('a page that was left while its search at %s waited stays left', async (address, label) => {
    const { page } = await watched(browser, calendar.url + address);
    await page.getByLabel(label).fill('jazz');
    await page.getByRole('link', { name: 'Traffic' }).click();
    await page.waitForURL('**/_calendar/traffic');
    await page.waitForTimeout(400);
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/_calendar/traffic');
    await page.close();
  });
});
