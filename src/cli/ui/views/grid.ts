import { type Day, type Month, monthOf, plusDays, weekOf, weeksOf } from '../../days/day.ts';
import { today } from '../../days/display.ts';
import { monthText, weekdayText } from '../../days/locale.ts';
import { onDay } from '../../days/span.ts';
import { weekLines } from '../../days/week-lines.ts';
import type { Line, Segment } from '../../terminal/styled-line.ts';
import { cut, pad } from '../../terminal/width.ts';
import { selectedSpan, type UiState } from '../state.ts';
import { windowFrom } from './events.ts';

const cellWidth = (width: number): number => Math.max(3, Math.floor((width - 6) / 7));

/** Returns the month of the selected day: for each week, a line of day numbers and the lines of events that fit. */
export function monthLines(state: UiState, width: number, height: number): Line[] {
  const weeks = weeksOf(monthOf(state.day), state.display.weekStart);
  const room = Math.max(1, Math.floor((height - 1) / weeks.length));
  const cell = cellWidth(width);
  const names = weeks[0]!.map((day) => pad(cut(` ${weekdayText(day, state.display.locale)}`, cell), cell)).join(' ');
  return [[{ text: names, dim: true }], ...weeks.flatMap((days) => weekOfMonth(state, days, cell, room))];
}

function weekOfMonth(state: UiState, days: Day[], cell: number, room: number): Line[] {
  const isDim = (day: Day) => monthOf(day) !== monthOf(state.day);
  const numbers = days.flatMap((day, at) => {
    const mark = room < 2 && onDay(state.spans, day).length > 0 ? '*' : '';
    const style = isDim(day) ? { dim: true } : { bold: true };
    return [...(at > 0 ? [{ text: ' ' }] : []), { ...dayHead(state, day, dayNumber(state, day, cell) + mark, cell), ...style }];
  });
  const events =
    room > 1
      ? weekLines(state.spans, { days, cell, limit: room - 1, gap: ' ', display: state.display, selected: selectedId(state), isDim })
      : [];
  return [numbers, ...events, ...Array.from({ length: Math.max(0, room - 1 - events.length) }, () => emptyWeek(days, cell))];
}

/** Returns the week of the selected day, with a tall column for each day. */
export function weekViewLines(state: UiState, width: number, height: number): Line[] {
  const { display, day: selected } = state;
  const first = weekOf(selected, display.weekStart);
  const days = Array.from({ length: 7 }, (_, at) => plusDays(first, at));
  const cell = cellWidth(width);
  const heads = days.flatMap((day, at) => [
    ...(at > 0 ? [{ text: ' ' }] : []),
    { ...dayHead(state, day, `${weekdayText(day, display.locale)} ${dayNumber(state, day, cell)}`, cell), bold: true },
  ]);
  const events = weekLines(state.spans, { days, cell, limit: height - 1, gap: ' ', display, selected: selectedId(state), tall: true });
  return [heads, ...events, ...Array.from({ length: Math.max(0, height - 1 - events.length) }, () => emptyWeek(days, cell))];
}

/** Undefined while a day is selected. */
const selectedId = (state: UiState): number | undefined => selectedSpan(state)?.entry.id;

/** Returns the number of a day: today in brackets. */
function dayNumber(state: UiState, day: Day, cell: number): string {
  const number = String(Number(day.slice(-2)));
  return day === today(state.display) && cell > 5 ? `[${number}]` : number;
}

/** Returns the head of a day: the selected one inverse. */
function dayHead(state: UiState, day: Day, text: string, cell: number): Segment {
  const here = day === state.day;
  return { text: pad(cut(`${here ? '›' : ' '}${text}`, cell), cell), inverse: here, day };
}

const emptyWeek = (days: readonly Day[], cell: number): Line =>
  days.map((day, at) => ({ text: ' '.repeat(at < 6 ? cell + 1 : cell), day }));

const monthCellWidth = 3;
const monthWidth = 7 * monthCellWidth;
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
