import { describe, expect, it } from 'vitest';
import { spanOf } from '../../../src/cli/days/span.ts';
import { lineText } from '../../../src/cli/terminal/styled-line.ts';
import { helpLines } from '../../../src/cli/ui/keys.ts';
import { reduce, type UiAction } from '../../../src/cli/ui/reducer.ts';
import { initialState, screenQuery, selectedSpan, type UiState } from '../../../src/cli/ui/state.ts';
import { contentLines } from '../../../src/cli/ui/views/layout.ts';
import { Failure, invalidParams } from '../../../src/model/error.ts';
import { lookWith } from '../../support/displayed-days.ts';
import { eventWith } from '../../support/printed-records.ts';

const look = lookWith();
const events = [
  eventWith({ id: 1, title: 'Breakfast', start_date: '2027-03-03 09:00:00', end_date: '2027-03-03 10:00:00' }),
  eventWith({
    id: 2,
    title: 'Concert',
    start_date: '2027-03-03 20:00:00',
    end_date: '2027-03-03 22:00:00',
    venue: { id: 5, venue: 'Pier 9' },
  }),
  eventWith({ id: 3, title: 'Brunch', start_date: '2027-03-07 11:00:00', end_date: '2027-03-07 14:00:00' }),
];
const spans = events.map((event) => spanOf(event, look)!);

const started = (): UiState => {
  const state = initialState(look, 80, 24);
  return reduce(state, { type: 'loaded', query: screenQuery(state), spans, complete: true, more: false });
};

/** Keys as a person presses them: names in angle brackets, letters as they are. */
function pressed(state: UiState, keys: string): UiState {
  const presses = keys.match(/<[^>]+>|./gsu) ?? [];
  return presses.reduce(
    (now, press) => reduce(now, /^<.{2,}>$/.test(press) ? { type: 'key', key: press.slice(1, -1) } : { type: 'text', text: press }),
    state,
  );
}

describe('keys in the views', () => {
  it.each<[string, Partial<UiState>]>([
    ['', { view: 'month', day: '2027-03-03' }],
    ['<right>', { day: '2027-03-04' }],
    ['<left><left><left>', { day: '2027-02-28' }],
    ['<down>', { day: '2027-03-10' }],
    ['<up>', { day: '2027-02-24' }],
    ['<pagedown>', { day: '2027-04-03' }],
    ['<end><pageup>', { day: '2027-02-28' }],
    ['<home>', { day: '2027-03-01' }],
    ['>>', { day: '2027-05-03' }],
    ['<<', { day: '2027-01-03' }],
    ['>>t', { day: '2027-03-03' }],
    ['<enter>', { view: 'day', selected: 0 }],
    ['d', { view: 'day' }],
    ['l', { view: 'list' }],
    ['lm', { view: 'month' }],
    ['w', { view: 'week', grid: 'week' }],
    ['w<right>', { view: 'week', day: '2027-03-04' }],
    ['w<down>', { view: 'week', selected: 1 }],
    ['w<pagedown>', { day: '2027-03-10' }],
    ['wd<escape>', { view: 'week' }],
    ['w<escape>', { view: 'month', grid: 'month' }],
    ['w<enter>', { overlay: { kind: 'detail', entry: events[0]!, scroll: 0 } }],
    ['j', { day: '2027-04-03' }],
    ['kk', { day: '2027-01-03' }],
    ['wj', { day: '2027-03-10' }],
    ['dk', { day: '2027-03-02' }],
    ['lj', { day: '2027-03-10' }],
    ['d<down>', { selected: 1 }],
    ['d<down><down><down>', { selected: 1 }],
    ['d<end><up>', { selected: 0 }],
    ['d<down><right>', { day: '2027-03-04', selected: 0 }],
    ['d<escape>', { view: 'month' }],
    ['l<right>', { day: '2027-03-10' }],
    ['/', { view: 'list', searching: true }],
    ['/jazz<enter>', { searching: false, search: { value: 'jazz', cursor: 4 } }],
    ['/jazz<left><backspace>', { search: { value: 'jaz', cursor: 2 } }],
    ['/qx?<escape>', { searching: false, search: { value: '', cursor: 0 }, quit: false }],
    ['/jazz<enter><escape>', { view: 'list', search: { value: '', cursor: 0 } }],
    ['?', { overlay: { kind: 'help', scroll: 0 } }],
    ['?<down>', { overlay: undefined }],
    ['?q', { overlay: undefined, quit: false }],
    ['q', { quit: true }],
    ['n<ctrl-c>', { quit: true }],
    ['r', { version: 1, complete: false }],
    ['e', { overlay: undefined }],
    ['dx', { overlay: { kind: 'delete', entry: events[0]! } }],
    ['dxn', { overlay: undefined, task: undefined }],
    ['dx<enter>', { overlay: undefined, task: undefined }],
    ['dxy', { task: { kind: 'delete', id: 1 } }],
    ['d<down><enter>', { overlay: { kind: 'detail', entry: events[1]!, scroll: 0 } }],
    ['d<enter><down><down><up>', { overlay: { kind: 'detail', entry: events[0]!, scroll: 1 } }],
    ['d<enter><escape>', { overlay: undefined, view: 'day' }],
    ['d<enter>m', { view: 'day' }],
    ['d<enter>e<escape>', { overlay: { kind: 'detail', entry: events[0]!, scroll: 0 } }],
    ['d<enter>xn', { overlay: { kind: 'detail', entry: events[0]!, scroll: 0 } }],
    ['d<enter>eab<escape>y', { overlay: { kind: 'detail', entry: events[0]!, scroll: 0 } }],
    ['u', { task: undefined, notice: 'Nothing to undo' }],
    ['T', { view: 'trash', selected: 0 }],
    ['wT<escape>', { view: 'week' }],
    ['Tx', { overlay: undefined }],
    ['f<end>', { overlay: { kind: 'filter', selected: 0 } }],
    ['f<escape>', { overlay: undefined }],
    ['f q', { overlay: undefined, quit: false, filter: [{ parameter: 'venue', value: '5', label: 'Pier 9', kind: 'venue' }] }],
    ['f <enter>', { filter: [] }],
    ['f cf', { overlay: undefined, filter: [] }],
  ])('%s', (keys, expected) => {
    const state = pressed(started(), keys);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, state[name as keyof UiState]]))).toEqual(expected);
  });

  it('the list starts at the day, with what still runs', () => {
    expect(selectedSpan(pressed(started(), 'l<down><down>'))?.title).toBe('Brunch');
    expect(selectedSpan(pressed(started(), '<right>l'))?.title).toBe('Brunch');
  });
});

