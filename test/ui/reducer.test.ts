import { describe, expect, it } from 'vitest';
import { spanOf } from '../../src/cli/look/span.ts';
import { type Action, reduce } from '../../src/cli/ui/reducer.ts';
import { askOf, chosen, initial, type State } from '../../src/cli/ui/state.ts';
import { Failure, invalidParams } from '../../src/model/error.ts';
import { lookWith } from '../looking/city.ts';
import { eventWith } from '../print/records.ts';

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

const started = (): State => {
  const state = initial(look, 80, 24);
  return reduce(state, { type: 'loaded', ask: askOf(state), spans, complete: true, more: false });
};

/** Keys as a person presses them: names in angle brackets, letters as they are. */
function pressed(state: State, keys: string): State {
  const presses = keys.match(/<[^>]+>|./gsu) ?? [];
  return presses.reduce(
    (now, press) => reduce(now, /^<.{2,}>$/.test(press) ? { type: 'key', key: press.slice(1, -1) } : { type: 'text', text: press }),
    state,
  );
}

describe('keys in the views', () => {
  it.each<[string, Partial<State>]>([
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
    ['<enter>', { view: 'day', at: 0 }],
    ['d', { view: 'day' }],
    ['l', { view: 'list' }],
    ['lm', { view: 'month' }],
    ['d<down>', { at: 1 }],
    ['d<down><down><down>', { at: 1 }],
    ['d<end><up>', { at: 0 }],
    ['d<down><right>', { day: '2027-03-04', at: 0 }],
    ['d<escape>', { view: 'month' }],
    ['l<right>', { day: '2027-03-10' }],
    ['/', { view: 'list', searching: true }],
    ['/jazz<enter>', { searching: false, search: { value: 'jazz', at: 4 } }],
    ['/jazz<left><backspace>', { search: { value: 'jaz', at: 2 } }],
    ['/qx?<escape>', { searching: false, search: { value: '', at: 0 }, quit: false }],
    ['/jazz<enter><escape>', { view: 'list', search: { value: '', at: 0 } }],
    ['?', { over: { kind: 'help' } }],
    ['?q', { over: undefined, quit: false }],
    ['q', { quit: true }],
    ['n<ctrl-c>', { quit: true }],
    ['r', { version: 1, complete: false }],
    ['e', { over: undefined }],
    ['dx', { over: { kind: 'delete', entry: events[0]! } }],
    ['dxn', { over: undefined, work: undefined }],
    ['dx<enter>', { over: undefined, work: undefined }],
    ['dxy', { work: { kind: 'delete', id: 1 } }],
    ['d<down><enter>', { over: { kind: 'detail', entry: events[1]!, scroll: 0 } }],
    ['d<enter><down><down><up>', { over: { kind: 'detail', entry: events[0]!, scroll: 1 } }],
    ['d<enter><escape>', { over: undefined, view: 'day' }],
    ['d<enter>m', { view: 'day' }],
  ])('%s', (keys, expected) => {
    const state = pressed(started(), keys);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, state[name as keyof State]]))).toEqual(expected);
  });

  it('the list starts at the day, with what still runs', () => {
    expect(chosen(pressed(started(), 'l<down><down>'))?.title).toBe('Brunch');
    expect(chosen(pressed(started(), '<right>l'))?.title).toBe('Brunch');
  });
});

describe('what is asked for', () => {
  it.each([
    ['', { kind: 'days', from: '2027-03-01', to: '2027-04-04', search: '', version: 0 }],
    ['<right>d<right>', { kind: 'days', from: '2027-03-01', to: '2027-04-04', search: '', version: 0 }],
    ['>r', { kind: 'days', from: '2027-03-29', to: '2027-05-02', search: '', version: 1 }],
    ['/ab ', { kind: 'list', from: '2027-03-03', pages: 1, search: 'ab', version: 0 }],
  ])('after %j', (keys, expected) => {
    expect(askOf(pressed(started(), keys))).toEqual(expected);
  });

  it('more of a list near its end, and only when what was asked for has come', () => {
    const state = pressed(started(), 'l');
    const many = Array.from({ length: 50 }, (_, at) => spanOf(eventWith({ id: at + 1, end_date: '2027-03-09 10:00:00' }), look)!);
    const loaded = reduce(state, { type: 'loaded', ask: askOf(state), spans: many, complete: true, more: true });
    expect(pressed(loaded, '<down>').pages).toBe(1);
    const asked = pressed(loaded, '<end>');
    expect(asked.pages).toBe(2);
    const more = reduce(asked, { type: 'loaded', ask: askOf(asked), spans: many, complete: false, more: true });
    expect(pressed(more, '<up>').pages).toBe(2);
  });
});

