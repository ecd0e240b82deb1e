import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, servedPage, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`lost connection${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => closeContexts(browser));

  it('keeps loaded events on the screen, shows one bar, and recovers when the server is back', async () => {
    const first = await servedPage('demo');
    const { page } = await watched(browser, `${first.url}/`);
    const events = page.locator('[data-event]');
    const count = await events.count();
    expect(count).toBeGreaterThan(0);
    const bar = page.getByText('Not connected. Retrying…');
    expect(await bar.count()).toBe(0);
    await first.close();
    await page.evaluate(`void document.dispatchEvent(new Event('visibilitychange'))`);
    await bar.waitFor();
    expect([await events.count(), await page.getByText('Couldn’t load events').count(), await bar.count()]).toEqual([count, 0, 1]);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await page.getByText('Couldn’t load events').waitFor();
    const second = await servedPage('demo', { port: Number(new URL(first.url).port) });
    await events.first().waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await page.getByText('Couldn’t load events').count()).toBe(0);
    await Promise.all([page.close(), second.close()]);
  });

  it('retries a load that failed, with increasing delays', async () => {
    const calendar = await servedPage('demo');
    const { page } = await watched(browser, `${calendar.url}/`);
    const times: number[] = [];
    await page.route('**/events?*', (route) => {
      times.push(performance.now());
      return times.length > 3 ? route.continue() : route.abort();
    });
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await page.getByText('Not connected. Retrying…').waitFor();
    await page.locator('.agenda [data-event]').first().waitFor();
    const delays = times.slice(1, 4).map((time, index) => time - times[index]!);
    expect(delays[1]).toBeGreaterThan(delays[0]! * 1.5);
    expect(delays[2]).toBeGreaterThan(delays[1]! * 1.5);
    await page.getByText('Not connected. Retrying…').waitFor({ state: 'detached' });
    await Promise.all([page.close(), calendar.close()]);
  });
});
