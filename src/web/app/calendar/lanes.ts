import { type CalendarDay, dayMinutes, daysBetween, minutesOf } from '../days.ts';
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
  /** First column of `columns`. The block extends to the right over `width` columns, partly below the next overlapping block. */
  column: number;
  columns: number;
  width: number;
  /** The part that no other block covers: its columns, and its end in minutes since midnight. */
  visible: { width: number; to: number };
  /** True if a column beside the blocks counts more events. */
  beside?: true;
  /** True if the span started the day before, or continues the day after. */
  before: boolean;
  after: boolean;
}

/** Returns a time of day, in minutes, as a position in a column of hours. */
export const toPercent = (minutes: number): string => `${(minutes / dayMinutes) * 100}%`;

/** Minimum height of a block, in minutes, so that its title is legible. */
const minBlockMinutes = 30;
/** Part of a column by which a block extends below the next one. */
const overlap = 0.7;
/** Minimum time between two starts, in minutes, for a title of full width above the next block. */
const minTitleMinutes = 40;
/** Time in which events that don't fit are counted together. */
const crowdMinutes = 60;

/** Events of a crowded time that don't get a block, counted at the start of the first one. */
export interface Crowd {
  /** Minutes since midnight. */
  from: number;
  spans: EventSpan[];
}

/**
 * Returns the spans of a day as blocks. Overlapping blocks are a cascade of at most `maxColumns` columns; the events that don't fit are counted
 * by the hour.
 */
export function blocksOf(
  spans: readonly EventSpan[],
  day: CalendarDay,
  maxColumns = Number.POSITIVE_INFINITY,
): { blocks: Block[]; crowds: Crowd[] } {
  const all = spans
    .filter((span) => span.first <= day && day <= span.lastHour)
    .map((span) => toBlock(span, day))
    .sort((one, other) => one.from - other.from || other.to - one.to || one.span.event.id - other.span.event.id);
  const crowds: Crowd[] = [];
  const blocks: Block[] = [];
  for (const group of overlappingGroups(all)) {
    const usedColumns = assignColumns(group);
    // One column is left for the number of events that aren't shown.
    const columns = usedColumns > maxColumns ? Math.max(1, maxColumns - 1) : usedColumns;
    const visible = group.filter(({ column }) => column < columns);
    for (const block of visible) {
      block.columns = columns;
      if (columns < usedColumns) block.beside = true;
      extend(block, visible);
    }
    blocks.push(...visible);
    for (const { from, column, span } of group) {
      if (column < columns) continue;
      const last = crowds.at(-1);
      if (last && from < last.from + crowdMinutes) last.spans.push(span);
      else crowds.push({ from, spans: [span] });
    }
  }
  return { blocks, crowds };
}

/** Extends a block over the free columns beside it, or below the next block. */
function extend(block: Block, visible: readonly Block[]): void {
  const { column, columns, from, to } = block;
  const beside = visible.filter((other) => other.column > column && other.from < to && other.to > from);
  const next = Math.min(columns, ...beside.map((other) => other.column));
  block.width = next < columns ? next - column + overlap : columns - column;
  const coveredFrom = Math.min(...beside.filter((other) => other.column === next).map((other) => other.from));
  block.visible =
    coveredFrom < from + minTitleMinutes ? { width: next - column, to } : { width: block.width, to: Math.min(to, coveredFrom) };
}

function toBlock(span: EventSpan, day: CalendarDay): Block {
  const before = span.first < day;
  const after = span.lastHour > day;
  const from = before ? 0 : Math.min(minutesOf(span.from), dayMinutes - minBlockMinutes);
  const end = after || (span.to > span.from && minutesOf(span.to) === 0) ? dayMinutes : minutesOf(span.to);
  const to = Math.max(end, from + minBlockMinutes);
  return { span, from, to, column: 0, columns: 1, width: 1, visible: { width: 1, to }, before, after };
}

/** Splits sorted blocks into groups that don't overlap each other. */
function overlappingGroups(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  let end = 0;
  for (const block of blocks) {
    if (!groups.length || block.from >= end) groups.push([]);
    groups.at(-1)!.push(block);
    end = Math.max(end, block.to);
  }
  return groups;
}

/** Gives each block of a group the first free column. Returns the number of columns. */
function assignColumns(group: readonly Block[]): number {
  const ends: number[] = [];
  for (const block of group) {
    const free = ends.findIndex((end) => end <= block.from);
    block.column = free < 0 ? ends.length : free;
    ends[block.column] = block.to;
  }
  return ends.length;
}
