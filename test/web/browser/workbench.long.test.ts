import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo as remoteAt } from '../../../src/client/remote.ts';
import { nodeParts } from '../../../src/data/node-parts.ts';
import type { ServingOptions } from '../../../src/data/serving/options.ts';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { withConflicts } from '../../support/conflicted.ts';

describe.skipIf(noBrowser)(`workbench${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  let lines: string[];
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => closeContexts(browser));
  afterEach(async () => {
    await page.close();
    await calendar.close();
  });

  const open = async (options: Partial<ServingOptions> = {}) => {
    calendar = await servedPage('minimal', options);
    ({ page, lines } = await watched(browser, `${calendar.url}/_calendar/`));
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name });
  const cancelDialog = () => dialogButton('Cancel').click();
  const deleteAll = async () => {
    await press('Delete all');
    await dialogButton('Delete').click();
  };
  const events = async () => (await calendar.control.health({})).records.events;
  const shown = (name: string) =>
    page
      .locator('.workbench-figures div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent();
  const clock = () => calendar.world.served.clock.state;

  describe('calendar in memory', () => {
    beforeEach(() => open());

    it('shows the state of the server', async () => {
      expect(await page.locator('.workbench-server').textContent()).toMatch(
        /Version\d+\.\d+\.\d+APIhttp:.*\/calendar\/events\/v1StoragememorySeedminimalUptime\d+ s/,
      );
      expect(await shown('events')).toBe(String(await events()));
    });

    it('shows the number of records that Data shows, with drafts and without the trash', async () => {
      const { events: collection } = calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url });
      await collection.create({ title: 'Draft', start_date: '2027-01-01', end_date: '2027-01-02', status: 'draft' });
      await page.reload();
      await settled(page);
      expect(await shown('events')).toBe(String(await events()));
      await page
        .getByRole('link', { name: String(await events()), exact: true })
        .first()
        .click();
      await page.getByText(`${await events()} records`).waitFor();
    });

    it('deletes and resets the records after a confirmation, and undoes it', async () => {
      const before = await events();
      await press('Delete all');
      await cancelDialog();
      expect(await events()).toBe(before);
      await deleteAll();
      await expect.poll(() => shown('events')).toBe('0');
      await press('Undo');
      await expect.poll(() => shown('events')).toBe(String(before));
      await deleteAll();
      await expect.poll(events).toBe(0);
      await press('Reset');
      await dialogButton('Reset').click();
      await page.getByText(/^Reset: replaced 0 records with \d+ in [\d.]+ ms\.$/).waitFor();
      expect(await events()).toBe(before);
    });

    it('“Delete all” and “Load seed” say in numbers what goes and leave the rest; “Reset” restores it too, and Undo all but the log', async () => {
      const { control } = calendar;
      await control.setClock({ now: '2027-03-01T09:00:00Z' });
      await control.addFault({ match: { path: '/tags' }, then: { status: 503 } });
      await fetch(`${calendar.root}/tags`);
      const total = Object.values((await control.health({})).records).reduce((sum, count) => sum + count, 0);
      const rest = async () => ({
        now: (await control.clock({})).now,
        hits: (await control.faults({})).faults.map(({ hits }) => hits),
        requests: (await control.requests({ brief: true })).total,
        title: calendar.store.settings.get('title'),
      });
      const before = await rest();
      expect(before).toMatchObject({ now: '2027-03-01T09:00:00.000Z', hits: [1], requests: 1 });
      const ask = async (name: string, text: RegExp, verb = name) => {
        await press(name);
        await page.getByRole('dialog').getByText(text).waitFor();
        expect(await violations(page)).toEqual([]);
        await dialogButton(verb).click();
        await page.getByRole('button', { name: 'Undo' }).waitFor();
      };
      await ask(
        'Delete all',
        new RegExp(`^${total} records are deleted, also those in the trash\\. Users, settings, clock, faults and`),
        'Delete',
      );
      expect(await rest()).toEqual(before);
      await press('Undo');
      await expect.poll(async () => (await control.health({})).records.events).toBeGreaterThan(0);
      await page.getByLabel('Seed', { exact: true }).selectOption('demo');
      await ask('Load seed', new RegExp(`^${total} records are deleted, .* and 104 are created\\. Users, settings`));
      expect(await rest()).toEqual(before);
      await press('Undo');
      await page.getByText(/^Undone: Deleted \d+ records and created 104 from seed demo/).waitFor();
      await calendar.store.change((local) => local.settings.set('title', 'Other'));
      await ask('Reset', /clock and faults are restored, and the request log is cleared\. Undo restores all but the log\.$/);
      expect(await rest()).toEqual({ now: '2026-11-20T16:05:00.000Z', hits: [], requests: 0, title: before.title });
      await press('Undo');
      await expect.poll(rest).toEqual({ ...before, requests: 0, title: 'Other' });
    });

    it('replaces the records with a seed or adds a seed', async () => {
      const before = (await events())!;
      await page.getByLabel('Seed', { exact: true }).selectOption('conference');
      await press('Load seed');
      await dialogButton('Load seed').click();
      await expect.poll(() => shown('events')).not.toBe(String(before));
      const talks = await events();
      await page.getByLabel('Seed', { exact: true }).selectOption('minimal');
      await press('Add seed');
      await expect.poll(events).toBe(talks! + before);
    });

    it('saves, restores, downloads, overwrites and deletes snapshots', async () => {
      const before = await events();
      await page.getByLabel('Snapshot name').fill('Before test');
      await press('Save');
      await page.getByText('Saved snapshot before-test.').waitFor();
      await press('Delete before-test');
      await dialogButton('Delete').click();
      await page.getByText('Deleted snapshot before-test.').waitFor();
      await page.getByLabel('Snapshot name').fill('ready');
      await page.keyboard.press('Enter');
      await page.getByText(/^ready$/).waitFor();
      await deleteAll();
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
      await expect.poll(async () => (await calendar.control.snapshots({})).snapshots.filter(({ automatic }) => !automatic)).toEqual([]);
      await page.getByText('No snapshots. Save one to restore the current state later.').waitFor();
    });

    it('adds faults, counts their hits and removes them', async () => {
      const status = async (method = 'GET') => (await fetch(`${calendar.root}/events`, { method }).catch(() => ({ status: 0 }))).status;
      const line = page.getByLabel('Fault', { exact: true });
      await line.fill('503 -X GET --path events');
      await press('Add fault');
      await page
        .getByRole('alert')
        .getByText(/must be a path like \/events/)
        .waitFor();
      await line.fill('503 -X GET --path /events --times 2');
      await press('Add fault');
      await page.getByText('503 -X GET --path /events --times 2').waitFor();
      expect([await status('OPTIONS'), await status()]).toEqual([200, 503]);
      await page.getByText('1 hit, 1 remaining').waitFor();
      await line.fill('nonsense');
      await press('Add fault');
      await page
        .getByRole('alert')
        .getByText(/Expected a status/)
        .waitFor();
      // A line that can't be read stays.
      await press('Lost response');
      expect(await line.inputValue()).toBe('nonsense');
      await line.fill('503 -X GET --path /events --times 1');
      await press('Slow 3G');
      expect(await line.inputValue()).toBe('-X GET --path /events --delay 400 --slow-body 2000');
      await line.fill('');
      await press('Lost response');
      await press('Add fault');
      await page.getByText('empty --times 1 --at after').waitFor();
      expect(await violations(page)).toEqual([]);
      await press('Remove all');
      await page.getByText('No faults.').waitFor();
      expect(await status()).toBe(200);
    });

    it('sets the clock in the calendar’s time zone, advances, resumes and freezes it', async () => {
      await calendar.store.change((local) => local.settings.set('timezone', 'Pacific/Auckland'));
      await page.reload();
      await settled(page);
      const field = page.getByLabel('Move to');
      await field.fill('2027-03-01 9:00');
      await page.getByText(/^Monday,? 1 March 2027, 0?9:00:00$/).waitFor();
      await press('Move');
      await expect.poll(clock).toMatchObject({ now: '2027-02-28T20:00:00.000Z', frozen: true });
      await expect.poll(() => page.locator('.clock').textContent()).toMatch(/^0?9:00:00Monday,? 1 March 2027 Pacific\/Auckland$/);
      await press('+1 day');
      await expect.poll(clock).toMatchObject({ now: '2027-03-01T20:00:00.000Z' });
      await field.fill('soon');
      await page.getByText(/^Write a duration such as 2 days/).waitFor();
      expect(await page.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
      await field.fill('+90 minutes');
      await press('Move');
      await expect.poll(clock).toMatchObject({ now: '2027-03-01T21:30:00.000Z' });
      await press('Resume');
      await expect.poll(clock).toMatchObject({ frozen: false });
      await page.getByText(/^Running, \d+ days ahead$/).waitFor();
      await press('Freeze');
      await expect.poll(clock).toMatchObject({ frozen: true });
      expect(lines.filter((line) => !/400/.test(line))).toEqual([]);
    });
  });

  it('of a copy resolves conflicts by field, and takes that back', async () => {
    await open();
    await withConflicts(calendar);
    await page.getByText(/^Not in step with .*: 2 conflicts/).waitFor();
    await press('Theirs: dates of Ours');
    await page.getByText('Resolved dates of Ours. Still a conflict: title, cost.').waitFor();
    await expect
      .poll(async () => (await calendar.control.conflicts({})).conflicts.map(({ fields }) => Object.keys(fields)))
      .toEqual([['title', 'cost'], []]);
    expect(await violations(page)).toEqual([]);
    await press('Undo');
    await page.getByRole('button', { name: 'Theirs: dates of Ours' }).waitFor();
    await press('Theirs: all of Changed here');
    await press('Ours: title of Ours');
    await page.getByText('Resolved title of Ours. Still a conflict: dates, cost.').waitFor();
    expect(lines).toEqual([]);
  });

  it('of a copy shows its age, and pulls now', async () => {
    const site = await servedPage('minimal');
    try {
      const node = nodeParts(async (root) => {
        const [signal, now] = [new AbortController().signal, Date.now];
        return remoteAt(root, undefined, { timeout: 5000, userAgent: 'test', env: {}, signal, now, random: Math.random });
      });
      calendar = await servedPage(undefined, { node, pull: { root: site.root }, every: '1h', now: undefined });
      await calendar.followed!.ready;
      ({ page, lines } = await watched(browser, `${calendar.url}/_calendar/`));
      await page.getByText(/^Copy of 127\.0\.0\.1:\d+, \d+ s old\./).waitFor();
      await site.store.change((local) => void local.tags.create({ name: 'fresh' }));
      await press('Pull now');
      await page.getByText('Pulled: 1 created, 0 updated, 0 deleted.').waitFor();
      await expect.poll(() => shown('tags')).toBe('2');
      expect(await violations(page)).toEqual([]);
      await page.goto(`${calendar.url}/`);
      await page.getByText(/^Copy of 127\.0\.0\.1:\d+, .+ old$/).waitFor();
      expect(lines).toEqual([]);
    } finally {
      await site.close();
    }
  });

  it('of a stored calendar is read-only and shows how to enable control', async () => {
    await open({ open: false });
    expect(await page.locator('.message').textContent()).toContain('calendar serve --control');
    expect(await page.locator('main').getByRole('button').allTextContents()).toEqual([]);
    expect(await shown('events')).toBe(String(await events()));
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
  });

  it('of a read-only server controls faults and the clock, but not the records', async () => {
    await open({ readOnly: true });
    expect(await page.locator('.message').textContent()).toContain('--read-only');
    expect(await page.getByRole('button', { name: /^(Reset|Delete all|Save|Load seed)$/ }).count()).toBe(0);
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
    await page.getByRole('button', { name: 'Reset', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Reset', exact: true }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it('isn’t available on a public server without a token', async () => {
    await open({ host: '0.0.0.0' });
    await page.getByText('--control-token TOKEN').waitFor();
    expect(await page.getByRole('link', { name: 'Workbench' }).count()).toBe(0);
    expect(lines).toEqual([]);
  });
});
