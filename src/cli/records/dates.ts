import { Option } from 'commander';
import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { dateText, isTruthy } from '../../model/coerce.ts';
import type { RequestContext } from '../../model/context.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { dateFault } from '../../model/fields/date.ts';
import type { ParameterDefinition } from '../../model/fields/field.ts';
import type { Query } from '../../model/fields/list.ts';
import { addDays, type DateTime, instantOf, startOfDay, utcOf } from '../../model/time/datetime.ts';
import { type Duration, durationForms, laterBy, readDuration } from '../../model/time/duration.ts';
import { impossibleDay, isFixed, readDate } from '../../model/time/parse-date.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';

/** By what words for dates are read: a calendar's clock, in epoch milliseconds, and its zone. A server is asked for them. */
export interface HereAndNow {
  clock(): Promise<() => number>;
  zone(): Promise<string>;
}

type Dated = Pick<ParameterDefinition, 'name' | 'topic'>;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The moment at which a text is read; any will do for one that means the same at each. */
const nowFor = async (text: string, place: HereAndNow): Promise<number> => (isFixed(dateText(text)) ? 0 : (await place.clock())());

/** Fails with `rest_invalid_param` where a date names a day that no month has, which the API carries over into the next. */
export async function checkDays(parameters: readonly Dated[], values: Record<string, unknown>, place: HereAndNow): Promise<void> {
  for (const { name, topic } of parameters) {
    const value = values[name];
    if (topic !== 'dates' || !isText(value)) continue;
    const day = impossibleDay(value, await nowFor(value, place));
    if (day) throw hinted(invalidParams({ [name]: { reason: `names a day that there is not: ${day}` } }), 'See calendar help dates.');
  }
}

/** What is wrong with a text as a date; undefined for one that can be read. */
const faultOf = async (text: string, place: HereAndNow) => dateFault(text, { now: await nowFor(text, place) } as RequestContext);

/**
 * A list query whose dates are days, or with `strict_dates` moments, of the calendar's zone; the API would read them in UTC. What cannot be
 * read is left for the API to refuse.
 */
export async function boundsIn(filters: readonly Dated[], query: Query, place: HereAndNow): Promise<Query> {
  const strict = isTruthy(query.strict_dates ?? false);
  const read: Query = { ...query };
  for (const { name, topic } of filters) {
    const value = query[name];
    if (topic !== 'dates' || !isText(value) || (await faultOf(value, place))) continue;
    const text = dateText(value);
    if (!strict && isFixed(text)) continue;
    const { instant } = readDate(text, await nowFor(text, place), await place.zone())!;
    read[name] = strict ? utcOf(instant) : wallOf(instant, await place.zone()).split(' ')[0];
  }
  return read;
}

/** Where an events list begins and ends in time: what the flags of {@link spanOptions} say. */
export interface ListSpan {
  from?: string;
  to?: string;
  past?: boolean;
}

/** `--from`, `--to` and `--past` of an events list: what is on at some time in between, without the window of two years. */
export function spanOptions(): Option[] {
  const others = ['startDate', 'endDate', 'startsAfter', 'startsBefore', 'endsAfter', 'endsBefore', 'strictDates'];
  const option = (flags: string, about: string) => new Option(flags, about).helpGroup('When:').conflicts(others);
  return [
    option('--from <date>', 'on then or later: what goes on counts too; now for what is on and what comes next'),
    option('--to <date>', 'on then or earlier; a day counts whole'),
    option('--past', 'what is over, the latest first'),
  ];
}

/** The bounds of {@link spanOptions}, in UTC to the second as `strict_dates` reads them. Fails with `rest_invalid_param` for what is no date. */
export async function spanBounds({ from, to, past }: ListSpan, place: HereAndNow): Promise<Query> {
  if (from === undefined && to === undefined && !past) return {};
  const read = async (name: string, text: string) => {
    const fault = await faultOf(text, place);
    if (fault) throw hinted(invalidParams({ [name]: { reason: fault } }), 'See calendar help dates.');
    await checkDays([{ name, topic: 'dates' }], { [name]: text }, place);
    const zone = await place.zone();
    const { instant } = readDate(dateText(text), await nowFor(text, place), zone)!;
    const wall = wallOf(instant, zone);
    return { instant, nextDay: wall.endsWith(' 00:00:00') ? instantOf(toUtc(addDays(wall, 1), zone)) : undefined };
  };
  const query: Query = { strict_dates: 'true' };
  // The bounds themselves are left out by the API.
  if (from !== undefined) query.ends_after = utcOf((await read('from', from)).instant - 1000);
  if (to !== undefined) {
    const { instant, nextDay } = await read('to', to);
    query.starts_before = utcOf(nextDay ?? instant + 1000);
  }
  if (past) query.ends_before = utcOf((await place.clock())());
  return query;
}

const timeOfDay = String.raw`t?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|noon|midnight`;
const step = String.raw`[+-]?\s*\d+\s*(?:secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?)`;
const fromStart = new RegExp(`^\\s*(?:${step}\\s*)*(?:${timeOfDay})?\\s*$`, 'i');
/** Whether the text of an end says a time of day or a distance alone: it counts from the start. */
const isFromStart = (text: string): boolean => fromStart.test(text);

