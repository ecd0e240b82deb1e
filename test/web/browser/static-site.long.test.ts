import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, settled, violations, watched } from '../../support/browser.ts';
import { buildSite, type StaticServer, staticServer } from '../../support/static-site.ts';
import { limit } from '../../support/timeouts.ts';

const api = 'wp-json/calendar/events/v1';
/** The members of responses that tests read. */
interface Answer {
  id: number;
  events: { id: number; title: string; url: string; rest_url: string }[];
  requests: { method: string; status: number }[];
}
const event = { title: 'Mine', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };

describe.skipIf(noBrowser)(`a static site${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let server: StaticServer;
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    [server, context] = await Promise.all([staticServer('/preview'), browser.newContext({ locale: 'en-GB' })]);
  });
  afterEach(async () => {
    await context.close();
    await server.close();
  });
  afterAll(() => closeContexts(browser));

  /** Opens an address of the site, and waits for its page. */
  const open = async (path = '') => {
    const opened = await watched(context, server.url + path);
    await opened.page.getByText('Changes are stored in this browser only.').waitFor();
    return opened;
  };
  /** Sends a request as a script of the page does. */
  const send = (page: Page, method: string, path: string, body?: object): Promise<{ status: number; value: Answer }> =>
    page.evaluate(
      async ([url, method, body]) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(url!, { method, headers, body });
        const text = await response.text();
        return { status: response.status, value: text.startsWith('{') ? JSON.parse(text) : text };
      },
      [path.startsWith('/') ? path : server.url + path, method, body && JSON.stringify(body)],
    );
  const titles = async (page: Page) =>
    (await send(page, 'GET', `${api}/events?per_page=50&start_date=2000-01-01`)).value.events.map(({ title }) => title);
  /** Stops the service worker, as a browser does after some time without requests. */
  const stopWorker = async (page: Page) => {
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  };
  /** Writes a fixture of one event, and the site with it. */
  const publish = async (title: string, ...args: string[]) => {
    const fixture = join(server.path, '..', `${title}.json`);
    writeFileSync(fixture, JSON.stringify({ events: { a: { ...event, title } } }));
    await buildSite(server.path, '--seed', fixture, ...args);
    rmSync(fixture);
  };

  it.each(['', '_calendar/', '_calendar/traffic', '_calendar/data?table=venues', 'event/river-run-1/'])(
    'is at %j from the first visit on, in its folder',
    async (path) => {
      await buildSite(server.path, '--seed', 'demo');
      const { page, foreign, lines } = await open(path);
      expect(page.url()).toBe(server.url + path);
      expect(await page.getByText('Nothing is at this address').count()).toBe(0);
      expect(foreign).toEqual([]);
      // The first page of a deep address has this status, until the worker runs.
      expect(lines.filter((line) => !/status of 404/.test(line))).toEqual([]);
      const { value } = await send(page, 'GET', `${api}/events?per_page=1`);
      const [first] = value.events;
      expect([first!.url, first!.rest_url].map((url) => url!.startsWith(server.url))).toEqual([true, true]);
      await page.goto(first!.url!);
      await settled(page);
      expect(await page.locator('h1').textContent()).toBe(first!.title);
      await page.getByRole('link', { name: 'Workbench' }).click();
      await page.getByRole('heading', { name: 'Workbench' }).waitFor();
      expect(page.url()).toBe(`${server.url}_calendar/`);
      expect(await page.getByText('this browser', { exact: true }).count()).toBe(1);
    },
  );

  it.each([1280, 390])('says where the data is at %d px', async (width) => {
    await buildSite(server.path, '--seed', 'demo');
    for (const path of ['', '_calendar/', '_calendar/data']) {
      const { page } = await open(path);
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      expect(await violations(page)).toEqual([]);
      const foot = await page.locator('.own-copy').boundingBox();
      if (width > 400 && path !== '_calendar/') expect(foot!.y + foot!.height).toBeLessThanOrEqual(800);
      await page.close();
    }
  });

  it('loads its files once', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open();
    await page.reload();
    await settled(page);
    await stopWorker(page);
    await page.reload();
    await settled(page);
    const counts = new Map<string, number>();
    for (const line of server.log) counts.set(line, (counts.get(line) ?? 0) + 1);
    const large = [...counts].filter(([line]) => line.includes('calendar-files/'));
    expect(large.length).toBe(5);
    expect(large.filter(([, count]) => count > 1)).toEqual([]);
  });

  it('keeps records, clock, faults, snapshots and log when its worker is stopped', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open('_calendar/traffic');
    await send(page, 'POST', `${api}/events`, event);
    await send(page, 'PUT', '_calendar/clock', { now: '2027-03-01T09:00:00Z' });
    await send(page, 'POST', '_calendar/clock/freeze');
    await send(page, 'POST', '_calendar/faults', { then: 503, match: { path: '/venues' } });
    await send(page, 'PUT', '_calendar/snapshots/mine', {});
    expect((await send(page, 'GET', `${api}/venues`)).status).toBe(503);
    const state = () =>
      Promise.all(['clock', 'faults', 'snapshots', 'settings'].map(async (name) => (await send(page, 'GET', `_calendar/${name}`)).value));
    const requests = async () =>
      (await send(page, 'GET', '_calendar/requests')).value.requests.map(({ method, status }) => `${method} ${status}`);
    const before = await state();
    expect(before[0]).toMatchObject({ frozen: true });
    await stopWorker(page);
    expect(await state()).toEqual(before);
    expect(await requests()).toEqual(['POST 201', 'GET 503']);
    expect(await titles(page)).toContain('Mine');
    // The page connects to the worker again.
    await page.getByText('/venues').first().waitFor();
    await page.getByText('1 fault').waitFor();
  });

  it('loses no acknowledged change when its worker is stopped meanwhile', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open();
    const acknowledged: number[] = [];
    for (let round = 0; round < 4; round++) {
      const sent = Array.from({ length: 12 }, (_, each) =>
        send(page, 'POST', `${api}/events`, { ...event, title: `Event ${round} ${each}` }),
      );
      await page.waitForTimeout(15 * round);
      await stopWorker(page);
      for (const result of await Promise.allSettled(sent))
        if (result.status === 'fulfilled' && result.value.status === 201) acknowledged.push(result.value.value.id);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    await stopWorker(page);
    for (const id of acknowledged) expect([id, (await send(page, 'GET', `${api}/events/${id}`)).status]).toEqual([id, 200]);
  });

  it('has one calendar for two tabs, which show the changes of each other', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const [{ page: one }, { page: two }] = [await open('?view=month&day=2027-03-01'), await open('?view=month&day=2027-03-01')];
    await one.bringToFront();
    await two.evaluate('window.hasStayed = true');
    await send(one, 'POST', `${api}/events`, event);
    await two.getByRole('link', { name: /Mine/ }).waitFor();
    expect(await two.evaluate('window.hasStayed')).toBe(true);
  });

  it('is reset, moved in time and broken by its page, which shows the log', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open('_calendar/');
    await send(page, 'POST', `${api}/events`, event);
    await page.getByRole('button', { name: '+1 day' }).click();
    await page
      .locator('.top')
      .getByText(/AM|PM|:/)
      .waitFor();
    await page.getByLabel('Fault', { exact: true }).fill('418 --path /venues');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.locator('.top').getByText('1 fault').waitFor();
    expect((await send(page, 'GET', `${api}/venues`)).status).toBe(418);
    await stopWorker(page);
    await page.getByRole('link', { name: 'Traffic' }).click();
    await page.getByText('418').first().waitFor();
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page
      .getByRole('status')
      .getByText(/^Reset: replaced/)
      .waitFor();
    expect(await titles(page)).not.toContain('Mine');
    await stopWorker(page);
    expect([(await send(page, 'GET', `${api}/venues`)).status, (await titles(page)).includes('Mine')]).toEqual([200, false]);
    // Nothing here needs another site or another calendar.
    expect(await page.getByText('Main calendar').count()).toBe(0);
  });

  it('changes nothing for a form or a link of another site', async () => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open();
    const before = await titles(page);
    const { value } = await send(page, 'GET', `${api}/events`);
    await page.goto(`${server.url}${api}/events/${value.events[0]!.id}?_method=DELETE`);
    await page.goto('about:blank');
    await page.setContent(
      `<form method="post" action="${server.url}${api}/events">${Object.entries(event).map(([name, text]) => `<input name="${name}" value="${text}">`)}</form>`,
    );
    await Promise.all([page.waitForURL(`${server.url}${api}/events`), page.evaluate('document.forms[0].submit()')]);
    await page.goto(server.url);
    await settled(page);
    expect(await titles(page)).toEqual(before);
  });

  describe('that is published again', () => {
    /** Opens the site again, and waits for its new version, which the browser looks for after it has loaded the page. */
    const update = async (page: Page) => {
      await page.evaluate('window.isOld = true');
      await page.reload();
      await page.evaluate('window.isOld = true');
      // With the new version, the page loads itself again.
      await expect.poll(() => page.evaluate('window.isOld ?? false').catch(() => true), { timeout: limit(15_000) }).toBe(false);
      await settled(page);
    };

    it('shows the new calendar to who has changed nothing, also in a tab that has stayed open', async () => {
      await publish('Old');
      const [{ page }, { page: other }] = [await open('?day=2027-03-01'), await open('?day=2027-03-01')];
      expect(await titles(page)).toEqual(['Old']);
      await publish('New');
      await update(page);
      expect([await titles(page), await page.getByRole('button', { name: 'Keep them' }).count()]).toEqual([['New'], 0]);
      await other.bringToFront();
      await other.getByRole('link', { name: /New/ }).waitFor();
    });

    it.each([
      ['Discard my changes', ['New']],
      ['Keep them', ['Mine', 'Old']],
    ])('says that changes were kept, until the button %s', async (button, shown) => {
      await publish('Old');
      const { page } = await open('?day=2027-03-01');
      await send(page, 'POST', `${api}/events`, event);
      await publish('New');
      await update(page);
      expect((await titles(page)).sort()).toEqual(['Mine', 'Old']);
      await page.getByText('You still see the one before, with your changes.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('button', { name: button }).waitFor({ state: 'detached' });
      await settled(page);
      expect((await titles(page)).sort()).toEqual(shown);
      await stopWorker(page);
      await page.reload();
      await settled(page);
      expect([(await titles(page)).sort(), await page.getByRole('button', { name: 'Keep them' }).count()]).toEqual([shown, 0]);
    });
  });

  describe('of an app', () => {
    /** Starts the worker as the documentation says. */
    const [, recipe] = /^```js title="mock.js"\nexport (.*?)^```$/ms.exec(readFileSync('docs/static-site.md', 'utf8'))!;
    const script = `<script type="module">
      ${recipe}
      await startMock();
      const response = await fetch('/wp-json/calendar/events/v1/events?start_date=2000-01-01');
      document.querySelector('h1').textContent = (await response.json()).events.map(({ title }) => title).join();
    </script>`;

    it('answers its requests on the same origin, and leaves its pages and files to it', async () => {
      const root = await staticServer();
      try {
        mkdirSync(join(root.path, 'about'));
        writeFileSync(join(root.path, 'index.html'), `<!doctype html><title>App</title><h1></h1>${script}`);
        writeFileSync(join(root.path, 'about', 'index.html'), '<!doctype html><title>About</title><h1>About</h1>');
        mkdirSync(join(root.path, 'wp-content', 'uploads'), { recursive: true });
        const own = ['data.json', 'wp-content/uploads/data.json'];
        for (const path of own) writeFileSync(join(root.path, path), '{"own": true}');
        const fixture = join(root.path, 'ours.json');
        writeFileSync(fixture, JSON.stringify({ events: { a: { ...event, title: 'Of the site' } } }));
        await buildSite(root.path, '--seed', fixture, '--force');
        const page = await context.newPage();
        await page.goto(root.url);
        await page.getByText('Of the site').waitFor();
        await page.reload();
        await page.getByText('Of the site').waitFor();
        const session = await context.newCDPSession(page);
        await page.evaluate("document.querySelector('h1').replaceChildren()");
        await session.send('Page.reload', { ignoreCache: true });
        await page.getByText('Of the site').waitFor();
        for (const path of own) expect((await send(page, 'GET', `/${path}`)).value).toEqual({ own: true });
        await page.goto(`${root.url}about/`);
        expect(await page.locator('h1').textContent()).toBe('About');
        const { value } = await send(page, 'GET', `/${api}/events?start_date=2000-01-01`);
        const { pathname } = new URL(value.events[0]!.url);
        for (const path of ['_calendar/page/?day=2027-03-01', pathname.slice(1), `_calendar/page${pathname}`]) {
          await page.goto(root.url + path);
          await settled(page);
          expect(await page.title()).toMatch(/^(Of the site|March 2027) – Calendar$/);
        }
      } finally {
        await root.close();
      }
    });
  });

  it.each([
    ['is removed', undefined],
    ['gave way to an app with one page for all addresses', '<!doctype html><title>App</title>'],
  ])('ends its worker where the site %s, but not without a connection', async (_, instead) => {
    await buildSite(server.path, '--seed', 'minimal');
    const { page } = await open();
    const isControlled = () => page.evaluate('Boolean(navigator.serviceWorker.controller)');
    await context.route(
      () => true,
      (route) => route.abort(),
    );
    await page.reload();
    await page.waitForTimeout(200);
    await page.reload();
    expect(await isControlled()).toBe(true);
    await context.unrouteAll();
    await context.route(`${server.url}**`, (route) =>
      instead ? route.fulfill({ body: instead, contentType: 'text/html' }) : route.fulfill({ status: 404 }),
    );
    await page.reload();
    await expect
      .poll(async () => {
        await page.reload();
        return isControlled();
      })
      .toBe(false);
  });

  it.each([
    ['has no service workers', '', 'needs a service worker'],
    ['lacks a file', 'sqlite', 'could not be loaded'],
    ['lacks the worker', 'calendar-worker.js', 'calendar-worker.js is not on this server'],
  ])('says why it does not open where a browser or server %s', async (_, file, text) => {
    await buildSite(server.path, '--seed', 'minimal');
    if (file === '') await context.addInitScript("Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })");
    else await context.route(`**/*${file}*`, (route) => route.abort());
    if (file === 'sqlite') {
      const { readdirSync } = await import('node:fs');
      for (const name of readdirSync(join(server.path, 'calendar-files')))
        if (name.startsWith(file)) rmSync(join(server.path, 'calendar-files', name));
    }
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByText(text).waitFor();
  });
});
