import { type Failure, invalidParams } from '../error.ts';
import { addDuration, durationForms, readLength } from './date-steps.ts';
import { addDays, type DateTime, endOfDay, instantOf, startOfDay, utcOf } from './datetime.ts';
import type { Duration } from './duration.ts';
import { isDayOnly, readDate } from './parse-date.ts';
import { toUtc, wallOf } from './time.ts';

/** A wall time and the instant at which a clock shows it, in epoch ms. */
export interface WallMoment {
  wall: DateTime;
  instant: number;
}

/** Converts between wall times and instants. */
export interface WallClock {
  instantOf(wall: DateTime): number;
  wallOf(instant: number): DateTime;
}

export const clockIn = (zone: string): WallClock => ({
  instantOf: (wall) => instantOf(toUtc(wall, zone)),
  wallOf: (instant) => wallOf(instant, zone),
});

/** The dates of an input, as texts or moments. */
export interface GivenSpan {
  start?: string | WallMoment;
  end?: string | WallMoment;
  duration?: Duration;
  allDay?: boolean;
}

/** The span of an event before a change, as wall times. `lengthMs` is the elapsed time, if known. */
export interface PreviousSpan {
  start: DateTime;
  end: DateTime;
  allDay: boolean;
  lengthMs?: number;
}

/** The span of an event. `usual` is the default duration of a new event without an end. */
export interface ResolvedSpan {
  start: WallMoment;
  end: WallMoment;
  allDay: boolean;
  usual?: '1 hour' | '1 day';
}

/** Rules for incomplete and contradictory spans. */
export interface SpanRules {
  /** A date with a UTC offset means its wall time, or its instant in the time zone of the event. */
  offset: 'wall' | 'instant';
  /** A relative end counts from now, or from the start. */
  relativeEnd: 'now' | 'start';
  /** Without an end: keeps the old end, or uses the start; or moves the end with the start, or adds an hour. */
  noEnd: 'stays' | 'moves';
  /** An end before the start becomes the start, or is an error, unless it is only a time, which is on the next day. */
  earlyEnd: 'start' | 'fails';
  /** The end of an all-day event is its last day, or the day after that. */
  lastDay: 'end' | 'before end';
  /** Dates without times create an all-day event by default. */
  infersAllDay: boolean;
}

export const spanRules = {
  /** HTTP, JSON, NDJSON, fixtures and API responses: as the reference reads them. */
  api: { offset: 'wall', relativeEnd: 'now', noEnd: 'stays', earlyEnd: 'start', lastDay: 'end', infersAllDay: false },
  /** iCalendar (RFC 5545, 3.6.1). */
  ical: { offset: 'instant', relativeEnd: 'now', noEnd: 'stays', earlyEnd: 'start', lastDay: 'before end', infersAllDay: false },
  /** The command line, forms, the terminal UI and tables. */
  people: { offset: 'instant', relativeEnd: 'start', noEnd: 'moves', earlyEnd: 'fails', lastDay: 'end', infersAllDay: true },
} as const satisfies Record<string, SpanRules>;

/** The current time in epoch ms, the time zone, and its clock unless a file describes another. */
interface SpanPlace {
  now: number;
  zone: string;
  clock?: WallClock;
}

const timeOfDay = String.raw`t?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|noon|midnight`;
const step = String.raw`(?:[+-]\s*)?\d+\s*(?:secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?)`;
const timeAlone = new RegExp(`^\\s*(?:${timeOfDay})\\s*$`, 'i');
const fromStart = new RegExp(`^(?:\\s*${step})*\\s*(?!\\s)(?:(?:${timeOfDay})\\s*)?$`, 'i');

export const isTimeOnly = (text: string): boolean => timeAlone.test(text);

/**
 * Resolves start and end together. `before` is the span that they change. Returns undefined for an invalid date and without a start.
 * Fails with `rest_invalid_param`.
 */
