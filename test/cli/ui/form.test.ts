import { describe, expect, it } from 'vitest';
import { type Form, formFields, formFor, newForm } from '../../../src/cli/ui/form/form.ts';
import { changesOf, faultsOf, typedMoment, withKey, withText } from '../../../src/cli/ui/form/validate.ts';
import { keyListener } from '../../../src/cli/ui/keys.ts';
import { editKey, insertText, textInput } from '../../../src/cli/ui/text-input.ts';
import { lookWith } from '../../support/displayed-days.ts';
import { eventWith, termWith } from '../../support/printed-records.ts';

const look = lookWith();
const filled = (form: Form, texts: Record<string, string>): Form => ({
  ...form,
  values: { ...form.values, ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textInput(text)])) },
});

describe('faults as you go', () => {
  it.each<[Record<string, string>, Record<string, string>]>([
    [{ title: 'Party' }, {}],
    [{}, { title: 'is needed' }],
    [{ title: 'Party', start_date: '' }, { start_date: 'is needed' }],
    [{ title: 'Party', start_date: 'soonish' }, { start_date: '"soonish" is not a valid date' }],
    [{ title: 'Party', start_date: 'friday 20:00', end_date: '22:30' }, {}],
    [{ title: 'Party', start_date: 'friday 20:00', end_date: 'today 19:00' }, { end_date: 'is before the start' }],
    [{ title: 'Party', start_date: 'friday', end_date: 'friday', all_day: 'yes' }, {}],
    [{ title: 'Party', start_date: '24.12. 20 Uhr', end_date: '22.30' }, {}],
    [{ title: 'Party', start_date: '5.12' }, { start_date: 'is ambiguous: December 5 or 05:12. Write "5.12." or "05:12".' }],
    [
      { title: 'Party', start_date: 'Sa 05.03.' },
      { start_date: 'says Saturday, but March 5, 2027 is a Friday. Write 2027-03-05, or 2022-03-05, which is a Saturday.' },
    ],
    [{ title: 'Party', timezone: 'Mars/Olympus' }, { timezone: expect.stringContaining('is not a time zone') }],
    [{ title: 'Party', website: 'nonsense' }, { website: 'must be an absolute URL' }],
    [{ title: 'Party', website: 'https://example.org' }, {}],
    [{ title: 'Party', venue: 'A new place' }, {}],
    [{ title: 'Party', cost: '€8 – €12' }, {}],
    [{ title: 'Party', cost: '€10 / $12' }, { cost: 'would be shown as "$10 – $12"' }],
  ])('%j', (texts, faults) => {
    expect(faultsOf(filled(newForm('2027-03-03', look), texts), look)).toEqual(faults);
  });

  it('a text that a known event needs cannot be emptied', () => {
    const form = formFor(eventWith({ description: '<p>Long</p>' }));
    expect(faultsOf(form, look)).toEqual({});
    expect(faultsOf(filled(form, { title: '', description: '' }), look)).toEqual({ title: 'is needed', description: 'must not be empty' });
  });
});

describe('dates', () => {
  it.each([
    ['friday 8pm', '', '2027-03-05 20:00:00', '2027-03-05 21:00:00'],
    ['10.3. 19 Uhr', '22.30', '2027-03-10 19:00:00', '2027-03-10 22:30:00'],
    ['vendredi 5 mars à 19h30', '', '2027-03-05 19:30:00', '2027-03-05 20:30:00'],
    ['30.12. 20:00', '2.1. 20:00', '2027-12-30 20:00:00', '2028-01-02 20:00:00'],
    ['2027-03-10 19:00', '22:30', '2027-03-10 19:00:00', '2027-03-10 22:30:00'],
    ['2027-03-10 19:00', '+2 hours', '2027-03-10 19:00:00', '2027-03-10 21:00:00'],
    ['2027-03-10 19:00', '02:00', '2027-03-10 19:00:00', '2027-03-11 02:00:00'],
  ])('%s until %j', (start_date, end_date, from, to) => {
    const form = filled(newForm('2027-03-03', look), { start_date, end_date });
    expect([typedMoment(form, 'start_date', look), typedMoment(form, 'end_date', look)]).toEqual([from, to]);
  });
});

