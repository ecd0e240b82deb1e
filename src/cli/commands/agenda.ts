import type { Command } from 'commander';
import { createColors } from 'picocolors';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { type Day, earlier, later, plusDays } from '../days/day.ts';
import { type Display, today } from '../days/display.ts';
import { spansBetween } from '../days/fetch.ts';
import { dayText } from '../days/locale.ts';
import { addDisplayOptions, showDays } from '../days/options.ts';
import { type Range, readRange } from '../days/range.ts';
import { dayCount, onDay, type Span, timeOn } from '../days/span.ts';
import { fitTitle } from '../days/title.ts';
import type { Runner } from '../session.ts';
import { pad, widthOf } from '../terminal/width.ts';

export const weekAhead = (display: Display): Range => ({ from: today(display), to: plusDays(today(display), 6) });

/** Formats the events of a range day by day. */
export async function* agenda(calendar: Calendar, range: Range, display: Display, query: Query = {}): AsyncIterable<string> {
  const spans = await spansBetween(calendar, range.from, range.to, display, query);
  const days = daysWith(spans, range);
  if (!days.length) yield `${emptyText(range, display)}\n`;
  const paint = createColors(display.color);
  for (const [at, day] of days.entries()) {
    const heading = dayText(day, display.locale) + (day === today(display) ? ', today' : '');
    yield `${at ? '\n' : ''}${paint.bold(heading)}\n`;
    const found = onDay(spans, day);
    const column = Math.max(11, ...found.map((span) => widthOf(timeOf(span, day, display))));
    for (const span of found) yield `${lineOf(span, day, column, display)}\n`;
  }
}

function daysWith(spans: readonly Span[], range: Range): Day[] {
  const days = new Set<Day>();
  for (const span of spans) {
    const last = earlier(span.last, range.to);
    for (let day = later(span.first, range.from); day <= last; day = plusDays(day, 1)) days.add(day);
  }
  return [...days].sort();
}

function emptyText(range: Range, display: Display): string {
  const from = dayText(range.from, display.locale);
  return range.from === range.to ? `No events on ${from}.` : `No events from ${from} to ${dayText(range.to, display.locale)}.`;
}

const timeOf = (span: Span, day: Day, { locale }: Display): string => [timeOn(span, day, locale), span.zone].filter(Boolean).join(' ');

function lineOf(span: Span, day: Day, column: number, display: Display): string {
  const paint = createColors(display.color);
  const days = dayCount(span, day);
  const lead = `  ${pad(timeOf(span, day, display), column)}  `;
  const room = (display.width ?? Number.POSITIVE_INFINITY) - widthOf(lead);
  const { title, place } = fitTitle(span.title + (days && ` (${days})`), span.place, room);
  return `${paint.cyan(lead)}${title}${paint.dim(place)}`;
}

/** `calendar agenda [RANGE]`. */
export function build(command: Command, runner: Runner): void {
  addDisplayOptions(command)
    .argument('[range]', "Range: today, 'next week', 2027-03, '10 days', 2027-03-01..2027-03-05 (default: one week)")
    .action(
      runner.action((session, [text], options) =>
        showDays(session, options, (display) => {
          const range = text === undefined ? weekAhead(display) : readRange(String(text), display);
          return (calendar, query) => agenda(calendar, range, display, query);
        }),
      ),
    );
}
