import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServingOptions } from '../../../src/data/serving/options.ts';
import { launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`workbench${noBrowser ? ` (${noBrowser})` : ''}`, () => {
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

  const open = async (options: Partial<ServingOptions> = {}) => {
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

  describe('calendar in memory', () => {
    beforeEach(() => open());

    it('shows the state of the server', async () => {
      expect(await page.locator('.server').textContent()).toMatch(
        /Version\d+\.\d+\.\d+APIhttp:.*\/calendar\/events\/v1StoragememorySeedminimalUptime\d+ s/,
      );
      expect(await shown('events')).toBe(String(await events()));
    });

    it('deletes and resets the records, and undoes it', async () => {
      const before = await events();
      await press('Delete all');
      await expect.poll(() => shown('events')).toBe('0');
      await press('Undo');
      await expect.poll(() => shown('events')).toBe(String(before));
      await press('Delete all');
      await expect.poll(events).toBe(0);
      await press('Reset records');
      await page.getByText(/^Reset the records in [\d.]+ ms\.$/).waitFor();
      expect(await events()).toBe(before);
    });

    it('replaces the records by a seed or adds a seed', async () => {
      const before = (await events())!;
      await page.getByLabel('Seed', { exact: true }).selectOption('conference');
      await press('Load seed');
      await expect.poll(() => shown('events')).not.toBe(String(before));
      const talks = await events();
      await page.getByLabel('Seed', { exact: true }).selectOption('minimal');
      await press('Add seed');
      await expect.poll(events).toBe(talks! + before);
    });

    it('saves, restores, downloads, overwrites and deletes snapshots', async () => {
      const before = await events();
      await page.getByLabel('Snapshot name').fill('Not so');
      await press('Save');
      await page
        .getByRole('alert')
        .getByText(/"Not so"/)
        .waitFor();
      await page.getByLabel('Snapshot name').fill('ready');
      await page.keyboard.press('Enter');
      await page.getByText(/^ready$/).waitFor();
      await press('Delete all');
      await expect.poll(events).toBe(0);
      await press('Restore ready');
      await expect.poll(() => shown('events')).toBe(String(before));
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download ready' }).click()]);
      expect(file.suggestedFilename()).toBe('ready.db');
      await page.getByLabel('Snapshot name').fill('ready');
      await press('Overwrite');
      await expect.poll(() => page.getByLabel('Snapshot name').inputValue()).toBe('');
      await press('Delete ready');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect.poll(async () => (await calendar.control.snapshots()).snapshots.filter(({ automatic }) => !automatic)).toEqual([]);
      await page.getByText('No snapshots. Save one to restore the current state later.').waitFor();
    });

    it('adds faults, counts their hits and removes them', async () => {
      const status = async (method = 'GET') => (await fetch(`${calendar.root}/events`, { method }).catch(() => ({ status: 0 }))).status;
      await press('Add fault');
      await page.getByLabel('Method').selectOption('GET');
      await page.getByLabel('Path').fill('events');
      await press('Add fault');
      await page
        .getByRole('alert')
        .getByText(/must be a path like \/events/)
        .waitFor();
      await page.getByLabel('Path').fill('/events');
      await page.getByLabel('Times').fill('2');
      await press('Add fault');
      await page.getByText('GET /events: return 503').waitFor();
      expect([await status('OPTIONS'), await status()]).toEqual([200, 503]);
      await page.getByText('1 hit, 1 remaining').waitFor();
      await press('Add fault');
      await page.getByLabel('Effect').selectOption('Reset the connection');
      await page.getByLabel('Delay').fill('20');
      await press('Add fault');
      await page.getByText('Any request: delay 20 ms, reset the connection').waitFor();
      expect(await violations(page)).toEqual([]);
      await press('Remove all');
      await page.getByText('No faults.').waitFor();
      expect(await status()).toBe(200);
    });

    it('sets the clock in the calendar’s time zone, advances, resumes and freezes it', async () => {
      await calendar.store.change((local) => local.settings.set('timezone', 'Pacific/Auckland'));
      await page.reload();
      await settled(page);
      await page.getByLabel('Freeze at').fill('2027-03-01T09:00');
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
      await page.getByText(/^Running, \d+ days ahead$/).waitFor();
      await press('Freeze');
      await expect.poll(clock).toMatchObject({ frozen: true });
      expect(lines.filter((line) => !/400/.test(line))).toEqual([]);
    });
  });

  describe('requests', () => {
    const rows = () => page.locator('.requests .target').allTextContents();
    const create = (title: string) =>
      fetch(`${calendar.root}/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret-token' },
        body: JSON.stringify({ title, start_date: '2026-12-05 10:00', end_date: '2026-12-05 11:00' }),
      });

    it('appear as they arrive, can be filtered, and open in the explorer', async () => {
      await open();
      await page.getByText('No requests yet.').waitFor();
      await fetch(`${calendar.root}/events?search=jazz`);
      await fetch(`${calendar.root}/venues/999999`);
      await create('Written elsewhere');
      await expect.poll(rows).toEqual(['/events', '/venues/999999', '/events?search=jazz']);
      await press('Errors');
      expect(await rows()).toEqual(['/venues/999999']);
      await press('All');
      await page.getByLabel('Filter requests').fill('get JAZZ');
      expect(await rows()).toEqual(['/events?search=jazz']);
      await page.getByLabel('Filter requests').fill('');
      await press('Changes');
      await page.locator('.request').click();
      const body = await page.getByRole('region', { name: 'Request body' }).textContent();
      expect(JSON.parse(body!)).toMatchObject({ title: 'Written elsewhere' });
      await page
        .getByRole('region', { name: 'Request', exact: true })
        .getByText(/headers$/)
        .click();
      expect(await page.locator('main').textContent()).not.toContain('secret-token');
      expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
      await page.getByRole('link', { name: 'Open in API explorer' }).click();
      await page.getByRole('heading', { name: 'Create an event', exact: true }).waitFor();
      expect(JSON.parse(await page.getByLabel('Body (JSON)').inputValue())).toMatchObject({ title: 'Written elsewhere' });
      await page.goBack();
      await press('Clear');
      await page.getByText('No requests yet.').waitFor();
    });

    it('of an event are on its page', async () => {
      await open();
      const { id, url } = (await (await create('With a past')).json()) as { id: number; url: string };
      await fetch(`${calendar.root}/events/${id}`);
      await fetch(`${calendar.root}/events/by-slug/another`);
      await page.goto(url);
      await settled(page);
      await page.getByText('Requests for this event').click();
      await expect.poll(rows).toEqual([`/events/${id}`, '/events']);
      expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    });
  });

  it('of a stored calendar is read-only and shows how to enable control', async () => {
    await open({ open: false });
    expect(await page.locator('.locked').textContent()).toContain('calendar serve --control');
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual(['All', 'Changes', 'Errors']);
    expect(await shown('events')).toBe(String(await events()));
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
  });

  it('of a read-only server controls faults and the clock, but not the records', async () => {
    await open({ readOnly: true });
    expect(await page.locator('.locked').textContent()).toContain('--read-only');
    expect(await page.getByRole('button', { name: /^(Reset records|Delete all|Save|Load seed)$/ }).count()).toBe(0);
    await press('+1 day');
    await expect.poll(clock).toMatchObject({ now: '2026-11-21T16:05:00.000Z' });
    expect(lines).toEqual([]);
  });

  it('asks for the control token and stores it in the tab', async () => {
    await open({ controlToken: 'open-sesame' });
    expect(lines).toEqual([]);
    await page.getByLabel('Control token').fill('wrong');
    await press('Connect');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Control token').fill('open-sesame');
    await press('Connect');
    await page.getByRole('button', { name: 'Reset records' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Reset records' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it('isn’t available on a public server without a token', async () => {
    await open({ host: '0.0.0.0' });
    await page.getByText('--control-token TOKEN').waitFor();
    expect(await page.getByRole('link', { name: 'Workbench' }).count()).toBe(0);
    expect(lines).toEqual([]);
  });
});
