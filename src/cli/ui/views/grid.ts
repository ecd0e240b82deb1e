import { type Day, monthOf, plusDays, weekOf, weeksOf } from '../../days/day.ts';
import { today } from '../../days/display.ts';
import { weekdayText } from '../../days/locale.ts';
import { onDay } from '../../days/span.ts';
import { weekLines } from '../../days/week-lines.ts';
import type { Line, Segment } from '../../terminal/styled-line.ts';
import { cut, pad } from '../../terminal/width.ts';
import { selectedSpan, type UiState } from '../state.ts';

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