const linesIn = (state: UiState): string[] => contentLines(state).map((line) => lineText(line, 0, false).trimEnd());

describe('the trash', () => {
  it('restores the selected event', () => {
    const state = pressed(started(), 'T');
    expect(linesIn(state)).toEqual([' Loading…']);
    const loaded = reduce(state, { type: 'loaded', query: screenQuery(state), spans, complete: true, more: false });
    expect(linesIn(loaded)[0]).toMatch(/^› Wed 3 Mar +09:00–10:00 +Breakfast$/);
    expect(pressed(loaded, '<down>u').task).toEqual({ kind: 'undo', id: 2, input: { status: 'publish' } });
  });
});

describe('undo', () => {
  const written = (state: UiState, entry = events[0]!) => reduce(state, { type: 'written', task: state.task!, entry });

  it.each<[string, string, object]>([
    ['a deletion', 'dxy', { kind: 'undo', id: 1, input: { status: 'publish', slug: events[0]!.slug } }],
    ['a change', 'deX<ctrl-s>', { kind: 'undo', id: 1, input: { title: 'Breakfast' }, modified: String(events[0]!.modified) }],
    ['a new event', 'nNew<ctrl-s>', { kind: 'undo', id: 1, modified: String(events[0]!.modified) }],
  ])('of %s', (_, keys, undo) => {
    const after = written(pressed(started(), keys));
    expect(after.notice).toMatch(/ u to undo$/);
    expect(pressed(after, 'u').task).toEqual(undo);
    const undone = written(pressed(after, 'u'));
    expect([undone.notice, undone.undo]).toEqual(['Undone: Breakfast', undefined]);
  });
});

