import { expect, it } from 'vitest';
import { type Span, spanOf } from '../../../src/cli/days/span.ts';
import { weekLines } from '../../../src/cli/days/week-lines.ts';
import { renderOutput } from '../../../src/cli/terminal/safe-output.ts';
import { lineText } from '../../../src/cli/terminal/styled-line.ts';
import { lookWith } from '../../support/displayed-days.ts';
import { eventWith } from '../../support/printed-records.ts';

const look = lookWith();
const days = [1, 2, 3, 4, 5, 6, 7].map((day) => `2027-03-0${day}`);
let id = 0;
const at = (title: string, from: string, to: string, allDay = true): Span =>
  spanOf(eventWith({ id: ++id, title, start_date: from, end_date: to, all_day: allDay }), look)!;
const long = (title: string, from: number, to: number) => at(title, `2027-03-0${from} 00:00:00`, `2027-03-0${to} 23:59:59`);
const draw = (spans: readonly Span[], limit: number, cell = 6) =>
  weekLines(spans, { days, cell, limit, gap: '|', display: look }).map((line) => lineText(line, 0));

it('draws events of several days as bars that share lanes', () => {
  const before = at('Before', '2027-02-20 00:00:00', '2027-03-02 23:59:59');
  const after = at('After', '2027-03-06 00:00:00', '2027-03-20 23:59:59');
  expect(draw([long('Middle', 2, 5), before, after], 5)).toEqual([
    '◂Before ─────|      |      |      |After ──────▸',
    '      |Middle ────────────────────|      |      ',
  ]);
});

it.each([
  [
    5,
    [
      'Long ───────────────────────────────────────────',
      'Other ──────────────────────────────────────────',
      '      |      |One   |      |      |      |      ',
      '      |      |Two   |      |      |      |      ',
    ],
  ],
  [
    3,
    [
      'Long ───────────────────────────────────────────',
      '+1 mo…|+1 mo…|One   |+1 mo…|+1 mo…|+1 mo…|+1 mo…',
      '      |      |+2 mo…|      |      |      |      ',
    ],
  ],
  [1, ['+2 mo…|+2 mo…|+4 mo…|+2 mo…|+2 mo…|+2 mo…|+2 mo…']],
])('with %i lines, counts what does not fit on each day', (limit, lines) => {
  const one = at('One', '2027-03-03 00:00:00', '2027-03-03 23:59:59');
  const two = at('Two', '2027-03-03 00:00:00', '2027-03-03 23:59:59');
  expect(draw([long('Long', 1, 7), long('Other', 1, 7), one, two], limit)).toEqual(lines);
});

it('gives an event its time and its whole title where the day has room', () => {
  const talk = at('A long title', '2027-03-03 10:00:00', '2027-03-03 11:00:00', false);
  const draw = (limit: number) =>
    weekLines([talk], { days, cell: 6, limit, gap: '|', display: look, tall: true }).map((line) => renderOutput(lineText(line, 0)));
  expect(draw(5)).toEqual(
    ['      |      |\u001b[1m10:00 \u001b[0m|', '      |      |A long|', '      |      |title |'].map(
      (line) => `${line}      |      |      |      `,
    ),
  );
  expect(draw(2)).toEqual(['      |      |A lon…|      |      |      |      ']);
});

it('counts every event of every day, whatever the limit', () => {
  const spans = Array.from({ length: 40 }, (_, index) => {
    const from = 1 + ((index * 5) % 7);
    return long(`E${index}`, from, Math.min(7, from + ((index * 3) % 4)));
  });
  for (let limit = 1; limit < 30; limit++) {
    const lines = weekLines(spans, { days, cell: 12, limit, gap: '', display: look });
    expect(lines.length).toBeLessThanOrEqual(limit);
    for (const [column, day] of days.entries()) {
      const expected = spans.filter(({ first, last }) => first <= day && day <= last).length;
      let counted = 0;
      for (const line of lines) {
        let end = 0;
        const segment = line.find(({ text }) => {
          end += text.length;
          return end > column * 12;
        })!;
        counted += segment.event === undefined ? Number(/\+(\d+) more/.exec(segment.text)?.[1] ?? 0) : 1;
      }
      expect([limit, day, counted]).toEqual([limit, day, expected]);
    }
  }
});
