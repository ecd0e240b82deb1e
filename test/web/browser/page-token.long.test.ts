import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { folder } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const tokens = ['AAAAAAAAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBBBBBBBB'] as const;

describe.skipIf(noBrowser)(`the address that serve prints${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let calendar: ServedPage;
  const serve = (pageToken: string, port = 0) => servedPage('minimal', { file: join(place.path, 'a.db'), open: false, pageToken, port });
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), serve(tokens[0])]);
    context = await browser.newContext({ locale: 'de-DE' });
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  it('lets the person who started the server do everything, in any number of tabs, until it is restarted', async () => {
    const sent: string[] = [];
    context.on('request', (request) => sent.push(`${request.url()} ${request.headers().referer ?? ''}`));
    const other = await watched(context, `${calendar.url}/_calendar/`);
    await other.page.getByText('The workbench is read-only here.').waitFor();
    await other.page.getByText(/Open the address that calendar serve printed/).waitFor();
    expect(await violations(other.page)).toEqual([]);
    const { page, lines } = await watched(context, `${calendar.url}/#token=${tokens[0]}`);
    expect(page.url()).toBe(`${calendar.url}/`);
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page
      .getByRole('button', { name: 'Freeze' })
      .or(page.getByRole('button', { name: 'Resume' }))
      .waitFor();
    // A tab that was open gets it, and so does a new one.
    await other.page.getByRole('button', { name: 'Delete all' }).waitFor();
    const third = await watched(context, `${calendar.url}/_calendar/data`);
    await expect.poll(() => third.page.getByRole('button', { name: 'Import', exact: true }).getAttribute('aria-disabled')).toBe(null);
    const stored = await page.evaluate(`JSON.stringify([document.cookie, { ...localStorage }, location.href, history.state])`);
    expect([...sent, String(stored)].filter((text) => text.includes(tokens[0]))).toEqual([]);
    expect(lines).toEqual([]);
    const { port } = new URL(calendar.url);
    await calendar.close();
    calendar = await serve(tokens[1], Number(port));
    await page.reload();
    await settled(page);
    await page.getByText('The server was restarted. Open the address that calendar serve printed').waitFor();
    await page.goto(`${calendar.url}/#token=${tokens[1]}`);
    await page.reload();
    await settled(page);
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.getByRole('button', { name: 'Delete all' }).waitFor();
  });

  it('others see what they may not do before they try', async () => {
    const { page } = await watched(browser, `${calendar.url}/_calendar/data`);
    const button = page.getByRole('button', { name: 'Import', exact: true });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    expect(await button.getAttribute('title')).toMatch(/^Only for the person who started the server\./);
    await button.dispatchEvent('click');
    await page
      .getByRole('status')
      .getByText(/^Only for the person who started the server\./)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  it('a page of another server on this machine never gets the token', async () => {
    const foreign = await servedPage();
    const opened = await context.newPage();
    await opened.goto(foreign.url);
    const seen = await opened.evaluate(`new Promise((resolve) => {
      const channel = new BroadcastChannel('calendar page token');
      channel.onmessage = ({ data }) => resolve(data);
      channel.postMessage({});
      setTimeout(() => resolve(JSON.stringify({ ...sessionStorage })), 300);
    })`);
    expect(seen).not.toContain(tokens[1]);
    await Promise.all([opened.close(), foreign.close()]);
  });
});
