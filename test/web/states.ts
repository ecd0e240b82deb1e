import type { Page } from 'playwright-core';
import type { ServedPage } from '../support/browser.ts';
import { withConflicts } from '../support/conflicted.ts';

/** One state of the page. Each view, layer, dialog, error and empty list is reached once; `shows` names those layers and notices of the sources. */
export interface State {
  name: string;
  address: string;
  /** The calendar: the demo seed by default. */
  calendar?: 'demo' | 'empty' | 'users';
  /** Leads from the address to the state. */
  steps?(page: Page, calendar: ServedPage): Promise<unknown>;
  /** The layers and notices that it shows, as `FILE TAG LABEL`. */
  shows?: readonly string[];
  /** True for states with times, which other locales write longer. */
  hasTimes?: boolean;
  /** True if its texts are those of records, which can be long or from right to left. */
  hasTexts?: boolean;
  /** Lines on the console, like those of failed requests, which belong to it. */
  console?: RegExp;
  /** The window has this size before the steps, which a phone's layout needs. */
  width?: number;
  /** True without JavaScript. */
  isStatic?: boolean;
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const key =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const each of keys) await page.keyboard.press(each);
  };
const type = (label: string | RegExp, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).first().fill(text);
const all =
  (...steps: ((page: Page, calendar: ServedPage) => Promise<unknown>)[]) =>
  async (page: Page, calendar: ServedPage) => {
    for (const step of steps) await step(page, calendar);
  };
const click = (selector: string) => (page: Page) => page.locator(selector).first().click();
const fails =
  (path: string, status = 500) =>
  (page: Page) =>
    page.route(path, (route) => route.fulfill({ status, json: { code: 'busy', message: 'The disk is full.' } }));
const reload = (page: Page) => page.reload();
const march = 'day=2027-03-01';

