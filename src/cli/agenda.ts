import type { Command } from 'commander';
import { createColors } from 'picocolors';
import type { Query } from '../model/filter.ts';
import type { Calendar } from '../model/resource.ts';
import { spansBetween } from './look/between.ts';
import { type Day, earlier, later, plusDays } from './look/day.ts';
import { dayText } from './look/locale.ts';
import { type Look, today } from './look/look.ts';
import { addLooking, show } from './look/looking.ts';
import { type Range, readRange } from './look/range.ts';
import { dayOfDays, onDay, type Span, timeOn } from './look/span.ts';
import { cut, pad, widthOf } from './print/width.ts';
import type { Shell } from './shell.ts';

/** The range of an agenda that names none: a week from today. */
export const weekAhead = (look: Look): Range => ({ from: today(look), to: plusDays(today(look), 6) });

/** The events of some days, day by day, as lines of text; `query` narrows them like a list. */
export async function* agenda(calendar: Calendar, range: Range, look: Look, query: Query = {}): AsyncIterable<string> {
  const spans = await spansBetween(calendar, range.from, range.to, look, query);
  const days = daysWith(spans, range);
  if (!days.length) yield `${emptyText(range, look)}\n`;
  const paint = createColors(look.colour);
  for (const [at, day] of days.entries()) {
    const heading = dayText(day, look.locale) + (day === today(look) ? ', today' : '');
    yield `${at ? '\n' : ''}${paint.bold(heading)}\n`;
    const found = onDay(spans, day);
    const column = Math.max(11, ...found.map((span) => widthOf(timeOf(span, day))));
    for (const span of found) yield `${lineOf(span, day, column, look)}\n`;
  }
}

/** Days of a range that have events, in order; a long range is not walked day by day. */
function daysWith(spans: readonly Span[], range: Range): Day[] {
  const days = new Set<Day>();
  for (const span of spans) {
    const last = earlier(span.last, range.to);
    for (let day = later(span.first, range.from); day <= last; day = plusDays(day, 1)) days.add(day);
  }
  return [...days].sort();
}

function emptyText(range: Range, look: Look): string {
  const from = dayText(range.from, look.locale);
  return range.from === range.to ? `Nothing on ${from}.` : `Nothing from ${from} to ${dayText(range.to, look.locale)}.`;
}

const timeOf = (span: Span, day: Day): string => [timeOn(span, day), span.zone].filter(Boolean).join(' ');

function lineOf(span: Span, day: Day, column: number, look: Look): string {
  const paint = createColors(look.colour);
  const days = dayOfDays(span, day);
  const what = span.title + (days && ` (${days})`);
  const lead = `  ${pad(timeOf(span, day), column)}  `;
  const room = (look.width ?? Number.POSITIVE_INFINITY) - widthOf(lead);
  const title = cut(what, Math.max(1, room));
  const place = span.place && room - widthOf(title) > 6 ? cut(` · ${span.place}`, room - widthOf(title)) : '';
  return `${paint.cyan(lead)}${title}${paint.dim(place)}`;
}

/** `calendar agenda [RANGE]`. */
export function build(command: Command, shell: Shell): void {
  addLooking(command, [
    'calendar agenda',
    "calendar agenda 'next week' --tz Europe/Paris",
    'calendar agenda 2027-03-01..2027-03-05 --categories concerts',
  ])
    .argument('[range]', "days: today, 'next week', 2027-03, '10 days', 2027-03-01..2027-03-05 (a week from today)")
    .action(
      shell.action((session, [text], options) =>
        show(session, options, (look) => {
          const range = text === undefined ? weekAhead(look) : readRange(String(text), look);
          return (calendar, query) => agenda(calendar, range, look, query);
        }),
      ),
    );
}
