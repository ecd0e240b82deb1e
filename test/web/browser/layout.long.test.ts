import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`layout${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  const open = async (address: string, options = {}) => (await watched(browser, calendar.url + address, options)).page;
  const pagesOf = async (page: Page, landscape: boolean) =>
    (await page.pdf({ format: 'A4', landscape })).toString('latin1').match(/\/Type *\/Page\b/g)?.length;

  it.each([
    ['/', true],
    ['/', false],
    ['/?view=week&day=2026-11-26', true],
    ['/?view=week&day=2026-11-26', false],
    ['/?view=day&day=2026-11-26', false],
    ['/event/winter-tale/', false],
  ])('%s prints on one page in black on white (landscape: %s)', async (address, landscape) => {
    const page = await open(address, { colorScheme: 'dark' });
    expect(await pagesOf(page, landscape)).toBe(1);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colors = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.documentElement))`;
    expect(await page.evaluate(colors)).toEqual(['rgb(28, 29, 31)', 'rgb(255, 255, 255)']);
    await page.close();
  });

  it('a day prints the hours with events below the all-day events', async () => {
    const page = await open('/?view=day&day=2026-11-26');
    await page.emulateMedia({ media: 'print' });
    const areBelow = `(() => {
      const [head, hours] = ['.timetable-whole-days', '.timetable-hours'].map((name) => document.querySelector(name).getBoundingClientRect());
      return [...document.querySelectorAll('.block')].map((block) => block.getBoundingClientRect().top > head.bottom);
    })()`;
    expect(await page.evaluate(areBelow)).toEqual([true, true]);
    await page.close();
  });

  it.each(['/?view=week&day=2026-11-26', '/?view=week'])('no text line of an event is cut off: %s', async (address) => {
    const page = await open(address, { viewport: { width: 768, height: 1024 } });
    const cut = `[...document.querySelectorAll('.block')].flatMap((block) => {
        const box = block.getBoundingClientRect();
        return [...block.querySelectorAll('.block-title, .block-time, .block-place')]
          .map((part) => [part.getBoundingClientRect(), part.textContent])
          .filter(([part]) => part.height > 0 && part.left < box.right && part.top < box.bottom && part.bottom > box.bottom + 0.5)
          .map(([, text]) => text);
      })`;
    expect(await page.locator('.block').count()).toBeGreaterThan(3);
    expect(await page.evaluate(cut)).toEqual([]);
    await page.close();
  });

  it.each([1280, 1440, 1920])('titles in a cascade have whole lines: %i px', async (width) => {
    const conference = await servedPage('conference');
    const { page } = await watched(browser, `${conference.url}/?view=week&day=2026-12-03`, { viewport: { width, height: 860 } });
    const cut = `[...document.querySelectorAll('.block-title')].filter((title) => {
      const lines = title.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(title).lineHeight);
      return Math.abs(lines - Math.round(lines)) > 0.1;
    }).map((title) => title.textContent)`;
    expect(await page.locator('.block').count()).toBeGreaterThan(20);
    expect(await page.evaluate(cut)).toEqual([]);
    await Promise.all([page.close(), conference.close()]);
  });

  it.each([768, 1280])('titles of a month are cut to one line only where a week is full: %i px', async (width) => {
    const page = await open('/?day=2026-12-01', { viewport: { width, height: 1024 } });
    const cut = `[...document.querySelectorAll('.month-week')].flatMap((week) => {
        const spare = week.getBoundingClientRect().bottom - week.querySelector('.bars').getBoundingClientRect().bottom;
        return [...week.querySelectorAll('.chip.dot')]
          .filter((chip) => spare > 12 && chip.clientHeight < 30 && chip.querySelector('.chip-text').scrollWidth > chip.querySelector('.chip-text').clientWidth)
          .map((chip) => chip.textContent);
      })`;
    expect(await page.locator('.chip.dot').count()).toBeGreaterThan(10);
    expect(await page.evaluate(cut)).toEqual([]);
    await page.close();
  });

  it('bars beyond the week don’t widen it; titles stay visible on a phone', async () => {
    const page = await open('/?view=week');
    const overflow = () => page.evaluate<number>('((box) => box.scrollWidth - box.clientWidth)(document.querySelector(".timetable"))');
    expect(await overflow()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow()).toBeGreaterThan(100);
    await page.evaluate('document.querySelector(".timetable").scrollLeft = 200');
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    const [title, gutter] = [await boxOf('.timetable-strip .chip-title'), await boxOf('.timetable-hours .timetable-gutter')];
    expect(title.x).toBeGreaterThanOrEqual(gutter.x + gutter.width);
    await page.close();
  });

  it.each([390, 700, 1280])('upcoming events at a venue are aligned at %i px', async (width) => {
    const page = await open('/event/winter-tale/', { viewport: { width, height: 900 } });
    const lines = await page.evaluate<[number, number][]>(`[...document.querySelectorAll('.upcoming .agenda-line')].map((line) => {
      const [what, cost] = ['.agenda-what', '.agenda-cost'].map((name) => line.querySelector(name).getBoundingClientRect());
      return [Math.round(what.left), Math.round(cost.top - what.top)];
    })`);
    expect(lines.length).toBeGreaterThan(2);
    expect(new Set(lines.map(([left]) => left)).size).toBe(1);
    expect(lines.every(([, below]) => Math.abs(below) < 5)).toBe(true);
    expect(await page.locator('.upcoming .agenda-place').count()).toBe(0);
    await page.close();
  });

  it.each([
    ['en-GB', '08:00', '08:00–14:00'],
    ['en-US', '8 AM', '8:00 AM – 2:00 PM'],
    // English words, but the hours of the viewer.
    ['de-DE', '08:00', '08:00 – 14:00'],
    ['ko-KR', '8 AM', '8:00 AM – 2:00 PM'],
  ])('times follow the viewer’s 12 or 24 hours: %s', async (locale, start, range) => {
    const page = await open('/?day=2026-11-21', { locale, viewport: { width: 1280, height: 1200 } });
    const market = page.locator('[data-event]', { hasText: 'Farmers’ Market' }).first();
    const normalizeSpaces = (text: string | null) => text?.replace(/[\u2009\u202f]/g, ' ');
    expect(normalizeSpaces(await market.locator('.chip-time').textContent())).toBe(start);
    await page.goto(`${calendar.url}/?view=week&day=2026-11-21`);
    await settled(page);
    expect(normalizeSpaces(await market.locator('.block-time').textContent())).toBe(range);
    await page.close();
  });

  it.each([
    ['en-US', 'Friday, November 27, 2026, 11:00 PM – 1:00 AM'],
    ['de-DE', 'Friday, November 27, 2026, 23:00 – 01:00'],
  ])('times across midnight have no date: %s', async (locale, text) => {
    const night = await servedPage();
    const dates = { start_date: '2026-11-27 23:00:00', end_date: '2026-11-28 01:00:00' };
    const body = new URLSearchParams({ title: 'Late', slug: 'late', ...dates });
    await fetch(`${night.root}/events`, { method: 'POST', body });
    const { page } = await watched(browser, `${night.url}/event/late/`, { locale });
    const normalizeSpaces = (text: string | null) => text?.replace(/[\u2009\u202f]/g, ' ');
    expect(normalizeSpaces(await page.locator('.record-when').textContent())).toContain(text);
    await Promise.all([page.close(), night.close()]);
  });

  it('paper has every event of a crowded month, and every row of a table', async () => {
    const many = await servedPage();
    await many.control.generate({ events: 300, from: '2026-12-01', until: '2026-12-20', rng_seed: 'paper' });
    const { page } = await watched(browser, `${many.url}/?day=2026-12-01`);
    expect(await page.locator('.bars-more').count()).toBeGreaterThan(0);
    const printed = (selector: string) => page.locator(selector).count();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => printed('.month .bars-more')).toBe(0);
    expect(await printed('.month .chip')).toBeGreaterThanOrEqual(300);
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${many.url}/_calendar/data`);
    await settled(page);
    expect(await printed('tbody tr:not(.table-spacer)')).toBeLessThan(60);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => printed('tbody tr:not(.table-spacer)')).toBe(300);
    await Promise.all([page.close(), many.close()]);
  });
});
