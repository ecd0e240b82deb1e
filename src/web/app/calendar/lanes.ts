import { type CalendarDay, daysBetween, minutesOf } from '../days.ts';
import { compareSpans, type EventSpan } from './span.ts';

/** A span in a row of days: its first and last column (from 0), its lane, and whether it continues beyond the row. */
export interface Bar {
  span: EventSpan;
  start: number;
  end: number;
  lane: number;
  before: boolean;
  after: boolean;
}

/** Assigns spans to lanes so that none overlap. A span has the same lane in the whole row. */
export function barsOf(spans: readonly EventSpan[], days: readonly CalendarDay[]): Bar[] {
  const [first, last] = [days[0]!, days.at(-1)!];
  const ends: number[] = [];
  return spans
    .filter((span) => span.first <= last && span.last >= first)
    .sort(compareSpans)
    .map((span) => {
      const before = span.first < first;
      const after = span.last > last;
      const start = before ? 0 : daysBetween(first, span.first);
      const end = after ? days.length - 1 : daysBetween(first, span.last);
      let lane = ends.findIndex((lastColumn) => lastColumn < start);
      if (lane < 0) lane = ends.length;
      ends[lane] = end;
      return { span, start, end, lane, before, after };
    });
}

/** Returns the bars that fit into the lanes, and the number of hidden bars per day. The last lane of a day with hidden bars is reserved for their count. */
export function fitBars(bars: readonly Bar[], lanes: number, days: number): { shown: Bar[]; hidden: number[] } {
  const crowded = Array.from({ length: days }, (_, day) => bars.some((bar) => covers(bar, day) && bar.lane >= lanes));
  const fits = (bar: Bar) => bar.lane < lanes - 1 || (bar.lane === lanes - 1 && !crowded.slice(bar.start, bar.end + 1).includes(true));
  const hidden = Array.from({ length: days }, (_, day) => bars.filter((bar) => covers(bar, day) && !fits(bar)).length);
  return { shown: bars.filter(fits), hidden };
}

const covers = ({ start, end }: Bar, day: number): boolean => start <= day && day <= end;

/** The part of a span on one day, in minutes since midnight, and its columns among overlapping blocks. */
export interface Block {
  span: EventSpan;
  from: number;
  to: number;
  /** First column of `columns`. The block extends to the right over `width` columns, up to the next overlapping block. */
  column: number;
  columns: number;
  width: number;
  /** True if the span started the day before, or continues the day after. */
  before: boolean;
  after: boolean;
}

const dayMinutes = 24 * 60;
/** Minimum height of a block, in minutes, so that its title is legible. */
const minBlockMinutes = 24;

/** Returns the spans of a day as blocks. Overlapping blocks are placed side by side. */
export function blocksOf(spans: readonly EventSpan[], day: CalendarDay): Block[] {
  const blocks = spans
    .filter((span) => span.first <= day && day <= span.last)
    .map((span): Block => {
      const before = span.first < day;
      const after = span.last > day;
      const from = before ? 0 : Math.min(minutesOf(span.from), dayMinutes - minBlockMinutes);
      const end = after || (span.to > span.from && minutesOf(span.to) === 0) ? dayMinutes : minutesOf(span.to);
      return { span, from, to: Math.max(end, from + minBlockMinutes), column: 0, columns: 1, width: 1, before, after };
    })
    .sort((one, other) => one.from - other.from || other.to - one.to || one.span.event.id - other.span.event.id);
  let group: Block[] = [];
  let groupEnd = 0;
  const finishGroup = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1));
    for (const block of group) {
      const beside = group.filter((other) => other.column > block.column && other.from < block.to && other.to > block.from);
      block.columns = columns;
      block.width = Math.min(columns, ...beside.map(({ column }) => column)) - block.column;
    }
    group = [];
  };
  for (const block of blocks) {
    if (block.from >= groupEnd) finishGroup();
    const usedColumns = new Set(group.filter(({ to }) => to > block.from).map(({ column }) => column));
    while (usedColumns.has(block.column)) block.column++;
    group.push(block);
    groupEnd = Math.max(group.length === 1 ? 0 : groupEnd, block.to);
  }
  finishGroup();
  return blocks;
}
