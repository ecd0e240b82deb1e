import type { Command } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { everyRecord } from '../../model/paging.ts';
import { type DateTime, instantOf } from '../../model/time/datetime.ts';
import { dayOf, daysBetween, monthOf, plusDays } from '../../model/time/days.ts';
import { wallOf } from '../../model/time/time.ts';
import { type Display, today, wallNow } from '../days/display.ts';
import { dayText, timeText } from '../days/locale.ts';
import { addDisplayOptions, showDays } from '../days/options.ts';
import { fitTitle, type Span, spanOf } from '../days/span.ts';
import { parseCount as positive } from '../options.ts';
import type { Runner } from '../session.ts';
import { createColors } from '../terminal/safe-output.ts';
import { pad, widthOf } from '../terminal/width.ts';

/** Formats current events and the next events to start, soonest first. */
export async function* next(calendar: Calendar, count: number, display: Display, query: Query = {}): AsyncIterable<string> {
  const { running, pending } = await upcoming(calendar, count, display, query);
  if (!running.length && !pending.length) yield 'No current or upcoming events.\n';
  const lines: [string, string, Span][] = [
    ...running.map((span): [string, string, Span] => ['now', `until ${momentText(span.to, span, display)}`, span]),
    ...pending.map((span): [string, string, Span] => [timeUntil(span, display), momentText(span.from, span, display), span]),
  ];
  const columns = [0, 1].map((at) => Math.max(0, ...lines.map((line) => widthOf(line[at] as string))));
  for (const [how, when, span] of lines) yield `${lineOf(pad(how, columns[0]!), pad(when, columns[1]!), span, display)}\n`;
}

/** Running events and the next `count`. Lists are sorted by local time, so an event in another zone that starts sooner may be listed up to 26 hours later. */
async function upcoming(calendar: Calendar, count: number, display: Display, query: Query): Promise<{ running: Span[]; pending: Span[] }> {
  const running: Span[] = [];
  let pending: Span[] = [];
  for await (const entry of everyRecord(calendar.events, { ...query, ends_after: plusDays(today(display), -3) })) {
    const span = spanOf(entry, display);
    if (!span) continue;
    if (startOf(span, display) <= display.now) {
      if (endOf(span, display) > display.now) running.push(span);
      continue;
    }
    pending = [...pending, span].sort((a, b) => startOf(a, display) - startOf(b, display)).slice(0, count);
    if (pending.length === count && startOf(span, display) > startOf(pending.at(-1)!, display) + 27 * 3_600_000) break;
  }
  return { running: running.sort((a, b) => endOf(a, display) - endOf(b, display)), pending };
}

// All-day events are on the viewer's days, in every zone.
const zoneShift = (display: Display): number => instantOf(wallNow(display)) - display.now;
const startOf = (span: Span, display: Display): number => (span.allDay ? instantOf(span.from) - zoneShift(display) : span.starts);
const endOf = (span: Span, display: Display): number => (span.allDay ? instantOf(span.to) + 1000 - zoneShift(display) : span.ends);

function timeUntil(span: Span, display: Display): string {
  const minutes = Math.ceil((startOf(span, display) - display.now) / 60_000);
  if (minutes < 60) return `in ${minutes} min`;
  if (minutes < 24 * 60) return `in ${Math.round(minutes / 60)} h`;
  const days = daysBetween(today(display), dayOf(wallOf(startOf(span, display), display.here)));
  return days <= 1 ? 'tomorrow' : `in ${days} days`;
}

function momentText(wall: DateTime, span: Span, display: Display): string {
  const on = dayOf(wall);
  const near = on === today(display) ? 'today' : dayText(on, display.locale, monthOf(on).slice(0, -3) === today(display).slice(0, -6));
  return [near, span.allDay ? '' : timeText(wall, display.locale), span.zone].filter(Boolean).join(' ');
}

function lineOf(how: string, when: string, span: Span, display: Display): string {
  const paint = createColors(display.color);
  const room = (display.width ?? Number.POSITIVE_INFINITY) - widthOf(`${how}  ${when}  `);
  const { title, place } = fitTitle(span.title, span.place, room);
  return `${paint.cyan(how)}  ${when}  ${title}${paint.dim(place)}`;
}

/** `calendar next [N]`. */
export function build(command: Command, runner: Runner): void {
  addDisplayOptions(command)
    .argument('[n]', 'Number of upcoming events (default 5)', positive, 5)
    .action(
      runner.action((session, [count], options) =>
        showDays(session, options, (display) => (calendar, query) => next(calendar, count as number, display, query)),
      ),
    );
}