describe('the filter', () => {
  it('offers what the events are linked to, and marks what is selected', () => {
    expect(linesIn(pressed(started(), 'f'))).toEqual(['› [ ] Pier 9  venue']);
    expect(linesIn(pressed(started(), 'f '))).toEqual(['› [x] Pier 9  venue']);
  });

  it('leaves out what the command line filters by', () => {
    const state = initialState(look, 80, 24, ['venue']);
    const loaded = reduce(state, { type: 'loaded', query: screenQuery(state), spans, complete: true, more: false });
    expect(linesIn(pressed(loaded, 'f '))).toEqual([' No categories, tags, venues or organizers in the loaded events.']);
    expect(pressed(loaded, 'f ').filter).toEqual([]);
  });

  it('is named where nothing matches', () => {
    const state = pressed(started(), 'df f');
    const none = reduce(state, { type: 'loaded', query: screenQuery(state), spans: [], complete: true, more: false });
    expect(linesIn(none)).toEqual([' No events match the filters. Press f to change them.']);
  });
});

describe('requests', () => {
  it.each([
    ['', { kind: 'days', from: '2027-03-01', to: '2027-04-04', search: '', filters: {}, version: 0 }],
    ['<right>d<right>', { kind: 'days', from: '2027-03-01', to: '2027-04-04', search: '', filters: {}, version: 0 }],
    ['T', { kind: 'trash', search: '', filters: {}, version: 0 }],
    ['f ', { kind: 'days', from: '2027-03-01', to: '2027-04-04', search: '', filters: { venue: '5' }, version: 0 }],
    ['>r', { kind: 'days', from: '2027-03-29', to: '2027-05-02', search: '', filters: {}, version: 1 }],
    ['/ab ', { kind: 'list', from: '2027-03-03', pages: 1, search: 'ab', filters: {}, version: 0 }],
  ])('after %j', (keys, expected) => {
    expect(screenQuery(pressed(started(), keys))).toEqual(expected);
  });

  it('the next page of a list near its end, one at a time', () => {
    const state = pressed(started(), 'l');
    const many = Array.from({ length: 50 }, (_, at) => spanOf(eventWith({ id: at + 1, end_date: '2027-03-09 10:00:00' }), look)!);
    const loaded = reduce(state, { type: 'loaded', query: screenQuery(state), spans: many, complete: true, more: true });
    expect(pressed(loaded, '<down>').pages).toBe(1);
    const asked = pressed(loaded, '<end>');
    expect(asked.pages).toBe(2);
    const more = reduce(asked, { type: 'loaded', query: screenQuery(asked), spans: many, complete: false, more: true });
    expect(pressed(more, '<up>').pages).toBe(2);
  });
});

describe('loading', () => {
  const away = new Failure('unreachable', 'no answer from http://127.0.0.1:1');

  it('a late result for another view is dropped', () => {
    const state = pressed(started(), '>');
    expect(reduce(state, { type: 'loaded', query: screenQuery(started()), spans: [], complete: true, more: false })).toBe(state);
    expect(reduce(state, { type: 'failed', query: screenQuery(started()), reason: away })).toBe(state);
  });

  it('a failure is shown, keeps the data, and r tries again', () => {
    const state = pressed(started(), 'r');
    const failed = reduce(state, { type: 'failed', query: screenQuery(state), reason: away });
    expect(failed).toMatchObject({ failure: 'no answer from http://127.0.0.1:1', spans });
    const again = pressed(failed, 'r');
    expect(again.failure).toBeUndefined();
    expect(screenQuery(again).version).toBe(2);
    const back = reduce(again, { type: 'loaded', query: screenQuery(again), spans: [], complete: true, more: false });
    expect(back).toMatchObject({ failure: undefined, spans: [] });
  });

  it('the first page does not replace a longer list', () => {
    const state = pressed(started(), 'r');
    const part = reduce(state, { type: 'loaded', query: screenQuery(state), spans: spans.slice(0, 1), complete: false, more: true });
    expect(part.spans).toHaveLength(3);
  });
});

