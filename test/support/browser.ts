import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import type { ServingOptions } from '../../src/data/serving/options.ts';
import { webPage } from '../../src/web/page.ts';
import { skipReason } from './other-programs.ts';
import { type ServedWhole, servedWhole } from './served.ts';
import { withSharedTemp } from './temp.ts';
import { limit } from './timeouts.ts';

/** Where a browser may be. */
const places = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** The path of a browser; undefined where there is none. */
export const chromiumPath = places.find((place) => place && existsSync(place));

/** Why tests in a browser cannot run here; undefined where they can. */
export const noBrowser = chromiumPath ? undefined : skipReason('needs Chromium: apt-get install chromium, or name one in CHROMIUM');

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No request leaves this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

let browser: Promise<Browser> | undefined;
/** Returns the browser of this process, which the test files that run in it share. */
export function launched(): Promise<Browser> {
  browser ??= withSharedTemp(() => chromium.launch({ executablePath: chromiumPath, args }));
  return browser;
}

/** Closes everything that a test file has opened in the browser. */
export const closeContexts = async (browser: Browser | undefined): Promise<unknown> =>
  Promise.all(browser?.contexts().map((context) => context.close()) ?? []);

/** A page, with what should not be there: lines on its console, and addresses on other hosts that it asked for. */
export interface Watched {
  page: Page;
  lines: string[];
  foreign: string[];
}

/** Opens a page that is watched. */
export async function watched(
  context: BrowserContext | Browser,
  address: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Watched> {
  const page =
    'newContext' in context
      ? await context.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 860 }, ...options })
      : await context.newPage();
  page.setDefaultTimeout(limit(10_000));
  const lines: string[] = [];
  const foreign: string[] = [];
  const { origin } = new URL(address);
  page.on('console', (message) => lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(error.message));
  page.on('request', (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin) && foreign.push(request.url()));
  const waited = new Set<Request>();
  open.set(page, waited);
  page.on('request', (request) => !isStream(request) && waited.add(request));
  page.on('requestfinished', (request) => waited.delete(request));
  page.on('requestfailed', (request) => waited.delete(request));
  await page.goto(address);
  await settled(page);
  return { page, lines, foreign };
}

/** Requests that were not answered yet, by page. */
const open = new WeakMap<Page, Set<Request>>();
/** Notices go on for as long as the page is there. */
const isStream = (request: Request) => new URL(request.url()).pathname.endsWith('/_calendar/events');
/** Milliseconds without a request after which a page has asked for all that it needs. */
const quiet = 250;

/** Waits until a page shows what it asked for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1').catch(async (error: Error) => {
    throw new Error(
      `${page.url()} shows no heading but: ${await page.content()}\nunanswered: ${[...(open.get(page) ?? [])].map((request) => request.url())}`,
      { cause: error },
    );
  });
  for (let since = Date.now(); Date.now() - since < quiet; await page.waitForTimeout(20)) if (open.get(page)?.size) since = Date.now();
  // A waiting function would be evaluated as a string, which the page's policy refuses.
  await page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules of axe that every page keeps. */
export const standards = ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'];

const geometry = readFileSync(new URL('geometry.js', import.meta.url), 'utf8');

/** Faults of the layout of a page in its current state, each as `rule: text`. */
export const geometryFaults = (page: Page): Promise<string[]> => page.evaluate(geometry);

/** Faults of the layout of a page, and accessibility violations, each as `rule: element`. `rules` are rules of axe alone, or tags that stand for several. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe);
  const found: { violations: { id: string; nodes: { html: string }[] }[] } = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules ?? standards)} })`,
  );
  const layout = rules ? [] : await geometryFaults(page);
  return [...layout, ...found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))];
}

/** A calendar that is served with its page. */
export type ServedPage = ServedWhole;

/** Serves a calendar in memory with its page as the program does, filled with a seed. Its clock stands still, and it is strict, so that the page makes no mistake. */
export const servedPage = (name?: string, options: Partial<ServingOptions> = {}): Promise<ServedPage> =>
  servedWhole({
    seed: name,
    prepare: async (store) => {
      if (name) await seed(store, await seedNamed(name), 'append');
    },
    page: webPage,
    strict: true,
    ...options,
  });
