import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

const desktop = { viewport: { width: 1280, height: 860 } };

describe.skipIf(noBrowser)(`the calendar${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  const open = async (address: string, look: Parameters<Browser['newPage']>[0] = desktop) => {
    ({ page } = await watched(browser, calendar.url + address, look));
  };
  const search = () => new URL(page.url()).search;
  const event = (fields: Record<string, unknown>) =>
    calendar.store
      .calendarFor(owner, { home: calendar.url, root: calendar.url })
      .events.create({ timezone: 'Europe/Amsterdam', ...fields });
  const stored = (id: number) => calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url }).events.get({ id });
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    calendar = await servedPage('demo', { now: Date.parse('2027-03-01T11:00:00Z') });
  });
  afterEach(async () => {
    await page?.close();
    await calendar.close();
  });
  afterAll(() => closeContexts(browser));

  describe('an event over the calendar', () => {
    const dialog = () => page.getByRole('dialog', { name: 'Why Bridges Sing' });

    it.each([
      ['beside its chip', desktop],
      ['as a sheet on a phone', { viewport: { width: 390, height: 844 } }],
    ])('opens %s, and Escape restores address and focus', async (_, look) => {
      await open('/?view=list&day=2027-03-01', look);
      const link = page.getByRole('link', { name: /Why Bridges Sing/ });
      await link.focus();
      await page.keyboard.press('Enter');
      await dialog().waitFor();
      expect(search()).toMatch(/^\?view=list&event=\d+$/);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      expect(search()).toBe('?view=list');
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Why Bridges Sing');
    });

    it.each([769, 1280])('has facts in lines of words, not of letters, at %d px', async (width) => {
      await open('/?view=month&day=2027-03-01', { viewport: { width, height: 860 } });
      await page.getByRole('link', { name: /Why Bridges Sing/ }).click();
      await dialog().waitFor();
      const facts = await dialog().locator('.facts').boundingBox();
      expect(facts!.width).toBeGreaterThan(200);
      expect((await dialog().boundingBox())!.height).toBeLessThan(800);
    });

    it('is placed again when the window changes', async () => {
      await open('/?view=month&day=2027-03-01', { viewport: { width: 1440, height: 900 } });
      await page.getByRole('link', { name: /Why Bridges Sing/ }).click();
      await dialog().waitFor();
      for (const width of [1024, 800, 620, 390, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        await expect
          .poll(async () => {
            const { x, width: wide } = (await dialog().boundingBox())!;
            return x >= 0 && x + wide <= width;
          })
          .toBe(true);
      }
    });

    it.each([1280, 390])('the message about a new event is over it, with Undo, at %d px', async (width) => {
      await open('/?view=month&day=2027-03-01', { viewport: { width, height: 844 } });
      await page.keyboard.press('n');
      await page.keyboard.type('Recital march 5 8pm');
      await page.keyboard.press('Enter');
      const created = page.getByRole('dialog', { name: 'Recital' });
      await created.waitFor();
      await page.getByText('Created “Recital”').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.view [data-event]', { hasText: 'Recital' }).waitFor({ state: 'detached' });
    });

    it('a link to it opens calendar and event; arrow keys show its neighbors', async () => {
      const { id } = await event({ title: 'One', start_date: '2027-03-20 10:00', end_date: '2027-03-20 11:00' });
      await event({ title: 'Two', start_date: '2027-03-20 10:30', end_date: '2027-03-20 11:00' });
      await open(`/?view=day&day=2027-03-20&event=${id}`);
      await page.getByRole('dialog', { name: 'One' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('dialog', { name: 'Two' }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('dialog', { name: 'One' }).waitFor();
      await page.keyboard.press('Escape');
      expect(search()).toBe('?view=day&day=2027-03-20');
    });

    it('deletes with Undo, which is refused after another change', async () => {
      const { id } = await event({ title: 'Gone', start_date: '2027-03-20 10:00', end_date: '2027-03-20 11:00' });
      await open(`/?day=2027-03-20&event=${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/^Deleted “Gone” \(Sat.*\)\.$/).waitFor();
      await expect(stored(id)).rejects.toThrow();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/^Undone: /).waitFor();
      expect((await stored(id)).status).toBe('publish');
      await page.goto(`${calendar.url}/?day=2027-03-20&event=${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/^Deleted “Gone” \(Sat.*\)\.$/).waitFor();
      await calendar.store
        .calendarFor(owner, { home: calendar.url, root: calendar.url })
        .events.update({ id }, { status: 'draft', slug: 'gone' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('it is no longer in the trash').waitFor();
      expect((await stored(id)).status).toBe('draft');
    });

    it('Edit and Cancel return to it, and saving shows the saved event over the calendar', async () => {
      const { id } = await event({ title: 'Draft me', start_date: '2027-03-20 10:00', end_date: '2027-03-20 11:00' });
      await open(`/?day=2027-03-20&view=week&event=${id}`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('dialog', { name: 'Draft me' }).waitFor();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Title').fill('Done');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog', { name: 'Done' }).waitFor();
      expect(new URLSearchParams(search()).get('view')).toBe('week');
    });

    it('Duplicate opens a form with the same values, without slug and status', async () => {
      const { id } = await event({
        title: 'Twin',
        start_date: '2027-03-20 10:00',
        end_date: '2027-03-20 11:00',
        cost: '5',
        status: 'draft',
      });
      await open(`/?day=2027-03-20&event=${id}`);
      await page.getByRole('link', { name: 'Duplicate' }).click();
      await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Twin');
      await page.getByRole('button', { name: 'Create event' }).click();
      await page.getByRole('dialog', { name: 'Twin' }).waitFor();
      const copy = await stored(Number(new URLSearchParams(search()).get('event')));
      expect(copy).toMatchObject({
        title: 'Twin',
        start_date: '2027-03-20 10:00:00',
        cost: expect.stringContaining('5'),
        status: 'publish',
      });
      expect(copy.id).not.toBe(id);
    });
  });

  describe('the keyboard', () => {
    it.each([
      ['w', /^\?view=week/],
      ['d', /^\?view=day/],
      ['l', /^\?view=list/],
      ['j', /^\?day=2027-04-01/],
      ['k', /^\?day=2027-02-01/],
      ['ArrowRight', /^\?day=2027-04-01/],
    ])('%s', async (key, address) => {
      await open('/');
      await page.keyboard.press(key);
      await expect.poll(search).toMatch(address);
      await settled(page);
      await page.keyboard.press('t');
      await expect.poll(() => new URLSearchParams(search()).get('day')).toBeNull();
    });

    it.each(['1280', '390'])('f goes to the first filter at %s px', async (width) => {
      await open('/', { viewport: { width: Number(width), height: 860 } });
      await page.keyboard.press('f');
      await expect.poll(() => page.evaluate('document.activeElement.closest("#filters label")?.textContent')).toMatch(/^Music/);
    });

    it('shortcuts are off in inputs, and can be turned off', async () => {
      await open('/');
      await page.keyboard.press('/');
      await page.keyboard.type('w');
      expect(await page.locator('.toolbar-search input').inputValue()).toBe('w');
      await page.locator('.toolbar-search input').fill('');
      await expect.poll(search).toBe('');
      await page.locator('.toolbar-search input').blur();
      await page.keyboard.press('?');
      await page.getByRole('checkbox', { name: 'Use single keys as shortcuts' }).uncheck();
      expect(await violations(page)).toEqual([]);
      // A dialog that is closing doesn't close the next one.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByLabel('Find a view, date, record or action').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('w');
      expect(search()).toBe('');
    });

    it('the palette finds views, dates and records', async () => {
      await open('/');
      await page.keyboard.press('Control+k');
      const input = page.getByRole('combobox', { name: 'Find a view, date, record or action' });
      await input.fill('april 9');
      await page.getByRole('option', { name: /Go to Friday/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(search).toBe('?day=2027-04-09');
      await page.keyboard.press('Control+k');
      await input.fill('harbour hall');
      await page.getByRole('option', { name: /^Harbour Hall/ }).click();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/venue/harbour-hall/');
    });

    it('moves an event with Alt and arrows, and its end with Shift', async () => {
      const { id } = await event({ title: 'Keys', start_date: '2027-03-20 10:00', end_date: '2027-03-20 11:00' });
      await open('/?view=week&day=2027-03-20');
      const times = async () => {
        const { start_date, end_date } = await stored(id);
        return [start_date, end_date];
      };
      await page.locator(`[data-event="${id}"]`).focus();
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(times).toEqual(['2027-03-20 10:15:00', '2027-03-20 11:15:00']);
      await settled(page);
      await expect.poll(() => page.evaluate('document.activeElement.dataset.event')).toBe(String(id));
      await page.keyboard.press('Alt+Shift+ArrowDown');
      await expect.poll(times).toEqual(['2027-03-20 10:15:00', '2027-03-20 11:30:00']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(times).toEqual(['2027-03-20 10:15:00', '2027-03-20 11:15:00']);
    });

    it('Tab reaches the events in one stop after the skip link', async () => {
      await open('/?view=week&day=2027-03-20');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const isInView = () => page.evaluate<boolean>('document.activeElement.closest(".view") !== null');
      expect(await isInView()).toBe(true);
      expect(await page.locator('.view [data-event][tabindex="0"]').count()).toBe(1);
    });
  });

  it('creates an event from one line, with a new venue, and undoes it', async () => {
    await open('/');
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: /Title, date/ }).fill('Late jazz friday 21:30-23:00 at The Attic #music #late');
    await page.getByText('Friday, 5 March 2027, 21:30–23:00').waitFor();
    await page.getByText('New venue').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Late jazz' }).waitFor();
    const id = Number(new URLSearchParams(search()).get('event'));
    expect(await stored(id)).toMatchObject({
      start_date: '2027-03-05 21:30:00',
      end_date: '2027-03-05 23:00:00',
      venue: { venue: 'The Attic' },
      categories: [{ slug: 'music' }],
      tags: [{ slug: 'late' }],
    });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Undone: /).waitFor();
    await expect(stored(id)).rejects.toThrow();
  });

  describe('filters', () => {
    const shown = () => page.locator('.view [data-event]').count();

    it('have All, only, counts, and every compared field of events', async () => {
      await open('/');
      const all = await shown();
      const menu = page.getByRole('region', { name: 'Filters' });
      await menu.getByRole('group', { name: 'Categories' }).getByRole('button', { name: 'Only Talks' }).click({ force: true });
      await expect.poll(search).toBe('?categories=talks');
      await settled(page);
      expect(await shown()).toBeLessThan(all);
      await menu.getByRole('checkbox', { name: 'Markets' }).check();
      await expect.poll(search).toBe('?categories=talks,markets');
      await menu.locator('summary', { hasText: 'Venues' }).click();
      await menu.getByRole('searchbox', { name: 'Search venues' }).fill('harbour');
      await menu.getByRole('checkbox', { name: 'Harbour Hall' }).check();
      await menu.getByRole('checkbox', { name: 'Only featured events' }).check();
      await expect.poll(search).toMatch(/^\?categories=talks,markets&venue=\d+&featured=true$/);
      expect(await violations(page)).toEqual([]);
      await menu.getByRole('group', { name: 'Categories' }).getByRole('checkbox', { name: 'All' }).check();
      await expect.poll(search).toMatch(/^\?venue=\d+&featured=true$/);
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await expect.poll(shown).toBe(all);
    });

    it('count what ticking a category shows, with those below it', async () => {
      await open('/?view=week');
      const menu = page.getByRole('region', { name: 'Filters' });
      const choices = menu
        .getByRole('group', { name: 'Categories' })
        .locator('li')
        .filter({ has: page.locator('small') });
      await expect.poll(() => choices.count()).toBeGreaterThan(3);
      const labels = await choices.locator('label').allTextContents();
      const counts = await choices.locator('small').allTextContents();
      const texts = labels.map((label, at): [string, string] => [label, counts[at]!]);
      const ids = async () => {
        const items = await page.locator('.view [data-event]').all();
        return new Set(await Promise.all(items.map((item) => item.getAttribute('data-event')))).size;
      };
      for (const [label, count] of texts.filter(([, count]) => count !== '0').slice(0, 3)) {
        const name = label.replace(count, '').trim();
        await menu.getByRole('button', { name: `Only ${name}` }).click({ force: true });
        await settled(page);
        await expect.poll(ids, { message: name }).toBe(Number(count));
      }
    });

    it('say how many events match outside an empty view', async () => {
      await event({ title: 'Rare bird', start_date: '2028-03-20 10:00', end_date: '2028-03-20 11:00' });
      await open('/?day=2027-11-02&search=rare+bird');
      await page.getByText('None in November, 1 later').waitFor();
      await page.getByRole('link', { name: 'Show upcoming events' }).click();
      await page.getByRole('link', { name: /Rare bird/ }).waitFor();
      await page.goto(`${calendar.url}/?view=week&day=2028-11-02&search=rare+bird`);
      await page.getByText('None this week, 1 earlier').waitFor();
      await page.getByRole('link', { name: 'Show the previous year' }).click();
      await page.getByRole('link', { name: /Rare bird/ }).waitFor();
      await page.goto(`${calendar.url}/?day=2027-11-02&search=no+such+bird`);
      await page.getByText('No matching events').waitFor();
    });

    it('colors events by category or by venue', async () => {
      await open('/');
      const hue = () => page.locator('.chip', { hasText: 'Story Hour' }).first().getAttribute('class');
      const before = await hue();
      await page.getByRole('combobox', { name: 'Color' }).selectOption('By venue');
      expect(await hue()).not.toBe(before);
    });
  });

  describe('creating with the pointer', () => {
    it('dragging over empty hours opens the form with both times', async () => {
      await open('/?view=week&day=2027-06-16');
      const { x, y, width, height } = (await page.locator('.timetable-column[data-day="2027-06-16"]').boundingBox())!;
      await page.mouse.move(x + width / 2, y + (height * 10) / 24);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + (height * 12) / 24 - 1, { steps: 5 });
      expect(await page.locator('.timetable-selection').count()).toBe(1);
      await page.mouse.up();
      await page.locator('#field-title').waitFor();
      expect(await page.getByLabel('Starts').nth(1).inputValue()).toBe('10:00');
      expect(await page.getByLabel('Ends').nth(1).inputValue()).toBe('12:00');
      expect(new URLSearchParams(search()).get('start')).toBe('2027-06-16 10:00');
      expect(new URLSearchParams(search()).get('end')).toBe('2027-06-16 12:00');
    });

    it('dragging over days of a month opens the form of an all-day event; Escape cancels', async () => {
      await open('/?day=2027-06-16');
      const cell = async (day: string) => (await page.locator(`.month-cell[data-day="${day}"]`).boundingBox())!;
      const [from, to] = [await cell('2027-06-15'), await cell('2027-06-17')];
      const drag = async () => {
        await page.mouse.move(from.x + 40, from.y + 60);
        await page.mouse.down();
        await page.mouse.move(to.x + 40, to.y + 60, { steps: 5 });
      };
      await drag();
      await page.keyboard.press('Escape');
      await page.mouse.up();
      expect(search()).toBe('?day=2027-06-16');
      await drag();
      expect(await page.locator('.month-cell.selecting').count()).toBe(3);
      await page.mouse.up();
      await expect.poll(() => page.getByLabel('All day').isChecked()).toBe(true);
      expect([await page.locator('#field-start_date').inputValue(), await page.locator('#field-end_date').inputValue()]).toEqual([
        '2027-06-15',
        '2027-06-17',
      ]);
    });

    it('the start of an event can be dragged, and undone', async () => {
      await event({ title: 'Early', start_date: '2027-06-16 08:00', end_date: '2027-06-16 09:00' });
      const { id } = await event({ title: 'Edges', start_date: '2027-06-16 13:00', end_date: '2027-06-16 15:00' });
      await open('/?view=week&day=2027-06-16');
      const { x, y, width } = (await page.locator(`.block[data-event="${id}"]`).boundingBox())!;
      const hour = (await page.locator('.timetable-hours').boundingBox())!.height / 24;
      await page.mouse.move(x + width / 2, y + 3);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + 3 - hour, { steps: 5 });
      await page.mouse.up();
      await expect.poll(async () => (await stored(id)).start_date).toBe('2027-06-16 12:00:00');
      expect((await stored(id)).end_date).toBe('2027-06-16 15:00:00');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await stored(id)).start_date).toBe('2027-06-16 13:00:00');
    });
  });

  it('a phone shows dots and lists the events of the selected day', async () => {
    await open('/', { viewport: { width: 390, height: 844 } });
    expect(await page.locator('.month-dots > span').count()).toBeGreaterThan(10);
    await page
      .getByRole('link', { name: /^Tuesday, 2 March 2027/ })
      .first()
      .click();
    await expect.poll(search).toBe('?day=2027-03-02');
    await page
      .getByRole('region', { name: /Tuesday, 2 March/ })
      .getByRole('link', { name: /Why Bridges Sing/ })
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });

  describe('crowded days', () => {
    beforeEach(async () => {
      for (let index = 0; index < 12; index++)
        await event({
          title: `Talk ${index}`,
          start_date: '2027-03-20 10:00',
          end_date: '2027-03-20 11:00',
          venue: { venue: `Room ${index % 3}` },
        });
      await event({ title: 'Bell', start_date: '2027-03-20 13:00', end_date: '2027-03-20 13:10' });
    });

    it.each(['/?view=week&day=2027-03-20', '/?day=2027-03-20'])('%s counts what it cannot show, and lists it in place', async (address) => {
      await open(address);
      const more = page.getByRole('button', { name: /more on Saturday, 20 March/ });
      const [, count] = /^(\d+) more/.exec((await more.getAttribute('aria-label'))!)!;
      const shown = await page.locator('.view [data-event]', { hasText: /^.*Talk \d+/ }).count();
      expect(shown + Number(count)).toBeGreaterThanOrEqual(12);
      if (address.includes('week'))
        expect(await page.locator('.timetable-column[data-day="2027-03-20"] .block').count()).toBeGreaterThan(2);
      // The start of each title is visible, and no block below another one is narrower than a target.
      const hidden = `[...document.querySelectorAll('.view .block')].filter((block) => {
        block.scrollIntoView({ block: 'center' });
        const { left, top, height } = block.getBoundingClientRect();
        const isVisible = (x, y) => block.contains(document.elementFromPoint(left + x, top + y));
        return height < 24 || !isVisible(4, 4) || !isVisible(32, 4) || !isVisible(4, 20);
      }).map((block) => block.title)`;
      expect(await page.evaluate(hidden)).toEqual([]);
      await more.click();
      expect(await violations(page)).toEqual([]);
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /Talk 11/ })
        .click();
      await page.getByRole('dialog', { name: 'Talk 11' }).waitFor();
    });
  });

  it('a week opens at 07:00 or one hour before its first event after that, and counts earlier ones', async () => {
    await event({ title: 'Night train', start_date: '2027-06-16 00:15', end_date: '2027-06-16 01:00' });
    await event({ title: 'Late start', start_date: '2027-06-17 11:00', end_date: '2027-06-17 12:00' });
    await open('/?view=week&day=2027-06-16');
    const firstHour = () =>
      page.evaluate<number>(
        '(() => { const t = document.querySelector(".timetable"); return t.scrollTop / (t.querySelector(".timetable-hours").clientHeight / 24); })()',
      );
    await expect.poll(firstHour).toBeCloseTo(9.75, 1);
    const [pill, wholeDays] = await Promise.all(
      [page.getByRole('button', { name: '1 earlier' }), page.locator('.timetable-whole-days')].map(
        async (each) => (await each.boundingBox())!,
      ),
    );
    expect(pill!.y).toBeGreaterThanOrEqual(wholeDays!.y + wholeDays!.height);
    await page.getByRole('button', { name: '1 earlier' }).click();
    await expect.poll(firstHour).toBeCloseTo(0, 1);
  });

  it('a week opens at its first event if the categories arrive after the events', async () => {
    await event({ title: 'Late start', start_date: '2027-06-17 11:00', end_date: '2027-06-17 12:00' });
    page = await browser.newPage(desktop);
    const events = page.waitForResponse((response) => response.url().includes('/page/events'));
    await page.route(/\/categories\?/, async (route) => {
      await Promise.all([events.then((response) => response.finished()), page.waitForSelector('.timetable')]);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await route.continue();
    });
    await page.goto(`${calendar.url}/?view=week&day=2027-06-16`);
    await page.getByText('Late start').waitFor();
    expect(
      await page.evaluate(
        'document.querySelector(".timetable").scrollTop / (document.querySelector(".timetable-hours").clientHeight / 24)',
      ),
    ).toBeCloseTo(9.75, 1);
  });

  it.each(['en-US', 'de-DE'])('a click on a day and the green button open the line for a new event with that day (%s)', async (locale) => {
    await open('/?day=2027-03-20', { ...desktop, locale });
    const line = page.getByRole('dialog', { name: 'New event' }).getByRole('textbox');
    await page.locator('.month-cell[data-day="2027-03-17"]').click({ position: { x: 20, y: 90 } });
    await page.getByText('(on the day you clicked)').waitFor();
    expect(await line.inputValue()).toBe('');
    await page.keyboard.type('Concert friday 8pm');
    await page.getByText('(“friday 8pm”)').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New event' }).click();
    await page.getByText('(on the day you clicked)').waitFor();
    await page.keyboard.type('Yoga every tuesday');
    await page.getByText(/^Creates one event: repeats/).waitFor();
    await line.fill('Movie 8 2027-03-20 20:00-22:00 at Nowhere Bar #free');
    await page.getByText('not read as a date, time or price: 8').waitFor();
    expect(await page.locator('mark').textContent()).toBe('8');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'More fields' }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Movie 8');
    const values = await Promise.all(
      ['#field-start_date', '[aria-label="Starts, time"]', '[aria-label="Ends, time"]'].map((each) => page.locator(each).inputValue()),
    );
    expect(values).toEqual(['2027-03-20', '20:00', '22:00']);
    await page.getByRole('button', { name: 'Remove Nowhere Bar' }).waitFor();
    await page.getByRole('button', { name: 'Remove free' }).waitFor();
  });

  it('the search offers venues, organizers and categories as filters', async () => {
    await open('/?day=2027-03-20');
    await page.getByRole('searchbox', { name: 'Search events' }).fill('harb');
    await page.getByRole('link', { name: 'Only Harbour Hall venues' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('venue')).toBe(true);
    expect(new URL(page.url()).searchParams.has('search')).toBe(false);
    expect(await page.getByRole('searchbox', { name: 'Search events' }).inputValue()).toBe('');
  });

  it('an event until 3:00 stays on its evening in month and list, and is drawn on both days of a week', async () => {
    const { id } = await event({ title: 'Club night', start_date: '2027-06-18 22:00', end_date: '2027-06-19 03:00' });
    await open('/?day=2027-06-18');
    expect(await page.locator(`[data-event="${id}"]`).count()).toBe(1);
    expect(await page.locator(`.chip.dot[data-event="${id}"]`).count()).toBe(1);
    await page.goto(`${calendar.url}/?view=week&day=2027-06-18`);
    await settled(page);
    expect(await page.locator(`.block[data-event="${id}"]`).count()).toBe(2);
  });

  it('a month with 1,000 events is one request of at most 0.4 KB per event', async () => {
    const { events } = calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url });
    for (let index = 0; index < 1000; index++)
      await events.create({
        title: `Generated event number ${index}`,
        start_date: `2028-06-${String(1 + (index % 28)).padStart(2, '0')} 10:00`,
        end_date: `2028-06-${String(1 + (index % 28)).padStart(2, '0')} 11:00`,
      });
    const sizes: number[] = [];
    page = await browser.newPage(desktop);
    page.on('response', async (response) => {
      if (response.url().includes('/_calendar/page/events')) sizes.push((await response.body()).length);
    });
    await page.goto(`${calendar.url}/?day=2028-06-15`);
    await page.locator('.chip').first().waitFor();
    await page.waitForTimeout(1000);
    expect(sizes.length).toBe(1);
    expect(sizes[0]! / 1000).toBeLessThan(400);
    const requests = (await (await fetch(`${calendar.url}/_calendar/requests`)).json()) as { requests: { path: string }[] };
    expect(requests.requests.filter(({ path }) => path.startsWith('/_calendar/page'))).toEqual([]);
  });
});