describe('loading', () => {
  const away = new Failure('unreachable', 'no answer from http://127.0.0.1:1');

  it('what comes too late for what is shown now is dropped', () => {
    const state = pressed(started(), '>');
    expect(reduce(state, { type: 'loaded', ask: askOf(started()), spans: [], complete: true, more: false })).toBe(state);
    expect(reduce(state, { type: 'failed', ask: askOf(started()), reason: away })).toBe(state);
  });

  it('a failure is shown, keeps what is there, and r tries again', () => {
    const state = pressed(started(), 'r');
    const failed = reduce(state, { type: 'failed', ask: askOf(state), reason: away });
    expect(failed).toMatchObject({ failure: 'no answer from http://127.0.0.1:1', spans });
    const again = pressed(failed, 'r');
    expect(again.failure).toBeUndefined();
    expect(askOf(again).version).toBe(2);
    const back = reduce(again, { type: 'loaded', ask: askOf(again), spans: [], complete: true, more: false });
    expect(back).toMatchObject({ failure: undefined, spans: [] });
  });

  it('the first page does not take away a fuller screen', () => {
    const state = pressed(started(), 'r');
    const part = reduce(state, { type: 'loaded', ask: askOf(state), spans: spans.slice(0, 1), complete: false, more: true });
    expect(part.spans).toHaveLength(3);
  });
});

describe('writing', () => {
  const typed = (): State => pressed(started(), 'nParty');
  const form = (state: State) => (state.over?.kind === 'form' ? state.over.form : undefined)!;

  it('creates with what was filled in, the end an hour later', () => {
    expect(pressed(typed(), '<tab><ctrl-u>friday 8pm<ctrl-s>').work).toEqual({
      kind: 'create',
      input: { title: 'Party', start_date: '2027-03-05 20:00:00', end_date: '2027-03-05 21:00:00', all_day: false, status: 'publish' },
    });
  });

  it('saves once, and hears no key meanwhile', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    expect(form(saving).saving).toBe(true);
    expect(pressed(saving, 'x<ctrl-s><escape>')).toBe(saving);
  });

  it('changes what was changed and nothing else', () => {
    expect(pressed(started(), 'd<down>e!<ctrl-s>').work).toEqual({ kind: 'update', id: 2, input: { title: 'Concert!' } });
    const unchanged = pressed(started(), 'de<ctrl-s>');
    expect([unchanged.work, unchanged.over, unchanged.notice]).toEqual([undefined, undefined, 'nothing was changed']);
  });

  it('goes to the day of what was written', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    const entry = eventWith({ id: 9, title: 'Party', start_date: '2027-04-01 20:00:00', end_date: '2027-04-01 21:00:00' });
    const done = reduce(saving, { type: 'written', work: saving.work!, entry });
    expect(done).toMatchObject({ over: undefined, work: undefined, day: '2027-04-01', notice: 'created: Party', version: 1 });
  });

  it('a server that goes away costs no letter of a form; Ctrl-S tries again', () => {
    const saving = pressed(typed(), '<ctrl-s>');
    const refused = reduce(saving, { type: 'refused', reason: new Failure('unreachable', 'no answer') });
    expect(form(refused)).toMatchObject({ saving: false, failure: 'no answer', values: { title: { value: 'Party' } } });
    expect(pressed(refused, '<ctrl-s>').work).toEqual(saving.work);
  });

  it('a refusal stands at its field until that changes', () => {
    const refused = reduce(pressed(typed(), '<ctrl-s>'), {
      type: 'refused',
      reason: invalidParams({ timezone: { reason: 'is not known here' } }),
    });
    expect(form(refused)).toMatchObject({ at: 4, refused: { timezone: 'is not known here' } });
    expect(pressed(refused, '<ctrl-s>').work).toBeUndefined();
    expect(form(pressed(refused, 'U')).refused).toEqual({});
  });

  it('asks before what was typed is dropped', () => {
    const leaving = pressed(typed(), '<escape>');
    expect(form(leaving).leaving).toBe(true);
    expect(form(pressed(leaving, 'n'))).toMatchObject({ leaving: false, values: { title: { value: 'Party' } } });
    expect(pressed(leaving, 'y').over).toBeUndefined();
    expect(pressed(started(), 'n<escape>').over).toBeUndefined();
  });

  it('a delete that fails is said at the foot', () => {
    const state = reduce(pressed(started(), 'dxy'), { type: 'refused', reason: new Failure('rest_forbidden', 'you may not') });
    expect(state).toMatchObject({ failure: 'you may not', over: undefined, work: undefined });
  });

  it('what a calendar says cannot rule the terminal', () => {
    const state = pressed(started(), 'r');
    const action: Action = { type: 'failed', ask: askOf(state), reason: new Failure('unexpected-failure', 'a\u001b[2Jb\nc') };
    expect(reduce(state, action).failure).toBe('a␛[2Jb');
  });
});
