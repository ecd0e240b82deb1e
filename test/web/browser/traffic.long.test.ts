import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`traffic${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  let lines: string[];
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    calendar = await servedPage('minimal');
    ({ page, lines } = await watched(browser, `${calendar.url}/_calendar/traffic`));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterEach(async () => {
    await page.close();
    await calendar.close();
  });
  afterAll(() => closeContexts(browser));

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const rows = () => page.locator('.request .request-target').allTextContents();
  const get = (path: string) => fetch(calendar.root + path);
  const create = (title: string) =>
    fetch(`${calendar.root}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret-token' },
      body: JSON.stringify({ title, start_date: '2026-12-05 10:00', end_date: '2026-12-05 11:00' }),
    });
  const open = (target: string) => page.locator('.request', { hasText: target }).first().click();

  it('lists requests as they arrive, without page loads, and filters them', async () => {
    await fetch(calendar.url, { headers: { Accept: 'text/html' } });
    await page.getByText('No matching requests.').waitFor();
    await get('/events?search=jazz');
    await get('/venues/999999');
    await create('Written elsewhere');
    await expect.poll(rows).toEqual(['/events', '/venues/999999', '/events?search=jazz']);
    await press('Errors');
    await expect.poll(rows).toEqual(['/venues/999999']);
    expect(new URL(page.url()).searchParams.get('filter')).toBe('failed:yes');
    const filter = page.getByLabel('Filter requests');
    await filter.fill('status<300 -method:POST path:/ev*');
    await expect.poll(rows).toEqual(['/events?search=jazz']);
    await filter.fill('color:red');
    await page.getByText('Unknown name “color”.').waitFor();
    await press('All');
    await page.getByLabel('Page loads').check();
    await expect.poll(rows).toEqual(['/events', '/venues/999999', '/events?search=jazz', '/']);
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    await press('Clear');
    await page.getByText('No requests yet.').waitFor();
  });

  it('a row has the reason, the client and the fault; the command line is marked, and can be hidden', async () => {
    await calendar.control.addFault({ match: { path: '/tags' }, then: { status: 503 }, times: 1 });
    await get('/tags');
    await fetch(`${calendar.root}/events?start_date=soon`, { headers: { 'User-Agent': 'local-calendar/1.0.0' } });
    await fetch(`${calendar.root}/venues`, { headers: { 'User-Agent': 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0' } });
    const cells = (name: string) => page.locator(`.request-list ${name}`).allTextContents();
    await expect.poll(() => cells('.request-client')).toEqual(['Firefox', 'calendar', 'node']);
    expect(await cells('.request-reason')).toEqual([
      '',
      expect.stringMatching(/^rest_invalid_param: .*start_date/),
      expect.stringMatching(/Injected by fault 1/),
    ]);
    await page.getByText(/^Times in /).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Command line').uncheck();
    await expect.poll(() => cells('.request-client')).toEqual(['Firefox', 'node']);
    await open('/tags');
    const pane = page.getByRole('region', { name: 'Request details' });
    await pane.locator('.form-error', { hasText: 'Injected by fault 1' }).waitFor();
  });

  it('shows query, headers, bodies as a tree, and links to the records, without credentials', async () => {
    await create('Written elsewhere');
    await open('/events');
    await page.getByRole('region', { name: 'Request body' }).getByText('"Written elsewhere"').waitFor();
    await page
      .getByRole('region', { name: 'Request', exact: true })
      .getByText(/headers$/)
      .click();
    expect(await page.locator('main').textContent()).not.toContain('secret-token');
    expect({ lines, violations: await violations(page) }).toEqual({ lines: [], violations: [] });
    await page.getByRole('region', { name: 'Records' }).getByRole('link', { name: 'Written elsewhere' }).click();
    await page.getByRole('heading', { name: 'Written elsewhere' }).waitFor();
    await page.getByText('Requests for this event').click();
    await page.locator('.request-list a').first().click();
    await page.getByRole('region', { name: 'Request details' }).waitFor();
  });

  it('pauses, and continues with what arrived meanwhile', async () => {
    await press('Pause');
    await get('/tags');
    await page.getByRole('button', { name: 'Resume (1)' }).click();
    await expect.poll(rows).toEqual(['/tags']);
  });

  it('keeps requests across a reset on request', async () => {
    await get('/tags');
    await expect.poll(rows).toEqual(['/tags']);
    await page.getByLabel('Preserve on reset').check();
    await calendar.control.reset({});
    await get('/venues');
    await expect.poll(rows).toEqual(['/venues', '/tags']);
    await open('/tags');
    await page.getByText('The server no longer has the headers and bodies of this request.').waitFor();
    await page.getByLabel('Preserve on reset').uncheck();
    await calendar.control.reset({});
    await expect.poll(rows).toEqual([]);
  });

  it('lists requests that arrive before the response to a list without them', async () => {
    const progress = new EventEmitter();
    const asked = once(progress, 'asked');
    const answered = once(progress, 'answered');
    await page.route('**/_calendar/requests?*', async (route) => {
      const response = await route.fetch();
      progress.emit('asked');
      await answered;
      await route.fulfill({ response });
    });
    await calendar.control.reset({});
    await asked;
    await get('/venues');
    await expect.poll(rows).toEqual(['/venues']);
    progress.emit('answered');
    await get('/tags');
    await expect.poll(rows).toEqual(['/tags', '/venues']);
  });

  it('follows the newest request', async () => {
    await page.getByLabel('Follow').check();
    await get('/tags');
    await page.getByRole('heading', { name: /tags$/ }).waitFor();
    await get('/venues');
    await page.getByRole('heading', { name: /venues$/ }).waitFor();
  });

  it.each([
    ['curl', "curl -X POST 'http://"],
    ['fetch', 'const response = await fetch("http://'],
    ['command', "calendar request POST '/events'"],
  ])('copies a request as %s', async (name, start) => {
    await create('Copied');
    await open('/events');
    await page.getByRole('region', { name: 'Request body' }).waitFor();
    await press(`Copy as ${name}`);
    await page.getByText('Copied.', { exact: true }).waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(text.slice(0, start.length)).toBe(start);
    expect(text).toContain('Copied');
    expect(text).not.toContain('secret-token');
  });

  it('replays a changed request and names its sender', async () => {
    await create('First');
    await open('/events');
    await page.getByRole('region', { name: 'Request body' }).waitFor();
    await press('Replay');
    await page.getByText('Sends without credentials.').waitFor();
    const body = page.getByLabel('Body (JSON)', { exact: true });
    await body.fill((await body.inputValue()).replace('First', 'Second'));
    expect(await violations(page)).toEqual([]);
    await press('Send');
    await page.getByRole('region', { name: 'Response', exact: true }).getByText('201 Created').waitFor();
    await expect.poll(async () => ((await (await get('/events?search=Second')).json()) as { total: number }).total).toBe(1);
  });

  it('makes a request fail, or return its response again', async () => {
    const status = async () => (await get('/tags')).status;
    await status();
    await open('/tags');
    await press('Fail this');
    const line = page.getByLabel('Fault', { exact: true });
    expect(await line.inputValue()).toBe('503 -X GET --path /tags --times 1');
    expect(await violations(page)).toEqual([]);
    await press('Add fault');
    await expect.poll(async () => (await calendar.control.faults({})).faults.length).toBe(1);
    expect([await status(), await status()]).toEqual([503, 200]);
    await press('Save as fault');
    expect(await line.inputValue()).toMatch(/^200 -X GET --path \/tags --body /);
    await press('Add fault');
    await expect.poll(async () => (await calendar.control.faults({})).faults.length).toBe(2);
    await calendar.control.reset({ keep: ['faults'], to: 'empty' });
    expect(((await (await get('/tags')).json()) as { tags: unknown[] }).tags.length).toBeGreaterThan(0);
  });

  it('holds the next request and releases it with its response or another one', async () => {
    await get('/tags');
    await open('/tags');
    const hold = async () => {
      await press('Hold next');
      expect(await page.getByLabel('Fault', { exact: true }).inputValue()).toBe('hold -X GET --path /tags --times 1');
      const before = (await calendar.control.faults({})).faults.length;
      await press('Add fault');
      await expect.poll(async () => (await calendar.control.faults({})).faults.length).toBe(before + 1);
    };
    await hold();
    const first = get('/tags');
    await page.getByText('1 request is held: GET /tags').waitFor();
    const outcomes = () => page.locator('.request .request-code').allTextContents();
    expect(await outcomes()).toEqual(['pending', '200']);
    expect(await violations(page)).toEqual([]);
    await press('Release');
    expect((await first).status).toBe(200);
    await expect.poll(outcomes).toEqual(['200', '200']);
    await hold();
    const second = get('/tags');
    await page.getByText('1 request is held: GET /tags').waitFor();
    await press('Fail with 503');
    expect((await second).status).toBe(503);
    await page.getByText('1 request is held: GET /tags').waitFor({ state: 'detached' });
    expect((await calendar.control.faults({})).faults).toEqual([]);
    await hold();
    const client = new AbortController();
    const third = fetch(`${calendar.root}/tags`, { signal: client.signal });
    await page.getByText('1 request is held: GET /tags').waitFor();
    client.abort();
    await expect(third).rejects.toThrow();
    await page.getByText('1 request is held: GET /tags').waitFor({ state: 'detached' });
    expect(await outcomes()).toEqual(['aborted', '503', '200', '200']);
  });

  it('patches responses of requests like one', async () => {
    await get('/tags');
    await open('/tags');
    await press('Patch response');
    const line = page.getByLabel('Fault', { exact: true });
    await line.fill((await line.inputValue()).replace('{}', '{"total": 77}'));
    await press('Add fault');
    await expect.poll(async () => ((await (await get('/tags')).json()) as { total: number }).total).toBe(77);
  });

  it('exports the requests as an HTTP Archive', async () => {
    await get('/tags');
    await expect.poll(rows).toEqual(['/tags']);
    const [file] = await Promise.all([page.waitForEvent('download'), press('Export HAR')]);
    expect(file.suggestedFilename()).toBe('requests.har');
    const { log } = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(log.entries.map(({ request }: { request: { url: string } }) => new URL(request.url).pathname)).toEqual([
      expect.stringMatching(/\/tags$/),
    ]);
  });

  it('shows the requests of the server and its worlds, narrows to one, and acts on it', async () => {
    const { id, url } = await calendar.control.createWorld({ name: 'checkout' });
    await get('/tags');
    await fetch(`${url}/venues`);
    await page.reload();
    await expect.poll(rows).toEqual(['/venues', '/tags']);
    expect(await page.locator('.request-world').allTextContents()).toEqual(['checkout']);
    await fetch(`${url}/organizers`);
    await expect.poll(rows).toEqual(['/organizers', '/venues', '/tags']);
    expect(await page.getByRole('button', { name: 'Export HAR' }).isDisabled()).toBe(true);
    await page.getByLabel('World').selectOption({ label: 'Server' });
    await expect.poll(rows).toEqual(['/tags']);
    expect(await page.getByLabel('Filter requests').inputValue()).toBe('world=server');
    await page.getByLabel('World').selectOption({ label: 'checkout' });
    await expect.poll(rows).toEqual(['/organizers', '/venues']);
    expect(await violations(page)).toEqual([]);
    await open('/venues');
    await page.locator('.pane-facts dd', { hasText: 'checkout' }).waitFor();
    await press('Copy as curl');
    await press('Replay');
    await press('Send');
    await expect.poll(rows).toEqual(['/venues', '/organizers', '/venues']);
    await open('/venues');
    await press('Fail this');
    await press('Add fault');
    await expect.poll(async () => (await fetch(`${url}/venues`)).status).toBe(503);
    expect((await get('/venues')).status).toBe(200);
    const [file] = await Promise.all([page.waitForEvent('download'), press('Export HAR')]);
    const { log } = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(log.entries.at(-1).response.status).toBe(503);
    await press('Clear');
    await expect.poll(rows).toEqual([]);
    await page.getByLabel('World').selectOption({ label: 'All worlds' });
    await expect.poll(rows).toEqual(['/venues', '/tags']);
    await page.goto(`${calendar.url}/_worlds/${id}/_calendar/traffic`);
    await page.getByText('No requests yet.').waitFor();
    await page.getByLabel('World').selectOption({ label: 'Server' });
    await page.waitForURL(`${calendar.url}/_calendar/traffic?filter=world%3Dserver`);
    await expect.poll(rows).toEqual(['/venues', '/tags']);
  });

  it('compares two requests', async () => {
    await get('/events?search=one');
    await get('/events?search=two');
    await open('search=one');
    await press('Compare');
    await open('search=two');
    const diff = page.getByRole('region', { name: 'Comparison' });
    await diff.getByText('−   search = one').waitFor();
    await diff.getByText('+   search = two').waitFor();
    expect(await violations(page)).toEqual([]);
    await settled(page);
  });
});
