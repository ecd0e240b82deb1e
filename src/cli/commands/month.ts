import type { Command } from 'commander';
import type { Calendar } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { type Day, type Month, monthOf, weeksOf } from '../../model/time/days.ts';
import { type Display, today } from '../days/display.ts';
import { monthText, weekdayText } from '../days/locale.ts';
import { addDisplayOptions, showDays } from '../days/options.ts';
import { dayIn, spansBetween } from '../days/range.ts';
import type { Span } from '../days/span.ts';
import { weekLines } from '../days/week-lines.ts';
import type { Runner } from '../session.ts';
import { createColors } from '../terminal/safe-output.ts';
import { type Line, lineText } from '../terminal/styled-line.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';

/** Parses a month: '2027-03', 'march 2027', 'next month'. The default is the current month. */
export function parseMonth(text: string | undefined, display: Display): Month {
  if (text === undefined) return monthOf(today(display));
  const day = dayIn(/^\d{4}-\d\d$/.test(text) ? `${text}-01` : text, display);
  if (!day) throw new Failure('bad-request', `Invalid month ${JSON.stringify(text)}`, "Use 2027-03, 'march 2027' or 'next month'.");
  return monthOf(day);
}

const pipeWidth = 100;
const maxLines = 6;

/** Formats a month as a grid of weeks. In a pipe, it shows every event, and is 100 columns wide unless COLUMNS is set. */
export async function* monthGrid(calendar: Calendar, month: Month, display: Display, query: Query = {}): AsyncIterable<string> {
  const weeks = weeksOf(month, display.weekStart);
  const spans = await spansBetween(calendar, weeks[0]![0]!, weeks.at(-1)![6]!, display, query);
  const cell = Math.max(3, Math.floor(((display.width ?? pipeWidth) - 8) / 7));
  const paint = createColors(display.color);
  const title = monthText(month, display.locale);
  yield `${paint.bold(' '.repeat(Math.max(0, Math.floor((cell * 7 + 8 - widthOf(title)) / 2))) + title)}\n`;
  yield `${weeks[0]!
    .map((day) => ` ${pad(cut(weekdayText(day, display.locale), cell), cell)}`)
    .join('')
    .trimEnd()}\n`;
  for (const [at, days] of weeks.entries()) {
    yield ruler(at === 0 ? '┌┬┐' : '├┼┤', cell);
    yield* weekText(days, spans, month, cell, display);
  }
  yield ruler('└┴┘', cell);
}

const ruler = ([left, middle, right]: string, cell: number): string => `${left}${Array(7).fill('─'.repeat(cell)).join(middle)}${right}\n`;

function* weekText(days: Day[], spans: readonly Span[], month: Month, cell: number, display: Display): Iterable<string> {
  const isDim = (day: Day) => monthOf(day) !== month;
  const heads = days.flatMap((day, at): Line => {
    const text = cut(headOf(day, month, display), cell);
    const style = day === today(display) ? { inverse: true } : isDim(day) ? { dim: true } : { bold: true };
    return [...(at > 0 ? [{ text: '│' }] : []), { text: pad(text, cell), ...style }];
  });
  const events = weekLines(spans, { days, cell, limit: display.whole ? Number.POSITIVE_INFINITY : maxLines, gap: '│', display, isDim });
  const lines = events.length ? events : [days.flatMap((_, at) => [{ text: `${at > 0 ? '│' : ''}${' '.repeat(cell)}` }])];
  for (const line of [heads, ...lines]) yield `│${lineText(line, display.colorLevel ?? 0, display.color)}│\n`;
}

/** Formats the number of a day: today in brackets, other months with the month. */
function headOf(day: Day, month: Month, display: Display): string {
  const number = Number(day.slice(-2));
  if (day === today(display)) return `[${number}]`;
  return monthOf(day) === month ? ` ${number}` : ` ${number}.${Number(day.slice(-5, -3))}.`;
}

/** `calendar month [YYYY-MM]`. */
export function build(command: Command, runner: Runner): void {
  addDisplayOptions(command)
    .argument('[month]', "Month, e.g. 2027-03, 'march 2027', 'next month' (default: this month)")
    .action(
      runner.action((session, [text], options) =>
        showDays(session, options, (display) => {
          const month = parseMonth(text as string | undefined, display);
          return (calendar, query) => monthGrid(calendar, month, display, query);
        }),
      ),
    );
}