/** A table with a heading that no field has, and a row without a date. */
const table = 'title,start_date,end_date,shade\nA,2027-03-05,2027-03-05,red\nB,,2027-03-05,blue\n';
const chooseFile = (page: Page) =>
  page.getByLabel('File to import').setInputFiles({ name: 'town.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
const select = click('tbody input[type="checkbox"]');
const failed = /Failed to load resource/;
const request = async (_: Page, calendar: ServedPage) => {
  await fetch(`${calendar.root}/events?search=jazz`);
  await fetch(`${calendar.root}/venues/999999`);
};

export const states: readonly State[] = [
  { name: 'a month', address: `/?${march}`, hasTimes: true, hasTexts: true },
  { name: 'a week', address: `/?view=week&${march}`, hasTimes: true, hasTexts: true },
  { name: 'a day', address: `/?view=day&${march}`, hasTimes: true, hasTexts: true },
  { name: 'a list', address: `/?view=list&${march}`, hasTimes: true, hasTexts: true },
  { name: 'a month without events', address: '/?day=2031-01-01' },
  {
    name: 'a list without matches',
    address: '/?view=list&search=no+such+event',
    shows: ['calendar/list.tsx Notice isFiltered'],
  },
  { name: 'an empty calendar', address: '/', calendar: 'empty' },
  { name: 'many active filters', address: `/?${march}&categories=music&search=a&featured=true&tags=free`, hasTexts: true },
  {
    name: 'filters with an open group',
    address: `/?${march}`,
    steps: async (page) => {
      const toggle = page.getByRole('button', { name: /^Filters/ });
      if (await toggle.isVisible()) await toggle.click();
      await page.locator('#filters details').last().locator('summary').click();
    },
    shows: ['calendar/sidebar.tsx details'],
    hasTexts: true,
  },
  { name: 'filters on a phone', address: `/?${march}`, width: 390, steps: press(/^Filters/), hasTexts: true },
  {
    name: 'an event over a month',
    address: `/?${march}`,
    steps: click('.view [data-event]'),
    shows: ['calendar/overlay.tsx Floating title'],
    hasTimes: true,
    hasTexts: true,
  },
  { name: 'an event over a list', address: `/?view=list&${march}`, steps: click('.view [data-event]'), hasTimes: true, hasTexts: true },
  { name: 'an event over the calendar that is gone', address: `/?${march}&event=999999`, console: failed },
  {
    name: 'further events of a day',
    address: `/?${march}`,
    steps: async (page) => (await page.locator('button.bars-more').count()) && page.locator('button.bars-more').first().click(),
    shows: ['calendar/grid/chip.tsx Floating dayText(day)'],
    hasTimes: true,
    hasTexts: true,
  },
  {
    name: 'suggestions below the search',
    address: `/?${march}`,
    steps: type('Search events', 'mus'),
    shows: ['calendar/toolbar.tsx menu-items'],
  },
  {
    name: 'a calendar that can’t be loaded',
    address: `/?${march}`,
    steps: all(fails('**/page/events*'), reload),
    shows: ['calendar/page.tsx Notice Couldn’t load events'],
    console: failed,
  },
  {
    name: 'a list that can’t be loaded',
    address: `/?view=list&${march}`,
    steps: all(fails('**/v1/events?*'), fails('**/page/events*'), reload),
    shows: ['calendar/list.tsx Notice Couldn’t load events'],
    console: failed,
  },
  {
    name: 'the line for a new event',
    address: `/?${march}`,
    steps: key('n'),
    shows: ['keys/quick-add.tsx Modal New event'],
  },
  {
    name: 'the line for a new event with its preview',
    address: `/?${march}`,
    steps: all(
      key('n'),
      (page) => page.keyboard.type('Concert every friday 8 at a New Place in Town €12 #music #free'),
      (page) => page.getByText('New venue').waitFor(),
    ),
    hasTimes: true,
  },
  {
    name: 'a new event with Undo over its layer',
    address: `/?${march}`,
    steps: all(
      key('n'),
      (page) => page.keyboard.type('Concert friday 8pm'),
      key('Enter'),
      (page) => page.getByRole('button', { name: 'Undo' }).waitFor(),
      (page) => page.waitForURL(/event=/),
    ),
    hasTimes: true,
  },
  {
    name: 'the palette with records',
    address: `/?${march}`,
    steps: all(
      key('Control+k'),
      (page) => page.keyboard.type('mus'),
      (page) => page.waitForTimeout(400),
    ),
    shows: ['keys/palette.tsx Modal Find', 'keys/palette.tsx listbox'],
    hasTexts: true,
  },
  { name: 'keyboard shortcuts', address: `/?${march}`, steps: key('?'), shows: ['keys/dialogs.tsx Modal Keyboard shortcuts'] },
  {
    name: 'the menu of worlds',
    address: '/_calendar/traffic',
    steps: press('Main calendar'),
    shows: ['status-spot.tsx Floating Worlds', 'status-spot.tsx menu-items'],
  },
  { name: 'an event', address: '/event/winter-tale/', hasTimes: true, hasTexts: true },
  {
    name: 'an event with its requests',
    address: '/event/winter-tale/',
    steps: click('details.history summary'),
    shows: ['records/history.tsx details'],
  },
  {
    name: 'an event that can’t be found',
    address: '/event/nowhere/',
    shows: ['records/page.tsx Notice notFound'],
    console: failed,
  },
  { name: 'a venue', address: '/venue/harbour-hall/', hasTexts: true },
  { name: 'an organizer', address: '/organizer/city-music/', hasTexts: true },
  { name: 'an address that nothing is at', address: '/nowhere', shows: ['main.tsx Notice Nothing is at this address'], console: failed },
  { name: 'a new event in a form', address: '/?new=event' },
  { name: 'a new venue in a form', address: '/?new=venue' },
  { name: 'an event in a form', address: '/event/winter-tale/?edit=true', hasTimes: true, hasTexts: true },
  {
    name: 'a form with all fields and errors',
    address: '/?new=event',
    steps: all(
      async (page) => {
        for (const each of await page.locator('form details summary').all()) await each.click();
      },
      type('Website', 'no address'),
      press('Create event'),
    ),
    shows: ['forms/form.tsx details'],
    console: failed,
  },
  {
    name: 'a form with the list of a picker',
    address: '/?new=event',
    steps: async (page) => {
      await page.getByRole('combobox', { name: /venue/i }).first().fill('a');
      await page.getByRole('option').first().waitFor();
    },
    shows: ['parts/picker.tsx listbox'],
    hasTexts: true,
  },
  {
    name: 'a copy of a record that is gone',
    address: '/?new=event&copy=999999',
    shows: ['forms/form.tsx Notice Couldn’t copy the'],
    console: failed,
  },
  { name: 'the events on Data', address: '/_calendar/data', hasTexts: true },
  { name: 'the categories on Data', address: '/_calendar/data?table=categories', hasTexts: true },
  { name: 'an empty trash', address: '/_calendar/data?table=trash', shows: ['data/page.tsx Notice The trash is empty'] },
  { name: 'Data without matches', address: '/_calendar/data?search=no+such+event', shows: ['data/page.tsx Notice isFiltered'] },
  {
    name: 'Data that can’t be loaded',
    address: '/_calendar/data',
    steps: all(fails('**/page/records/**'), reload),
    shows: ['data/page.tsx Notice Couldn’t load'],
    console: failed,
  },
  { name: 'selected records on Data', address: '/_calendar/data', steps: select, hasTexts: true },
  {
    name: 'a field of selected records',
    address: '/_calendar/data',
    steps: all(select, press('Edit field…')),
    shows: ['data/selection.tsx Floating form'],
  },
  { name: 'a shift of selected events', address: '/_calendar/data', steps: all(select, press('Shift')) },
  {
    name: 'the deletion of selected records',
    address: '/_calendar/data',
    steps: all(click('thead input[type="checkbox"]'), press('Delete')),
    shows: ['records/change-many.tsx Modal isConfirmed'],
  },
  {
    name: 'a cell with its editor',
    address: '/_calendar/data',
    steps: (page) => page.locator('[data-cell]').nth(2).dblclick(),
    shows: ['data/edit-cell.tsx Floating Edit'],
    hasTexts: true,
  },
  { name: 'the columns of a table', address: '/_calendar/data', steps: press('Columns'), shows: ['data/tools.tsx Floating labels[name]'] },
  { name: 'the formats of an export', address: '/_calendar/data', steps: press('Export') },
  { name: 'the forms of a request for a table', address: '/_calendar/data', steps: press('Copy as') },
  {
    name: 'a new filter of a table',
    address: '/_calendar/data',
    steps: press(/^Add filter|^Filter/),
    shows: ['data/filters.tsx Floating Filter'],
  },
  {
    name: 'an import with problems and its options',
    address: '/_calendar/data',
    steps: all(chooseFile, click('.import-preview details:nth-of-type(2) summary')),
    shows: ['data/import-preview.tsx Modal Import', 'data/import-preview.tsx details', 'data/import-preview.tsx details #2'],
  },
  { name: 'no requests on Traffic', address: '/_calendar/traffic' },
  { name: 'requests on Traffic', address: '/_calendar/traffic', steps: request, hasTimes: true },
  {
    name: 'the details of a request',
    address: '/_calendar/traffic',
    steps: all(request, click('.request'), click('details summary')),
    shows: ['traffic/details.tsx details', 'parts/code.tsx details'],
  },
  { name: 'an invalid filter on Traffic', address: '/_calendar/traffic?filter=color:red' },
  {
    name: 'Traffic that can’t be loaded',
    address: '/_calendar/traffic',
    steps: all(fails('**/_calendar/requests*'), reload),
    shows: ['traffic/page.tsx Notice Couldn’t load the requests'],
    console: failed,
  },
  {
    name: 'a new request',
    address: '/_calendar/traffic?new=POST+/calendar/events/v1/events',
    steps: async (page) => {
      for (const each of await page.locator('form details summary').all()) await each.click();
    },
    shows: ['traffic/new-request.tsx details', 'traffic/new-request.tsx details #2'],
  },
  { name: 'the Workbench', address: '/_calendar/' },
  {
    name: 'a question of the Workbench',
    address: '/_calendar/',
    steps: press('Load seed'),
    shows: ['workbench/data.tsx Confirm asked.replacement.title', 'parts/dialog.tsx Modal title'],
  },
  {
    name: 'snapshots and the question before a deletion',
    address: '/_calendar/',
    steps: all(type('Snapshot name', 'before-launch'), press(/^Save/), press('Delete before-launch')),
    shows: ['workbench/snapshots.tsx Confirm Delete snapshot'],
  },
  { name: 'faults on the Workbench', address: '/_calendar/', steps: all(press('Rate limited'), press('Add fault')) },
  {
    name: 'conflicts on the Workbench',
    address: '/_calendar/',
    steps: async (page, calendar) => {
      await withConflicts(calendar);
      await page.reload();
      await page.getByRole('button', { name: 'Theirs: dates of Ours' }).waitFor();
    },
  },
  {
    name: 'a Workbench that can’t be loaded',
    address: '/_calendar/',
    steps: all(fails('**/_calendar/health*'), reload),
    shows: ['workbench/gate.tsx Notice Couldn’t load the state of the server'],
    console: failed,
  },
  { name: 'an event without JavaScript', address: '/event/winter-tale/', isStatic: true, hasTexts: true },
  { name: 'a venue without JavaScript', address: '/venue/harbour-hall/', isStatic: true, hasTexts: true },
  { name: 'a list without JavaScript', address: '/events/', isStatic: true, hasTexts: true },
  { name: 'a visitor', address: `/?${march}`, calendar: 'users' },
  { name: 'a visitor of Data', address: '/_calendar/data', calendar: 'users' },
  { name: 'a visitor of the Workbench', address: '/_calendar/', calendar: 'users' },
  {
    name: 'a wrong password',
    address: `/?${march}`,
    calendar: 'users',
    steps: all(
      press('Sign in'),
      type(/^User/, 'ada'),
      type('Password', 'wrong'),
      (page) => page.keyboard.press('Enter'),
      (page) => page.getByRole('alert').waitFor(),
    ),
    shows: ['records/user.tsx Modal Sign in'],
    console: failed,
  },
];

/** States that tests of behavior reach, by the file in `test/web/browser` and the test. */
export const visited: readonly (readonly [state: string, file: string, test: string])[] = [
  ['paper', 'layout', 'prints on one page in black on white'],
  ['a lost connection', 'connection', 'keeps loaded events on the screen, shows one bar, and recovers when the server is back'],
  ['a server that restarts', 'live-updates', 'the page reconnects after a restart of the server and reloads'],
  ['a world', 'world', 'selected by %s stays in it'],
  ['a drag over empty hours', 'calendar', 'dragging over empty hours opens the form with both times'],
  ['the events of a day on a phone', 'calendar', 'a phone shows dots and lists the events of the selected day'],
  ['a crowded day', 'calendar', 'counts what it cannot show, and lists it in place'],
  ['a restored draft of a record that changed', 'editing', 'a restored draft says that the record changed since'],
  ['a form of a record that is gone', 'editing', 'keeps the input when the record is deleted'],
  ['10,000 rows on Data', 'data', 'scrolls through 10,000 rows and draws only the visible ones'],
  ['a held request', 'traffic', 'holds the next request and releases it with its response or another one'],
  ['two compared requests', 'traffic', 'compares two requests'],
  ['the form for a token', 'page-token', 'Workbench'],
];

/** Layers and notices that other tests open, with the test. */
export const elsewhere: Readonly<Record<string, string>> = {
  'workbench/snapshots.tsx details': 'workbench.long.test.ts: saves, restores, downloads, overwrites and deletes snapshots',
  'workbench/gate.tsx Notice The control API isn’t available': 'workbench.long.test.ts: is not there without the control API',
};
