import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage } from '../../support/browser.ts';

/** Returns a script that signs in with a password, and returns the status and the code of the response. */
const loginScript = (url: string, password: string, options: object) =>
  `fetch(${JSON.stringify(url)}, { ...${JSON.stringify(options)}, headers: { Authorization: 'Basic ' + btoa('ada:${password}') } }).then(
    async (response) => response.status + ' ' + (await response.json()).code,
    (error) => 'failed: ' + error.message,
  )`;

// With WWW-Authenticate, the request waits for the dialog of the browser.
describe.skipIf(noBrowser)(`a login, in a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let app: Server;
  let world: string;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage()]);
    app = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'));
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    const users = [{ name: 'ada', role: 'editor', password: 'right' } as const];
    await calendar.control.addUser(users[0]!);
    world = (await calendar.control.createWorld({ users })).url;
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close(), app?.close()]));

  const appUrl = () => `http://127.0.0.1:${(app.address() as AddressInfo).port}/`;

  it.each([
    ['the same origin', () => calendar.url, () => calendar.root, {}],
    ['the same origin, in a world', () => calendar.url, () => world, {}],
    ['another origin', appUrl, () => calendar.root, {}],
    ['another origin, with cookies', appUrl, () => calendar.root, { credentials: 'include' }],
    ['another origin, with cookies, in a world', appUrl, () => world, { credentials: 'include' }],
  ])('of a page of %s ends', async (_name, from, root, options) => {
    const page = await browser.newPage();
    await page.goto(from());
    const login = (password: string) => page.evaluate(loginScript(`${root()}/events`, password, options));
    expect(await login('wrong')).toBe('401 incorrect_password');
    expect(await login('right')).toBe('200 undefined');
    await page.close();
  });
});
