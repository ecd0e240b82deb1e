import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  renderContent,
  renderExcerpt,
  renderTitle,
  unrenderContent,
  unrenderExcerpt,
  unrenderTitle,
} from '../../../src/model/html/render.ts';

const inline = fc.constantFrom(
  ...[
    "Don't",
    '"quoted"',
    "'single'",
    'wait...',
    '--',
    '---',
    '-',
    'AT&T',
    '&amp;',
    '&lt;b&gt;',
    '3x4',
    '5\'6"',
    '(tm)',
    "'90s",
    'rock ’n’ roll',
  ],
  ...[
    '<b>bold</b>',
    '<em>so "far"</em>',
    '<a href="https://x.test/?a=1&b=2">a</a>',
    '<img src="a.png">',
    'word',
    'Ünïcödé',
    '日本語',
    '🎉',
    '&',
    ':)',
    '<code>"x" -- y</code>',
    '5 < 6',
    'a > b',
  ],
);
const stray = fc.constantFrom('<', '>', '<em>', '</em>', '<p>', '<br />', '[gallery]', '``', "''", ' ', '\n');
const line = fc.array(inline, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const block = fc.oneof(
  { weight: 4, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')) },
  { weight: 1, arbitrary: line.map((text) => `<h2>${text}</h2>`) },
  {
    weight: 1,
    arbitrary: fc
      .array(line, { minLength: 1, maxLength: 3 })
      .map((items) => `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`),
  },
);
const texts = fc.array(block, { maxLength: 5 }).map((blocks) => blocks.join('\n\n'));
const titles = fc.oneof(
  fc.array(fc.oneof(inline, stray), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
);

it.each([
  ['titles, hostile ones too', titles, renderTitle, unrenderTitle],
  ['descriptions', texts, renderContent, unrenderContent],
  ['excerpts', texts, renderExcerpt, unrenderExcerpt],
] as const)('%s: what was rendered becomes input that is rendered the same', (_, made, render, unrender) => {
  fc.assert(
    fc.property(made, (raw) => {
      const shown = render(raw);
      expect(render(unrender(shown))).toBe(shown);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ["Don't", unrenderTitle, renderTitle],
  ['"Rock & Roll" -- live...', unrenderTitle, renderTitle],
  ['One line\nand another\n\nA second paragraph', unrenderContent, renderContent],
  ['Short & sweet', unrenderExcerpt, renderExcerpt],
])('%j comes back as it was typed', (raw, unrender, render) => {
  expect(unrender(render(raw))).toBe(raw);
});

it('a text over 20 KB stays as it was rendered', () => {
  const rendered = renderContent(`It's "late" -- ${'word '.repeat(4000)}`);
  expect([rendered.length > 20_000, unrenderContent(rendered)]).toEqual([true, rendered]);
  expect(renderContent(rendered)).toBe(rendered);
});
