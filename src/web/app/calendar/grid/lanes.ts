import { type Day, daysBetween } from '../../../../model/time/days.ts';
import { compareSpans, type EventSpan } from '../span.ts';

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
export function barsOf(spans: readonly EventSpan[], days: readonly Day[]): Bar[] {
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

/** The bars that fit into the lanes, and the number of hidden bars per day. The last lane of a day with hidden bars is reserved for their count. */
export function fitBars(bars: readonly Bar[], lanes: number, days: number): { shown: Bar[]; hidden: number[] } {
  const crowded = Array.from({ length: days }, (_, day) => bars.some((bar) => covers(bar, day) && bar.lane >= lanes));
  const fits = (bar: Bar) => bar.lane < lanes - 1 || (bar.lane === lanes - 1 && !crowded.slice(bar.start, bar.end + 1).includes(true));
  const hidden = Array.from({ length: days }, (_, day) => bars.filter((bar) => covers(bar, day) && !fits(bar)).length);
  return { shown: bars.filter(fits), hidden };
}

const covers = ({ start, end }: Bar, day: number): boolean => start <= day && day <= end;
