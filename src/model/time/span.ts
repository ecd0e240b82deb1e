import { Failure, invalidParams } from '../error.ts';
import { addDays, type DateTime, endOfDay, instantOf, startOfDay, utcOf } from './datetime.ts';
import { addDuration, type Duration, durationForms, readDuration } from './duration.ts';
import { isDay, readDate } from './parse-date.ts';
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

/** The clock of a time zone. */
export const clockIn = (zone: string): WallClock => ({
  instantOf: (wall) => instantOf(toUtc(wall, zone)),
  wallOf: (instant) => wallOf(instant, zone),
});

/** What was given of an event's dates: texts in any form that dates are read in, or moments. */
export interface GivenSpan {
  start?: string | WallMoment;
  end?: string | WallMoment;
  duration?: Duration;
  allDay?: boolean;
}

/** When an event takes place before it changes, as wall times; `lengthMs` where those alone don't tell. */
export interface PreviousSpan {
  start: DateTime;
  end: DateTime;
  allDay: boolean;
  lengthMs?: number;
}

/** When an event takes place; `usual` names the length of a new one that was given no end. */
export interface ResolvedSpan {
  start: WallMoment;
  end: WallMoment;
  allDay: boolean;
  usual?: '1 hour' | '1 day';
}

/** What an incomplete or contradictory span means. */
export interface SpanRules {
  /** A date with a UTC offset: the wall time it shows, or its instant on the clock of the event. */
  offset: 'wall' | 'instant';
  /** A time of day or a distance as the end: counted from now, or from the start. */
  relativeEnd: 'now' | 'start';
  /** An end that is left out: stays or is the start; moves with the start or is an hour later. */
  noEnd: 'stays' | 'moves';
  /** An end before the start becomes the start or fails; a mere time of day that would fail is one of the next day. */
  earlyEnd: 'start' | 'fails';
  /** The end of an all-day event: its last day, or the day after that. */
  lastDay: 'end' | 'before end';
  /** Dates without times make a new event last all day where `allDay` is not given. */
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

/** Where dates are read: the time that relative ones count from, in epoch ms, the zone, and its clock unless a file describes another. */
export interface SpanPlace {
  now: number;
  zone: string;
  clock?: WallClock;
}

const timeOfDay = String.raw`t?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|noon|midnight`;
const step = String.raw`[+-]?\s*\d+\s*(?:secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?)`;
const timeAlone = new RegExp(`^\\s*(?:${timeOfDay})\\s*$`, 'i');
const fromStart = new RegExp(`^\\s*(?:${step}\\s*)*(?:${timeOfDay})?\\s*$`, 'i');

/**
 * Resolves the start and end that dates mean together; `before` is the span that they change. Returns undefined for a date that cannot be read and where no start is known.
 * Fails with `rest_invalid_param`.
 */
export function resolveSpan(
  given: GivenSpan,
  before: PreviousSpan | undefined,
  rules: SpanRules,
  place: SpanPlace,
): ResolvedSpan | undefined {
  const clock = place.clock ?? clockIn(place.zone);
  const on = (wall: DateTime): WallMoment => ({ wall, instant: clock.instantOf(wall) });
  const start = given.start === undefined ? before && shown(before.start, clock) : read(given.start, place.now, rules, place.zone, clock);
  if (!start) return undefined;
  const allDay = given.allDay ?? before?.allDay ?? (rules.infersAllDay && areDays(given));
  let end: WallMoment | undefined;
  let usual: ResolvedSpan['usual'];
  if (given.end !== undefined) end = readEnd(given.end, start, allDay, rules, { ...place, clock });
  else if (given.duration) end = on(lastOf(start, given.duration, allDay, clock));
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
  return {
    ...(allDay ? { start: on(startOfDay(start.wall)), end: on(endOfDay(end.wall)) } : { start, end }),
    allDay,
    ...(usual && { usual }),
  };
}

/** A wall time as its clock shows it: one that the clock skips is later. */
function shown(wall: DateTime, clock: WallClock): WallMoment {
  const instant = clock.instantOf(wall);
  return { wall: clock.wallOf(instant), instant };
}

function read(date: string | WallMoment, now: number, rules: SpanRules, zone: string, clock: WallClock): WallMoment | undefined {
  if (typeof date !== 'string') return date;
  const found = readDate(date, now, zone);
  if (!found?.ownZone) return found;
  return rules.offset === 'instant' ? { wall: clock.wallOf(found.instant), instant: found.instant } : shown(found.wall, clock);
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
  const found = read(end, isRelative ? start.instant : now, rules, zone, clock);
  if (!found) return undefined;
  const days = isRelative && timeAlone.test(end) && found.instant < start.instant ? 1 : allDay && rules.lastDay === 'before end' ? -1 : 0;
  if (!days) return found;
  const wall = addDays(found.wall, days);
  return { wall, instant: clock.instantOf(wall) };
}

/** Returns whether all that was given are days: no date has a time, and no duration has hours. */
const areDays = ({ start, end, duration }: GivenSpan): boolean =>
  [start, end].every((date) => date === undefined || (typeof date === 'string' && isDay(date))) && !duration?.seconds;

/** The end of an event that lasts this long. Whole days end with the last of them. */
function lastOf(start: WallMoment, duration: Duration, allDay: boolean, clock: WallClock): DateTime {
  if (!allDay) {
    const days = addDuration(start.wall, { ...duration, seconds: 0 });
    return duration.seconds ? clock.wallOf(clock.instantOf(days) + duration.seconds * 1000) : days;
  }
  const end = addDuration(startOfDay(start.wall), duration);
  return end > startOfDay(start.wall) ? utcOf(instantOf(end) - 1000) : start.wall;
}

/** The end of an event whose start moves. It lasts as long as before, all-day events as many days. */
function movedEnd(start: WallMoment, before: PreviousSpan, allDay: boolean, clock: WallClock): DateTime {
  const days = (instantOf(startOfDay(before.end)) - instantOf(startOfDay(before.start))) / 86_400_000;
  if (allDay) return addDays(start.wall, days);
  // An all-day event that now has times goes on to the same time of the day after its last.
  if (before.allDay) return addDays(start.wall, days + 1);
  return clock.wallOf(start.instant + (before.lengthMs ?? clock.instantOf(before.end) - clock.instantOf(before.start)));
}

function endFault(end: DateTime, start: DateTime): Failure {
  const { code, message, data } = invalidParams({ end_date: { reason: `is before the start: ${end} is earlier than ${start}` } });
  return new Failure(code, message, data, 'Pass a later end, or a duration: --duration 4h.');
}

const clockForm = /^(\d{1,4}):(\d\d)$/;

/** Reads the length of an event: a duration that is not negative, or hours and minutes as `1:30`. Fails with `rest_invalid_param`. */
export function readLength(text: unknown): Duration {
  const [, hours, minutes] = clockForm.exec(String(text)) ?? [];
  const read = hours === undefined ? readDuration(String(text)) : readDuration(`PT${hours}H${minutes}M`);
  if (read && read.months >= 0 && read.days >= 0 && read.seconds >= 0) return read;
  throw invalidParams({ duration: { reason: `is not a duration: ${JSON.stringify(text)}. Write it like 1:30, ${durationForms}` } });
}
