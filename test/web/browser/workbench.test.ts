import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServingOptions } from '../../../src/data/serving/options.ts';
import { launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`the workbench${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  let lines: string[];
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.close();
    await calendar.close();
  });

  const opened = async (options: Partial<ServingOptions> = {}) => {
    calendar = await servedPage('minimal', options);
    ({ page, lines } = await watched(browser, `${calendar.url}/_calendar/`));
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const events = async () => (await calendar.control.health()).records.events;
  const shown = (name: string) =>
    page
      .locator('.figures div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent();
  const clock = () => calendar.world.clockState;

  describe('of a calendar in memory', () => {
    beforeEach(() => opened());

    it('says how the server is', async () => {
      expect(await page.locator('.server').textContent()).toMatch(
        /Version\d+\.\d+\.\d+APIhttp:.*\/calendar\/events\/v1Kept inmemorySeedminimalUp for\d+ s/,
      );
      expect(await shown('events')).toBe(String(await events()));
    });

    it('empties, resets, and takes both back', async () => {
      const before = await events();
      await press('Empty');
      await expect.poll(() => shown('events')).toBe('0');
      await press('Undo');
      await expect.poll(() => shown('events')).toBe(String(before));
      await press('Empty');
      await expect.poll(events).toBe(0);
      await press('Reset to the start');
      await page.getByText(/^Back at the start in [\d.]+ ms\.$/).waitFor();
      expect(await events()).toBe(before);
    });

    it('plants another seed by what is there, or beside it', async () => {
      const before = (await events())!;
      await page.getByLabel('Seed', { exact: true }).selectOption('conference');
      await press('Replace all');
      await expect.poll(() => shown('events')).not.toBe(String(before));
      const talks = await events();
      await page.getByLabel('Seed', { exact: true }).selectOption('minimal');
      await press('Add');
      await expect.poll(events).toBe(talks! + before);
    });

    it('keeps snapshots, brings them back, gives them away as files and deletes them', async () => {
      const before = await events();
      await page.getByLabel('Name of the snapshot').fill('Not so');
      await press('Save');
      await page
        .getByRole('alert')
        .getByText(/cannot be called "Not so"\. Use small letters/)
        .waitFor();
      await page.getByLabel('Name of the snapshot').fill('ready');
      await page.keyboard.press('Enter');
      await page.getByText(/^ready$/).waitFor();
      await press('Empty');
      await expect.poll(events).toBe(0);
      await press('Restore ready');
      await expect.poll(() => shown('events')).toBe(String(before));
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download ready' }).click()]);
      expect(file.suggestedFilename()).toBe('ready.db');
      await page.getByLabel('Name of the snapshot').fill('ready');
      await press('Save over it');
      await expect.poll(() => page.getByLabel('Name of the snapshot').inputValue()).toBe('');
      await press('Delete ready');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect.poll(async () => (await calendar.control.snapshots()).snapshots.filter(({ automatic }) => !automatic)).toEqual([]);
      await page.getByText('Keep the state as it is now').waitFor();
    });

    it('has requests go wrong as the form says, shows what they met, and lets them go well again', async () => {
      const status = async (method = 'GET') => (await fetch(`${calendar.root}/events`, { method }).catch(() => ({ status: 0 }))).status;
      await press('New fault');
      await page.getByLabel('Method').selectOption('GET');
      await page.getByLabel('Path').fill('events');
      await press('Add the fault');
      await page
        .getByRole('alert')
        .getByText(/must be a path like \/events/)
        .waitFor();
      await page.getByLabel('Path').fill('/events');
      await page.getByLabel('Times').fill('2');
      await press('Add the fault');
      await page.getByText('GET /events: status 503').waitFor();
      expect([await status('OPTIONS'), await status()]).toEqual([200, 503]);
      await page.getByText('met 1 time, 1 to come').waitFor();
      await press('New fault');
      await page.getByLabel('What happens').selectOption('connection reset');
      await page.getByLabel('Late by').fill('20');
      await press('Add the fault');
      await page.getByText('Any request: late by 20 ms, connection reset').waitFor();
      expect(await violations(page)).toEqual([]);
      await press('Remove all');
      await page.getByText('All goes well.').waitFor();
      expect(await status()).toBe(200);
    });

    it('stops the clock, sets it in the calendar’s zone, moves it, and lets it run', async () => {
      await calendar.store.change((local) => local.settings.set('timezone', 'Pacific/Auckland'));
      await page.reload();
      await settled(page);
      await page.getByLabel('Stop at').fill('2027-03-01T09:00');
      await press('Set');
      await expect.poll(clock).toMatchObject({ now: '2027-02-28T20:00:00.000Z', frozen: true });
      await expect.poll(() => page.locator('.time-now').textContent()).toMatch(/^0?9:00:00Monday,? 1 March 2027 Pacific\/Auckland$/);
      await press('+1 day');
      await expect.poll(clock).toMatchObject({ now: '2027-03-01T20:00:00.000Z' });
      await page.getByLabel('Advance by').fill('soon');
      await press('Advance');
      await page
        .getByRole('alert')
        .getByText(/"soon".*P/)
        .waitFor();
      await page.getByLabel('Advance by').fill('PT90M');
      await press('Advance');
      await expect.poll(clock).toMatchObject({ now: '2027-03-01T21:30:00.000Z' });
      await press('Resume');
      await expect.poll(clock).toMatchObject({ frozen: false });
      await page.getByText(/^running, \d+ days ahead$/).waitFor();
      await press('Freeze');
      await expect.poll(clock).toMatchObject({ frozen: true });
      expect(lines.filter((line) => !/400/.test(line))).toEqual([]);
    });
  });

  describe('shows requests', () => {
    const rows = () => page.locator('.requests .target').allTextContents();
    const create = (title: string) =>
      fetch(`${calendar.root}/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer not-for-eyes' },
        body: JSON.stringify({ title, start_date: '2026-12-05 10:00', end_date: '2026-12-05 11:00' }),
      });

    it('as they come, narrowed to some, with what they brought, and gives one to the explorer', async () => {
      await opened();
      await page.getByText('Nothing was asked yet.').waitFor();
      await fetch(`${calendar.root}/events?search=jazz`);
      await fetch(`${calendar.root}/venues/999999`);
      await create('Written elsewhere');
      await expect.poll(rows).toEqual(['/events', '/venues/999999', '/events?search=jazz']);
      await press('Failures');
      expect(await rows()).toEqual(['/venues/999999']);
      await press('All');
      await page.getByLabel('Filter requests').fill('get JAZZ');
      expect(await rows()).toEqual(['/events?search=jazz']);
      await page.getByLabel('Filter requests').fill('');
      await press('Changes');
      await page.locator('.request').click();
      const body = await page.getByRole('region', { name: 'Body of the request' }).textContent();
      expect(JSON.parse(body!)).toMatchObject({ title: 'Written elsewhere' });
      await page
        .getByRole('region', { name: 'Request', exact: true })
        .getByText(/headers$/)
        .click();
      expect(await page.locator('main').textContent()).not.toContain('not-for-eyes');
      expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
      await page.getByRole('link', { name: 'Open in the explorer' }).click();
      await page.getByRole('heading', { name: 'Create an event', exact: true }).waitFor();
      expect(JSON.parse(await page.getByLabel('Body, as JSON').inputValue())).toMatchObject({ title: 'Written elsewhere' });
      await page.goBack();
      await press('Clear');
      await page.getByText('Nothing was asked yet.').waitFor();
    });

    it('on the page of an event those about it', async () => {
      await opened();
      const { id, url } = (await (await create('With a past')).json()) as { id: number; url: string };
      await fetch(`${calendar.root}/events/${id}`);
      await fetch(`${calendar.root}/events/by-slug/another`);
      await page.goto(url);
      await settled(page);
      await page.getByText('Requests about this event').click();
      await expect.poll(rows).toEqual([`/events/${id}`, '/events']);
      expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    });
  });

  it('of a file shows what it may show, and says how to open the rest', async () => {
    await opened({ open: false });
    expect(await page.locator('.locked').textContent()).toContain('calendar serve --control');
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['All', 'Changes', 'Failures']);
    expect(await shown('events')).toBe(String(await events()));
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
  });

  it('of a server for reading only steers what goes wrong and when, and changes no record', async () => {
    await opened({ readOnly: true });
    expect(await page.locator('.locked').textContent()).toContain('--read-only');
    expect(await page.getByRole('button', { name: /^(Reset to the start|Empty|Save|Replace all)$/ }).count()).toBe(0);
    await press('+1 day');
    await expect.poll(clock).toMatchObject({ now: '2026-11-21T16:05:00.000Z' });
    expect(lines).toEqual([]);
  });

  it('of a server with a token asks for it, and keeps it in the tab', async () => {
    await opened({ controlToken: 'open-sesame' });
    expect(lines).toEqual([]);
    await page.getByLabel('Control token').fill('wrong');
    await press('Open');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Control token').fill('open-sesame');
    await press('Open');
    await page.getByRole('button', { name: 'Reset to the start' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Reset to the start' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it('of a server that others reach without a token says so, and asks for nothing', async () => {
    await opened({ host: '0.0.0.0' });
    await page.getByText('--control-token TOKEN').waitFor();
    expect(await page.getByRole('link', { name: 'Workbench' }).count()).toBe(0);
    expect(lines).toEqual([]);
  });
});
