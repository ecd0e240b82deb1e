import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { basic, connectTo } from '../../../src/client/remote.ts';
import type { UpstreamWrites } from '../../../src/data/upstream/modes.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';

describe.skipIf(noBrowser)(`the copy of a live site${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let site: LiveSite;
  let calendar: ServedPage;
  let page: Page;
  let lines: string[];
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    site = await liveSite('minimal');
    await site.origin.control.addUser({ name: 'ada', role: 'administrator', password: 'x' });
  });
  afterEach(async () => {
    await page.close();
    await Promise.all([calendar.close(), site.close()]);
  });
  afterAll(() => closeContexts(browser));

  const open = async (upstreamWrites: UpstreamWrites, controlToken?: string) => {
    const signal = new AbortController().signal;
    const options = { timeout: 10_000, userAgent: 'test', env: {}, signal, now: Date.now, random: Math.random };
    const root = `${site.url}/${namespace}`;
    const connect = (authorization?: string) => async () => connectTo(root, authorization, options);
    const credentials = basic({ name: 'ada', password: 'x' });
    const upstream = {
      root,
      mode: 'live',
      maxAgeMs: 300_000,
      pulls: true,
      connect: connect(),
      connectAsUser: connect(credentials),
    } as const;
    calendar = await servedPage(undefined, { now: undefined, open: false, namespace, upstream, upstreamWrites, controlToken });
    await calendar.background!.running;
    ({ page, lines } = await watched(browser, `${calendar.url}/event/summer-concert/`));
  };
  const edit = () => page.getByRole('link', { name: 'Edit', exact: true });

  it('is changed on the site once the control token was entered', async () => {
    await open('through', 'let-me');
    await page.getByText(`Read-only: changes to ${new URL(site.url).host} need the control token`).waitFor();
    expect(await edit().count()).toBe(0);
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('link', { name: 'the control token' }).click();
    await page.getByLabel('Control token').fill('let-me');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText(`Changes go to ${new URL(site.url).host}`).waitFor();
    await page.goto(`${calendar.url}/event/summer-concert/`);
    await settled(page);
    await edit().click();
    await page.getByLabel('Title').fill('Changed on the page');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changed on the page' }).waitFor();
    const answer = await fetch(`${site.origin.root}/events/by-slug/summer-concert`);
    expect(await answer.json()).toMatchObject({ title: 'Changed on the page' });
  });

  it.each<[UpstreamWrites, string]>([
    ['through', 'Read-only: changes to HOST need serve --control-token TOKEN'],
    ['refuse', 'Read-only copy of HOST'],
  ])('without a way to write (%s), it says why', async (writes, text) => {
    await open(writes);
    await page.getByText(text.replace('HOST', new URL(site.url).host)).waitFor();
    expect(await edit().count()).toBe(0);
  });
});
