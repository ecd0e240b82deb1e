import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, geometryFaults, launched, noBrowser } from '../../support/browser.ts';

const text = 'Venue and organizer of the concert';
const open = (content: string) => `<dialog open aria-label="Layer" style="margin:0;padding:0;border:0;${content}</dialog>`;

/** For each rule a page that breaks it, and one that nearly does. */
const pages: [rule: string, broken: string, right: string][] = [
  ['word broken', '<p style="width:0;overflow-wrap:anywhere">Venue</p>', '<p style="width:0">Venue</p>'],
  [
    'word broken',
    '<dl style="display:grid;grid-template-columns:26px"><dd style="margin:0;min-width:0;overflow-wrap:anywhere">Organizer</dd></dl>',
    '<p style="width:9em;overflow-wrap:anywhere">Donaudampfschifffahrtsgesellschaftskapitän 日本語の長い名前がここに立っています</p>',
  ],
  [
    'text over text',
    `<p style="margin:0;height:9px">${text}</p><p style="margin:0">${text}</p>`,
    `<p style="margin:0;height:9px">${text}</p><div class="menu-items" style="position:relative;background:#fff">${text}</div>`,
  ],
  [
    'behind something',
    `<p>${text}</p><div style="position:absolute;inset:0;background:#fff"></div>`,
    `<p>${text}</p><div style="position:absolute;inset:0"></div>`,
  ],
  [
    'behind something',
    `<p>${text}</p><div class="bar" style="position:fixed;inset:0;background:#fff"></div>`,
    `<div class="menu-items" style="position:absolute;width:9em;height:3em;background:#fff"><a>Open</a></div><p>${text}</p>`,
  ],
  [
    'cut',
    `<p style="width:4em;overflow:hidden;white-space:nowrap">${text}</p>`,
    `<p style="width:4em;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${text}</p>`,
  ],
  ['cut', `<p style="width:6em;height:1em;overflow:hidden">${text}</p>`, `<p style="width:6em;height:1em;overflow:auto">${text}</p>`],
  [
    'scrolls without showing it',
    `<div style="width:4em;overflow-x:auto;white-space:nowrap;scrollbar-width:none">${text}</div>`,
    `<div style="width:4em;overflow-x:auto;white-space:nowrap;scrollbar-width:thin">${text}</div>`,
  ],
  [
    'page scrolls sideways',
    '<div style="width:101vw;height:1px"></div>',
    '<div style="overflow:hidden"><div style="width:101vw;height:1px"></div></div>',
  ],
  ['layer outside', open('position:fixed;left:95vw;width:9em">Open'), open('position:fixed;left:50vw;width:9em">Open')],
  [
    'layer too high',
    open('position:fixed;top:0;left:0;max-height:100vh;overflow:auto"><div style="height:160vh">Few words</div>'),
    open('position:fixed;top:0;left:0;max-height:100vh;overflow:auto"><div style="height:140vh">Few words</div>'),
  ],
  [
    'target under 24 px',
    '<button style="width:20px;height:20px;padding:0"></button>',
    '<label style="display:block;height:24px"><input type="checkbox" style="width:16px;height:16px"></label><p>A <a href="/">link</a></p>',
  ],
];

describe.skipIf(noBrowser)(`the check of layouts${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => closeContexts(browser));

  it.each(pages)('finds: %s (%#)', async (rule, broken, right) => {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const check = async (body: string) => {
      await page.setContent(`<!doctype html><body style="margin:8px;font:16px/1.4 sans-serif">${body}`);
      return geometryFaults(page);
    };
    expect((await check(broken)).map((fault) => fault.split(':')[0])).toContain(rule);
    expect(await check(right)).toEqual([]);
    await page.close();
  });
});
