import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { owner } from '../../src/model/viewer.ts';
import { withConflicts } from '../support/conflicted.ts';
import { DocumentPage } from '../support/document-page.ts';

let page: DocumentPage;
beforeAll(async () => {
  page = await DocumentPage.open('shapes', '2027-03-01T11:00:00Z');
});
afterEach(() => expect(page.errors).toEqual([]));
afterAll(() => page.close());
const reset = () => page.calendar.control.reset({});
const calendar = () => page.calendar.store.calendarFor(owner, { home: '', root: '' });
const titles = async (search: string) =>
  (await calendar().events.list({ search, status: 'any', start_date: '2020-01-01', per_page: 50 })).entries.map(({ title }) => title);
const event = async (slug: string) => calendar().events.get({ slug });
const address = () => page.window.location.href.replace(new URL(page.calendar.url).origin, '');
const said = () => page.texts('[role="status"], [role="alert"]').join('\n');

describe('the page shows', () => {
  it.each([
    ['a month', '/?day=2027-03-01', '.top, main'],
    ['a week', '/?view=week&day=2027-03-08', '.view'],
    ['a day', '/?view=day&day=2027-03-11', '.view'],
    ['a list', '/?view=list&day=2027-03-01', '.view'],
    ['a list without matches', '/?view=list&search=nothing+like+it', '.view'],
    ['filters', '/?day=2027-03-01&categories=music&featured=true', '[aria-label="Filters"], .view'],
    ['an event over a month', '/?day=2027-03-02&event=45', '[role="dialog"], dialog'],
    ['a form of a new event', '/?new=event&start=2027-03-05+19:00', 'main'],
    ['a form of a new venue', '/?new=venue', 'main'],
    ['a form of a new category', '/?new=category', 'main'],
    ['an event', '/event/entities/', 'main'],
    ['a venue', '/venue/town-hall/', 'main'],
    ['events as a table', '/_calendar/data?table=events', 'main'],
    ['categories as a table', '/_calendar/data?table=categories', 'main'],
    ['requests', '/_calendar/traffic', 'main'],
    ['the workbench', '/_calendar/', 'main'],
    ['nothing', '/_calendar/nowhere', 'main'],
  ])('%s', async (_name, target, selector) => {
    await page.go(target);
    const texts = page.texts(selector);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts).toMatchSnapshot();
  });
});

describe('the calendar', () => {
  it.each([
    [['j'], '/?day=2027-04-01'],
    [['k'], '/?day=2027-02-01'],
    [['w', 'ArrowRight'], '/?view=week&day=2027-03-08'],
    [['l'], '/?view=list'],
    [['d', 'j', 'j'], '/?view=day&day=2027-03-03'],
    [['w', 'j', 't', 'm'], '/'],
  ])('goes by the keys %j to %s', async (keys, target) => {
    await page.go('/');
    for (const key of keys) await page.key(key);
    await expect.poll(address).toBe(target);
  });

  it('moves an event and its end by keys, and takes that back', async () => {
    await page.go('/?day=2027-03-02');
    const link = () => page.find('.view [data-event]');
    (await link()).focus();
    await page.key('ArrowRight', { altKey: true });
    await expect.poll(() => event('no-venue')).toMatchObject({ start_date: '2027-03-03 19:00:00', end_date: '2027-03-03 21:00:00' });
    await page.press('Undo');
    await expect.poll(async () => (await event('no-venue')).start_date).toBe('2027-03-02 19:00:00');
    (await link()).focus();
    await page.key('ArrowDown', { altKey: true, shiftKey: true });
    await expect.poll(async () => (await event('no-venue')).end_date).toBe('2027-03-09 21:00:00');
    await page.press('Undo');
  });

  it('adds an event from a line of text', async () => {
    await page.go('/');
    await page.key('n');
    await page.type('dialog input[aria-label]', 'Jazz friday 20:00-22:00 at Cellar Club #nights');
    await expect.poll(() => page.texts('dialog').join('\n')).toContain('Cellar Club New venue');
    expect(page.texts('dialog')).toMatchSnapshot();
    await page.press('Create event');
    await expect
      .poll(() => event('jazz'))
      .toMatchObject({
        start_date: '2027-03-05 20:00:00',
        end_date: '2027-03-05 22:00:00',
        venue: { venue: 'Cellar Club' },
        tags: [{ name: 'nights' }],
      });
    await page.press('Undo');
    await expect.poll(() => titles('jazz')).toEqual([]);
  });
});

describe('forms', () => {
  it('create a record, with errors beside the fields', async () => {
    await page.go('/?new=venue');
    await page.type('#field-website', 'no address');
    await page.press('Create venue');
    expect(page.texts('.form-error, [aria-invalid], .field-error')).toMatchSnapshot();
    await page.type('#field-website', 'https://example.org/');
    expect(page.window.document.activeElement?.id).toBe('field-website');
    await page.type('#field-venue', 'New Hall');
    await page.press('Create venue');
    await expect.poll(address).toBe('/venue/new-hall/');
    expect(await calendar().venues.get({ slug: 'new-hall' })).toMatchObject({ venue: 'New Hall', website: 'https://example.org/' });
  });

  it('change a record, unless it changed meanwhile', async () => {
    await reset();
    await page.go('/event/two-organizers-2/?edit');
    await page.type('#field-title', 'Quiz night II');
    const { id } = await event('two-organizers-2');
    await calendar().events.update({ id }, { cost: '$7' });
    await page.press('Save');
    await expect.poll(() => page.texts('main [role="alert"]').join(' ')).toContain('This event changed meanwhile.');
    await expect.poll(() => titles('quiz')).toEqual(['Quiz night']);
    await page.press('Overwrite');
    await expect.poll(() => event('two-organizers-2')).toMatchObject({ title: 'Quiz night II', cost: '$7' });
    await expect.poll(said).toContain('Saved “Quiz night II”');
    await page.press('Undo');
    await expect.poll(() => titles('quiz')).toEqual(['Quiz night']);
  });

  it('delete a record, and take that back', async () => {
    await page.go('/event/no-price/');
    await page.press('Delete');
    await expect.poll(() => titles('rehearsal of the choir')).toEqual([]);
    await page.press('Undo');
    await expect.poll(() => titles('rehearsal of the choir')).toEqual(['Open rehearsal of the choir']);
  });
});

