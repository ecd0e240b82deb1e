import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, watched } from '../../support/browser.ts';
import { run } from '../../support/transcript.ts';

describe.skipIf(noBrowser)(`live updates${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal')]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  const create = (title: string, day: string, root = calendar.root) =>
    fetch(`${root}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title, start_date: `${day} 10:00`, end_date: `${day} 11:00` }),
    });
  /** Records the requests of a page for lists of events. */
  const recordLists = (page: Page) => {
    const urls: string[] = [];
    page.on('request', (request) => /\/events\?/.test(request.url()) && urls.push(request.url()));
    return urls;
  };
  const today = (page: Page) => page.locator('.month-cell.now').getAttribute('data-day');

  it('an event created from a terminal appears in all tabs without a reload', async () => {
    const pages = await Promise.all([1, 2].map(() => watched(browser, `${calendar.url}/?day=2026-12-03`)));
    for (const { page } of pages) await page.evaluate('window.hasStayed = true');
    const result = await run([
      'events',
      'create',
      '--title',
      'From a terminal',
      '--start-date',
      '2026-12-05 20:00',
      '--end-date',
      '2026-12-05 22:00',
      '--url',
      calendar.root,
    ]);
    expect(result.stderr).toBe('');
    for (const { page, lines } of pages) {
      await page.getByRole('link', { name: /From a terminal/ }).waitFor();
      expect([await page.evaluate('window.hasStayed'), lines]).toEqual([true, []]);
      await page.close();
    }
  });

  it('many changes cause few requests; reads of others cause none', async () => {
    const { page } = await watched(browser, `${calendar.url}/?view=list&day=2026-12-09`);
    const requests = recordLists(page);
    const start = performance.now();
    for (let at = 0; at < 60; at++) await create(`One of many ${at}`, '2026-12-09');
    await page.getByRole('link', { name: /One of many 49/ }).waitFor();
    await settled(page);
    const seconds = (performance.now() - start) / 1000;
    // At most one reload per second: two pages, then the neighboring days.
    expect(requests.filter((url) => /[?&]page=1\b/.test(url)).length).toBeLessThan(Math.max(30, 4 * seconds));
    await page.waitForTimeout(1500);
    const before = requests.length;
    for (let at = 0; at < 20; at++) await fetch(`${calendar.root}/events`);
    await page.waitForTimeout(1500);
    expect(requests.length).toBe(before);
    await page.close();
  });

  it('a hidden tab reloads when it becomes visible', async () => {
    const { page } = await watched(browser, `${calendar.url}/?day=2026-12-03`);
    const setVisibility = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' }), void document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await setVisibility('hidden');
    const requests = recordLists(page);
    await create('While hidden', '2026-12-10');
    await page.waitForTimeout(1500);
    expect(requests).toEqual([]);
    await setVisibility('visible');
    await page.getByRole('link', { name: /While hidden/ }).waitFor();
    await create('Seen again', '2026-12-11');
    await page.getByRole('link', { name: /Seen again/ }).waitFor();
    await page.close();
  });

  it('“today” follows the clock of the server', async () => {
    const { page } = await watched(browser, calendar.url);
    expect(await today(page)).toBe('2026-11-20');
    await calendar.control.setClock({ now: '2026-11-24T23:59:58Z' });
    await expect.poll(() => today(page)).toBe('2026-11-24');
    // A tab that opens now receives the frozen clock: it is still that day 2.5 s later.
    const { page: second } = await watched(browser, `${calendar.url}/_calendar/`);
    await page.waitForTimeout(2500);
    expect(await second.locator('.clock time').textContent()).toBe('23:59:58');
    await calendar.control.resumeClock({});
    await expect.poll(() => second.locator('.clock').textContent()).toContain('25 November 2026');
    await calendar.control.resetClock({});
    await expect.poll(() => today(page)).toBe('2026-11-20');
    await Promise.all([page.close(), second.close()]);
  });

  it.each([undefined, Date.parse('2026-11-20T12:00:00Z')])(
    'a slow first load requests the month once; clock stopped at %s',
    async (now) => {
      const slow = await servedPage('minimal', { now });
      const page = await browser.newPage();
      const addresses: string[] = [];
      page.on('request', (request) => request.url().includes('/_calendar/page/events') && addresses.push(request.url()));
      // The script arrives long after the document that contains the time.
      await page.route('**/main-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await route.continue();
      });
      await page.addInitScript('delete window.requestIdleCallback');
      const hasClock = page.waitForResponse('**/_calendar/health');
      await page.goto(slow.url);
      await (await hasClock).finished();
      // Longer than changes are combined.
      await page.waitForTimeout(1000);
      expect(addresses.length).toBe(new Set(addresses).size);
      await Promise.all([page.close(), slow.close()]);
    },
  );

  it('the page reconnects after a restart of the server and reloads', async () => {
    const first = await servedPage('minimal');
    const { page } = await watched(browser, `${first.url}/?day=2026-12-03`);
    await first.close();
    const second = await servedPage('minimal', { port: Number(new URL(first.url).port) });
    await create('After the start', '2026-12-05', second.root);
    await page.getByRole('link', { name: /After the start/ }).waitFor();
    await Promise.all([page.close(), second.close()]);
  });
});
