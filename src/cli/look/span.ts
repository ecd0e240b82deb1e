import type { Entry } from '../../model/resource.ts';
import { type DateTime, fromUtc, instantOf, toUtc, zoneAbbreviation } from '../../model/time.ts';
import { wordsOf } from '../print/rows.ts';
import { type Day, dayOf, daysBetween, later, plusDays } from './day.ts';
import type { Look } from './look.ts';

/** An event as it lies in the days of a look. */
export interface Span {
  entry: Entry;
  title: string;
  /** Where it takes place, for people; empty when nowhere. */
  place: string;
  from: DateTime;
  to: DateTime;
  first: Day;
  last: Day;
  allDay: boolean;
  /** Epoch milliseconds. */
  starts: number;
  ends: number;
  /** The letters of its zone, where it is another than people expect. */
  zone: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Where an event lies. All-day ones keep their days in every zone. Undefined for a record without dates. */
export function spanOf(entry: Entry, look: Look): Span | undefined {
  const [from, to] = [text(entry.start_date), text(entry.end_date) || text(entry.start_date)];
  if (Number.isNaN(instantOf(from)) || Number.isNaN(instantOf(to))) return undefined;
  const timezone = text(entry.timezone) || 'UTC';
  const [utcFrom, utcTo] = [text(entry.utc_start_date) || toUtc(from, timezone), text(entry.utc_end_date) || toUtc(to, timezone)];
  const allDay = entry.all_day === true;
  const shown = look.tz === undefined || allDay ? { from, to } : { from: fromUtc(utcFrom, look.tz), to: fromUtc(utcTo, look.tz) };
  const first = dayOf(shown.from);
  return {
    entry,
    title: wordsOf(entry.title),
    place: placeOf(entry),
    ...shown,
    first,
    last: lastDay(shown.from, shown.to),
    allDay,
    starts: instantOf(utcFrom),
    ends: instantOf(utcTo),
    zone: allDay || look.tz !== undefined || timezone === look.here ? '' : zoneAbbreviation(timezone, utcFrom),
  };
}

/** What ends at midnight does not reach into the new day. */
function lastDay(from: DateTime, to: DateTime): Day {
  const last = to.endsWith(' 00:00:00') && to > from ? plusDays(dayOf(to), -1) : dayOf(to);
  return later(last, dayOf(from));
}

function placeOf(entry: Entry): string {
  const venue = Array.isArray(entry.venue) ? entry.venue[0] : entry.venue;
  if (typeof venue !== 'object' || venue === null) return '';
  return [wordsOf(venue.venue), wordsOf(venue.city)].filter(Boolean).join(', ');
}

/** Whether an event lies on more than one day. */
export const isLong = (span: Span): boolean => span.first !== span.last;

/** The events of a day: those that last all of it first, then by time. */
export function onDay(spans: readonly Span[], day: Day): Span[] {
  const rank = (span: Span) => (fills(span, day) ? '' : span.first === day ? span.from : `${day} 00:00:00`);
  return spans
    .filter((span) => span.first <= day && day <= span.last)
    .sort((a, b) => compare(rank(a), rank(b)) || compare(a.from, b.from) || a.entry.id - b.entry.id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether an event takes all of a day. */
const fills = (span: Span, day: Day): boolean => span.allDay || (span.first < day && day < span.last);

const clock = (wall: DateTime): string => wall.split(' ')[1]!.slice(0, 5);

/** When an event is on, on one of its days: 'all day', '19:00–22:30', 'from 22:00', 'until 02:00'; only its start where it has no length. */
export function timeOn(span: Span, day: Day): string {
  if (fills(span, day)) return 'all day';
  if (isLong(span)) return span.first === day ? `from ${clock(span.from)}` : `until ${clock(span.to)}`;
  return span.from === span.to ? clock(span.from) : `${clock(span.from)}–${clock(span.to)}`;
}

/** The time at which an event starts, where it starts on this day. */
export const startOn = (span: Span, day: Day): string => (span.allDay || span.first !== day ? '' : clock(span.from));

/** Which of its days a day is: '2/3'; empty for an event of one day. */
export const dayOfDays = (span: Span, day: Day): string =>
  isLong(span) ? `${daysBetween(span.first, day) + 1}/${daysBetween(span.first, span.last) + 1}` : '';
