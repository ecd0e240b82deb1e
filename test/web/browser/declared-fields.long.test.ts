import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`declared fields${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let calendar: ServedPage;
  let page: Page;
  let id = 0;
  const open = async (path: string) => {
    await page?.close();
    ({ page } = await watched(context, `${calendar.url}${path}`));
  };
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal')]);
    await calendar.store.change((local) =>
      local.declare({
        events: {
          age_group: { type: 'string', filter: true },
          seats: { type: 'integer' },
          kids: { type: 'boolean' },
          signup: { type: 'date' },
        },
      }),
    );
    await calendar.store.change(
      (local) => {
        const when = { start_date: '2026-12-03 10:00', end_date: '2026-12-03 11:00' };
        const extra = {
          list: { is_virtual: true, evil: '<img src=x onerror="document.title=1">' },
          single: { is_virtual: true, evil: '<img src=x onerror="document.title=1">', only: { deep: [1] } },
        };
        ({ id } = local.events.add({
          title: 'Fields',
          slug: 'fields',
          ...when,
          age_group: '6-10',
          seats: 4,
          signup: '2026-11-01 12:00',
          extra,
        }));
      },
      undefined,
      { copying: true },
    );
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 } });
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  it('are on the page of an event, with the members of another site as text', async () => {
    await open('/event/fields');
    const facts = page.locator('.facts-more');
    expect(await facts.locator('dt').allTextContents()).toEqual(['age group', 'seats', 'kids', 'signup', 'is virtual', 'evil', 'only']);
    expect(await facts.textContent()).toContain('{"deep":[1]}');
    expect(await facts.locator('img').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('are controls of the form', async () => {
    await open(`/event/fields?edit`);
    await page
      .getByRole('button', { name: /more options/i })
      .or(page.getByText('More options'))
      .first()
      .click();
    expect(await page.locator('#field-age_group').inputValue()).toBe('6-10');
    await page.locator('#field-seats').fill('7');
    await page.getByRole('checkbox', { name: 'Kids' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => calendar.store.db.get<{ extra: string }>('select extra from events where id = ?', id)?.extra)
      .toContain('"seats":7');
  });

  it('are filters of the calendar and columns of the tables', async () => {
    await open('/_calendar/data?columns=title,age_group,seats');
    await page.getByRole('columnheader', { name: /age_group/ }).waitFor();
    await open('/?day=2026-12-03&age_group=6-10');
    await page.getByText('Fields').first().waitFor();
  });
});