export function resolveSpan(
  input: GivenSpan,
  before: PreviousSpan | undefined,
  rules: SpanRules,
  place: SpanPlace,
): ResolvedSpan | undefined {
  const clock = place.clock ?? clockIn(place.zone);
  const on = (wall: DateTime): WallMoment => ({ wall, instant: clock.instantOf(wall) });
  let start = input.start === undefined ? before && shown(before.start, clock) : read(input.start, place.now, rules, place.zone, clock);
  if (!start) return undefined;
  const allDay = input.allDay ?? before?.allDay ?? (rules.infersAllDay && areDays(input));
  let end: WallMoment | undefined;
  let usual: ResolvedSpan['usual'];
  if (input.end !== undefined) end = readEnd(input.end, start, allDay, rules, { now: place.now, zone: place.zone, clock });
  else if (input.duration) end = on(lastMoment(start, input.duration, allDay, clock));
  else if (before) end = rules.noEnd === 'moves' ? on(movedEnd(start, before, allDay, clock)) : shown(before.end, clock);
  else if (rules.noEnd === 'stays') end = start;
  else {
    usual = allDay ? '1 day' : '1 hour';
    const instant = start.instant + (allDay ? 0 : 3_600_000);
    end = { wall: clock.wallOf(instant), instant };
  }
  if (!end) return undefined;
  if (end.wall < (allDay ? startOfDay(start.wall) : start.wall)) {
    if (rules.earlyEnd === 'start') end = start;
    else if (end.instant < start.instant) throw endFault(end.wall, start.wall);
  }
  if (allDay) [start, end] = [on(startOfDay(start.wall)), on(endOfDay(end.wall))];
  return { start, end, allDay, ...(usual && { usual }) };
}

/** A wall time with its instant. A skipped time becomes a later one. */
function shown(wall: DateTime, clock: WallClock): WallMoment {
  const instant = clock.instantOf(wall);
  return { wall: clock.wallOf(instant), instant };
}

function read(date: string | WallMoment, now: number, rules: SpanRules, zone: string, clock: WallClock): WallMoment | undefined {
  if (typeof date !== 'string') return date;
  const result = readDate(date, now, zone);
  if (!result?.ownZone) return result;
  return rules.offset === 'instant' ? { wall: clock.wallOf(result.instant), instant: result.instant } : shown(result.wall, clock);
}

function readEnd(
  end: string | WallMoment,
  start: WallMoment,
  allDay: boolean,
  rules: SpanRules,
  place: Required<SpanPlace>,
): WallMoment | undefined {
  const { now, zone, clock } = place;
  const isRelative = rules.relativeEnd === 'start' && typeof end === 'string' && fromStart.test(end);
  const result = read(end, isRelative ? start.instant : now, rules, zone, clock);
  if (!result) return undefined;
  const days = isRelative && timeAlone.test(end) && result.instant < start.instant ? 1 : allDay && rules.lastDay === 'before end' ? -1 : 0;
  if (!days) return result;
  const wall = addDays(result.wall, days);
  return { wall, instant: clock.instantOf(wall) };
}

/** True if no date contains a time and the duration has no hours. */
const areDays = ({ start, end, duration }: GivenSpan): boolean =>
  [start, end].every((date) => date === undefined || (typeof date === 'string' && isDayOnly(date))) && !duration?.seconds;

/** The end of an event with a duration. All-day events end with their last day. */
function lastMoment(start: WallMoment, duration: Duration, allDay: boolean, clock: WallClock): DateTime {
  if (!allDay) {
    const days = addDuration(start.wall, { ...duration, seconds: 0 });
    return duration.seconds ? clock.wallOf(clock.instantOf(days) + duration.seconds * 1000) : days;
  }
  const end = addDuration(startOfDay(start.wall), duration);
  return end > startOfDay(start.wall) ? utcOf(instantOf(end) - 1000) : start.wall;
}

/** The end of an event whose start moves. The duration stays the same, in days for all-day events. */
function movedEnd(start: WallMoment, before: PreviousSpan, allDay: boolean, clock: WallClock): DateTime {
  const days = (instantOf(startOfDay(before.end)) - instantOf(startOfDay(before.start))) / 86_400_000;
  if (allDay) return addDays(start.wall, days);
  // An all-day event that gets a time ends at the same time on the day after its last.
  if (before.allDay) return addDays(start.wall, days + 1);
  return clock.wallOf(start.instant + (before.lengthMs ?? clock.instantOf(before.end) - clock.instantOf(before.start)));
}

const endFault = (end: DateTime, start: DateTime): Failure =>
  invalidParams({ end_date: { reason: `${end} is before the start ${start}` } }, 'Pass a later end, or a duration: --duration 4h.');

/** Parses the duration of an event, which is not negative. Throws `rest_invalid_param`. */
export function eventLength(text: unknown): Duration {
  const read = readLength(String(text));
  if (read && read.months >= 0 && read.days >= 0 && read.seconds >= 0) return read;
  throw invalidParams({ duration: { reason: `${JSON.stringify(text)} is not a duration. Examples: ${durationForms}` } });
}
