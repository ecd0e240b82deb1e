import type { Calendar } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { everyRecord } from '../../model/paging.ts';
import { type Day, dayOf, earlier, firstOf, lastOf, monthOf, plusDays, plusMonths, weekOf } from '../../model/time/days.ts';
import { impossibleDay, readDate } from '../../model/time/parse-date.ts';
import { wallOf } from '../../model/time/time.ts';
import { withYear } from '../../model/time/typed/years.ts';
import { type Display, today } from './display.ts';
import { readTyped } from './locale.ts';
import { type Span, spanOf } from './span.ts';

/** A range of days, inclusive. */
export interface Range {
  from: Day;
  to: Day;
}

const steps: Record<string, number> = { last: -1, previous: -1, this: 0, next: 1 };
const lengths: Record<string, number> = { day: 1, week: 7, fortnight: 14 };

/** Parses a range of days: a date in any form, 'this week', 'next month', '2027-03', '10 days', 'friday..sunday'. Throws `bad-request`. */
export function readRange(text: string, display: Display): Range {
  const [start = '', end, ...more] = text.split(/\.\.+|(?<!\s)\s+to\s+/);
  if (more.length) throw invalidRange(text);
  if (end === undefined) return readOne(text, display) ?? fail(text);
  const first = start.trim() === '' ? { from: today(display), to: '' } : readOne(start, display);
  const last = end.trim() === '' ? undefined : readOne(end, display, first?.from);
  if (!first || !last) throw invalidRange(text);
  if (last.to < first.from)
    throw new Failure('bad-request', `Invalid range ${JSON.stringify(text)}: ${first.from} to ${last.to} ends before it starts`);
  return { from: first.from, to: last.to };
}

const fail = (text: string): never => {
  throw invalidRange(text);
};

const invalidRange = (text: string): Failure =>
  new Failure(
    'bad-request',
    `Invalid range of days ${JSON.stringify(text)}`,
    "Use today, 'next week', 2027-03, '10 days' or 2027-03-01..2027-03-05.",
  );

function readOne(text: string, display: Display, first?: Day): Range | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ');
  return yearOrMonth(words) ?? isoWeek(words, display) ?? unit(words, display) ?? count(words, display) ?? oneDay(text, display, first);
}

function yearOrMonth(words: string): Range | undefined {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(words) ?? [];
  if (!year) return undefined;
  return month ? { from: firstOf(`${year}-${month}`), to: lastOf(`${year}-${month}`) } : { from: `${year}-01-01`, to: `${year}-12-31` };
}

function isoWeek(words: string, display: Display): Range | undefined {
  if (!/^\d{4}-?w\d{1,2}$/.test(words)) return undefined;
  const from = oneDay(words.toUpperCase(), display)?.from;
  return from === undefined ? undefined : { from, to: plusDays(from, 6) };
}

function unit(words: string, display: Display): Range | undefined {
  const [, step = 'this', name] = /^(?:(last|previous|this|next) )?(week|weekend|month|year)$/.exec(words) ?? [];
  if (!name) return undefined;
  const by = steps[step]!;
  const day = today(display);
  if (name === 'year') return yearOrMonth(String(Number(day.slice(0, 4)) + by));
  if (name === 'month') return yearOrMonth(plusMonths(monthOf(day), by));
  const monday = weekOf(day, 1);
  if (name === 'weekend') return { from: plusDays(monday, 5 + 7 * by), to: plusDays(monday, 6 + 7 * by) };
  const from = plusDays(weekOf(day, display.weekStart), 7 * by);
  return { from, to: plusDays(from, 6) };
}

function count(words: string, display: Display): Range | undefined {
  const [, digits, name] = /^(?:next )?(\d{1,4}) (day|week|fortnight|month)s?$/.exec(words) ?? [];
  if (!name || Number(digits) < 1) return undefined;
  const from = today(display);
  if (name !== 'month') return { from, to: plusDays(from, Number(digits) * lengths[name]! - 1) };
  const month = plusMonths(monthOf(from), Number(digits));
  return { from, to: plusDays(earlier(`${month}-${from.slice(-2)}`, lastOf(month)), -1) };
}

function oneDay(text: string, display: Display, first?: Day): Range | undefined {
  const day = dayIn(text, display, first);
  return day === undefined ? undefined : { from: day, to: day };
}

/** Parses a date; a number is not one. A date without a year is the first after `first`, by default from today. Throws for a day that is ambiguous or doesn't exist. */
export function dayIn(value: string, { now, here }: Display, first = dayOf(wallOf(now, here))): Day | undefined {
  if (/^\s*[+-]?\d{1,7}\s*$/.test(value)) return undefined;
  const text = withYear('date', readTyped('date', value), first);
  const wrong = impossibleDay(text, now);
  if (wrong) throw new Failure('bad-request', `The day ${wrong} doesn't exist`);
  const read = readDate(text, now, here);
  return read && dayOf(read.wall);
}

// Filters compare with each event's local time, which may differ by 26 hours.
const margin = 2;

/** A query for all events on these days in any time zone, and few others. */
export const boundsOf = (from: Day, to: Day): Query => ({ ends_after: plusDays(from, -margin - 1), starts_before: plusDays(to, margin) });

export async function spansBetween(calendar: Calendar, from: Day, to: Day, display: Display, query: Query = {}): Promise<Span[]> {
  const spans: Span[] = [];
  for await (const entry of everyRecord(calendar.events, { ...query, ...boundsOf(from, to) })) {
    const span = spanOf(entry, display);
    if (span && span.first <= to && span.last >= from) spans.push(span);
  }
  return spans;
}
