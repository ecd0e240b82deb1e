import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';

describe.skipIf(noBrowser)(`editing events${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let context: BrowserContext;
  let calendar: ServedPage;
  let page: Page;
  const site = () => ({ home: calendar.url, root: calendar.url });
  const findEvents = async (search: string) =>
    (await calendar.store.calendarFor(owner, site()).events.list({ search, status: 'any', starts_after: '2020-01-01' })).entries;
  beforeAll(async () => {
    [browser, calendar] = await Promise.all([launched(), servedPage('minimal')]);
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 } });
  });
  beforeEach(async () => {
    await page?.close();
    ({ page } = await watched(context, `${calendar.url}/?day=2026-12-03`));
  });
  afterAll(() => Promise.all([closeContexts(browser), calendar?.close()]));

  const focused = () => page.evaluate<string>('document.activeElement.id');
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 150; presses++) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate<string>(
        `(({ activeElement: at }) => at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent)(document)`,
      );
      if (name.test(label)) return;
    }
    throw new Error(`no element named ${name} is reachable with Tab`);
  };

  it('creates, edits and deletes with the keyboard', async () => {
    await tabTo(/^New event/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New event' }).waitFor();
    await tabTo(/^More fields/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toMatch(/^New event – /);
    expect(await focused()).toBe('field-title');
    await page.keyboard.type('Night of the keys');
    await tabTo(/^Venue/);
    await page.keyboard.type('Room of keys');
    await page.getByRole('option', { name: 'Room of keys' }).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(/^Create event/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Night of the keys' }).getByRole('link', { name: 'Edit' }).waitFor();
    await tabTo(/^Edit/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
    await tabTo(/^Cost/);
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByText('Saved “').waitFor();
    expect(await findEvents('keys')).toMatchObject([
      { title: 'Night of the keys', cost: '$12', start_date: '2026-12-03 00:00:00', venue: { venue: 'Room of keys' } },
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor();
    await tabTo(/^Delete/);
    await page.keyboard.press('Enter');
    await page.getByText('Deleted').waitFor();
    expect(await findEvents('keys')).toEqual([]);
  });

  it('offers no suggestions for an earlier text, which Enter would select', async () => {
    await calendar.store.calendarFor(owner, site()).venues.create({ venue: 'Barn One' });
    await page.goto(`${calendar.url}/?new=event`);
    await settled(page);
    const venue = page.getByRole('combobox', { name: 'Venue' });
    const options = () => page.getByRole('listbox', { name: 'Venue' }).getByRole('option').allTextContents();
    await venue.pressSequentially('Barn');
    await expect.poll(options).toEqual(['Barn One', 'BarnNew']);
    await page.route(/\/venues\?/, () => {});
    await venue.pressSequentially(' o');
    expect(await options()).toEqual(['Barn One', 'Barn oNew']);
    await venue.pressSequentially('f keys');
    expect(await options()).toEqual(['Barn of keysNew']);
  });

  it('creates, moves and resizes with the mouse, and undoes it', async () => {
    const cell = (day: string) => page.locator(`.month-cell[data-day="${day}"]`);
    await cell('2026-12-08').click({ position: { x: 60, y: 60 } });
    await page.getByRole('dialog').getByText('(on the day you clicked)').waitFor();
    await page.keyboard.type('Mice');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { name: 'Mice' }).waitFor();
    await page.goto(`${calendar.url}/?day=2026-12-03`);
    await settled(page);
    const drag = async (from: { x: number; y: number }, day: string) => {
      const to = (await cell(day).boundingBox())!;
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await expect
        .poll(async () => {
          await page.mouse.move(to.x + 40, to.y + 40, { steps: 4 });
          return page.locator('.dragging').count();
        })
        .toBe(1);
      await page.mouse.move(to.x + 42, to.y + 42);
      await page.mouse.up();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      await settled(page);
    };
    const box = async () => (await page.locator('[data-event]', { hasText: 'Mice' }).first().boundingBox())!;
    let at = await box();
    await drag({ x: at.x + 40, y: at.y + 8 }, '2026-12-10');
    expect(await findEvents('mice')).toMatchObject([{ start_date: '2026-12-10 00:00:00', end_date: '2026-12-10 23:59:59' }]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    at = await box();
    await drag({ x: at.x + at.width - 3, y: at.y + 8 }, '2026-12-12');
    expect(await findEvents('mice')).toMatchObject([{ start_date: '2026-12-10 00:00:00', end_date: '2026-12-12 23:59:59' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => findEvents('mice')).toMatchObject([{ end_date: '2026-12-10 23:59:59' }]);
  });

  /** Opens the page on a phone. */
  const openOnPhone = async (address: string) => {
    const phone = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 560 }, hasTouch: true, isMobile: true });
    const { page: touched } = await watched(phone, calendar.url + address);
    const wire = await phone.newCDPSession(touched);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      wire.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    /** Presses until the drag starts. */
    const press = async (x: number, y: number) => {
      await touch('touchStart', x, y);
      await touched.waitForSelector('[data-grabbed]');
    };
    return { phone, touched, touch, press };
  };

  it('resizes with touch', async () => {
    await calendar.store
      .calendarFor(owner, site())
      .events.create({ title: 'Stretch', start_date: '2026-12-14 09:00', end_date: '2026-12-14 10:30' });
    const { phone, touched, touch, press } = await openOnPhone('/?view=day&day=2026-12-14');
    const { x, y, width, height } = (await touched.locator('.block', { hasText: 'Stretch' }).boundingBox())!;
    const hour = (await touched.locator('.timetable-hours').boundingBox())!.height / 24;
    await press(x + width / 2, y + height - 6);
    for (let at = 1; at <= 6; at++) await touch('touchMove', x + width / 2, y + height - 6 + (hour * at) / 6);
    await touch('touchEnd');
    await expect.poll(() => findEvents('stretch')).toMatchObject([{ start_date: '2026-12-14 09:00:00', end_date: '2026-12-14 11:30:00' }]);
    await phone.close();
  });

  it('scrolls during a drag at an edge', async () => {
    await calendar.store
      .calendarFor(owner, site())
      .events.create({ title: 'Far down', start_date: '2026-12-15 09:00', end_date: '2026-12-15 10:00' });
    const { phone, touched, touch, press } = await openOnPhone('/?view=day&day=2026-12-15');
    const scrollPosition = () => touched.evaluate<number>('document.querySelector(".timetable").scrollTop + scrollY');
    const before = await scrollPosition();
    const { x, y, height } = (await touched.locator('.block', { hasText: 'Far down' }).boundingBox())!;
    await press(x + 80, y + height / 3);
    expect(await scrollPosition()).toBe(before);
    for (let at = 1; at <= 6; at++) await touch('touchMove', x + 80, y + ((550 - y) * at) / 6);
    await expect.poll(scrollPosition).toBeGreaterThan(before + 300);
    await touch('touchMove', x + 80, 350);
    await touch('touchEnd');
    const hours = async () => Number(/ (\d\d):/.exec(String((await findEvents('far down'))[0]!.start_date))![1]);
    await expect.poll(hours).toBeGreaterThan(12);
    await phone.close();
  });

  it('moves with a long press; other touches scroll', async () => {
    await calendar.store
      .calendarFor(owner, site())
      .events.create({ title: 'Fingers', start_date: '2026-12-08', end_date: '2026-12-08', all_day: true });
    // A tablet; a phone shows dots instead of events.
    const phone = await browser.newContext({ locale: 'en-GB', viewport: { width: 700, height: 560 }, hasTouch: true, isMobile: true });
    const { page: touched } = await watched(phone, `${calendar.url}/?day=2026-12-03`);
    const wire = await phone.newCDPSession(touched);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      wire.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    const chip = async () => {
      const { x, y, width } = (await touched.locator('[data-event]', { hasText: 'Fingers' }).first().boundingBox())!;
      return { x: x + width / 2, y: y + 8 };
    };
    /** Swipes from the event to a position. */
    const swipe = async (pressMs: number, to: { x: number; y: number }) => {
      const from = await chip();
      const down = touch('touchStart', from.x, from.y);
      // Don't wait for the first event: on a busy machine it may take as long as a long press.
      if (pressMs) await down.then(() => touched.waitForTimeout(pressMs));
      else await Promise.all([down, touch('touchMove', from.x, from.y + (to.y - from.y) / 8)]);
      for (let at = 1; at <= 8; at++) {
        await touch('touchMove', from.x + ((to.x - from.x) * at) / 8, from.y + ((to.y - from.y) * at) / 8);
        await touched.waitForTimeout(20);
      }
      await touch('touchEnd');
    };
    const scrolled = () => touched.evaluate<number>('scrollY');
    const start = await chip();
    await swipe(0, { x: start.x, y: start.y - 150 });
    await expect.poll(scrolled).toBeGreaterThan(50);
    expect(await findEvents('fingers')).toMatchObject([{ start_date: '2026-12-08 00:00:00' }]);
    // Wait for the end of momentum scrolling.
    await touched.evaluate(`new Promise((resolve) => {
      let last;
      const timer = setInterval(() => {
        if (scrollY === last) resolve(clearInterval(timer));
        last = scrollY;
      }, 150);
    })`);
    await touched.evaluate('scrollTo(0, 0)');
    const aim = (await touched.locator('.month-cell[data-day="2026-12-02"]').boundingBox())!;
    await swipe(700, { x: aim.x + 20, y: aim.y + 20 });
    await expect.poll(() => findEvents('fingers')).toMatchObject([{ start_date: '2026-12-02 00:00:00' }]);
    expect([await scrolled(), new URL(touched.url()).pathname]).toEqual([0, '/']);
    await phone.close();
  });

  it('shows errors of the API at their fields and keeps the input', async () => {
    await page.locator('.toolbar').getByRole('button', { name: 'New event' }).click();
    await page.getByRole('button', { name: 'More fields' }).click();
    await page.getByLabel('Title').fill('Refused');
    await page.getByLabel('Website').fill('nowhere');
    await page.getByRole('button', { name: 'Create event' }).click();
    const field = page.getByLabel('Website');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#field-website-error').textContent()).toBe('Website must be an absolute URL.');
    await expect.poll(focused).toBe('field-website');
    expect(await page.getByLabel('Title').inputValue()).toBe('Refused');
    await field.fill('https://there.example.org/');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { name: 'Refused' }).waitFor();
  });

  it('sends only changed fields', async () => {
    const created = await calendar.store.calendarFor(owner, site()).events.create({
      title: "Don't & go -- <em>now</em>",
      description: 'One\n\nTwo <b>bold</b>',
      start_date: '2026-12-20 10:00',
      end_date: '2026-12-20 11:00',
    });
    await page.goto(`${new URL(String(created.url)).href}?edit=true`);
    await settled(page);
    expect([await page.getByLabel('Title').inputValue(), await page.getByLabel('Description').inputValue()]).toEqual([
      "Don't & go -- <em>now</em>",
      'One\n\nTwo <b>bold</b>',
    ]);
    await page.getByLabel('Cost').fill('5');
    const [request] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ cost: ['5'] });
  });

  it('keeps the currency of prices, also in undo, and refuses two currencies', async () => {
    const { events } = calendar.store.calendarFor(owner, site());
    const event = { title: 'In euros', cost: ['€8', '€12'], start_date: '2026-12-29 10:00', end_date: '2026-12-29 11:00' };
    const { id, url } = await events.create(event);
    await page.goto(`${new URL(String(url)).href}?edit=true`);
    await page.getByLabel('Cost').fill('€10 / $12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Would be shown as "$10 – $12".').waitFor();
    await page.getByLabel('Cost').fill('€9 – €14');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved “In euros” \(/).waitFor();
    const costOf = async () => (await events.get({ id: Number(id) })).cost;
    expect(await costOf()).toBe('€9 – €14');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Undone: /).waitFor();
    expect(await costOf()).toBe('€8 – €12');
  });

  it('saving a form can be undone, until the event changes again', async () => {
    const { events } = calendar.store.calendarFor(owner, site());
    const before = { title: 'Undone', cost: '1', start_date: '2026-12-30 10:00:00', end_date: '2026-12-30 11:00:00' };
    const { id, url } = await events.create(before);
    const save = async (title: string) => {
      await page.goto(`${new URL(String(url)).href}?edit=true`);
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('All day').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(new RegExp(`^Saved “${title}”( \\(.*\\))?\\.$`)).waitFor();
    };
    const undo = () => page.getByRole('button', { name: 'Undo' }).click();
    await save('Done');
    expect(await events.get({ id: Number(id) })).toMatchObject({ title: 'Done', all_day: true });
    await undo();
    await page.getByText(/^Undone: /).waitFor();
    expect(await events.get({ id: Number(id) })).toMatchObject({ ...before, cost: '$1', all_day: false });
    await save('Done again');
    await events.update({ id: Number(id) }, { title: 'By another' });
    await undo();
    await page.getByText('it changed since').waitFor();
  });

  describe('the same event in two tabs', () => {
    let second: Page;
    let id: number;
    const stored = () => calendar.store.calendarFor(owner, site()).events.get({ id });
    const changed = (on: Page) => on.getByRole('alert').filter({ hasText: 'This event changed meanwhile.' });
    const save = (on: Page) => on.getByRole('button', { name: 'Save' }).click();
    beforeEach(async () => {
      const created = await calendar.store
        .calendarFor(owner, site())
        .events.create({ title: 'Two tabs', cost: '1', start_date: '2026-12-29 10:00', end_date: '2026-12-29 11:00' });
      id = Number(created.id);
      const address = `${new URL(String(created.url)).href}?edit=true`;
      ({ page: second } = await watched(context, address));
      await page.goto(address);
      await settled(page);
      await page.getByLabel('Title').fill('Mine');
    });
    afterEach(() => second.close());
    const changeInSecond = async () => {
      await second.getByLabel('Title').fill('Theirs');
      await second.getByLabel('Cost').fill('9');
      await save(second);
      await second.getByText('Saved “').waitFor();
    };

    it.each([
      ['Reload', { title: 'Theirs', cost: '$9' }],
      ['Overwrite', { title: 'Mine', cost: '$9' }],
    ])('%s', async (choice, expected) => {
      await changeInSecond();
      await changed(page).waitFor();
      expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
      expect(await violations(page)).toEqual([]);
      const sent = page.waitForRequest((request) => request.method() === 'PATCH').then((request) => request.postDataJSON());
      await page.getByRole('button', { name: choice }).click();
      if (choice === 'Reload') {
        expect([await page.getByLabel('Title').inputValue(), await changed(page).count()]).toEqual(['Theirs', 0]);
        await page.getByLabel('Website').fill('https://mine.test/');
        await save(page);
      } else expect(await sent).toEqual({ title: 'Mine' });
      await page.getByText('Saved “').waitFor();
      expect(await stored()).toMatchObject(expected);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(/^Undone: /).waitFor();
      expect(await stored()).toMatchObject({ title: 'Theirs', cost: '$9' });
    });

    it('Save looks for changes that this tab has not heard of', async () => {
      // The first read, because of the change, gets no response.
      const heard = new Promise<void>((resolve) => void page.route(/page\/records/, () => resolve(), { times: 1 }));
      await changeInSecond();
      await heard;
      await save(page);
      await changed(page).waitFor();
      expect((await stored()).title).toBe('Theirs');
      expect(await page.evaluate('document.activeElement.textContent')).toContain('This event changed meanwhile.');
      await page.getByRole('button', { name: 'Overwrite' }).click();
      await page.getByText('Saved “').waitFor();
      expect(await stored()).toMatchObject({ title: 'Mine', cost: '$9' });
    });

    it('a draft keeps the record that it started from', async () => {
      await page.getByRole('link', { name: 'Cancel' }).click();
      await changeInSecond();
      await page.goBack();
      await changed(page).waitFor();
      expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
      await page.getByRole('button', { name: 'Reload' }).click();
      expect(await page.getByLabel('Title').inputValue()).toBe('Theirs');
    });
  });

  it('keeps the input when the record is deleted', async () => {
    const { id, url } = await calendar.store
      .calendarFor(owner, site())
      .events.create({ title: 'Gone', start_date: '2026-12-22 10:00', end_date: '2026-12-22 11:00' });
    await page.goto(`${new URL(String(url)).href}?edit=true`);
    await settled(page);
    await page.getByLabel('Title').fill('Not gone');
    await fetch(`${calendar.root}/events/${id}`, { method: 'DELETE' });
    await page.getByText('This event was deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Title').inputValue()).toBe('Not gone');
  });

  it('restores the draft of a new event after leaving and reloading, until it is discarded or saved', async () => {
    const address = `${calendar.url}/?new=event&start=2026-12-23+18:00`;
    const title = page.getByLabel('Title');
    const discard = page.getByRole('button', { name: 'Discard draft' });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(address);
    await settled(page);
    expect(await discard.count()).toBe(0);
    await title.fill('Half written');
    await page.getByText('More options').click();
    await page.getByLabel('Password').fill('not stored');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.goBack();
    await discard.waitFor();
    expect(await title.inputValue()).toBe('Half written');
    await page.reload();
    await discard.waitFor();
    expect([await title.inputValue(), await page.evaluate('JSON.stringify(sessionStorage)')]).toEqual([
      'Half written',
      expect.not.stringContaining('not stored'),
    ]);
    expect(await violations(page)).toEqual([]);
    await discard.click();
    expect([await title.inputValue(), await discard.count()]).toEqual(['', 0]);
    await title.fill('Written');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { name: 'Written' }).waitFor();
    await page.goto(address);
    await settled(page);
    expect([await title.inputValue(), await discard.count()]).toEqual(['', 0]);
  });

  it('a restored draft says that the record changed since', async () => {
    const { id, url } = await calendar.store
      .calendarFor(owner, site())
      .events.create({ title: 'Draft of an edit', cost: '1', start_date: '2026-12-23 10:00', end_date: '2026-12-23 11:00' });
    await page.goto(`${new URL(String(url)).href}?edit=true`);
    await settled(page);
    await page.getByLabel('Title').fill('My edit');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Draft of an edit' }).waitFor();
    await fetch(`${calendar.root}/events/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Their edit', cost: '9' }),
    });
    await page.getByRole('heading', { name: 'Their edit' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('This event changed meanwhile.').waitFor();
    expect([await page.getByLabel('Title').inputValue(), await page.getByLabel('Cost').inputValue()]).toEqual(['My edit', '$1']);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Their edit');
  });

  it('Calendar, Cancel and Delete return to the address they came from; Undo restores the event', async () => {
    await calendar.store.calendarFor(owner, site()).events.create({
      title: 'Come back',
      start_date: '2026-12-28 10:00',
      end_date: '2026-12-28 11:00',
      featured: true,
      tags: ['Returns'],
    });
    const address = '/?view=list&day=2026-12-27&featured=true';
    const current = () => page.url().slice(calendar.url.length);
    await page.goto(calendar.url + address);
    await settled(page);
    await page.locator('.toolbar').getByRole('button', { name: 'New event' }).click();
    await page.getByRole('button', { name: 'More fields' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    expect(current()).toBe(address);
    const event = page.getByRole('link', { name: /Come back/ });
    await event.click();
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.locator('.record-back a').click();
    expect(current()).toBe(address);
    await event.click();
    await page.getByRole('link', { name: 'Open page' }).click();
    await page.getByRole('link', { name: 'Returns' }).click();
    expect(current()).toBe('/?view=list&day=2026-12-27&tags=returns&featured=true');
    await page.getByRole('button', { name: 'Remove filter Returns' }).click();
    expect(current()).toBe(address);
    const before = await findEvents('come back');
    await event.click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/^Deleted “Come back” \(/).waitFor();
    expect(current()).toBe(address);
    await event.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await event.waitFor();
    const after = await findEvents('come back');
    const { modified: _old, modified_utc: _oldUtc, ...expected } = before[0]!;
    expect(after).toMatchObject([expected]);
  });

  it('a second tab shows the new event', async () => {
    const { page: second } = await watched(context, `${calendar.url}/?view=list&day=2026-12-24`);
    await page.goto(`${calendar.url}/?new=event&start=2026-12-24+18:00`);
    await page.getByLabel('Title').fill('Seen elsewhere');
    await page.getByRole('button', { name: 'Create event' }).click();
    await second.getByRole('link', { name: /Seen elsewhere/ }).waitFor();
    await second.close();
  });
});
