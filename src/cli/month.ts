import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { Failure } from '../model/error.ts';
import type { Query } from '../model/filter.ts';
import type { Calendar } from '../model/resource.ts';
import { readDate } from '../model/time.ts';
import { spansBetween } from './look/between.ts';
import { type Day, dayOf, type Month, monthOf, weeksOf } from './look/day.ts';
import { monthText, weekdayText } from './look/locale.ts';
import { type Look, today } from './look/look.ts';
import { addLooking, show } from './look/looking.ts';
import { onDay, type Span, startOn } from './look/span.ts';
import { cut, pad, widthOf } from './print/width.ts';
import type { Shell } from './shell.ts';

/** The month that a text means: '2027-03', 'march 2027', 'next month'; this one when there is none. */
export function readMonth(text: string | undefined, look: Look): Month {
  if (text === undefined) return monthOf(today(look));
  const read = /^\d{4}-\d\d$/.test(text) ? readDate(`${text}-01`, look.now, look.here) : readDate(text, look.now, look.here);
  if (!read) throw new Failure('bad-request', `not a month: ${JSON.stringify(text)}`, {}, "Try 2027-03, 'march 2027' or 'next month'.");
  return monthOf(dayOf(read.wall));
}

const pipeWidth = 100;
const most = 6;

/** A month as a grid of weeks. In a pipe the grid is 100 columns wide and every event of a day is there. */
export async function* monthGrid(calendar: Calendar, month: Month, look: Look, query: Query = {}): AsyncIterable<string> {
  const weeks = weeksOf(month, look.weekStart);
  const spans = await spansBetween(calendar, weeks[0]![0]!, weeks.at(-1)![6]!, look, query);
  const cell = Math.max(3, Math.floor(((look.width ?? pipeWidth) - 8) / 7));
  const paint = createColors(look.colour);
  const title = monthText(month, look.locale);
  yield `${paint.bold(' '.repeat(Math.max(0, Math.floor((cell * 7 + 8 - widthOf(title)) / 2))) + title)}\n`;
  yield `${weeks[0]!
    .map((day) => ` ${pad(cut(weekdayText(day, look.locale), cell), cell)}`)
    .join('')
    .trimEnd()}\n`;
  for (const [at, days] of weeks.entries()) {
    yield ruler(at === 0 ? '┌┬┐' : '├┼┤', cell);
    yield* weekLines(days, spans, month, cell, look);
  }
  yield ruler('└┴┘', cell);
}

const ruler = ([left, middle, right]: string, cell: number): string => `${left}${Array(7).fill('─'.repeat(cell)).join(middle)}${right}\n`;

function* weekLines(days: Day[], spans: readonly Span[], month: Month, cell: number, look: Look): Iterable<string> {
  const paint = createColors(look.colour);
  const limit = look.width === undefined ? Number.POSITIVE_INFINITY : most;
  const columns = days.map((day) => cellLines(onDay(spans, day), day, cell, limit));
  const heads = days.map((day) => {
    const text = pad(headOf(day, month, look), cell).slice(0, cell);
    return day === today(look) ? paint.inverse(text) : monthOf(day) === month ? paint.bold(text) : paint.dim(text);
  });
  yield `│${heads.join('│')}│\n`;
  const height = Math.max(1, ...columns.map((lines) => lines.length));
  for (let at = 0; at < height; at++) {
    const cells = columns.map((lines, column) => {
      const text = pad(lines[at] ?? '', cell);
      return monthOf(days[column]!) === month ? text : paint.dim(text);
    });
    yield `│${cells.join('│')}│\n`;
  }
}

/** The number of a day: today's in brackets, and with the month where it is another. */
function headOf(day: Day, month: Month, look: Look): string {
  const number = Number(day.slice(-2));
  if (day === today(look)) return `[${number}]`;
  return monthOf(day) === month ? ` ${number}` : ` ${number}.${Number(day.slice(-5, -3))}.`;
}

/** What a day's cell shows: a line for each event, and how many more there are. */
export function cellLines(spans: readonly Span[], day: Day, cell: number, limit: number): string[] {
  const shown = spans.length > limit ? spans.slice(0, Math.max(0, limit - 1)) : spans;
  const lines = shown.map((span) => cut(cellText(span, day, cell), cell));
  return shown.length < spans.length ? [...lines, cut(`+${spans.length - shown.length} more`, cell)] : lines;
}

/** A narrow cell has no room for times; an arrow says that an event goes on from the day before. */
function cellText(span: Span, day: Day, cell: number): string {
  if (span.first < day) return `→ ${span.title}`;
  const time = cell >= 14 ? startOn(span, day) : '';
  return time ? `${time} ${span.title}` : span.title;
}

/** `calendar month [YYYY-MM]`. */
export function build(command: Command, shell: Shell): void {
  addLooking(command, ['calendar month', 'calendar month 2027-03 --week-start sunday', "calendar month 'next month' --tags free"])
    .argument('[month]', "2027-03, 'march 2027', 'next month' (this month)")
    .action(
      shell.action((session, [text], options) =>
        show(session, options, (look) => {
          const month = readMonth(text as string | undefined, look);
          return (calendar, query) => monthGrid(calendar, month, look, query);
        }),
      ),
    );
}
