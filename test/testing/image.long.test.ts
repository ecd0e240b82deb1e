import { afterAll, describe, expect, it } from 'vitest';
import type { WebCalendar } from '../../bin/web.ts';
import { closeContexts, launched, noBrowser } from '../support/browser.ts';
import { webBuildPage } from '../support/page-calendar.ts';
import { blocksOf } from '../support/pages.ts';

const [example] = blocksOf('docs/typescript.md').filter(({ title }) => title === 'calendar.js');

const imports = { 'idb-keyval': '/idb-keyval.mjs', 'local-calendar/web': '/index.mjs' };
const files = {
  'index.html': `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`,
  'calendar.mjs': example!.text,
  'idb-keyval.mjs': `
    const answer = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
    async function store(mode) {
      const request = indexedDB.open('keyval-store');
      request.onupgradeneeded = () => request.result.createObjectStore('keyval');
      return (await answer(request)).transaction('keyval', mode).objectStore('keyval');
    }
    export const get = async (key) => answer((await store('readonly')).get(key));
    export const set = async (key, value) => answer((await store('readwrite')).put(value, key));
  `,
};

describe.skipIf(noBrowser)(`a calendar of a page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  afterAll(async () => closeContexts(await launched()));

  it('has its state again when the page is loaded again', async () => {
    const page = await webBuildPage(files);
    const opened = () => page.evaluateHandle<WebCalendar>("import('/calendar.mjs').then(({ calendar }) => calendar)");
    const calendar = await opened();
    const created = await calendar.evaluate(async ({ events }) => {
      const { id } = await events.create({ title: 'Kept', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' });
      await events.delete((await events.list({ search: 'jazz' })).events[0]!.id);
      return [id, (await events.list({ start_date: '2000-01-01' })).total];
    });
    const isStored = `import('/idb-keyval.mjs').then(async ({ get }) => {
      const image = await get('calendar');
      const copy = image && (await (await import('/index.mjs')).createCalendar({ image }));
      return copy?.health().then(({ records }) => records.events);
    })`;
    const { events } = (await calendar.evaluate((each) => each.health())).records;
    await expect.poll(() => page.evaluate(isStored)).toBe(events);
    await page.reload();
    const again = await opened();
    const kept = await again.evaluate(async (each) => {
      const [found] = (await each.events.list({ search: 'Kept', start_date: '2000-01-01' })).events;
      await each.reset();
      return [found?.id, (await each.events.list({ start_date: '2000-01-01' })).total];
    });
    expect(kept).toEqual(created);
  });
});
