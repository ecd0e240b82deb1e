import type { Command } from 'commander';
import { createColors } from 'picocolors';
import type { Query } from '../model/filter.ts';
import type { Calendar } from '../model/resource.ts';
import { type DateTime, instantOf, wallOf } from '../model/time.ts';
import { eachEvent } from './look/between.ts';
import { dayOf, daysBetween, monthOf, plusDays } from './look/day.ts';
import { dayText } from './look/locale.ts';
import { type Look, today, wallNow } from './look/look.ts';
import { addLooking, show } from './look/looking.ts';
import { type Span, spanOf } from './look/span.ts';
import { count as positive } from './options.ts';
import { cut, pad, widthOf } from './print/width.ts';
import type { Shell } from './shell.ts';

/** What is on now, and the next few events to start, soonest first. */
export async function* next(calendar: Calendar, count: number, look: Look, query: Query = {}): AsyncIterable<string> {
  const { running, coming } = await around(calendar, count, look, query);
  if (!running.length && !coming.length) yield 'Nothing is on, and nothing is to come.\n';
  const lines: [string, string, Span][] = [
    ...running.map((span): [string, string, Span] => ['now', `until ${moment(span.to, span, look)}`, span]),
    ...coming.map((span): [string, string, Span] => [away(span, look), moment(span.from, span, look), span]),
  ];
  const columns = [0, 1].map((at) => Math.max(0, ...lines.map((line) => widthOf(line[at] as string))));
  for (const [how, when, span] of lines) yield `${lineOf(pad(how, columns[0]!), pad(when, columns[1]!), span, look)}\n`;
}

/** Events come by their own clocks, so one that starts sooner elsewhere may come up to 26 hours later in the list. */
async function around(calendar: Calendar, count: number, look: Look, query: Query): Promise<{ running: Span[]; coming: Span[] }> {
  const running: Span[] = [];
  let coming: Span[] = [];
  for await (const entry of eachEvent(calendar, { ...query, ends_after: plusDays(today(look), -3) })) {
    const span = spanOf(entry, look);
    if (!span) continue;
    if (startOf(span, look) <= look.now) {
      if (endOf(span, look) > look.now) running.push(span);
      continue;
    }
    coming = [...coming, span].sort((a, b) => startOf(a, look) - startOf(b, look)).slice(0, count);
    if (coming.length === count && startOf(span, look) > startOf(coming.at(-1)!, look) + 27 * 3_600_000) break;
  }
  return { running: running.sort((a, b) => endOf(a, look) - endOf(b, look)), coming };
}

// What lasts all day is on the days of whoever looks, wherever they are.
const shift = (look: Look): number => instantOf(wallNow(look)) - look.now;
const startOf = (span: Span, look: Look): number => (span.allDay ? instantOf(span.from) - shift(look) : span.starts);
const endOf = (span: Span, look: Look): number => (span.allDay ? instantOf(span.to) + 1000 - shift(look) : span.ends);

function away(span: Span, look: Look): string {
  const minutes = Math.ceil((startOf(span, look) - look.now) / 60_000);
  if (minutes < 60) return `in ${minutes} min`;
  if (minutes < 24 * 60) return `in ${Math.round(minutes / 60)} h`;
  const days = daysBetween(today(look), dayOf(wallOf(startOf(span, look), look.here)));
  return days <= 1 ? 'tomorrow' : `in ${days} days`;
}

function moment(wall: DateTime, span: Span, look: Look): string {
  const on = dayOf(wall);
  const near = on === today(look) ? 'today' : dayText(on, look.locale, monthOf(on).slice(0, -3) === today(look).slice(0, -6));
  return [near, span.allDay ? '' : wall.split(' ')[1]!.slice(0, 5), span.zone].filter(Boolean).join(' ');
}

function lineOf(how: string, when: string, span: Span, look: Look): string {
  const paint = createColors(look.colour);
  const lead = `${how}  ${when}  `;
  const room = (look.width ?? Number.POSITIVE_INFINITY) - widthOf(lead);
  const title = cut(span.title, Math.max(1, room));
  const place = span.place && room - widthOf(title) > 6 ? cut(` · ${span.place}`, room - widthOf(title)) : '';
  return `${paint.cyan(how)}  ${when}  ${title}${paint.dim(place)}`;
}

/** `calendar next [N]`. */
export function build(command: Command, shell: Shell): void {
  addLooking(command, ['calendar next', 'calendar next 1 --venue 12'])
    .argument('[n]', 'how many that are to come', positive, 5)
    .action(
      shell.action((session, [wanted], options) =>
        show(session, options, (look) => (calendar, query) => next(calendar, wanted as number, look, query)),
      ),
    );
}
