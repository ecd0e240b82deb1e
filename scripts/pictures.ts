/**
 * Takes pictures of the page: `npm run pictures` those in the docs, `npm run pictures -- --all` each state of test/web/states.ts, on one contact sheet for
 * 1280 px and one for 390 px in the dark (`--width` for others). `--against FOLDER` shows only the states that differ from an earlier run, beside it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launched } from '../test/support/browser.ts';
import { closeStates, openState, windowHeight } from '../test/web/open-state.ts';
import { type State, states } from '../test/web/states.ts';

type ColorScheme = 'light' | 'dark';

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, against: { type: 'string' }, width: { type: 'string', multiple: true } },
});

const fileOf = ({ name }: State) => `${name.replace(/[^a-z]+/gi, '-')}.png`;

async function takePicture(browser: Browser, state: State, width: number, colorScheme: ColorScheme, path: string): Promise<void> {
  const { page } = await openState(browser, state, { colorScheme });
  // Some steps use controls that a narrow window hides.
  await page.setViewportSize({ width: state.width ?? width, height: windowHeight });
  // Colors and layers change in a fifth of a second.
  await page.waitForTimeout(300);
  await page.screenshot({ path });
  await page.close();
}

/** The pictures in the docs. */
async function takeDocs(browser: Browser): Promise<void> {
  const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
  const pictures = { month: 'a month', layer: 'an event over a month', data: 'the events on Data', traffic: 'the details of a request' };
  for (const [file, name] of Object.entries(pictures))
    for (const scheme of file === 'month' ? (['light', 'dark'] as const) : (['light'] as const))
      await takePicture(browser, states.find((state) => state.name === name)!, 1280, scheme, join(folder, `${file}-${scheme}.png`));
}

/** Puts pictures with their names on one page, and takes its picture. */
async function takeSheet(
  browser: Browser,
  path: string,
  columns: number,
  pictures: readonly (readonly [name: string, path: string])[],
): Promise<void> {
  const cells = pictures.map(
    ([name, file]) =>
      `<figure><img src="data:image/png;base64,${readFileSync(file).toString('base64')}"><figcaption>${name}</figcaption></figure>`,
  );
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  const grid = `body{display:grid;grid-template-columns:repeat(${columns},1fr);gap:8px;font:12px sans-serif}`;
  await page.setContent(`<!doctype html><style>${grid}figure{margin:0}img{width:100%;border:1px solid #999}</style>${cells.join('')}`);
  await page.screenshot({ path, fullPage: true });
  await page.close();
  console.log(pathToFileURL(path).href);
}

async function takeAll(browser: Browser, width: number, scheme: ColorScheme): Promise<void> {
  const folder = join(tmpdir(), 'calendar-pictures', new Date().toISOString().slice(0, 16).replace(/[^\d]/g, '-'), String(width));
  mkdirSync(folder, { recursive: true });
  const before = values.against && join(values.against, String(width));
  for (const state of states) await takePicture(browser, state, width, scheme, join(folder, fileOf(state)));
  const isEqual = (file: string) =>
    before && existsSync(join(before, file)) && readFileSync(join(before, file)).equals(readFileSync(join(folder, file)));
  const differing = states.filter((state) => !isEqual(fileOf(state)));
  if (before) console.log(`${differing.length} of ${states.length} states differ at ${width} px`);
  const pictures = differing.flatMap((state) => {
    const file = fileOf(state);
    const earlier = before && existsSync(join(before, file)) ? [[`before: ${state.name}`, join(before, file)] as const] : [];
    return [...earlier, [state.name, join(folder, file)] as const];
  });
  if (pictures.length) await takeSheet(browser, join(folder, '..', `${width}-${scheme}.png`), before ? 4 : width < 800 ? 12 : 6, pictures);
  if (before) for (const file of readdirSync(before)) if (!states.some((state) => fileOf(state) === file)) console.log(`Gone: ${file}`);
}

const browser = await launched();
if (!values.all) await takeDocs(browser);
else if (values.width) for (const width of values.width) await takeAll(browser, Number(width), 'light');
else {
  await takeAll(browser, 1280, 'light');
  await takeAll(browser, 390, 'dark');
}
await Promise.all([browser.close(), closeStates()]);