describe('writing', () => {
  const typed = (): UiState => pressed(started(), 'nParty');
  const form = (state: UiState) => (state.overlay?.kind === 'form' ? state.overlay.form : undefined)!;

  it('creates from the form, with an end an hour later', () => {
    expect(pressed(typed(), '<tab><ctrl-u>friday 8pm<ctrl-s>').task).toEqual({
      kind: 'create',
      input: { title: 'Party', start_date: '2027-03-05 20:00:00', end_date: '2027-03-05 21:00:00', all_day: false, status: 'publish' },
    });
  });

  it('saves once, and hears no key meanwhile', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    expect(form(saving).saving).toBe(true);
    expect(pressed(saving, 'x<ctrl-s><escape>')).toBe(saving);
  });

  it('sends only changed fields', () => {
    expect(pressed(started(), 'd<down>e!<ctrl-s>').task).toEqual({ kind: 'update', id: 2, input: { title: 'Concert!' } });
    const unchanged = pressed(started(), 'de<ctrl-s>');
    expect([unchanged.task, unchanged.overlay, unchanged.notice]).toEqual([undefined, undefined, 'No changes']);
  });

  it('goes to the day of the saved event', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    const entry = eventWith({ id: 9, title: 'Party', start_date: '2027-04-01 20:00:00', end_date: '2027-04-01 21:00:00' });
    const done = reduce(saving, { type: 'written', task: saving.task!, entry });
    expect(done).toMatchObject({ overlay: undefined, task: undefined, day: '2027-04-01', notice: 'Created: Party  u to undo', version: 1 });
  });

  it('the cursor stays on the saved event in every view', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    const entry = eventWith({ id: 9, title: 'Party', start_date: '2027-03-03 11:00:00', end_date: '2027-03-03 12:00:00' });
    const written = reduce(saving, { type: 'written', task: saving.task!, entry });
    const loaded = reduce(written, {
      type: 'loaded',
      query: screenQuery(written),
      spans: [...spans, spanOf(entry, look)!],
      complete: true,
      more: false,
    });
    expect(selectedSpan(pressed(loaded, 'd'))?.title).toBe('Party');
    expect(selectedSpan(pressed(loaded, '<enter>'))?.title).toBe('Party');
    expect(selectedSpan(pressed(loaded, 'd<down>'))?.title).toBe('Concert');
    expect(selectedSpan(pressed(loaded, 'd<down>md'))?.title).toBe('Breakfast');
  });

  it('asks before it makes a venue that is not there', () => {
    const saving = pressed(typed(), '<tab><tab><tab><tab><tab>Pier9<ctrl-s>');
    const named = [{ field: 'venue', resource: 'venues', name: 'Pier9' }];
    expect(saving.task).toMatchObject({ kind: 'create', named });
    const asked = reduce(saving, { type: 'questions', questions: [['venue', 'Create venue']] });
    expect([asked.task, form(asked).saving, form(asked).focused]).toEqual([undefined, false, 5]);
    expect(pressed(asked, 'y').task).toEqual({ kind: 'create', input: (saving.task as { input: object }).input });
    for (const key of ['n', '<escape>', '<ctrl-s>'])
      expect([pressed(asked, key).task, form(pressed(asked, key)).questions]).toEqual([undefined, undefined]);
    const twice = reduce(saving, {
      type: 'questions',
      questions: [
        ['venue', '?'],
        ['tags', '??'],
      ],
    });
    expect(form(pressed(twice, 'y')).questions).toEqual([['tags', '??']]);
    expect(pressed(twice, 'yy').task).toMatchObject({ kind: 'create' });
  });

  it('help scrolls where it does not fit', () => {
    const small = reduce(started(), { type: 'resized', columns: 50, rows: 15 });
    const overlay = (keys: string) => pressed(small, `?${keys}`).overlay;
    expect(overlay('<down>')).toEqual({ kind: 'help', scroll: 1 });
    expect(overlay('<pagedown><pagedown>')).toEqual({ kind: 'help', scroll: helpLines - 12 });
    expect(overlay('<down><home>')).toEqual({ kind: 'help', scroll: 0 });
    expect(overlay('<escape>')).toBeUndefined();
  });

  it('a server that goes away costs no letter of a form; Ctrl-S tries again', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    const refused = reduce(saving, { type: 'rejected', reason: new Failure('unreachable', 'no answer') });
    expect(form(refused)).toMatchObject({ saving: false, failure: 'no answer', values: { title: { value: 'Party' } } });
    expect(pressed(refused, '<ctrl-s>').task).toEqual(saving.task);
  });

  it('an error stays at its field until the value changes', () => {
    const refused = reduce(pressed(typed(), '<ctrl-s>'), {
      type: 'rejected',
      reason: invalidParams({ timezone: { reason: 'is not known here' } }),
    });
    expect(form(refused)).toMatchObject({ focused: 4, rejected: { timezone: 'is not known here' } });
    expect(pressed(refused, '<ctrl-s>').task).toBeUndefined();
    expect(form(pressed(refused, 'U')).rejected).toEqual({});
  });

  it('asks before it drops input', () => {
    const leaving = pressed(typed(), '<escape>');
    expect(form(leaving).leaving).toBe(true);
    expect(form(pressed(leaving, 'n'))).toMatchObject({ leaving: false, values: { title: { value: 'Party' } } });
    expect(pressed(leaving, 'y').overlay).toBeUndefined();
    expect(pressed(started(), 'n<escape>').overlay).toBeUndefined();
  });

  it('a delete that fails is said at the foot', () => {
    const state = reduce(pressed(started(), 'dxy'), { type: 'rejected', reason: new Failure('rest_forbidden', 'you may not') });
    expect(state).toMatchObject({ failure: 'you may not', overlay: undefined, task: undefined });
  });

  it('texts of a calendar cannot control the terminal', () => {
    const state = pressed(started(), 'r');
    const action: UiAction = { type: 'failed', query: screenQuery(state), reason: new Failure('unexpected-failure', 'a\u001b[2Jb\nc') };
    expect(reduce(state, action).failure).toBe('a␛[2Jb');
  });
});

