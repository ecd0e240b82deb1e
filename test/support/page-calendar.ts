import { extname } from 'node:path';
import type { Page } from 'playwright-core';
import type { WebCalendar, WebOptions } from '../../bin/web.ts';
import { createCalendar } from '../../src/testing/create.ts';
import { launched } from './browser.ts';
import { webLibraryFiles } from './web-library.ts';

/** A request as it is sent over a socket, with headers that a page can't set. */
interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
  /** The time of the calendar. */
  now: number;
}

/** The answer of a page. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A calendar that gets requests by its handler. */
export interface HandlingCalendar {
  ask(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens a page that has the files of the web build, and other texts by name, of which `index.html` is its document. */
export async function webBuildPage(texts: Record<string, string> = {}): Promise<Page> {
  const files = new Map<string, Buffer | string>([['index.html', ''], ...(await webLibraryFiles()), ...Object.entries(texts)]);
  const page = await (await launched()).newPage();
  await page.route('**', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    return route.fulfill({ status: files.has(name) ? 200 : 404, contentType: types[extname(name)], body: files.get(name) });
  });
  await page.goto('http://127.0.0.1/');
  return page;
}

const types: Record<string, string> = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** The page that the calendars of this process are in. */
let opening: Promise<Page> | undefined;

/** Answers a request by the handler of a calendar. Chromium gets its text, so it uses nothing of this file. */
async function answered({ handler }: Pick<WebCalendar, 'handler'>, { url, method, headers, body }: Omit<Sent, 'now'>): Promise<Answer> {
  const bytes = Uint8Array.from(atob(body), (each) => each.charCodeAt(0));
  const request = new Request(url, bytes.length ? { method: 'POST', body: bytes } : {});
  // `Request` refuses some of them.
  Object.defineProperties(request, { method: { value: method }, headers: { value: Object.entries(headers) } });
  const response = await handler(request);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** Opens a calendar in this process, which gets the same requests. */
export async function openHere(options: WebOptions): Promise<HandlingCalendar> {
  const calendar = await createCalendar({ ...options, listen: false, page: false });
  return {
    async ask({ now, ...sent }) {
      await calendar.clock.set(new Date(now));
      return answered(calendar, sent);
    },
    close: () => calendar.close(),
  };
}

/** Opens a calendar in a page of Chromium. Its time stands still, as each request says. */
export async function openInPage(options: WebOptions): Promise<HandlingCalendar & { page: Page }> {
  opening ??= webBuildPage();
  const page = await opening;
  const calendar = await page.evaluateHandle<WebCalendar>(
    `import('/index.mjs').then(({ createCalendar }) => createCalendar(${JSON.stringify(options)}))`,
  );
  let moment: number | undefined;
  return {
    page,
    async ask({ now, ...sent }) {
      if (now !== moment) await calendar.evaluate(({ clock }, to) => clock.set(new Date(to)), now);
      moment = now;
      return calendar.evaluate(answered, sent);
    },
    close: () => calendar.evaluate((each) => each.close()),
  };
}
