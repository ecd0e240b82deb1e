import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, watched } from '../../support/browser.ts';

/** A task as `docs/page.md` lists it: its keys, with typed text in quotation marks, and the requests that it usually needs. */
interface Task {
  name: string;
  keys: string[];
  count: number;
  requests: number;
}

const section = /## Ten tasks with the keyboard\n([\s\S]*?)(\n## |$)/.exec(readFileSync('docs/page.md', 'utf8'))![1]!;
const tasks = [...section.matchAll(/^\| ([^|`]+) \| (.*`.*) \| (\d+) \| (\d+) \|$/gm)].map(
  ([, name, keys, count, requests]): Task => ({
    name: name!,
    keys: [...keys!.matchAll(/`([^`]+)`(?: ×(\d+))?/g)].flatMap(([, key, times = '1']) => Array<string>(Number(times)).fill(key!)),
    count: Number(count),
    requests: Number(requests),
  }),
);

/** The keys that an everyday task may need. */
const maxKeys = 14;
/** Requests of a view that reloads once more on a busy machine. */
const maxReloads = 4;
/** Requests of the palette, which searches texts and five resources if it stays open on a busy machine. */
const maxSearches = 8;

describe.skipIf(noBrowser)(`ten tasks with the keyboard${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  let requests: string[];
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    calendar = await servedPage('demo', { now: Date.parse('2027-03-01T11:00:00Z') });
    await fetch(`${calendar.root}/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'ticket shop' },
      body: JSON.stringify({ title: 'Sent by a shop', start_date: '2027-06-01 10:00', end_date: '2027-06-01 11:00' }),
    });
    ({ page } = await watched(browser, calendar.url));
    await page.evaluate("window.pressed = 0; addEventListener('pointerdown', () => window.pressed++, true)");
    requests = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // Scripts are loaded once; the stream of changes stays open.
      if (request.resourceType() === 'fetch' && pathname !== '/_calendar/events') requests.push(`${request.method()} ${pathname}`);
    });
  });
  afterEach(async () => {
    await page.close();
    await calendar.close();
  });
  afterAll(() => closeContexts(browser));

  const events = () => calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url }).events;
  const search = () => new URL(page.url()).searchParams;
  const dialog = () => page.getByRole('dialog');
  const option = (name: string) => page.getByRole('option', { name, selected: true });
  const title = () => dialog().getByRole('heading').textContent();
  /** The event with the focus. */
  const focused = async () => events().get({ id: Number(await page.evaluate('document.activeElement.dataset.event')) });

  /** By the number of a key, what appears before the next key. */
  const waits: Record<string, () => Record<number, () => Promise<unknown>>> = {
    'Look at an event, then at the next one': () => {
      let shown: string | null;
      return {
        2: async () => {
          shown = await title();
        },
        3: async () => {
          await expect.poll(title).not.toBe(shown);
          shown = await title();
        },
        4: () => expect.poll(async () => (await focused().catch(() => ({ title: '' }))).title).toBe(shown),
      };
    },
    'Create an event': () => ({
      2: () => page.getByText('5 March 2027, 20:00–22:30').waitFor(),
      3: () => page.getByRole('dialog', { name: 'Jazz' }).waitFor(),
    }),
    'Move an event by a day': () => {
      let before: Awaited<ReturnType<typeof focused>>;
      return {
        1: async () => {
          before = await focused();
        },
        2: () => expect.poll(async () => (await events().get({ id: Number(before.id) })).start_date).not.toBe(before.start_date),
      };
    },
    'Let an event end later': () => {
      let before: Awaited<ReturnType<typeof focused>>;
      return {
        1: () => page.locator('.view:has(.timetable-hours) [data-event][tabindex="0"]').waitFor(),
        2: async () => {
          before = await focused();
        },
        3: () => expect.poll(async () => (await events().get({ id: Number(before.id) })).end_date).not.toBe(before.end_date),
      };
    },
    'Show only the events of a venue': () => ({
      2: () => option('Only Harbour Hall').waitFor(),
      3: () => expect.poll(() => search().get('venue')).toMatch(/^\d+$/),
    }),
    'Search an event and open it': () => ({
      2: () => expect.poll(() => page.locator('.view [data-event]').count()).toBe(1),
      4: () => page.getByRole('dialog', { name: 'Why Bridges Sing' }).waitFor(),
    }),
    'Delete an event and undo it': () => {
      let id: number;
      const status = async () =>
        (
          await events()
            .get({ id })
            .catch(() => ({ status: 'gone' }))
        ).status;
      return {
        1: async () => {
          id = Number((await focused()).id);
        },
        2: () => dialog().getByRole('button', { name: 'Delete' }).waitFor(),
        7: async () => {
          await page.getByText('Deleted “').waitFor();
          await dialog().waitFor({ state: 'detached' });
          expect(await status()).not.toBe('publish');
        },
        8: () => expect.poll(status).toBe('publish'),
      };
    },
    'Change a title in the table': () => ({
      2: () => option('Data').waitFor(),
      3: () => page.getByRole('grid').waitFor(),
      7: () => page.getByRole('textbox', { name: 'title' }).waitFor(),
      9: () => page.getByText('Saved title of').waitFor(),
    }),
    'Find out who sent a request': () => ({
      2: () => option('Traffic').waitFor(),
      3: () => page.locator('.request').waitFor(),
      5: () => page.locator('.request', { hasText: '/events' }).waitFor(),
      7: () => page.locator('.pane-facts dd', { hasText: 'ticket shop' }).waitFor(),
    }),
    'Make a request fail': () => ({
      2: () => option('Traffic').waitFor(),
      3: () => page.locator('.request').waitFor(),
      5: () => page.getByRole('region', { name: 'Request body' }).waitFor(),
      11: () => page.getByLabel('Fault', { exact: true }).waitFor(),
      12: () => expect.poll(async () => (await calendar.control.faults({})).faults.length).toBe(1),
    }),
  };

  it.each(Object.keys(waits))('%s', async (name) => {
    expect(tasks.map((task) => task.name)).toEqual(Object.keys(waits));
    const { keys, count, requests: usual } = tasks.find((task) => task.name === name)!;
    const after = waits[name]!();
    const searches: string[] = [];
    for (const [at, key] of keys.entries()) {
      // The view is chosen; what the palette searched until then is not the task's.
      if (['“data”', '“traffic”'].includes(keys[at - 1]!)) searches.push(...requests.splice(0));
      if (key.startsWith('“')) {
        await page.waitForSelector('input:focus');
        await page.keyboard.insertText(key.slice(1, -1));
      } else await page.keyboard.press(key);
      await after[at + 1]?.();
    }
    await settled(page);
    expect({ keys: keys.length, clicks: await page.evaluate('window.pressed') }).toEqual({ keys: count, clicks: 0 });
    expect(count).toBeLessThanOrEqual(maxKeys);
    expect({ requests, usual }).toSatisfy(() => requests.length <= usual + maxReloads);
    expect({ searches }).toSatisfy(() => searches.length <= maxSearches);
  });
});