describe('clicks', () => {
  /** Clicks where a text is on the screen. */
  const clicked = (state: UiState, text: string): UiState => {
    const lines = contentLines(state).map((line) => lineText(line, 0, false));
    const row = lines.findIndex((line) => line.includes(text));
    if (row < 0) throw new Error(`${text} is not on the screen:\n${lines.join('\n')}`);
    return reduce(state, { type: 'click', column: lines[row]!.indexOf(text), row: row + 1 });
  };
  const wide = (state: UiState) => reduce(state, { type: 'resized', columns: 120, rows: 40 });

  it.each<[string, UiState, string, Partial<UiState>]>([
    ['a day selects it', started(), ' 17', { view: 'month', day: '2027-03-17' }],
    ['the selected day opens it', started(), '›[3]', { view: 'day', day: '2027-03-03' }],
    [
      'an event of another day opens it',
      started(),
      'Brunch',
      { day: '2027-03-07', overlay: { kind: 'detail', entry: events[2]!, scroll: 0 } },
    ],
    [
      'an event of a week',
      pressed(started(), 'w'),
      'Concert',
      { view: 'week', selected: 1, overlay: { kind: 'detail', entry: events[1]!, scroll: 0 } },
    ],
    [
      'an event of a list',
      pressed(started(), 'l'),
      'Brunch',
      { view: 'list', selected: 2, overlay: { kind: 'detail', entry: events[2]!, scroll: 0 } },
    ],
    ['an event of the pane', wide(started()), '20:00–22:00', { selected: 1, overlay: { kind: 'detail', entry: events[1]!, scroll: 0 } }],
  ])('on %s', (_, state, text, expected) => expect(clicked(state, text)).toMatchObject(expected));

  it('beside a detail closes it; in a narrow one it does nothing', () => {
    const narrow = pressed(started(), 'd<enter>');
    expect(reduce(narrow, { type: 'click', column: 5, row: 5 })).toBe(narrow);
    expect(clicked(wide(narrow), ' 17')).toMatchObject({ day: '2027-03-17', overlay: undefined });
  });

  it('outside of the content does nothing', () => {
    const state = started();
    for (const [column, row] of [
      [0, 0],
      [79, 23],
      [300, 300],
    ])
      expect(reduce(state, { type: 'click', column: column!, row: row! })).toBe(state);
  });
});

describe('panes', () => {
  const screen = (columns: number, keys: string) =>
    contentLines(pressed(reduce(started(), { type: 'resized', columns, rows: 40 }), keys))
      .map((line) => lineText(line, 0, false))
      .join('\n');

  it.each([
    ['', ['Mon', 'Wed, 3 March 2027', '20:00–22:00', 'When']],
    ['w', ['Mon 1', 'Wed, 3 March 2027', '09:00–10:00']],
    ['d', ['Mon', '› 09:00–10:00']],
    ['wd', ['Mon 1', '› 09:00–10:00']],
    ['l', ['Brunch', 'When']],
  ])('from 110 columns, %j shows a grid or a list, the day and the event', (keys, texts) => {
    for (const text of texts) expect(screen(110, keys)).toContain(text);
    expect(screen(110, keys)).toContain(' │ ');
    expect(screen(109, keys)).not.toContain(' │ ');
  });
});
