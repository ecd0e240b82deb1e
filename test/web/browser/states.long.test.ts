import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, geometryFaults, launched, noBrowser, violations } from '../../support/browser.ts';
import { closeStates, windowHeight as height, openState, type Texts, texts } from '../open-state.ts';
import { type State, states } from '../states.ts';

const widths = [1440, 1280, 1024, 800, 620, 390];

describe.skipIf(noBrowser)(`states of the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => Promise.all([closeContexts(browser), closeStates()]));

  /** The fields of forms that are visible. */
  const fieldsOf = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.form-page label, dialog[open] label')].filter((label) => label.checkVisibility()).map((label) => label.textContent)`,
    );

  /** Faults at some widths, each with its width; a state of a phone is only there. */
  async function faultsAt(page: Page, { width: only }: State, all: readonly number[]): Promise<string[]> {
    const found: string[] = [];
    const fields = await fieldsOf(page);
    for (const width of only ? [only] : all) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(60);
      for (const fault of await geometryFaults(page)) found.push(`${width} px: ${fault}`);
      const left = await fieldsOf(page);
      for (const field of fields.filter((each) => !left.includes(each))) found.push(`${width} px: field gone: ${field}`);
    }
    return found;
  }

  it.each(states.map((state) => [state.name, state] as const))('%s is whole at all widths, and accessible', async (_, state) => {
    const { page, lines } = await openState(browser, state);
    const found = await faultsAt(page, state, widths);
    // axe waits for timers, which a page without JavaScript has not.
    for (const width of state.isStatic ? [] : state.width ? [state.width] : [1280, 390]) {
      await page.setViewportSize({ width, height });
      found.push(...(await violations(page)).map((fault) => `${width} px: ${fault}`));
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    if (!state.width) await page.setViewportSize({ width: 1280, height });
    // Colors change in a fifth of a second.
    await page.waitForTimeout(300);
    if (!state.isStatic) found.push(...(await violations(page, ['color-contrast'])).map((fault) => `dark: ${fault}`));
    expect({ found: [...new Set(found)], lines }).toEqual({ found: [], lines: [] });
    await page.close();
  });

  it.each(states.filter(({ hasTimes }) => hasTimes).map((state) => [state.name, state] as const))(
    '%s is whole with long times',
    async (_, state) => {
      for (const locale of ['en-US', 'de-DE']) {
        const { page } = await openState(browser, state, { locale });
        expect(await faultsAt(page, state, [1280, 390])).toEqual([]);
        await page.close();
      }
    },
  );

  describe.each(Object.keys(texts) as Texts[])('with texts that are %s', (name) => {
    it.each(states.filter(({ hasTexts }) => hasTexts).map((state) => [state.name, state] as const))('%s is whole', async (_, state) => {
      const { page } = await openState(browser, state, {}, name);
      expect(await faultsAt(page, state, [1280, 390])).toEqual([]);
      await page.close();
    });
  });

  it.each(states.filter(({ isStatic }) => isStatic).map((state) => [state.name, state] as const))(
    '%s begins on the first screen',
    async (_, state) => {
      const { page } = await openState(browser, state);
      expect((await page.locator('main').boundingBox())!.y).toBeLessThan(200);
      await page.close();
    },
  );

  it.each(['a month', 'the events on Data', 'requests on Traffic', 'the menu of worlds', 'the Workbench'])(
    'buttons, tabs and entries of menus in %s have 44 px for a finger',
    async (name) => {
      const { page } = await openState(browser, states.find((each) => each.name === name)!, { hasTouch: true, isMobile: true });
      await page.setViewportSize({ width: 390, height });
      const low = `[...document.querySelectorAll('.button, .views a, .views button, .tabs a, .menu-items button')]
        .map((each) => [each.getBoundingClientRect().height, each.textContent || each.ariaLabel]).filter(([size]) => size > 0 && size < 43.5)`;
      expect(await page.evaluate(low)).toEqual([]);
      await page.close();
    },
  );
});