describe('a new event', () => {
  it.each([
    ['2027-03-03', '2027-03-03T09:00:00Z', '2027-03-03 11:00'],
    ['2027-03-03', '2027-03-03T09:59:59Z', '2027-03-03 11:00'],
    ['2027-03-03', '2027-03-03T22:10:00Z', '2027-03-04 00:00'],
    ['2027-03-04', '2027-03-03T09:00:00Z', '2027-03-04 09:00'],
    ['2027-03-01', '2027-03-03T09:00:00Z', '2027-03-01 09:00'],
  ])('on %s, made at %s, starts at %s', (day, now, start) => {
    expect(newForm(day, lookWith({ now: Date.parse(now) })).values.start_date!.value).toBe(start);
  });

  it('typing replaces a default value, and nothing else', () => {
    const onStart = { ...newForm('2027-03-03', look), focused: 1 };
    const value = (form: Form) => form.values.start_date!.value;
    expect(value(withText(withText(onStart, 'f'), 'r'))).toBe('fr');
    expect(value(withText(onStart, 'friday 8pm'))).toBe('friday 8pm');
    expect(value(withText(withKey(onStart, 'left', look) as Form, '3'))).toBe('2027-03-03 11:030');
    expect(value(withText(withKey(onStart, 'backspace', look) as Form, '5'))).toBe('2027-03-03 11:05');
    const known = { ...formFor(eventWith({ title: 'Party' })), focused: 0 };
    expect(withText(known, '!').values.title!.value).toBe('Party!');
  });
});

describe('sent values', () => {
  const known = eventWith({
    id: 4,
    title: 'Rock &#038; Roll',
    venue: { id: 5, venue: 'Pier&#8217;s 9' },
    organizer: [
      { id: 6, organizer: 'Ann' },
      { id: 7, organizer: 'Bo' },
    ],
    tags: [termWith(2, 'Jazz', 'jazz')],
    url: 'http://x/e/',
    website: 'http://x/e/',
  });

  it('shows texts as people read them', () => {
    expect(formFor(known).initial).toMatchObject({
      title: 'Rock & Roll',
      venue: 'Pier’s 9',
      organizer: 'Ann; Bo',
      tags: 'Jazz',
      website: '',
      start_date: '2027-03-01 19:00',
    });
  });

  it.each<[Record<string, string>, Record<string, unknown>]>([
    [{}, {}],
    [{ organizer: 'Bo; Cy' }, { organizer: [{ id: 7 }, { organizer: 'Cy' }] }],
    [{ organizer: '' }, { organizer: [] }],
    [{ venue: '#12' }, { venue: [{ id: 12 }] }],
    [{ tags: 'Jazz, new one,' }, { tags: ['Jazz', 'new one'] }],
    [{ all_day: 'yes' }, { all_day: true }],
    [{ end_date: '23:00' }, { end_date: '2027-03-01 23:00:00' }],
  ])('of a known event with %j: %j', (texts, input) => {
    expect(changesOf(filled(formFor(known), texts), look)).toEqual(input);
  });
});

describe('keys in a form', () => {
  const changed = (form: Form, ...keys: string[]): Form => keys.reduce((now, key) => withKey(now, key, look) as Form, form);
  const indexOf = (name: string) => formFields.findIndex((field) => field.name === name);

  it('go from field to field and stop at the ends', () => {
    expect(changed(newForm('2027-03-03', look), 'tab', 'down', 'enter').focused).toBe(3);
    expect(changed(newForm('2027-03-03', look), 'up').focused).toBe(0);
    expect(changed(newForm('2027-03-03', look), 'pagedown', 'tab').focused).toBe(formFields.length - 1);
  });

  it('turn switches and choices', () => {
    const onSwitch = { ...newForm('2027-03-03', look), focused: indexOf('all_day') };
    expect(withText(onSwitch, ' ').values.all_day!.value).toBe('yes');
    expect(changed(onSwitch, 'right', 'right').values.all_day!.value).toBe('no');
    const onStatus = { ...newForm('2027-03-03', look), focused: indexOf('status') };
    expect(changed(onStatus, 'right').values.status!.value).toBe('future');
    expect(changed(onStatus, 'left').values.status!.value).toBe('private');
    expect(withText(onStatus, 'x')).toBe(onStatus);
  });

  it('break lines in the description only', () => {
    const onText = { ...newForm('2027-03-03', look), focused: indexOf('description') };
    expect(withText(changed(withText(onText, 'a'), 'enter'), 'b').values.description!.value).toBe('a\nb');
    expect(withText(newForm('2027-03-03', look), 'a\n b').values.title!.value).toBe('a b');
  });

  it('lead to the first fault instead of saving', () => {
    const form = changed({ ...newForm('2027-03-03', look), focused: 5 }, 'ctrl-s');
    expect(form.focused).toBe(0);
    expect(Object.keys(form.visited)).toHaveLength(formFields.length);
  });
});

