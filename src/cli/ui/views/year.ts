import { type Day, type Month, monthOf, weeksOf } from '../../days/day.ts';
import { today } from '../../days/display.ts';
import { monthText } from '../../days/locale.ts';
import { onDay } from '../../days/span.ts';
import type { Line, Segment } from '../../terminal/styled-line.ts';
import { cut, pad } from '../../terminal/width.ts';
import type { UiState } from '../state.ts';
import { windowFrom } from './window.ts';

const cellWidth = 3;
const monthWidth = 7 * cellWidth;
const gap = '  ';
/** Name, at most six weeks, and an empty line. */
const monthHeight = 8;

/** Returns the year of the selected day: small months, whose days with events have a dot. */
export function yearLines(state: UiState, width: number, height: number): Line[] {
  const year = state.day.slice(0, 4);
  const months = Array.from({ length: 12 }, (_, at): Month => `${year}-${String(at + 1).padStart(2, '0')}`);
  const perRow = Math.max(1, Math.floor((width + gap.length) / (monthWidth + gap.length)));
  const rows = Array.from({ length: Math.ceil(12 / perRow) }, (_, at) => months.slice(at * perRow, (at + 1) * perRow));
  const lines = rows.flatMap((row) => {
    const blocks = row.map((month) => smallMonth(state, month));
    return Array.from(
      { length: monthHeight },
      (_, at): Line => blocks.flatMap((block, index) => [...(index ? [{ text: gap }] : []), ...block[at]!]),
    );
  });
  const selectedRow = rows.findIndex((row) => row.includes(monthOf(state.day))) * monthHeight + Math.floor(monthHeight / 2);
  const from = windowFrom(selectedRow, lines.length, height);
  return lines.slice(from, from + height);
}

function smallMonth(state: UiState, month: Month): Line[] {
  const blank = { text: ' '.repeat(monthWidth) };
  const name = pad(cut(` ${monthText(month, state.display.locale)}`, monthWidth), monthWidth);
  const weeks = weeksOf(month, state.display.weekStart).map((days) =>
    days.map((day) => (monthOf(day) === month ? dayCell(state, day) : { text: '   ' })),
  );
  return [
    [{ text: name, bold: month === monthOf(state.day) }],
    ...weeks,
    ...Array.from({ length: monthHeight - 1 - weeks.length }, () => [blank]),
  ];
}

function dayCell(state: UiState, day: Day): Segment {
  const [span] = onDay(state.spans, day);
  const color = span && state.display.colorOf?.(span.entry);
  return {
    text: `${String(Number(day.slice(-2))).padStart(2)}${span ? '•' : ' '}`,
    bold: day === today(state.display),
    dim: !span,
    inverse: day === state.day,
    ...(color ? { color } : {}),
    day,
  };
}
