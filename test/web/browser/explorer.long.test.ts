import { exec } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { run } from '../../support/transcript.ts';

describe.skipIf(noBrowser)(`API explorer${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal')]);
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  const open = (operation: string) => watched(browser, `${calendar.url}/_calendar/api?operation=${operation}`);
  const sendAndWait = async (page: Page, status: string) => {
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForSelector(`.response .status:text-is("${status}")`);
  };
  const sample = async (page: Page, name: string) => {
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name, exact: true }).click();
    return page.getByRole('region', { name: `${name} sample`, exact: true }).textContent();
  };
  /** The body of the response as text. */
  const body = async (page: Page) => {
    const response = page.getByRole('region', { name: 'Response', exact: true });
    const raw = response.getByRole('button', { name: 'Raw' });
    if ((await raw.count()) && (await raw.getAttribute('aria-pressed')) !== 'true') await raw.click();
    return response.getByRole('region', { name: 'Response body' }).textContent();
  };

  it('lists each operation once, with its parameters, and links to its variants', async () => {
    const document = (await (await fetch(`${calendar.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId?: string; summary?: string; parameters: { name?: string; $ref?: string }[] }>>;
    };
    const { page } = await open('listEvents');
    const listed: string[] = [];
    for (const link of await page.getByRole('navigation', { name: 'Operations' }).getByRole('listitem').getByRole('link').all())
      listed.push((await link.getAttribute('href'))!.split('=')[1]!);
    const documented = Object.values(document.paths).flatMap((path) => Object.values(path).filter(({ operationId }) => operationId));
    const isMain = ({ summary = '' }) => !/ by slug| \((POST|PUT)\)/.test(summary);
    expect(listed.sort()).toEqual(
      documented
        .filter(isMain)
        .map(({ operationId }) => operationId)
        .sort(),
    );
    await page.goto(`${calendar.url}/_calendar/api?operation=updateEvent`);
    await settled(page);
    const variants = await page.getByRole('navigation', { name: 'Variants' }).getByRole('link').allTextContents();
    expect(variants).toHaveLength(6);
    expect(variants).toContain('PUT /events/by-slug/{slug}');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${calendar.url}/_calendar/api?operation=listEvents`);
    await settled(page);
    const names = document.paths['/events']!.get!.parameters.map(({ name, $ref }) => name ?? $ref!.split('/').at(-1));
    expect(await page.locator('.operation .field label code').allTextContents()).toEqual(names);
    expect(await page.locator('.operation').textContent()).toContain('(list of publish, future, draft,');
    await page.close();
  });

  it('sends the request, shows the response with headers and duration, and updates the code samples', async () => {
    const { page, lines } = await open('listEvents');
    await page.getByLabel('per_page').fill('1');
    await page.getByLabel('page', { exact: true }).fill('99');
    await sendAndWait(page, '404 Not Found');
    await page.getByLabel('page', { exact: true }).fill('');
    await page.getByLabel('categories').fill('1,2');
    const path = '/events?per_page=1&categories=1,2';
    const url = `${calendar.url}/calendar/events/v1${path}`;
    expect([await sample(page, 'curl'), await sample(page, 'calendar')]).toEqual([
      `curl '${url}'`,
      `calendar request GET '${path}' \\\n  --url '${calendar.url}/calendar/events/v1'`,
    ]);
    await page.getByLabel('categories').fill('');
    await sendAndWait(page, '200 OK');
    expect(await page.locator('.response h2').textContent()).toMatch(/200 OK[\d.]+ ms, [\d,]+ bytes/);
    expect(JSON.parse((await body(page))!).events).toHaveLength(1);
    await page.getByText(/^\d+ headers$/).click();
    expect(await page.locator('.response .headers').textContent()).toContain('x-calendar-total');
    expect(await violations(page)).toEqual([]);
    // The browser logs the 404.
    expect(lines).toHaveLength(1);
    await page.close();
  });

  it.each(['getIndex', 'getDiscovery', 'getFeed', 'controlClock', 'listVenues'])(
    '%s returns the same response here, with curl, with the command and in JavaScript',
    async (operation) => {
      const { page } = await open(operation);
      await sendAndWait(page, '200 OK');
      const shown = await body(page);
      const read = (text: string | null) => (operation === 'getFeed' ? text!.replace(/\r/g, '') : JSON.parse(text!));
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
    const { page } = await open('createVenue');
    await page.getByLabel('Body (JSON)').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{"venue": "O\'Hara’s"}');
    const text = await sample(page, 'JavaScript');
    expect(await sample(page, 'curl')).toContain(`-d '{"venue": "O'\\''Hara’s"}'`);
    await page.getByLabel('Body (JSON)').focus();
    for (let tabs = 0; tabs < 4 && (await page.evaluate('document.activeElement.textContent')) !== 'Send'; tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.response');
    expect(await page.locator('.response .status').textContent()).toBe('201 Created');
    const run = new Function(`return (async () => { ${text}; return response.json(); })()`);
    expect(await run()).toMatchObject({ slug: 'oharas' });
    await page.close();
  });

  it('searches operations by name and path', async () => {
    const { page } = await open('listEvents');
    await page.getByLabel('Search operations').fill('get venues');
    const names = await page.getByRole('navigation', { name: 'Operations' }).getByRole('listitem').allTextContents();
    expect(names).toEqual(['GETList venues/venues', 'GETGet a venue/venues/{id}']);
    await page.getByLabel('Search operations').fill('nothing like this');
    await page.getByText('No matching operations.').waitFor();
    await page.close();
  });

  it('shows schema and example of each response, a tree with links, and the history', async () => {
    const { page } = await open('listVenues');
    const responses = page.getByRole('region', { name: 'Responses' });
    await responses.getByText(/^200/).click();
    await responses.getByRole('region', { name: 'Example of 200' }).waitFor();
    await responses.getByText(/^4XX/).click();
    await responses.locator('details', { hasText: /^4XX/ }).getByText('message', { exact: true }).first().waitFor();
    const example = responses.getByRole('region', { name: 'Example of 4XX' });
    await example.getByText('"rest_invalid_param"').waitFor();
    const bodies = await responses.locator('> details').filter({ hasNotText: /^304/ }).count();
    expect(await responses.locator('[aria-label^="Example of"]').count()).toBe(bodies);
    await sendAndWait(page, '200 OK');
    const tree = page.getByRole('region', { name: 'Response body' });
    await tree.getByText('venues:').click();
    await tree.getByText('0:').first().click();
    expect(await tree.getByRole('link').count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await settled(page);
    await page.getByText('History (1)').click();
    await page
      .locator('.history')
      .getByRole('link', { name: /venues$/ })
      .waitFor();
    await page.close();
  });

  it.each([
    ['TypeScript client', 'await calendar.venues.list({"per_page":"1"})'],
    ['Python', 'requests.request("GET", "http://'],
    ['PHP', "stream_context_create(['http' => ["],
  ])('has code in %s', async (language, text) => {
    const { page } = await open('listVenues');
    await page.getByLabel('per_page').fill('1');
    expect(await sample(page, language)).toContain(text);
    await page.close();
  });

  it('has the form and the code side by side on a laptop', async () => {
    const { page } = await open('listVenues');
    const [form, code] = await page.locator('.side-by-side > *').all();
    const [left, right] = [(await form!.boundingBox())!, (await code!.boundingBox())!];
    expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
    expect(right.y).toBeLessThan(left.y + left.height);
    const languages = page.getByRole('group', { name: 'Language' }).getByRole('button');
    const heights = await Promise.all((await languages.all()).map(async (button) => (await button.boundingBox())!.height));
    expect(new Set(heights).size).toBe(1);
    await page.close();
  });

  it('switches between operations, also with the Back button', async () => {
    const { page } = await open('listEvents');
    await page.locator('.operations').getByRole('link', { name: 'List venues' }).click();
    expect([await page.locator('h1').textContent(), new URL(page.url()).search]).toEqual(['List venues', '?operation=listVenues']);
    await page.goBack();
    await settled(page);
    expect(await page.locator('h1').textContent()).toBe('List events');
    await page.close();
  });
});
