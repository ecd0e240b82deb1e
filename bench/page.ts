/** Measures the time from a click until the page shows a month, and the frames of a scrolled table, with 10,000 events: `npm run build && npx tsx bench/page.ts`. */
import { copyFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launched, settled } from '../test/support/browser.ts';
import { fileWith } from './data.ts';
import { percentile, type Spread, shown, spreadOf } from './figures.ts';
import { calendar } from './programs.ts';

const folder = fileURLToPath(new URL('.cache', import.meta.url));
const events = Number(process.argv[2] ?? 10_000);
const clicks = 8;

/** Clicks a link. Returns the time until the month with its last event is painted, in ms, and its number of chips. */
const clicked = (page: Page, name: string) =>
  page.evaluate<{ took: number; chips: number }>(`(async () => {
    const heading = () => document.querySelector('h1').textContent;
    const before = heading();
    const from = performance.now();
    document.querySelector('[aria-label="${name}"]').click();
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    do await painted(); while (heading() === before || document.querySelector('[aria-busy="true"]'));
    return { took: performance.now() - from, chips: document.querySelectorAll('.chip').length };
  })()`);

/** Shows several months in a row, with a pause in ms. */
async function walk(address: string, name: string, look: number): Promise<{ took: Spread; chips: Spread }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(address);
  await settled(page);
  const figures: { took: number; chips: number }[] = [];
  for (let click = 0; click < clicks; click += 1) {
    await page.waitForTimeout(look);
    figures.push(await clicked(page, name));
  }
  await page.close();
  return { took: spreadOf(figures.map(({ took }) => took)), chips: spreadOf(figures.map(({ chips }) => chips)) };
}

/** Scrolls through a table of all events, a dozen rows per frame. Returns the times between frames, in ms. */
async function scrollTable(address: string): Promise<Spread & { late: number; rows: number }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(address);
  await settled(page);
  const { frames, rows } = await page.evaluate<{ frames: number[]; rows: number }>(`(async () => {
    const scroller = document.querySelector('.table-scroller');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const frames = [];
    let last = await frame();
    for (let step = 0; step < 300; step++) {
      scroller.scrollTop += 432;
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    return { frames, rows: Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) - 1 };
  })()`);
  await page.close();
  return { ...spreadOf(frames), late: percentile(frames, 95), rows };
}

const file = `${folder}/page.db`;
copyFileSync(await fileWith(folder, events), file);
const [browser, server] = await Promise.all([launched(), calendar(file)]);
const address = `http://127.0.0.1:${server.port}/?day=2027-04-01`;
console.log(`${os.cpus()[0]?.model.trim()}, ${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`);
for (const [what, name, look] of [
  ['each month looked at for a second', 'Next month', 1000],
  ['the same, back in time', 'Previous month', 1000],
  ['click upon click', 'Next month', 0],
] as const) {
  const { took, chips } = await walk(address, name, look);
  console.log(`${what.padEnd(36)} ${shown(took)} ms, ${shown(chips)} events in sight`);
}
const table = await scrollTable(`http://127.0.0.1:${server.port}/_calendar/data`);
console.log(`${`a frame while scrolling ${table.rows} rows`.padEnd(36)} ${shown(table)} ms, 95 % within ${table.late.toFixed(0)} ms`);
await Promise.all([browser.close(), server.stop()]);
for (const end of ['', '-log', '-owner']) rmSync(file + end, { force: true });
