import type { Entry } from '../../model/calendar.ts';
import { zoneAbbreviation } from '../../model/time/abbreviations.ts';
import { type DateTime, instantOf } from '../../model/time/datetime.ts';
import { type Day, dayOf, daysBetween } from '../../model/time/days.ts';
import { fromUtc, lastListedDay, toUtc } from '../../model/time/time.ts';
import { displayText } from '../print/words.ts';
import { cut, widthOf } from '../terminal/width.ts';
import type { Display } from './display.ts';
import { timeText } from './locale.ts';

/** An event on the days of a display. */
export interface Span {
  entry: Entry;
  title: string;
  /** Venue and city; empty without a venue. */
  place: string;
  from: DateTime;
  to: DateTime;
  first: Day;
  last: Day;
  allDay: boolean;
  /** Epoch milliseconds. */
  starts: number;
  ends: number;
  /** Abbreviation of its time zone, if it differs from the terminal's. */
  zone: string;
}

const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An event's days and times. All-day events keep their days in every zone. Undefined for a record without dates. */
export function spanOf(entry: Entry, display: Display): Span | undefined {
  const [from, to] = [textOrNone(entry.start_date), textOrNone(entry.end_date) || textOrNone(entry.start_date)];
  if (Number.isNaN(instantOf(from)) || Number.isNaN(instantOf(to))) return undefined;
  const timezone = textOrNone(entry.timezone) || 'UTC';
  const [utcFrom, utcTo] = [
    textOrNone(entry.utc_start_date) || toUtc(from, timezone),
    textOrNone(entry.utc_end_date) || toUtc(to, timezone),
  ];
  const allDay = entry.all_day === true;
  const local = display.tz === undefined || allDay ? { from, to } : { from: fromUtc(utcFrom, display.tz), to: fromUtc(utcTo, display.tz) };
  const first = dayOf(local.from);
  return {
    entry,
    title: displayText(entry.title),
    place: placeOf(entry),
    ...local,
    first,
    last: lastListedDay(local.from, local.to),
    allDay,
    starts: instantOf(utcFrom),
    ends: instantOf(utcTo),
    zone: allDay || display.tz !== undefined || timezone === display.own ? '' : zoneAbbreviation(timezone, utcFrom),
  };
}

function placeOf(entry: Entry): string {
  const venue = Array.isArray(entry.venue) ? entry.venue[0] : entry.venue;
  if (typeof venue !== 'object' || venue === null) return '';
  return [displayText(venue.venue), displayText(venue.city)].filter(Boolean).join(', ');
}

export const isMultiDay = (span: Span): boolean => span.first !== span.last;

/** The events of a day: those that fill it first, then by time. */
export function onDay(spans: readonly Span[], day: Day): Span[] {
  const rank = (span: Span) => (fillsDay(span, day) ? '' : span.first === day ? span.from : `${day} 00:00:00`);
  return spans
    .filter((span) => span.first <= day && day <= span.last)
    .sort((a, b) => compare(rank(a), rank(b)) || compare(a.from, b.from) || a.entry.id - b.entry.id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const fillsDay = (span: Span, day: Day): boolean => span.allDay || (span.first < day && day < span.last);

/** Formats the time of an event on one of its days: 'all day', '19:00–22:30', 'from 22:00', 'until 02:00'; only the start if it has no length. */
export function timeOn(span: Span, day: Day, locale: string): string {
  const [from, to] = [span.from, span.to].map((wall) => timeText(wall, locale));
  if (fillsDay(span, day)) return 'all day';
  if (isMultiDay(span)) return span.first === day ? `from ${from}` : `until ${to}`;
  return span.from === span.to ? from! : `${from}–${to}`;
}

/** The start time of an event that starts on this day; empty for others. */
export const startOn = (span: Span, day: Day, locale: string): string =>
  span.allDay || span.first !== day ? '' : timeText(span.from, locale);

/** Formats the number of a day within an event: '2/3'; empty for an event of one day. */
export const dayCount = (span: Span, day: Day): string =>
  isMultiDay(span) ? `${daysBetween(span.first, day) + 1}/${daysBetween(span.first, span.last) + 1}` : '';

/** Cuts a title and its place to a number of columns. Omits the place if it would get fewer than seven. */
export function fitTitle(title: string, place: string, columns: number): { title: string; place: string } {
  const text = cut(title, Math.max(1, columns));
  const room = columns - widthOf(text);
  return { title: text, place: place && room > 6 ? cut(` · ${place}`, room) : '' };
}
