import { type CalendarDay, daysBetween, minutesOf } from '../days.ts';
import { type EventSpan, inOrder } from './span.ts';

/** A span in a row of days: from which column to which (from 0), in which lane, and whether it goes on beyond the row. */
export interface Bar {
  span: EventSpan;
  start: number;
  end: number;
  lane: number;
  before: boolean;
  after: boolean;
}

/** Puts spans into lanes so that none lies over another; a span keeps one lane in the whole row. */
export function barsOf(spans: readonly EventSpan[], days: readonly CalendarDay[]): Bar[] {
  const [first, last] = [days[0]!, days.at(-1)!];
  const ends: number[] = [];
  return spans
    .filter((span) => span.first <= last && span.last >= first)
    .sort(inOrder)
    .map((span) => {
      const before = span.first < first;
      const after = span.last > last;
      const start = before ? 0 : daysBetween(first, span.first);
      const end = after ? days.length - 1 : daysBetween(first, span.last);
      let lane = ends.findIndex((taken) => taken < start);
      if (lane < 0) lane = ends.length;
      ends[lane] = end;
      return { span, start, end, lane, before, after };
    });
}

/** The bars that find room in so many lanes, and how many each day hides; a day that hides some needs its last lane to say so. */
export function fitting(bars: readonly Bar[], lanes: number, days: number): { shown: Bar[]; hidden: number[] } {
  const crowded = Array.from({ length: days }, (_, day) => bars.some((bar) => covers(bar, day) && bar.lane >= lanes));
  const fits = (bar: Bar) => bar.lane < lanes - 1 || (bar.lane === lanes - 1 && !crowded.slice(bar.start, bar.end + 1).includes(true));
  const hidden = Array.from({ length: days }, (_, day) => bars.filter((bar) => covers(bar, day) && !fits(bar)).length);
  return { shown: bars.filter(fits), hidden };
}

const covers = ({ start, end }: Bar, day: number): boolean => start <= day && day <= end;

/** A span, or the part of it that lies on one day: minutes of the day, and its place beside those that overlap it. */
export interface Block {
  span: EventSpan;
  from: number;
  to: number;
  /** Its first column of so many, and how many it fills: it goes on to the right until another is in its way. */
  column: number;
  columns: number;
  width: number;
  /** Whether it began the day before, or goes on the day after. */
  before: boolean;
  after: boolean;
}

const wholeDay = 24 * 60;
/** So long does the shortest event look, in minutes, that its title can be read. */
const shortest = 24;

/** The spans of a day as blocks, those that overlap side by side. */
export function blocksOf(spans: readonly EventSpan[], day: CalendarDay): Block[] {
  const blocks = spans
    .filter((span) => span.first <= day && day <= span.last)
    .map((span): Block => {
      const before = span.first < day;
      const after = span.last > day;
      const from = before ? 0 : Math.min(minutesOf(span.from), wholeDay - shortest);
      const end = after || (span.to > span.from && minutesOf(span.to) === 0) ? wholeDay : minutesOf(span.to);
      return { span, from, to: Math.max(end, from + shortest), column: 0, columns: 1, width: 1, before, after };
    })
    .sort((one, other) => one.from - other.from || other.to - one.to || one.span.event.id - other.span.event.id);
  let group: Block[] = [];
  let groupEnd = 0;
  const settle = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1));
    for (const block of group) {
      const beside = group.filter((other) => other.column > block.column && other.from < block.to && other.to > block.from);
      block.columns = columns;
      block.width = Math.min(columns, ...beside.map(({ column }) => column)) - block.column;
    }
    group = [];
  };
  for (const block of blocks) {
    if (block.from >= groupEnd) settle();
    const taken = new Set(group.filter(({ to }) => to > block.from).map(({ column }) => column));
    while (taken.has(block.column)) block.column++;
    group.push(block);
    groupEnd = Math.max(group.length === 1 ? 0 : groupEnd, block.to);
  }
  settle();
  return blocks;
}
