import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { closeContexts, launched, noBrowser, settled, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`the page of a world${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let server: Calendar;
  let world: Calendar;
  beforeAll(async () => {
    [browser, server] = await Promise.all([
      launched(),
      createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', settings: { title: 'Server' } }),
    ]);
    world = await server.worlds.create({ settings: { title: 'World' } });
    await world.events.create({ title: 'Only in the world', start_date: '2027-03-01 20:00', end_date: '2027-03-01 22:00' });
  });
  afterAll(() => Promise.all([closeContexts(browser), server?.close()]));

  it.each(['path', 'cookie'])('selected by %s stays in it', async (way) => {
    const before = await server.requests.count();
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const prefix = way === 'path' ? world.root : server.root;
    if (way === 'cookie')
      await context.addCookies([{ name: 'calendar_world', value: new URL(world.root).pathname.split('/').at(-1)!, url: server.root }]);
    const { page, lines } = await watched(context, `${prefix}/?view=list&day=2027-03-01`);
    await page.getByText('Only in the world').first().click();
    await page.getByRole('heading', { name: 'Only in the world' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`^${prefix}/`));
    for (const link of await page.locator('a[href]').all()) {
      const href = await link.evaluate((each) => (each as unknown as { href: string }).href);
      if (href.startsWith(server.root)) expect(href).toMatch(new RegExp(`^${prefix}/`));
    }
    await page.goBack();
    // As the forms of the page send it.
    const post = `fetch('/calendar/events/v1/tags', { method: 'POST', credentials: 'omit', body: new URLSearchParams({ name: 'by ${way}' }) })`;
    expect(await page.evaluate(`${post}.then(({ status }) => status)`)).toBe(201);
    expect((await world.tags.get(`by-${way}`)).name).toBe(`by ${way}`);
    await expect(server.tags.get(`by-${way}`)).rejects.toMatchObject({ code: 'not-found' });
    await page.getByRole('link', { name: 'Traffic' }).click();
    await settled(page);
    expect(page.url()).toBe(`${prefix}/_calendar/traffic`);
    await page.getByText('POST').first().waitFor();
    expect(await server.requests.count()).toBe(before);
    expect(lines).toEqual([]);
    await context.close();
  });

  it('of a site in a folder stays there, and turns addresses of lists into views', async () => {
    const site = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/blog/wp-json' });
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const { page, lines } = await watched(context, `${site.root}/events/category/music/`);
    await page.waitForURL(`${site.root}/blog/?view=list&categories=music`);
    await settled(page);
    await page.getByText('Jazz Thursday').first().click();
    await page
      .getByRole('heading', { name: /Jazz Thursday/ })
      .first()
      .waitFor();
    await page.goto(`${site.root}/blog/event/jazz-thursday-3/`);
    await page
      .getByRole('heading', { name: /Jazz Thursday/ })
      .first()
      .waitFor();
    const hrefs = await page
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((link) => String((link as unknown as { pathname: string }).pathname)));
    expect(hrefs.filter((href) => !/^\/(blog\/|_calendar(\/|$))/.test(href))).toEqual([]);
    await page.getByRole('link', { name: 'Traffic' }).click();
    await settled(page);
    expect(page.url()).toBe(`${site.root}/_calendar/traffic`);
    await page.reload();
    await settled(page);
    expect(lines).toEqual([]);
    await context.close();
    await site.close();
  });
});