/** A moment, and the wall time that a zone shows then. */
interface Moment {
  wall: DateTime;
  instant: number;
}

/**
 * An event's input with the start and the end that its dates mean: an end that says a time of day or a distance alone counts from the start, as
 * `duration` does, and a start that moves alone takes the end along. Dates in a zone of their own become those of the event's. `before` is the
 * event that is changed. Fails with `rest_invalid_param` where the end comes before the start; what cannot be read is left for the API to refuse.
 */
export async function withSpan(input: Input, before: Entry | undefined, place: HereAndNow): Promise<Input> {
  const { duration: given, ...rest } = input;
  const { start_date, end_date } = rest;
  if (given !== undefined && end_date !== undefined)
    throw invalidParams({ duration: { reason: 'says the same as end_date, which is given too' } });
  const duration = given === undefined ? undefined : durationOf(given);
  if (![start_date, end_date, duration].some((value) => value !== undefined)) return rest;
  for (const value of [start_date, end_date]) if (value !== undefined && (!isText(value) || (await faultOf(value, place)))) return rest;
  const texts = [start_date, end_date].filter(isText).map(dateText);
  const own = isText(rest.timezone) && isZone(rest.timezone) ? rest.timezone : before && String(before.timezone);
  const zone = own ?? (duration?.seconds || !texts.every(isFixed) ? await place.zone() : 'UTC');
  const now = texts.every(isFixed) ? 0 : (await place.clock())();
  const read = (text: string, now: number): Moment => {
    const { wall, instant, ownZone } = readDate(text, now, zone)!;
    return { wall: ownZone ? wallOf(instant, zone) : wall, instant };
  };
  const momentOf = (wall: DateTime): Moment => ({ wall, instant: instantOf(toUtc(wall, zone)) });
  const [startText, endText] = [start_date, end_date].map((value) => (value === undefined ? undefined : dateText(value)));
  const start = startText !== undefined ? read(startText, now) : before && momentOf(String(before.start_date));
  if (!start) return rest;
  const allDay = isTruthy(rest.all_day ?? before?.all_day ?? false);
  const endOf = (): Moment | undefined => {
    if (endText !== undefined) return read(endText, isFromStart(endText) ? start.instant : now);
    if (duration) return momentOf(lastOf(start.wall, duration, allDay, zone));
    return before && momentOf(movedEnd(start, before, allDay, zone));
  };
  const end = endOf();
  if (!end) return rest;
  const starts = allDay ? startOfDay(start.wall) : start.wall;
  if (end.instant < start.instant && end.wall < starts) throw tooEarly(end.wall, start.wall, endText);
  const said = (text: string | undefined, wall: DateTime) => (text !== undefined && isFixed(text) ? text : wall);
  return {
    ...rest,
    ...(startText === undefined ? {} : { start_date: said(startText, start.wall) }),
    end_date: said(endText, end.wall),
  };
}

function tooEarly(end: DateTime, start: DateTime, text: string | undefined): Failure {
  const hint =
    text !== undefined && isFromStart(text)
      ? 'For the next day say the day too, or how long it lasts: --duration 4h.'
      : 'Give a later end, or say how long it lasts: --duration 4h.';
  return hinted(invalidParams({ end_date: { reason: `comes before the start: ${end} is earlier than ${start}` } }), hint);
}

const hinted = ({ code, message, data }: Failure, hint: string): Failure => new Failure(code, message, data, hint);

function durationOf(value: unknown): Duration {
  const read = isText(value) ? readDuration(value) : undefined;
  if (read && [read.months, read.days, read.seconds].every((part) => part >= 0)) return read;
  throw invalidParams({ duration: { reason: `is not a length of time: ${JSON.stringify(value)}; write it like ${durationForms}` } });
}

/** The end of what lasts so long. What lasts whole days ends with the last of them. */
function lastOf(start: DateTime, duration: Duration, allDay: boolean, zone: string): DateTime {
  if (!allDay) return laterBy(start, duration, zone);
  const end = laterBy(startOfDay(start), duration, 'UTC');
  return end > startOfDay(start) ? utcOf(instantOf(end) - 1000) : start;
}

/** The end of an event whose start moves: it lasts as long as before, whole days as many days. */
function movedEnd(start: Moment, before: Entry, allDay: boolean, zone: string): DateTime {
  const [from, to] = [String(before.start_date), String(before.end_date)];
  const days = (instantOf(startOfDay(to)) - instantOf(startOfDay(from))) / 86_400_000;
  if (allDay) return addDays(start.wall, days);
  // What lasted whole days and has times now goes on to the same time of the day after the last.
  if (before.all_day === true) return addDays(start.wall, days + 1);
  return wallOf(start.instant + instantOf(String(before.utc_end_date)) - instantOf(String(before.utc_start_date)), zone);
}

/** Whether the dates of an input mean something only together with the event that it changes. */
export function needsEvent({ name }: Resource, { start_date, end_date, duration }: Input): boolean {
  const given = [start_date, end_date, duration].filter((value) => value !== undefined);
  const isWhole = [start_date, end_date].every((value) => isText(value) && isFixed(dateText(value)));
  return name === 'events' && given.length > 0 && !isWhole;
}
