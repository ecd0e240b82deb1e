import { cut } from '../terminal/width.ts';
import type { Day } from './day.ts';
import { isMultiDay, type Span, startOn } from './span.ts';

/** Formats a day's cell in a month: at most `limit` events, single-day events first; the last line counts the rest. */
export function cellLines(spans: readonly Span[], day: Day, cell: number, limit: number, locale: string): string[] {
  const rank = (span: Span) => (!isMultiDay(span) ? 0 : span.first === day ? 1 : 2);
  const kept = [...spans].sort((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, limit - 1));
  const shown = spans.length > limit ? spans.filter((span) => kept.includes(span)) : spans;
  const lines = shown.map((span) => cut(cellText(span, day, cell, locale), cell));
  return shown.length < spans.length ? [...lines, cut(`+${spans.length - shown.length} more`, cell)] : lines;
}

/** Formats an event without time in a narrow cell; an arrow marks one that began earlier. */
function cellText(span: Span, day: Day, cell: number, locale: string): string {
  if (span.first < day) return `→ ${span.title}`;
  const time = cell >= 14 ? startOn(span, day, locale) : '';
  return time ? `${time} ${span.title}` : span.title;
}