describe('typing', () => {
  it.each([
    ['left', { value: 'a👩‍👩‍👧b', cursor: 2 }, { value: 'a👩‍👩‍👧b', cursor: 1 }],
    ['right', { value: 'a👩‍👩‍👧b', cursor: 1 }, { value: 'a👩‍👩‍👧b', cursor: 2 }],
    ['backspace', { value: 'a👩‍👩‍👧b', cursor: 2 }, { value: 'ab', cursor: 1 }],
    ['backspace', { value: 'ab', cursor: 0 }, { value: 'ab', cursor: 0 }],
    ['ctrl-d', { value: 'abc', cursor: 1 }, { value: 'ac', cursor: 1 }],
    ['ctrl-u', { value: 'abc', cursor: 2 }, { value: 'c', cursor: 0 }],
    ['ctrl-k', { value: 'abc', cursor: 1 }, { value: 'a', cursor: 1 }],
    ['ctrl-w', { value: 'one two  three', cursor: 9 }, { value: 'one three', cursor: 4 }],
    ['ctrl-a', { value: 'abc', cursor: 2 }, { value: 'abc', cursor: 0 }],
    ['end', { value: 'abc', cursor: 0 }, { value: 'abc', cursor: 3 }],
    ['f5', { value: 'abc', cursor: 0 }, undefined],
  ])('%s on %j', (key, before, after) => {
    expect(editKey(before, key)).toEqual(after);
  });

  it('joins what belongs to one character', () => {
    expect(insertText({ value: 'e', cursor: 1 }, '\u0301')).toEqual({ value: 'e\u0301', cursor: 1 });
  });
});

describe('presses', () => {
  const none = {} as Parameters<ReturnType<typeof keyListener>>[1];
  it.each([
    ['ab\r', none, ['text a', 'text b', 'key enter']],
    ['a\x7fb', none, ['text a', 'key backspace', 'text b']],
    ['s', { ...none, ctrl: true }, ['key ctrl-s']],
    ['', { ...none, delete: true }, ['key backspace']],
    ['', { ...none, tab: true, shift: true }, ['key backtab']],
    ['', { ...none, pageDown: true }, ['key pagedown']],
    ['日', none, ['text 日']],
    ['a\x13', none, ['text a', 'key ctrl-s']],
    ['\x1c', none, []],
    ['[<0;12;5M', none, ['click 11 4']],
    ['[<0;12;5M\x1b[<0;12;5m', none, ['click 11 4']],
    ['[<64;1;1M\x1b[<65;1;1M', none, ['key up', 'key down']],
    ['[<2;1;1M', none, []],
  ])('%j', (input, key, expected) => {
    const presses = keyListener()(input, key).map((press) =>
      press.type === 'key' ? `key ${press.key}` : press.type === 'text' ? `text ${press.text}` : `click ${press.column} ${press.row}`,
    );
    expect(presses).toEqual(expected);
  });

  it('a pasted text is not a command', () => {
    const listen = keyListener();
    expect(listen('[200~', none)).toEqual([]);
    expect(listen('xy\r\nq', none)).toEqual([{ type: 'text', text: 'xy\nq' }]);
    expect(listen('[201~', none)).toEqual([]);
    expect(listen('q', none)).toEqual([{ type: 'text', text: 'q' }]);
  });
});
