import type { Day } from '../../../../model/time/days.ts';
import { dayMinutes, minutesOf } from '../../days.ts';
import type { EventSpan } from '../span.ts';

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

/** Minimum height of a block, in minutes, so that its title is legible. */
const minBlockMinutes = 30;
/** Part of a column by which a block extends below the next one. */
const overlap = 0.7;
/** Minimum time between two starts, in minutes, for a title of full width above the next block. */
const minTitleMinutes = 40;
/** Time in which events that don't fit are counted together. */
const crowdMinutes = 60;

/** Events of a crowded time that don't get a block, counted at the start of the first one. */
interface Crowd {
  /** Minutes since midnight. */
  from: number;
  spans: EventSpan[];
}

/**
 * The spans of a day as blocks. Overlapping blocks are a cascade of at most `maxColumns` columns; the events that don't fit are counted
 * by the hour.
 */
export function blocksOf(
  spans: readonly EventSpan[],
  day: Day,
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

function toBlock(span: EventSpan, day: Day): Block {
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
