import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, settled, violations, watched } from '../../support/browser.ts';
import { limit } from '../../support/timeouts.ts';

describe.skipIf(noBrowser)(`data${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launched();
  });
  beforeEach(async () => {
    calendar = await servedPage('minimal');
  });
  afterEach(async () => {
    await page?.close();
    await calendar.close();
  });
  afterAll(() => closeContexts(browser));

  const open = async (query = '', look = {}) => {
    ({ page } = await watched(browser, `${calendar.url}/_calendar/data${query}`, look));
  };
  const records = (name: ResourceName) => calendar.store.calendarFor(owner, { home: calendar.url, root: calendar.url })[name];
  const add = (name: ResourceName, input: Record<string, unknown>) => records(name).create(input);
  const event = (title: string, more = {}) =>
    add('events', { title, start_date: '2027-03-20 10:00', end_date: '2027-03-20 11:00', ...more });
  const search = () => new URL(page.url()).searchParams;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const row = (text: string) => page.getByRole('row', { name: new RegExp(text) });
  const select = (text: string) => row(text).getByRole('checkbox').check();
  const column = async (index: number) => page.locator(`tbody tr:not(.table-spacer) td:nth-child(${index + 2})`).allTextContents();
  const trashed = async (name: ResourceName) =>
    (await records(name).list({ status: 'trash', start_date: '2000-01-01', end_date: '2100-01-01' })).total;

  it('lists records of every date and status, and sorts by any column', async () => {
    await event('Old', { start_date: '1999-01-01', end_date: '1999-01-02', status: 'draft' });
    await event('Zebra');
    await open();
    const { total } = await records('events').list({ status: 'publish,draft', start_date: '0001-01-01', end_date: '9999-12-31' });
    await page.getByText(`${total} records`).waitFor();
    await press('title');
    expect((await column(1)).at(-1)).toBe('Zebra');
    await page.getByRole('button', { name: /^title/ }).click();
    expect([(await column(1))[0], search().get('sort')]).toEqual(['Zebra', '-title']);
    expect(await row('Old').textContent()).toContain('draft');
  });

  it.each(['events', 'venues', 'organizers', 'categories', 'tags', 'trash'])('the table of %s is accessible', async (table) => {
    await event('Gone', { status: 'trash' });
    await open(`?table=${table}`);
    await page.getByRole('grid', { name: table }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('filters with the parameters of the API, which the address contains and can be copied', async () => {
    await event('Jazz at noon', { categories: ['Music'], status: 'draft' });
    await event('Jazz at night', { categories: ['Music'] });
    await open();
    await press('Add filter');
    await page.getByLabel('Parameter').selectOption('status');
    await page.getByLabel('Value').fill('draft');
    expect(await violations(page)).toEqual([]);
    await press('Apply');
    await expect.poll(() => column(1)).toEqual(['Jazz at noon']);
    await page.getByLabel('Search records').fill('jazz');
    await expect.poll(() => page.url()).toContain('?status=draft&search=jazz');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [name, start] of [
      ['URL', `${calendar.url}/calendar/events/v1/events?`],
      ['curl', `curl '${calendar.url}`],
      ['command', "calendar request GET '/events?"],
    ] as const) {
      await press('Copy as');
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await page.getByText('Copied.').waitFor();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(text.slice(0, start.length)).toBe(start);
      expect(text).toContain('status=draft');
    }
    await press('Remove filter status');
    await expect.poll(async () => (await column(1)).length).toBe(2);
    await page.goBack();
    await expect.poll(() => column(1)).toEqual(['Jazz at noon']);
  });

  it('is where the link of a record, and its deletion, return to', async () => {
    await event('Passing guest');
    await event('Passing friend');
    await open('?search=passing&sort=title');
    const address = page.url();
    await row('Passing guest').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Passing guest' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Data' }).click();
    await expect.poll(() => page.url()).toBe(address);
    await row('Passing guest').getByRole('link').first().click();
    await press('Delete');
    await expect.poll(() => page.url()).toBe(address);
    await expect.poll(() => column(1)).toEqual(['Passing friend']);
  });

  it('chooses columns and their order', async () => {
    await open();
    await press('Columns');
    await page.getByRole('checkbox', { name: 'website', exact: true }).check();
    await page.getByRole('checkbox', { name: 'venue', exact: true }).uncheck();
    await press('Move title to the left');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const headings = await page.getByRole('columnheader').getByRole('button').allTextContents();
    expect(headings.slice(0, 2)).toEqual(['title', 'id']);
    expect([headings.includes('venue'), headings.at(-1)]).toEqual([false, 'website']);
  });

  it('edits a cell with the keyboard, and undoes it', async () => {
    const { id } = await event('Before', { venue: { venue: 'Old hall' } });
    await open('?search=Before');
    await row('Before').getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'title' }).fill('After');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText(/^Saved title of “Before” \(/).waitFor();
    expect((await records('events').get({ id: Number(id) })).title).toBe('After');
    await press('Undo');
    await page.getByText(/^Undone: /).waitFor();
    expect((await records('events').get({ id: Number(id) })).title).toBe('Before');
    await row('Before').getByRole('gridcell').nth(3).dblclick();
    await page.getByRole('dialog').locator('input[type="date"]').fill('2027-03-19');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await records('events').get({ id: Number(id) })).start_date).toBe('2027-03-19 10:00:00');
  });

  it.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
    ['categories', 'name'],
    ['tags', 'name'],
  ] as const)('New and Duplicate of %s', async (table, label) => {
    const names = async () =>
      (await records(table).list({ search: 'Twin', ...(label === 'name' && { hide_empty: 'false' }) })).entries.map(
        (entry) => entry[label],
      );
    await open(`?table=${table}`);
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.getByLabel('Name').fill('Twin');
    await page.getByLabel('Description').fill('A text');
    expect(await page.getByText('More options').count()).toBe(label === 'name' ? 0 : 1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByText('Created “Twin”.').waitFor();
    await expect.poll(names).toEqual(['Twin']);
    await press('Undo');
    await expect.poll(names).toEqual([]);
    await records(table).create({ [label]: 'Twin', description: 'A text' });
    await page.goto(`${calendar.url}/_calendar/data?table=${table}`);
    await select('Twin');
    await press('Duplicate');
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('A text');
    await page.getByLabel('Name').fill('Twin B');
    await page.getByRole('button', { name: /^Create/ }).click();
    await expect.poll(names).toEqual(expect.arrayContaining(['Twin', 'Twin B']));
  });

  it('a new category is shown in its table, and its copy has another name', async () => {
    await add('categories', { name: 'Films & more' });
    await open('?table=categories&search=films');
    await select('Films');
    await press('Duplicate');
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Films & more (copy)');
    await page.getByRole('button', { name: 'Create category' }).click();
    await row('Films & more \\(copy\\)').waitFor();
    expect(search().get('table')).toBe('categories');
  });

  it('the parent of a category is chosen by name, in its form and in its cell', async () => {
    const { id: film } = await add('categories', { name: 'Film' });
    const { id: opera } = await add('categories', { name: 'Opera' });
    const { id: silent } = await add('categories', { name: 'Silent', parent: film });
    const parent = async () => (await records('categories').get({ id: Number(silent) })).parent;
    await open('?table=categories&search=silent&columns=name,parent');
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: /parent/i }).fill(name);
      await page.getByRole('option', { name }).click();
    };
    await row('Silent').getByRole('gridcell').nth(2).dblclick();
    await press('Remove Film');
    await choose('Opera');
    await press('Save');
    await expect.poll(parent).toBe(opera);
    await press('Undo');
    await expect.poll(parent).toBe(film);
    await page.goto(`${calendar.url}/?new=category`);
    await page.getByLabel('Name').fill('Noir');
    await choose('Film');
    await press('Create category');
    await expect.poll(async () => (await records('categories').list({ parent: film, hide_empty: 'false' })).total).toBe(2);
  });

  it('shows hidden events to those who may edit them', async () => {
    await event('Hidden one', { hide_from_listings: true });
    await open('?search=hidden');
    expect(await row('Hidden one').textContent()).toMatch(/Hidden one\s*Hidden/);
    expect(await violations(page)).toEqual([]);
    await page.close();
    await calendar.store.users.add({ name: 'ana', role: 'administrator', password: 'secret' });
    await open('?search=hidden');
    await page.getByText('No matching events').waitFor();
  });

  it('shows why a cell cannot be edited', async () => {
    await event('Fixed');
    await open('?search=Fixed&columns=id,title,modified');
    await row('Fixed').getByRole('gridcell').nth(3).dblclick();
    await page.getByText('The server sets modified.').waitFor();
  });

  it('deletes several records with Undo, and restores from the trash', async () => {
    await event('One');
    await event('Two');
    await open();
    await select('One');
    await select('Two');
    expect(search().get('selected')).toMatch(/^\d+-\d+$/);
    expect(await violations(page)).toEqual([]);
    await press('Delete');
    await page.getByText('Deleted 2 events.').waitFor();
    expect(await trashed('events')).toBe(2);
    await press('Undo');
    await page.getByText(/^Undone: /).waitFor();
    expect(await trashed('events')).toBe(0);
    await select('One');
    await press('Delete');
    await page.getByText('Deleted 1 event.').waitFor();
    await page.getByRole('link', { name: 'trash' }).click();
    await select('One');
    await press('Restore as draft');
    await page.getByText('Restored 1 event.').waitFor();
    expect((await records('events').list({ status: 'draft', search: 'One' })).total).toBe(1);
  });

  it('publishes, shifts and categorizes the selected events, and undoes it', async () => {
    const ids = await Promise.all(
      ['Draft A', 'Draft B'].map(async (title) => Number((await event(title, { status: 'draft', categories: ['Before'] })).id)),
    );
    await open(`?search=Draft&selected=${ids.join(',')}`);
    const values = async (name: string) => Promise.all(ids.map(async (id) => (await records('events').get({ id }))[name]));
    await press('Publish');
    await page.getByText('Published 2 events.').waitFor();
    expect(await values('status')).toEqual(['publish', 'publish']);
    await press('Shift');
    await page.getByLabel('Shift by').fill('+2 days');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Moved 2 events.').waitFor();
    expect(await values('start_date')).toEqual(['2027-03-22 10:00:00', '2027-03-22 10:00:00']);
    await press('Undo');
    await page.getByText(/^Undone: /).waitFor();
    expect(await values('start_date')).toEqual(['2027-03-20 10:00:00', '2027-03-20 10:00:00']);
    await press('Edit field…');
    await page.getByRole('combobox', { name: 'Categories' }).fill('After');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Updated 2 events.').waitFor();
    const names = async () => (await values('categories')).map((terms) => (terms as { name: string }[]).map(({ name }) => name));
    expect(await names()).toEqual([['After'], ['After']]);
    await press('Undo');
    await page.getByText(/^Undone: /).waitFor();
    expect(await names()).toEqual([['Before'], ['Before']]);
  });

  it('deletes a category at once; z restores it and its events, also when the message is gone', async () => {
    await event('In it', { categories: ['Doomed'] });
    await open('?table=categories');
    await select('Doomed');
    await press('Delete');
    await page.getByText('Deleted 1 category.').waitFor();
    const found = async () => (await records('categories').list({ search: 'Doomed', hide_empty: 'false' })).total;
    expect(await found()).toBe(0);
    await press('Dismiss');
    await page.keyboard.press('?');
    await page.getByText('Undo: Deleted 1 category.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('main').focus();
    await page.keyboard.press('z');
    await page.getByText('Undone: deleted 1 category.').waitFor();
    await row('Doomed').waitFor();
    expect((await records('events').list({ categories: 'doomed' })).total).toBe(1);
  });

  it('an Undo stays as long as it is hovered or focused', async () => {
    await add('tags', { name: 'Doomed' });
    await open('?table=tags');
    await select('Doomed');
    await press('Delete');
    const button = page.getByRole('button', { name: 'Undo' });
    await button.waitFor();
    await page.clock.install();
    await button.hover();
    await page.clock.runFor(20_000);
    await button.focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    expect(await button.count()).toBe(1);
    await page.evaluate('document.activeElement.blur()');
    await page.clock.runFor(20_000);
    await expect.poll(() => button.count()).toBe(0);
  });

  describe('more than 20 selected records', () => {
    beforeEach(async () => {
      await calendar.control.generate({ events: 300, rng_seed: 'many' });
      await open('?search=');
      await page.getByLabel('Select all').check();
    });

    it('are deleted after a question with their number, with progress, and restored', async () => {
      const total = (await calendar.control.health({})).records.events!;
      await press('Delete');
      const dialog = page.getByRole('dialog', { name: `Delete ${total} events?` });
      await dialog.getByText('They are moved to the trash. You can undo this.').waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await trashed('events')).toBe(0);
      await press('Delete');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`Deleted ${total} events.`).waitFor();
      expect(await trashed('events')).toBe(total);
      await press('Undo');
      await page.getByText(`Undone: deleted ${total} events.`).waitFor();
      expect(await trashed('events')).toBe(0);
    });

    it('a cancelled change stays as far as it got, and is undone; what was changed since is named', async () => {
      const ids = (await calendar.store.db.all<{ id: number }>('select id from events order by id')).map(({ id }) => id);
      // The response ends after the first batch: as slow as a change of many more records.
      await page.route('**/_calendar/page/changes', async (route) => {
        if (route.request().postData()?.includes('undo')) return route.continue();
        const response = await route.fetch({ postData: JSON.stringify({ changes: [{ resource: 'events', ids: ids.slice(0, 100) }] }) });
        const [first] = (await response.text()).split('\n');
        await route.fulfill({ response, body: `${JSON.stringify({ ...JSON.parse(first!), done: 100, total: ids.length })}\n` });
      });
      await press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`Deleted 100 of ${ids.length} events.`).waitFor();
      await records('events').update({ id: ids[0]! }, { title: 'Changed since', status: 'draft' });
      await press('Undo');
      await page.getByText(/^Undone: deleted 99 events\. Not changed: “.*” \(it was changed since\)\.$/).waitFor();
    });
  });

  it('changes a field of the selected records, whose price is a column', async () => {
    const ids = await Promise.all(['Price A', 'Price B'].map(async (title) => Number((await event(title)).id)));
    await open(`?search=Price&selected=${ids.join(',')}`);
    await page.getByRole('columnheader', { name: 'cost' }).waitFor();
    await press('Edit field…');
    await page.getByLabel('Field', { exact: true }).selectOption('cost');
    await page.getByRole('textbox', { name: 'Cost' }).fill('12');
    expect(await violations(page)).toEqual([]);
    await press('Save');
    await page.getByText('Updated 2 events.').waitFor();
    const costs = () => Promise.all(ids.map(async (id) => (await records('events').get({ id })).cost));
    expect(await costs()).toEqual(['$12', '$12']);
    await press('Undo');
    await expect.poll(costs).toEqual(['', '']);
  });

  it('lists the problems of a file, and imports its valid records', async () => {
    await open('?table=events');
    const transfer = await page.evaluateHandle(`(() => {
      const t = new DataTransfer();
      const rows = ['title,start_date', 'Good A,2027-05-01 10:00', ',2027-05-02 10:00', 'Bad,whenever', 'Good B,2027-05-03 10:00'];
      t.items.add(new File([rows.join('\\n')], 'events.csv'));
      return t;
    })()`);
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 problems. Records with problems are not imported.').waitFor();
    expect(await dialog.locator('.import-preview-remarks').textContent()).toMatch(/line 3.*title.*line 4.*start_date.*whenever/);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 2 events without 2 rows' }).click();
    await page.getByText('Imported events.csv: 2 created, 2 skipped.').waitFor();
    expect((await records('events').list({ search: 'Good' })).total).toBe(2);
  });

  it('previews a dropped file, imports it, and undoes it', async () => {
    await open('?table=venues');
    const transfer = await page.evaluateHandle(
      `(() => { const t = new DataTransfer(); t.items.add(new File(['venue,city\\nThe Attic,Lyon\\n'], 'venues.csv')); return t; })()`,
    );
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.getByText('Dry run: 1 created.').waitFor();
    expect(await violations(page)).toEqual([]);
    const found = async () => (await records('venues').list({ search: 'Attic' })).total;
    expect(await found()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('Imported venues.csv: 1 created.').waitFor();
    expect(await found()).toBe(1);
    await press('Undo');
    await expect.poll(found).toBe(0);
  });

  it('reads a dropped table with the options of the command', async () => {
    await open('?table=venues');
    const transfer = await page.evaluateHandle(
      `(() => { const t = new DataTransfer(); t.items.add(new File(['Haus;Ort\\nZoo;Köln\\n'], 'häuser.csv')); return t; })()`,
    );
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.getByRole('button', { name: 'Import 1 venue without column “Haus”' }).waitFor();
    await page.getByText('Options').click();
    const set = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.keyboard.press('Tab');
    };
    await set('Delimiter', 'two');
    await page.getByText('Delimiter must be one character, or tab').waitFor();
    await set('Delimiter', ';');
    await page.getByLabel('Haus', { exact: true }).selectOption('venue');
    await page.getByLabel('Ort', { exact: true }).selectOption('city');
    await page.getByText('Dry run: 1 created.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('Imported häuser.csv: 1 created.').waitFor();
    expect((await records('venues').list({ search: 'Zoo' })).total).toBe(1);
  });

  it('has a form for the columns of a table, says each heading once, and the button says what is left out', async () => {
    await open('?table=events');
    const rows = ['Titel;Datum;Wo;Straße;Farbe;Laune', 'Fado;5.3.2027;Casa;Rua 1;rot;gut', ';6.3.2027;Casa;;;'];
    const buffer = Buffer.from(rows.join('\n'));
    await page.getByLabel('File to import').setInputFiles({ name: 'programm.csv', mimeType: 'text/csv', buffer });
    const dialog = page.getByRole('dialog');
    const submit = dialog.locator('button[type=submit]');
    await expect.poll(() => submit.textContent()).toBe('Import 1 event without 4 columns and 1 row');
    const focused = () => page.evaluate('document.activeElement.tagName + " " + document.activeElement.textContent');
    expect(await focused()).toMatch(/^DIALOG /);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('SUMMARY Columns');
    expect(violations(page)).resolves.toEqual([]);
    const text = (await dialog.locator('details, ul, p').allInnerTexts()).join('\n');
    for (const heading of ['Wo', 'Straße', 'Farbe', 'Laune'])
      expect([heading, text.split(`${heading}\n`).length - 1]).toEqual([heading, 1]);
    const choose = (heading: string, field: string) => dialog.getByLabel(heading, { exact: true }).selectOption(field);
    await choose('Straße', 'venue_address');
    await dialog.getByText('venue_address for the heading "Straße" needs a column for venue').waitFor();
    await choose('Wo', 'venue');
    await expect.poll(() => submit.textContent()).toBe('Import 1 event without column “Farbe”, column “Laune” and 1 row');
    expect(await dialog.getByLabel('Straße', { exact: true }).inputValue()).toBe('venue_address');
    await choose('Laune', 'excerpt');
    await expect.poll(() => submit.textContent()).toBe('Import 1 event without column “Farbe” and 1 row');
    await submit.click();
    await page.getByText('Imported programm.csv: 1 created, 1 skipped.').waitFor();
    const [venue] = (await records('venues').list({ search: 'Casa' })).entries;
    expect(venue).toMatchObject({ venue: 'Casa', address: 'Rua 1' });
  });

  it('exports a table', async () => {
    await open('?table=venues');
    await press('Export');
    const [file] = await Promise.all([page.waitForEvent('download'), press('csv')]);
    expect(file.suggestedFilename()).toBe('venues.csv');
  });

  it.each([
    ['/_calendar/data', ''],
    ['/_calendar/data?table=trash', ''],
    ['/_calendar/data?table=venues&status=draft', ''],
    ['/', 'Sign in to create events.'],
    ['/_calendar/', ''],
  ])('a visitor of %s is refused nothing, and the key for a new event says why', async (address, reason) => {
    await calendar.store.users.add({ name: 'ana', role: 'administrator', password: 'secret' });
    const { page: opened, lines } = await watched(browser, calendar.url + address);
    page = opened;
    await settled(page);
    if (reason) {
      await page.keyboard.press('n');
      await page.getByText(reason).waitFor();
    }
    expect(lines).toEqual([]);
  });

  it('disables what a visitor may not do, with the reason', async () => {
    const { id } = await event('Public');
    await calendar.store.users.add({ name: 'ana', role: 'administrator', password: 'secret' });
    await open(`?selected=${id}`);
    expect(await page.getByRole('button', { name: 'Delete' }).getAttribute('title')).toBe('Sign in to edit records.');
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
    await row('Public').getByRole('gridcell').nth(2).dblclick();
    await page.getByRole('dialog').getByText('Sign in to edit records.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it(
    'scrolls through 10,000 rows and draws only the visible ones',
    async () => {
      await calendar.control.generate({ events: 10_000 });
      await open();
      await page.getByText(/^10,\d+ records$/).waitFor();
      const rows = () => page.locator('tbody tr:not(.table-spacer)');
      expect(await rows().count()).toBeLessThan(60);
      await page.locator('[data-cell="0 0"]').focus();
      await page.keyboard.press('Control+End');
      await expect.poll(() => page.evaluate<string>('String(document.activeElement.dataset.cell)')).toMatch(/^10\d\d\d /);
      expect(await rows().count()).toBeLessThan(60);
      expect(await violations(page)).toEqual([]);
      const response = page.waitForResponse('**/_calendar/page/records/events?*');
      await page.reload();
      expect((await (await response).body()).length / 10_000).toBeLessThan(600);
      await settled(page);
    },
    limit(60_000),
  );
});