describe('tools', () => {
  it('change many records of a table, and take that back', async () => {
    await reset();
    await page.go('/_calendar/data?table=events&search=choir');
    await page.press('tbody input[type="checkbox"]');
    expect(page.texts('main')).toMatchSnapshot();
    await page.press('Delete');
    await expect.poll(() => titles('choir')).toEqual([]);
    await page.press('Undo');
    await expect.poll(() => titles('choir')).toEqual(['Open rehearsal of the choir']);
  });

  it('add and remove a fault, which the header shows', async () => {
    await page.go('/_calendar/');
    await page.type('#fault-line', '503 --path /venues');
    await page.press('Add fault');
    await expect
      .poll(async () => (await page.calendar.control.faults({})).faults)
      .toMatchObject([{ then: { status: 503 }, match: { path: '/venues' } }]);
    await expect.poll(() => page.texts('.status-spot')).toContain('[href=/_calendar/] 1 fault');
    await page.press('Remove all');
    await expect.poll(async () => (await page.calendar.control.faults({})).faults).toEqual([]);
  });

  it('move the clock, and reset it', async () => {
    await page.go('/_calendar/');
    await page.press('+1 day');
    await expect.poll(async () => (await page.calendar.control.clock({})).now).toBe('2027-03-02T11:00:00.000Z');
    await page.press('Reset clock');
    await expect.poll(async () => (await page.calendar.control.clock({})).now).toBe('2027-03-01T11:00:00.000Z');
  });

  it('save, restore and delete a snapshot', async () => {
    const later = async () => (await calendar().tags.list({ search: 'later', hide_empty: false })).total;
    await page.go('/_calendar/');
    await page.type('[aria-label="Snapshot name"]', 'clean');
    await page.press('Save');
    await calendar().tags.create({ name: 'later' });
    await page.press('Restore clean');
    await expect.poll(later).toBe(0);
    await page.press('Undo');
    await expect.poll(later).toBe(1);
    await page.press('Delete clean');
    await page.press('dialog .danger');
    await expect.poll(async () => (await page.calendar.control.snapshots({})).snapshots.filter(({ automatic }) => !automatic)).toEqual([]);
  });

  it('reset the calendar', async () => {
    await page.go('/_calendar/');
    await page.press('Reset');
    await page.press('dialog .danger');
    await expect.poll(async () => (await calendar().tags.list({ search: 'later', hide_empty: false })).total).toBe(0);
  });

  it('list requests, newest first, and only those that match', async () => {
    await fetch(`${page.calendar.root}/events?search=jazz`);
    await fetch(`${page.calendar.root}/venues/999999`);
    const paths = () =>
      page
        .texts('[aria-label="Requests"]')
        .join('\n')
        .match(/venues\/999999|search=jazz/g);
    await page.go('/_calendar/traffic');
    await expect.poll(paths).toEqual(['venues/999999', 'search=jazz']);
    await page.type('[aria-label="Filter requests"]', 'status=400');
    await expect.poll(paths).toEqual(['venues/999999']);
  });

  it('find a command by its name', async () => {
    await page.go('/');
    await page.key('k', { ctrlKey: true });
    await page.type('dialog input[aria-label]', 'town ha');
    await expect.poll(() => page.texts('dialog').join('\n')).toContain('Town Hall');
    await page.key('Enter');
    await expect.poll(address).toBe('/venue/town-hall/');
  });

  it('resolve conflicts by field, and say what stays a conflict', async () => {
    await withConflicts(page.calendar);
    const conflicts = async () => (await page.calendar.control.conflicts({})).conflicts.length;
    await page.go('/_calendar/');
    await page.find('Theirs: dates of Ours');
    expect(page.texts('[aria-labelledby="card-conflicts"]').slice(0, 9)).toEqual([
      ...['Conflicts', 'Ours is this calendar, theirs is the site.', 'Ours changed on both sides'],
      ...['title', '[aria-label=Ours: title of Ours] Ours', 'Ours', '[aria-label=Theirs: title of Ours] Theirs', 'Theirs', 'dates'],
    ]);
    await page.press('Theirs: dates of Ours');
    await expect.poll(said).toContain('Resolved dates of Ours. Still a conflict: title, cost.');
    await page.press('Ours: all of Changed here');
    await expect.poll(conflicts).toBe(1);
    const { entries } = await calendar().events.list({ search: 'Ours', start_date: '2020-01-01' });
    expect(entries).toMatchObject([{ title: 'Ours', start_date: '2027-03-12 10:00:00' }]);
  });
});
