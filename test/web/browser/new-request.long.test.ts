import { exec } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { run } from '../../support/transcript.ts';

describe.skipIf(noBrowser)(`a new request${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal', { strict: false })]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  const root = '/calendar/events/v1';
  const open = (request: string, on = calendar) => watched(browser, `${on.url}/_calendar/traffic?${new URLSearchParams({ new: request })}`);
  const sendAndWait = async (page: Page, status: string) => {
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForSelector(`.new-request-status:text-is("${status}")`);
  };
  const sample = async (page: Page, name: string) => {
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name, exact: true }).click();
    return page.getByRole('region', { name: `${name} sample`, exact: true }).textContent();
  };
  /** Fills in the parameter of a row, from 1. */
  const fill = async (page: Page, row: number, name: string, value: string) => {
    await page.getByLabel(`Name of parameter ${row}`).fill(name);
    await page.getByLabel(name, { exact: true }).fill(value);
  };
  /** The body of the response as text. */
  const body = async (page: Page) => {
    const response = page.getByRole('region', { name: 'Response', exact: true });
    const raw = response.getByRole('button', { name: 'Raw' });
    if ((await raw.count()) && (await raw.getAttribute('aria-pressed')) !== 'true') await raw.click();
    return response.getByRole('region', { name: 'Response body' }).textContent();
  };

  it('suggests paths, parameters and a body from the API description', async () => {
    const { page } = await open(`GET ${root}/events`);
    await page.getByText('List events.').waitFor();
    const options = (name: string) =>
      page.locator(`datalist[id$="${name}"] option`).evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value));
    expect(await options('paths')).toEqual(expect.arrayContaining([`${root}/events`, `${root}/venues/{id}`, '/_calendar/health']));
    expect(await options('names')).toEqual(expect.arrayContaining(['search', 'starts_after', 'status']));
    await page.getByLabel('Name of parameter 1').fill('featured');
    expect(await options('choices0')).toEqual(['true', 'false']);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Method').selectOption('PATCH');
    await page.getByLabel('Path').fill(`${root}/venues/{id}`);
    await page.getByText('Replace {id} in the path.').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path').fill(`${root}/venues`);
    await expect.poll(() => page.getByLabel('Body (JSON)').inputValue()).toContain('"venue":');
    await page.getByText('Members').click();
    await page.getByText('zip', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  it('sends the request, shows the response with headers and duration, and updates the code samples', async () => {
    const { page, lines } = await open(`GET ${root}/events?per_page=1&page=99`);
    await sendAndWait(page, '404 Not Found');
    await page.getByRole('button', { name: 'Remove page', exact: true }).click();
    await fill(page, 2, 'categories', '1,2');
    const path = '/events?per_page=1&categories=1,2';
    const url = `${calendar.url}${root}${path}`;
    expect([await sample(page, 'curl'), await sample(page, 'calendar')]).toEqual([
      `curl '${url}'`,
      `calendar request GET '${path}' \\\n  --url '${calendar.url}${root}'`,
    ]);
    await page.getByLabel('categories', { exact: true }).fill('');
    await sendAndWait(page, '200 OK');
    expect(await page.locator('.new-request [aria-label="Response"] h2').textContent()).toMatch(/200 OK[\d.]+ ms, [\d,]+ bytes/);
    expect(JSON.parse((await body(page))!).events).toHaveLength(1);
    await page.getByText(/^\d+ headers$/).click();
    expect(await page.locator('.new-request .code-headers').textContent()).toContain('x-calendar-total');
    expect(await violations(page)).toEqual([]);
    // The browser logs the 404.
    expect(lines).toHaveLength(1);
    await page.close();
  });

  it.each([root, '/', '/calendar.ics', '/_calendar/clock', `${root}/venues`])(
    'GET %s returns the same response here, with curl, with the command and in JavaScript',
    async (path) => {
      const { page } = await open(`GET ${path}`);
      await sendAndWait(page, '200 OK');
      const shown = await body(page);
      const read = (text: string | null) => (path.endsWith('.ics') ? text!.replace(/\r/g, '') : JSON.parse(text!));
      const words = (await sample(page, 'calendar'))!.match(/'[^']*'|[^\s\\]+/g)!.map((word) => word.replaceAll("'", ''));
      const { exit, stdout } = await run(words.slice(1));
      expect([exit, read(stdout)]).toEqual([0, read(shown)]);
      const runSample = new Function(`return (async () => { ${await sample(page, 'JavaScript')}; return response.text(); })()`);
      expect(read(await runSample())).toEqual(read(shown));
      if (existsSync('/usr/bin/curl')) {
        const curl = (await sample(page, 'curl'))!.replace(/^curl/, 'curl --silent');
        expect(read((await promisify(exec)(curl)).stdout)).toEqual(read(shown));
      }
      await page.close();
    },
  );

  it('creates a record with the keyboard; the JavaScript sample creates another', async () => {
    const { page } = await open(`POST ${root}/venues`);
    await page.getByLabel('Body (JSON)').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{"venue": "O\'Hara’s"}');
    const text = await sample(page, 'JavaScript');
    expect(await sample(page, 'curl')).toContain(`-d '{"venue": "O'\\''Hara’s"}'`);
    await page.getByLabel('Path').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.new-request-status');
    expect(await page.locator('.new-request-status').textContent()).toBe('201 Created');
    const run = new Function(`return (async () => { ${text}; return response.json(); })()`);
    expect(await run()).toMatchObject({ slug: 'oharas' });
    await page.close();
  });

  it('keeps Send and the response visible, and shows the body as a tree with links', async () => {
    const parameters = Array.from({ length: 30 }, (_, index) => `parameter_${index}=${index}`).join('&');
    const { page } = await open(`GET ${root}/events?${parameters}`);
    await sendAndWait(page, '200 OK');
    const visible = await page.evaluate<
      boolean[]
    >(`['.new-request [type=submit]', '.new-request [aria-label="Response"] h2'].map((selector) => {
      const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })`);
    expect(visible).toEqual([true, true]);
    const tree = page.getByRole('region', { name: 'Response body' });
    await tree.getByText('events:').click();
    await tree.getByText('0:').first().click();
    expect(await tree.getByRole('link').count()).toBeGreaterThan(0);
    await tree
      .getByRole('link', { name: new RegExp(`${root}/events/\\d+$`) })
      .first()
      .click();
    await expect.poll(() => page.getByLabel('Path').inputValue()).toMatch(/\/events\/\d+$/);
    await page.close();
  });

  it.each([
    ['TypeScript client', 'await calendar.venues.list({"per_page":"1"})'],
    ['Python', 'requests.request("GET", "http://'],
    ['PHP', "stream_context_create(['http' => ["],
  ])('has code in %s', async (language, text) => {
    const { page } = await open(`GET ${root}/venues?per_page=1`);
    await page.getByText('List venues.').waitFor();
    expect(await sample(page, language)).toContain(text);
    await page.close();
  });

  it.each([
    ['/_calendar/api', 'GET', `${root}/events`],
    ['/_calendar/api?operation=createVenue', 'GET', `${root}/events`],
    [`/_calendar/api?${new URLSearchParams({ request: `DELETE ${root}/venues/1` })}`, 'DELETE', `${root}/venues/1`],
  ])('%s leads to it', async (address, method, path) => {
    const { page } = await watched(browser, calendar.url + address);
    await page.getByRole('region', { name: 'New request' }).waitFor();
    expect([await page.getByLabel('Method').inputValue(), await page.getByLabel('Path').inputValue()]).toEqual([method, path]);
    expect(new URL(page.url()).pathname).toBe('/_calendar/traffic');
    await page.close();
  });

  it('is sent as the signed-in person, without any right on the log', async () => {
    const shared = await servedPage('minimal', { host: '0.0.0.0' });
    await shared.store.change(() => shared.store.users.add({ name: 'ada', password: 'secret pass', role: 'editor' }));
    const { page } = await watched(browser, `${shared.url}/_calendar/traffic`);
    await page.getByText('The control API isn’t available').waitFor();
    await page.getByRole('link', { name: 'New request' }).click();
    await page.getByText('Sends as a visitor.').waitFor();
    await page.getByLabel('Path').fill(`${root}/events?status=draft`);
    await sendAndWait(page, '400 Bad Request');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password').fill('secret pass');
    await page.locator('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Sends as ada.').waitFor();
    await page.getByLabel('Path').fill(`${root}/tags?hide_empty=false`);
    await sendAndWait(page, '200 OK');
    expect(await violations(page)).toEqual([]);
    await settled(page);
    await Promise.all([page.close(), shared.close()]);
  });
});
