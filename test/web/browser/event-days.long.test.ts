import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, watched } from '../../support/browser.ts';

/** Returns the days that an event covers on the screen, from the positions of the elements. */
const daysUnder = (page: Page, title: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('[data-event]')]
    .filter((link) => link.querySelector('.chip-title, .block-title, .agenda-title').textContent === ${JSON.stringify(title)})
    .flatMap((link) => {
      const bar = link.getBoundingClientRect();
      return [...document.querySelectorAll('[data-day]')].filter((cell) => {
        const box = cell.getBoundingClientRect();
        const overlap = Math.min(bar.right, box.right) - Math.max(bar.left, box.left);
        return overlap > box.width / 4 && bar.top >= box.top - 1 && bar.bottom <= box.bottom + 1;
      });
    })
    .map((cell) => cell.dataset.day)`);

const between = (from: string, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10));

describe.skipIf(noBrowser)(`days of events${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('demo')]);
    const { events } = calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url });
    const event = (title: string, start_date: string, end_date: string, timezone = 'Europe/Amsterdam') =>
      events.create({ title, start_date, end_date, timezone });
    await event('Clocks', '2027-03-28 01:30', '2027-03-28 03:30');
    await event('Far west', '2027-03-01 22:00', '2027-03-01 23:00', 'Pacific/Pago_Pago');
    // The API treats this offset as UTC, so the UTC times count.
    await event('Fixed offset', '2027-03-01 20:00', '2027-03-01 21:00', 'UTC-11');
    await event('Midnight', '2027-03-10 00:00', '2027-03-10 01:00');
    await event('Until midnight', '2027-03-11 22:00', '2027-03-12 00:00');
    await event('No length', '2027-03-17 12:00', '2027-03-17 12:00');
    await event('Over the change', '2027-10-30 23:00', '2027-10-31 04:00');
    await event('No length at midnight', '2027-03-19 00:00', '2027-03-19 00:00');
    await events.create({
      title: 'Whole day far west',
      start_date: '2027-03-20',
      end_date: '2027-03-20',
      all_day: true,
      timezone: 'Pacific/Pago_Pago',
    });
    ({ page } = await watched(browser, calendar.url));
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  it('a 40-day exhibition has a bar in each of its weeks', async () => {
    // From 12 days ago until 4 weeks from now.
    expect(await daysUnder(page, 'Noor Visser: Night Shift')).toEqual(between('2026-11-08', 29));
    await page.goto(`${calendar.url}/?day=2026-12-15`);
    await settled(page);
    expect(await daysUnder(page, 'Noor Visser: Night Shift')).toEqual(between('2026-11-30', 19));
  });

  it.each([
    ['month', 'Clocks', '2027-03-28'],
    ['week', 'Clocks', '2027-03-28'],
    ['month', 'Far west', '2027-03-02'],
    ['week', 'Far west', '2027-03-02'],
    ['month', 'Fixed offset', '2027-03-01'],
    ['month', 'Midnight', '2027-03-10'],
    ['week', 'Midnight', '2027-03-10'],
    ['month', 'Until midnight', '2027-03-11'],
    ['day', 'Until midnight', '2027-03-11'],
    ['month', 'No length', '2027-03-17'],
    ['day', 'No length', '2027-03-17'],
  ])('%s view: %s', async (view, title, day) => {
    await page.goto(`${calendar.url}/?view=${view}&day=${day}`);
    await settled(page);
    expect(await daysUnder(page, title)).toEqual([day]);
  });

  it.each(['Pacific/Auckland', 'Pacific/Pago_Pago', 'America/New_York'])('the same days for a viewer in %s', async (timezoneId) => {
    const { page: abroad } = await watched(browser, `${calendar.url}/?day=2027-03-01`, { timezoneId });
    const expected = {
      Clocks: ['2027-03-28'],
      'Far west': ['2027-03-02'],
      'Fixed offset': ['2027-03-01'],
      Midnight: ['2027-03-10'],
      'Until midnight': ['2027-03-11'],
      'No length': ['2027-03-17'],
      'No length at midnight': ['2027-03-19'],
      'Whole day far west': ['2027-03-20'],
    };
    const actual: Record<string, string[]> = {};
    for (const title of Object.keys(expected)) actual[title] = await daysUnder(abroad, title);
    expect(actual).toEqual(expected);
    await abroad.goto(`${calendar.url}/?view=list&day=2027-03-02`);
    await settled(abroad);
    expect(await abroad.locator('.agenda > li:first-child').textContent()).toMatch(/2Tue.*10:00.*Far west/);
    await abroad.close();
  });

  it('an event across a change of the UTC offset is on both days', async () => {
    await page.goto(`${calendar.url}/?view=week&day=2027-10-31`);
    await settled(page);
    expect(new Set(await daysUnder(page, 'Over the change'))).toEqual(new Set(['2027-10-30', '2027-10-31']));
  });

  it('“+n more” lists all events of the day in place', async () => {
    await page.goto(calendar.url);
    await settled(page);
    const more = page.locator('.bars-more').first();
    const hidden = Number(/\d+/.exec((await more.textContent())!)![0]);
    await more.click();
    await page.getByRole('dialog').locator('[data-event]').nth(hidden).waitFor();
  });
});
