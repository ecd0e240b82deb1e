import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closeContexts,
  geometryFaults,
  launched,
  noBrowser,
  type ServedPage,
  servedPage,
  settled,
  violations,
  watched,
} from '../../support/browser.ts';
import { type State, states } from '../states.ts';

const widths = [1440, 1280, 1024, 800, 620, 390];
const height = 860;
/** Other texts of records: long ones, and from right to left. */
const texts = {
  long: 'Extraordinarily long names of things that happen, with words like Donaudampfschifffahrtsgesellschaftskapitän and many more',
  'right to left': 'أمسية موسيقية في الهواء الطلق مع فرقة المدينة',
} as const;
type Texts = keyof typeof texts;

/** Replaces the titles and names of all records. */
async function replaceTexts(calendar: ServedPage, text: string): Promise<void> {
  await calendar.store.change(() => {
    for (const [resource, label] of Object.entries({
      events: 'title',
      venues: 'venue',
      organizers: 'organizer',
      categories: 'name',
      tags: 'name',
    }))
      calendar.store.db.run(`update ${resource} set ${label} = ${label} || ' ' || ?`, text);
  });
}

describe.skipIf(noBrowser)(`states of the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  const calendars = new Map<string, ServedPage>();
  beforeAll(async () => {
    browser = await launched();
  });
  afterAll(() => Promise.all([closeContexts(browser), ...[...calendars.values()].map((calendar) => calendar.close())]));

  /** A calendar of a kind, as it was at first. */
  async function calendarFor({ calendar: kind = 'demo' }: State, name?: Texts): Promise<ServedPage> {
    const key = `${kind} ${name}`;
    const open = calendars.get(key);
    if (open) {
      await open.control.reset({});
      await open.control.clearRequests({});
      return open;
    }
    const calendar = await servedPage(kind === 'empty' ? undefined : 'demo', { now: Date.parse('2027-03-01T11:00:00Z') });
    if (kind === 'users') await calendar.store.users.add({ name: 'ada', role: 'administrator', password: 'right' });
    if (name) await replaceTexts(calendar, texts[name]);
    calendar.world.start = calendar.store.image();
    calendars.set(key, calendar);
    return calendar;
  }

  async function open(
    state: State,
    options: Parameters<Browser['newPage']>[0] = {},
    name?: Texts,
  ): Promise<{ page: Page; lines: string[] }> {
    const calendar = await calendarFor(state, name);
    const viewport = { width: state.width ?? 1440, height };
    const { page, lines } = await watched(browser, calendar.url + state.address, { viewport, ...options });
    await state.steps?.(page, calendar);
    await settled(page);
    return { page, lines: lines.filter((line) => !state.console?.test(line)) };
  }

  /** Faults at some widths, each with its width; a state of a phone is only there. */
  async function faultsAt(page: Page, { width: only }: State, all: readonly number[]): Promise<string[]> {
    const found: string[] = [];
    for (const width of only ? [only] : all) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(60);
      for (const fault of await geometryFaults(page)) found.push(`${width} px: ${fault}`);
    }
    return found;
  }

  it.each(states.map((state) => [state.name, state] as const))('%s is whole at all widths, and accessible', async (_, state) => {
    const { page, lines } = await open(state);
    const found = await faultsAt(page, state, widths);
    for (const width of state.width ? [state.width] : [1280, 390]) {
      await page.setViewportSize({ width, height });
      found.push(...(await violations(page)).map((fault) => `${width} px: ${fault}`));
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    if (!state.width) await page.setViewportSize({ width: 1280, height });
    // Colors change in a fifth of a second.
    await page.waitForTimeout(300);
    found.push(...(await violations(page, ['color-contrast'])).map((fault) => `dark: ${fault}`));
    expect({ found: [...new Set(found)], lines }).toEqual({ found: [], lines: [] });
    await page.close();
  });

  it.each(states.filter(({ hasTimes }) => hasTimes).map((state) => [state.name, state] as const))(
    '%s is whole with long times',
    async (_, state) => {
      for (const locale of ['en-US', 'de-DE']) {
        const { page } = await open(state, { locale });
        expect(await faultsAt(page, state, [1280, 390])).toEqual([]);
        await page.close();
      }
    },
  );

  describe.each(Object.keys(texts) as Texts[])('with texts that are %s', (name) => {
    it.each(states.filter(({ hasTexts }) => hasTexts).map((state) => [state.name, state] as const))('%s is whole', async (_, state) => {
      const { page } = await open(state, {}, name);
      expect(await faultsAt(page, state, [1280, 390])).toEqual([]);
      await page.close();
    });
  });
});
