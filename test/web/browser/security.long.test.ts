import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import {
  closeContexts,
  launched,
  noBrowser,
  type ServedPage,
  servedPage,
  settled,
  standards,
  violations,
  watched,
} from '../../support/browser.ts';
import { limit } from '../../support/timeouts.ts';

const title = '<b>Bold</b> <script>ran = 1</script><img src=x onerror="ran = 1"> \u202eright to left \u2066& on';
const description = `
<script>window.ran = 1</script>
<img src="https://elsewhere.example.org/a.png" onerror="window.ran = 1" alt="a picture">
<a href="javascript:window.ran = 1">click</a> <a href="https://elsewhere.example.org/">out</a>
<p style="position:fixed;inset:0" onclick="window.ran = 1" class="toolbar" id="main">styled</p>
<iframe src="https://elsewhere.example.org/"></iframe><form action="https://elsewhere.example.org/"><input name="q"></form>
<svg onload="window.ran = 1"><a xlink:href="javascript:window.ran = 1">svg</a></svg>
<style>body { display: none }</style><h1>A second title</h1>`;

describe.skipIf(noBrowser)(`security of the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal')]);
    // The owner of a calendar may store any HTML.
    await calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url }).events.create({
      title,
      slug: 'hostile',
      description,
      start_date: '2026-12-03 10:00',
      end_date: '2026-12-03 11:00',
    });
    const plain = { title: 'Plain', slug: 'plain', venue: { venue: 'Hall', city: 'Graz' }, categories: ['Music'], tags: ['loud'] };
    const dates = { start_date: '2026-12-20 10:00', end_date: '2026-12-20 11:00' };
    await calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url }).events.create({ ...plain, ...dates });
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  it.each(['/event/hostile/', '/?day=2026-12-03', '/?view=list&day=2026-12-03', '/event/hostile/?edit=true'])(
    'HTML of records runs no scripts and loads nothing: %s',
    async (address) => {
      const { page, lines, foreign } = await watched(browser, calendar.url + address);
      expect({ lines, foreign, ran: await page.evaluate('globalThis.ran'), headings: await page.locator('h1').count() }).toEqual({
        lines: [],
        foreign: [],
        ran: undefined,
        headings: 1,
      });
      expect(
        await page.locator('main :is(script, iframe, style, object, embed, [onclick], [onerror], a[href^="javascript"])').count(),
      ).toBe(0);
      await page.close();
    },
  );

  it.each([
    ...['/event/plain/', '/venue/hall/', '/events/', '/events/month/2026-12/', '/events/category/music/', '/tag/loud/'],
    '/events/list/?eventDisplay=past',
  ])('documents without JavaScript have no accessibility violation: %s', async (address) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    // The checker is a script, so the document is changed to what a browser without scripts shows.
    await page.route(calendar.url + address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<\/?noscript>|<script type="module".*<\/script>/g, '');
      await route.fulfill({ response, body });
    });
    await page.goto(calendar.url + address);
    expect(await page.locator('main h1').count()).toBe(1);
    expect(await violations(page, standards)).toEqual([]);
    await context.close();
  });

  it.each(['/event/hostile/', '/events/list/'])('documents without JavaScript load nothing: %s', async (address) => {
    const { page, lines, foreign } = await watched(browser, calendar.url + address, { javaScriptEnabled: false });
    expect({ lines, foreign, title: await page.title(), headings: await page.locator('h1').count() }).toEqual({
      lines: [],
      foreign: [],
      title: expect.stringContaining(' – '),
      headings: 1,
    });
    expect(await page.locator('main').textContent()).toContain('Bold');
    expect(await page.locator('main :is(script, iframe, style, img, [onclick], [onerror], a[href^="javascript"])').count()).toBe(0);
    await page.close();
  });

  it('requests are shown as text', async () => {
    const { page, lines, foreign } = await watched(browser, `${calendar.url}/_calendar/traffic`);
    const hostile = '<img src=https://elsewhere.example.org/a onerror=ran=1>\u202e';
    await fetch(`${calendar.root}/events?search=${encodeURIComponent(hostile)}`, { headers: { 'User-Agent': '<script>ran=1</script>' } });
    await page.locator('.request', { hasText: 'onerror' }).click();
    await page.locator('.pane').getByText('headers').first().click();
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('<script>ran=1</script>').waitFor();
    expect({ lines, foreign, ran: await page.evaluate('globalThis.ran'), images: await page.locator('main img').count() }).toEqual({
      lines: [],
      foreign: [],
      ran: undefined,
      images: 0,
    });
    await page.close();
  });

  it('harmless parts of the HTML are shown', async () => {
    const { page } = await watched(browser, `${calendar.url}/event/hostile/`);
    expect(await page.locator('h1').textContent()).toBe('Bold  \u202eright to left \u2066& on');
    expect(await page.locator('.prose').textContent()).toMatch(/a picture\s+click out\s+styled.*A second title/s);
    await page.getByText('click', { exact: true }).click();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await page.close();
  });

  it('visitors can’t edit; users can sign in until the tab is closed; signing out deletes drafts', async () => {
    const shared = await servedPage('minimal');
    await shared.store.change(() => {
      shared.store.users.add({ name: 'ada', password: 'secret pass', role: 'editor' });
      shared.store.users.add({ name: 'sub', password: 'secret pass', role: 'subscriber' });
    });
    const event = (
      await shared.store.calendarFor(owner, { home: shared.url, root: shared.url }).events.list({ starts_after: '2020-01-01' })
    ).entries[0]!;
    const { page, lines } = await watched(browser, shared.url);
    const buttons = () => page.getByRole('link', { name: /^(New event|Edit)$/ }).count();
    expect(await buttons()).toBe(0);
    const createScript = `fetch('/calendar/events/v1/events?title=a&start_date=2027-01-01&end_date=2027-01-01', { method: 'POST' })`;
    expect(await page.evaluate<number>(`${createScript}.then(({ status }) => status)`)).toBe(401);
    const lineCount = lines.length;
    await page.goto(String(event.url));
    await settled(page);
    expect([await buttons(), await page.getByRole('button', { name: 'Delete' }).count()]).toEqual([0, 0]);
    const signIn = async (name: string, password: string) => {
      await page.getByRole('button', { name: 'Sign in' }).first().click();
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Password').fill(password);
      await page.locator('dialog').getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn('ada', 'wrong');
    await page.locator('dialog .error').waitFor();
    expect(lines.length).toBe(lineCount + 1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await signIn('sub', 'secret pass');
    await page.getByText('Sign out').waitFor();
    await settled(page);
    expect(await buttons()).toBe(0);
    await page.getByText('Sign out').click();
    await signIn('ada', 'secret pass');
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    const { page: other } = await watched(browser, String(event.url));
    expect(await other.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    const drafts = () => page.evaluate<string[]>(`Object.keys(sessionStorage).filter((key) => key.startsWith('draft '))`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Unsaved');
    await page.getByRole('link', { name: 'Cancel' }).click();
    expect(await drafts()).toHaveLength(1);
    await page.getByText('Sign out').click();
    expect(await drafts()).toEqual([]);
    await Promise.all([page.close(), other.close(), shared.close()]);
  });

  it(
    'the page of each record shows its title',
    async () => {
      const full = await servedPage('edge-cases');
      const records = full.store.calendarFor(owner, { home: full.url, root: `${full.url}/calendar/events/v1` });
      const { page } = await watched(browser, full.url);
      const labels = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' } as const;
      const failures: unknown[] = [];
      for (const name of resourceNames) {
        const query = name === 'events' ? { starts_after: '1900-01-01', status: 'publish,future,draft,pending,private' } : {};
        const { entries } = await records[name].list({ per_page: '50', hide_empty: 'false', ...query });
        expect(entries.length).toBeGreaterThan(0);
        for (const { url, [labels[name]]: label } of entries.filter((entry) => typeof entry[labels[name]] === 'string')) {
          const response = await page.goto(String(url), { waitUntil: 'domcontentloaded' });
          const shows = `(() => {
          const words = (text) => text.replace(/\\s+/g, ' ').trim();
          const title = new DOMParser().parseFromString(${JSON.stringify(String(label))}, 'text/html').body.textContent;
          return [...document.querySelectorAll('h1, .filter-bar bdi')].some(({ textContent }) => words(textContent) === words(title));
        })()`;
          const shown = await expect
            .poll(() => page.evaluate<boolean>(shows))
            .toBe(true)
            .then(
              () => true,
              () => false,
            );
          if (response?.status() !== 200 || !shown) failures.push({ url, label, status: response?.status() });
        }
      }
      expect(failures).toEqual([]);
      await Promise.all([page.close(), full.close()]);
    },
    limit(120_000),
  );
});
