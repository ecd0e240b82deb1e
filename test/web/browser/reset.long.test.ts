import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, watched } from '../../support/browser.ts';

/** Returns a script that sends a POST request and returns its status and error code. */
const postScript = (path: string) =>
  `fetch('${path}', { method: 'POST', body: new URLSearchParams({ name: 'Late' }) }).then(
    async (response) => response.status + ' ' + (await response.json()).code,
    (error) => 'failed: ' + error.message,
  )`;

describe.skipIf(noBrowser)(`a reset, for a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage()]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  it('and a change or a fault are seen at the same address at once', async () => {
    const { page } = await watched(browser, calendar.url);
    const read = () =>
      page.evaluate(
        async (address) => {
          const response = await fetch(address);
          const { total } = (await response.json()) as { total?: number };
          return [response.status, total];
        },
        `${new URL(calendar.root).pathname}/tags?hide_empty=false`,
      );
    expect(await read()).toEqual([200, 0]);
    await fetch(`${calendar.root}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'New' }) });
    expect(await read()).toEqual([200, 1]);
    await calendar.control.reset({});
    expect(await read()).toEqual([200, 0]);
    const { id } = await calendar.control.addFault({ match: { path: '/tags' }, then: { status: 503, body: {} } });
    expect(await read()).toEqual([503, undefined]);
    await calendar.control.removeFault({ id });
    expect(await read()).toEqual([200, 0]);
    await page.close();
  });

  // A browser sends a request again when its reused connection closes without a response.
  it('cancels a POST on a reused connection for good', async () => {
    const { page } = await watched(browser, calendar.url);
    const tags = `${new URL(calendar.root).pathname}/tags`;
    await page.evaluate(`fetch('${tags}').then((response) => response.text())`);
    const { id } = await calendar.control.addFault({ match: { method: 'POST' }, delay: 60_000 });
    const response = page.evaluate(postScript(tags));
    await expect.poll(async () => (await calendar.control.fault({ id })).hits).toBe(1);
    await calendar.control.reset({});
    expect(await response).toBe('503 world-reset');
    await page.waitForTimeout(500);
    expect((await calendar.control.health({})).records.tags).toBe(0);
    expect(await calendar.control.countRequests({ match: { method: 'POST' } })).toEqual({ count: 0 });
    // The next request uses a new connection.
    expect(await page.evaluate(postScript(tags))).toBe('201 undefined');
    expect((await calendar.control.health({})).records.tags).toBe(1);
    await page.close();
  });
});
