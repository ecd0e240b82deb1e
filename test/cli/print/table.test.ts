import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitted, shownColumns } from '../../../src/cli/print/table.ts';
import { escapeControls } from '../../../src/cli/terminal/safe-output.ts';
import { plainText } from '../../../src/cli/terminal/safe-text.ts';
import { cut, widthOf, wrap } from '../../../src/cli/terminal/width.ts';
import { eventWith, printed } from '../../support/printed-records.ts';

const wide = [
  eventWith({ id: 1, title: '日本語のとても長いタイトルがここにあります、本当に', venue: { id: 3, venue: '東京ドーム' } }),
  eventWith({
    id: 22,
    title: 'Cafe\u0301 🎉👩‍👩‍👧 night',
    all_day: true,
    start_date: '2027-03-01 00:00:00',
    end_date: '2027-03-02 23:59:59',
  }),
  eventWith({
    id: 333,
    title: 'A title so long that no terminal of eighty columns could ever show the whole of it',
    venue: { id: 4, venue: 'A hall' },
  }),
];

describe('a table', () => {
  it('in a pipe shows everything, in columns', async () => {
    expect(await printed(wide, {})).toBe(
      [
        ' ID  TITLE                                                                               START_DATE        END_DATE          VENUE',
        '  1  日本語のとても長いタイトルがここにあります、本当に                                  2027-03-01 19:00  2027-03-01 22:30  東京ドーム',
        ' 22  Cafe\u0301 🎉👩‍👩‍👧 night                                                                     2027-03-01        2027-03-02',
        '333  A title so long that no terminal of eighty columns could ever show the whole of it  2027-03-01 19:00  2027-03-01 22:30  A hall',
        '',
      ].join('\n'),
    );
  });

  it.each([200, 120, 80, 60, 40, 20, 5])('fits %i columns', async (width) => {
    const lines = (await printed(wide, { width })).split('\n').slice(0, -1);
    expect(lines.filter((line) => !line.startsWith('omitted'.slice(0, width - 1)))).toHaveLength(4);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  it('at 80 columns cuts the title and keeps dates whole', async () => {
    const lines = (await printed(wide, { width: 80 })).split('\n');
    expect(lines[3]).toMatch(/^333 {2}A title .*… +2027-03-01 19:00 {2}2027-03-01 22:30 {2}A hall$/);
  });

  it.each([
    [60, /^333 {2}A title so.*… {2}2027-03-01 19:00 {2}2027-03-01 22:30$/, 'omitted: venue'],
    [40, /^333 {2}A title so long… +2027-03-01 19:00$/, 'omitted: end_date, venue'],
  ])('at %i columns leaves columns out before a date is cut, and says so', async (width, line, note) => {
    const lines = (await printed(wide, { width })).split('\n');
    expect(lines[3]).toMatch(line);
    expect(lines[4]).toBe(note);
  });

  it.each([
    ['the first text and the first date for ever', [6, 80, 16, 16, 30], [true, false, true, true, false], 10, [0, 1, 2]],
    ['nothing where there is room', [2, 30, 16], [true, false, true], 80, [0, 1, 2]],
  ])('keeps %s', (_, wanted, firm, width, shown) => {
    expect(shownColumns(wanted, firm, width)).toEqual(shown);
  });

  it('is the same in a pipe and on a wide terminal but for its last line', async () => {
    expect(await printed(wide, { width: 300 })).toBe(await printed(wide, {}));
    expect(await printed(wide, { width: 300, total: 99 })).toBe(
      `${await printed(wide, {})}3 of 99. Use --page for others, or --limit 99 for all.\n`,
    );
    expect(await printed(wide, { total: 99 })).toBe(await printed(wide, {}));
  });

  it('has color only if requested', async () => {
    expect(await printed(wide, { width: 80 })).not.toContain('\u001b');
    expect(await printed(wide, { width: 80, color: true })).toContain('\u001b[1m');
  });

  it('of nothing is nothing', async () => {
    expect(await printed([], { width: 80 })).toBe('');
  });

  it('writes long lists as they come', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => eventWith({ id: at + 1, title: 'x'.repeat(at % 40) }));
    const lines = (await printed(many, { width: 80 })).split('\n');
    expect(lines).toHaveLength(1202);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
  });

  it('of one record has a line for each field', async () => {
    const text = await printed([eventWith({ title: 'Rock &#038; Roll', description: '<p>One</p>\n<p>Two</p>' })], { single: true });
    expect(text).toMatch(/^id +1\n/);
    expect(text).toMatch(/\ntitle +Rock & Roll\n/);
    expect(text).toMatch(/\n\nOne\n\nTwo\n$/);
  });
});

describe('a terminal', () => {
  const attack = eventWith({ title: 'a\u001b[2Jb\u009b31m\u0007\r\n\u202ec &#27;[31m &#x9b;K', description: '\u001b]0;title\u0007' });
  it.each(['table', 'json', 'ndjson', 'csv', 'tsv'] as const)('is not ruled by a text in %s', async (format) => {
    const text = await printed([attack], { format, width: 100, fields: ['id', 'title', 'description'] });
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });
  it('is not ruled by the name of a member', async () => {
    const named = { ...attack, '\u001b]52;c;cm0gLXJm\u0007': 'a', 'a\u202eb': 'a', 'a\u009b31m': 'a' };
    expect(await printed([named], { width: 100, single: true })).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });
  it('is not ruled by a text in a template or a single record', async () => {
    for (const how of [{ template: '{{title}} {{description}}' }, { single: true }])
      expect(await printed([attack], { width: 100, ...how })).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});

it.each([
  [[4, 80, 16, 16, 20], 72, [4, 18, 16, 16, 18]],
  [[4, 10, 16, 16, 8], 100, [4, 10, 16, 16, 8]],
  [[4, 80, 16, 16, 20], 40, [4, 6, 12, 12, 6]],
  [[4, 80], 3, [2, 1]],
])('widths %j in %i columns are %j', (wanted, room, expected) => {
  const found = fitted(
    wanted,
    wanted.map((width) => width === 4 || width === 16),
    room,
  );
  expect(found).toEqual(expected);
});

it('measures every character like string-width', () => {
  for (let code = 0x20; code < 0x3000; code++) {
    const character = String.fromCharCode(code);
    if (widthOf(character) !== stringWidth(character))
      expect([code.toString(16), widthOf(character)]).toEqual([code.toString(16), stringWidth(character)]);
  }
});

it.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['ab cdef', 4, 'ab…'],
  ['abc', 0, ''],
])('%j in %i columns is %j', (text, columns, expected) => {
  expect(cut(text, columns)).toBe(expected);
});

it.each([
  ['a few words here', 6, ['a few', 'words', 'here']],
  ['incomprehensible', 6, ['incomp', 'rehens', 'ible']],
  ['', 6, ['']],
])('%j wraps at %i', (text, columns, expected) => {
  expect(wrap(text, columns)).toEqual(expected);
});

it.each([
  ['<p>a</p><p>b</p>', 'a b'],
  ['a<br />b', 'a b'],
  ['1 &lt; 2', '1 < 2'],
  ['<script>alert(1)</script>x', 'x'],
])('%s reads %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

it('signs stand for what a terminal would obey', () => {
  expect(escapeControls('a\u001bb\u007fc\u009bd\te\nf\rg\r\nh')).toBe('a␛b␡c�d\te\nf\ng\nh');
});
