import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo } from '../../../src/client/remote.ts';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';

describe.skipIf(noBrowser)(`conflicts${noBrowser ? ` (${noBrowser})` : ''}`, () => {
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
    const signal = new AbortController().signal;
    const options = { timeout: 10_000, userAgent: 'test', env: {}, signal, now: Date.now, random: Math.random };
    calendar = await servedPage(undefined, { connectTo: async (root) => connectTo(root, undefined, options, namespace) });
    await pull();
    ({ page, lines } = await watched(browser, `${calendar.url}/_calendar/`));
  });
  afterEach(async () => {
    await page.close();
    await Promise.all([calendar.close(), site.close()]);
  });
  afterAll(() => closeContexts(browser));

  const pull = () => calendar.control.pull({ root: `${site.url}/${namespace}` });
  const event = { slug: 'summer-concert' };
  const events = ({ store }: Pick<ServedPage, 'store'>) => store.calendarFor(owner, { home: calendar.url, root: calendar.url }).events;
  const title = async () => (await events(calendar).get(event)).title;
  const card = () => page.getByRole('region', { name: 'Conflicts', exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Changes the title and the website on both sides, and reloads the page. */
  const makeConflict = async () => {
    await events(calendar).update(event, { title: 'Here', website: 'https://here.test/' });
    await events(site.origin).update(event, { title: 'There & now', website: 'https://there.test/' });
    expect((await pull()).conflicts).toHaveLength(1);
    await page.reload();
    await settled(page);
  };

  it('are not mentioned where there are none', async () => {
    await button('Reset records').waitFor();
    expect(await card().count()).toBe(0);
  });

  it('show field, base, local and remote value', async () => {
    await makeConflict();
    await card().waitFor();
    expect(await card().locator('tr').allInnerTexts()).toEqual([
      'Field\tBase\tLocal\tRemote',
      'title\tSummer Concert\tHere\tThere &#038; now',
      'website\t\thttps://here.test/\thttps://there.test/',
    ]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it.each([
    ['Keep local', 'Here', 'Kept Here. The next push sends it.'],
    ['Take remote', 'There &#038; now', 'Took Here from the site.'],
  ])('%s resolves one, and Undo restores it', async (name, result, message) => {
    await makeConflict();
    await button(`${name} Here`).click();
    await page.getByText(message).waitFor();
    await card().waitFor({ state: 'detached' });
    expect(await title()).toBe(result);
    expect(await calendar.control.conflicts({})).toEqual({ conflicts: [] });
    await button('Undo').click();
    await card().waitFor();
    expect(await title()).toBe('Here');
  });
});
