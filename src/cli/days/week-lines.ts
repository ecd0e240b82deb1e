import { type Day, daysBetween, earlier, later } from '../../model/time/days.ts';
import type { Segment } from '../terminal/styled-line.ts';
import { cut, pad, widthOf, wrap } from '../terminal/width.ts';
import type { Display } from './display.ts';
import { isMultiDay, onDay, type Span, startOn, timeOn } from './span.ts';

/** The layout of the events of a week. */
interface WeekLayout {
  days: readonly Day[];
  /** Columns of a day. */
  cell: number;
  /** Maximum number of lines. */
  limit: number;
  /** Text between two days. */
  gap: string;
  display: Pick<Display, 'locale' | 'colorOf'>;
  /** ID of the selected event. */
  selected?: number;
  /** True to give each event several lines where the day has room: its time, and its whole title. */
  tall?: boolean;
  isDim?(day: Day): boolean;
}

/** An event of several days in a week, from one column to another. */
interface Bar {
  span: Span;
  from: number;
  to: number;
}

/** Assigns the events of several days to lanes, in which they don't overlap. */
function lanesOf(spans: readonly Span[], days: readonly Day[]): Bar[][] {
  const [first, last] = [days[0]!, days.at(-1)!];
  const bars = spans
    .filter((span) => isMultiDay(span) && span.first <= last && span.last >= first)
    .map((span) => ({
      span,
      from: daysBetween(first, later(span.first, first)),
      to: daysBetween(first, earlier(span.last, last)),
    }))
    .sort((a, b) => a.from - b.from || b.to - b.from - (a.to - a.from) || a.span.entry.id - b.span.entry.id);
  const lanes: Bar[][] = [];
  for (const bar of bars) {
    const free = lanes.find((lane) => lane.at(-1)!.to < bar.from);
    if (free) free.push(bar);
    else lanes.push([bar]);
  }
  return lanes;
}

/** The lines of the events of a week: bars for events of several days, then those of each day. The last line of a day counts the events that don't fit. */
export function weekLines(spans: readonly Span[], layout: WeekLayout): Segment[][] {
  const { days, limit } = layout;
  const lanes = lanesOf(spans, days);
  const single = days.map((day) => onDay(spans, day).filter((span) => !isMultiDay(span)));
  const fits = Math.max(...single.map((each, column) => each.length + lanesAt(lanes, column))) <= limit && lanes.length <= limit;
  // Two lines are left for the events of a day and for the number of further ones.
  const barLines = fits ? lanes.length : Math.min(lanes.length, Math.max(0, limit - 2));
  const hidden = days.map((_, column) => lanes.slice(barLines).filter((lane) => barAt(lane, column)).length);
  const cells = days.map((day, column) => cellSegments(single[column]!, hidden[column]!, day, limit - barLines, layout));
  const height = barLines + Math.max(0, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    row < barLines
      ? barLine(lanes[row]!, layout)
      : joinCells(
          cells.map((lines) => lines[row - barLines]),
          layout,
        ),
  );
}

const barAt = (lane: readonly Bar[], column: number): Bar | undefined => lane.find(({ from, to }) => from <= column && column <= to);

const lanesAt = (lanes: readonly Bar[][], column: number): number => lanes.findLastIndex((lane) => barAt(lane, column)) + 1;

/** The line of a lane. Arrows mark events that began before the week or go on after it. */
function barLine(lane: readonly Bar[], { days, cell, gap, display, selected, isDim }: WeekLayout): Segment[] {
  const line: Segment[] = [];
  for (let column = 0; column < days.length; column++) {
    if (column > 0) line.push({ text: gap });
    const bar = barAt(lane, column);
    const day = days[column]!;
    if (!bar) {
      line.push({ text: ' '.repeat(cell), day });
      continue;
    }
    const { span, from, to } = bar;
    const columns = (to - from + 1) * cell + (to - from) * gap.length;
    const [before, after] = [span.first < days[from]! ? '◂' : '', span.last > days[to]! ? '▸' : ''];
    const start = startOn(span, day, display.locale);
    const title = `${before}${start && cell >= 14 ? `${start} ` : ''}${span.title} `;
    const color = display.colorOf?.(span.entry);
    const room = columns - after.length;
    const text = cut(title, room);
    line.push({
      text: `${text}${(color ? ' ' : '─').repeat(Math.max(0, room - widthOf(text)))}${after}`,
      color,
      filled: color !== undefined,
      inverse: span.entry.id === selected,
      dim: isDim !== undefined && days.slice(from, to + 1).every(isDim),
      day,
      event: span.entry.id,
    });
    column = to;
  }
  return line;
}

/** The lines of a day: the events that fit, and the number of further ones. */
function cellSegments(spans: readonly Span[], hidden: number, day: Day, room: number, layout: WeekLayout): Segment[] {
  const { cell, display, selected, isDim } = layout;
  const blocks = layout.tall && hidden === 0 ? spans.flatMap((span, at) => blockSegments(span, day, at, layout)) : [];
  if (blocks.length && blocks.length <= room) return blocks;
  const areAll = hidden === 0 && spans.length <= room;
  const visible = areAll ? spans : spans.slice(0, Math.max(0, room - 1));
  const more = spans.length - visible.length + hidden;
  const dim = isDim?.(day) ?? false;
  const lines = visible.map((span): Segment => {
    const time = cell >= 14 ? startOn(span, day, display.locale) : '';
    return {
      text: pad(cut(time ? `${time} ${span.title}` : span.title, cell), cell),
      color: display.colorOf?.(span.entry),
      inverse: span.entry.id === selected,
      dim,
      day,
      event: span.entry.id,
    };
  });
  return more && room > 0 ? [...lines, { text: pad(cut(`+${more} more`, cell), cell), dim, day }] : lines;
}

/** The lines of an event that has room: time, or only the start in a narrow column, and title, below an empty line that separates it from the one before. */
function blockSegments(span: Span, day: Day, at: number, { cell, display, selected }: WeekLayout): Segment[] {
  const whole = timeOn(span, day, display.locale);
  const time = widthOf(whole) > cell ? startOn(span, day, display.locale) || whole : whole;
  const texts = [...(at > 0 ? [''] : []), ...wrap(time, cell), ...wrap(span.title, cell)];
  const style = { color: display.colorOf?.(span.entry), day, event: span.entry.id };
  return texts.map((text) => ({
    ...style,
    text: pad(text, cell),
    inverse: text !== '' && span.entry.id === selected,
    bold: text === time,
  }));
}

/** Joins a line of each day. */
function joinCells(cells: readonly (Segment | undefined)[], { days, cell, gap }: WeekLayout): Segment[] {
  return cells.flatMap((segment, column) => [
    ...(column > 0 ? [{ text: gap }] : []),
    segment ?? { text: ' '.repeat(cell), day: days[column]! },
  ]);
}
