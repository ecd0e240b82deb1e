import { Option } from 'commander';
import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { dateText, isTruthy } from '../../model/coerce.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { dateFault } from '../../model/fields/date.ts';
import type { ParameterDefinition } from '../../model/fields/field.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { addDays, type DateTime, instantOf, utcOf } from '../../model/time/datetime.ts';
import { impossibleDay, isFixed, readDate } from '../../model/time/parse-date.ts';
import { type PreviousSpan, readLength, resolveSpan, spanRules } from '../../model/time/span.ts';
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
    if (day) throw hinted(invalidParams({ [name]: { reason: `names a day that does not exist: ${day}` } }), 'See calendar help dates.');
  }
}

/** What is wrong with a text as a date; undefined for one that can be read. */
const faultOf = async (text: string, place: HereAndNow) => dateFault(text, { now: await nowFor(text, place) });

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

/** Resolves the dates of an event's input as people mean them. `before` is the event that an update changes; `onUsual` is called with the end of a new event that was given none. Fails with `rest_invalid_param`; dates that cannot be read are left for the API to refuse. */
export async function withSpan(
  input: Input,
  before: Entry | undefined,
  place: HereAndNow,
  onUsual?: (text: string) => void,
): Promise<Input> {
  const { duration: given, ...rest } = input;
  const { start_date, end_date } = rest;
  if (given !== undefined && end_date !== undefined) throw invalidParams({ duration: { reason: 'cannot be combined with end_date' } });
  const duration = given === undefined ? undefined : readLength(given);
  if (![start_date, end_date, duration].some((value) => value !== undefined)) return rest;
  for (const value of [start_date, end_date]) if (value !== undefined && (!isText(value) || (await faultOf(value, place)))) return rest;
  const [start, end] = [start_date, end_date].map((value) => (value === undefined ? undefined : dateText(value)));
  const areFixed = [start, end].every((text) => text === undefined || isFixed(text));
  const own = isText(rest.timezone) && isZone(rest.timezone) ? rest.timezone : before && String(before.timezone);
  const isWhole = areFixed && (end !== undefined || duration?.seconds === 0);
  const zone = own ?? (isWhole ? 'UTC' : await place.zone());
  const isNew = before === undefined && onUsual !== undefined;
  const allDay = rest.all_day === undefined ? (isNew ? undefined : (before?.all_day ?? false) === true) : isTruthy(rest.all_day);
  const span = resolveSpan({ start, end, duration, allDay }, before && previousSpan(before), spanRules.people, {
    now: areFixed ? 0 : (await place.clock())(),
    zone,
  });
  if (!span || (!isNew && !before && end === undefined && !duration)) return rest;
  if (span.usual)
    onUsual?.(
      `Ends ${span.allDay ? `on ${span.end.wall.slice(0, 10)}` : `at ${span.end.wall.slice(11, 16)}`} (${span.usual}). Use --end-date or --duration.`,
    );
  const typed = (text: string | undefined, wall: DateTime) => (text !== undefined && isFixed(text) ? text : wall);
  return {
    ...rest,
    ...(start === undefined ? {} : { start_date: typed(start, span.start.wall) }),
    end_date: typed(end, span.end.wall),
    ...(span.allDay && allDay === undefined ? { all_day: true } : {}),
  };
}

const previousSpan = (event: Entry): PreviousSpan => ({
  start: String(event.start_date),
  end: String(event.end_date),
  allDay: event.all_day === true,
  lengthMs: instantOf(String(event.utc_end_date)) - instantOf(String(event.utc_start_date)),
});

const hinted = ({ code, message, data }: Failure, hint: string): Failure => new Failure(code, message, data, hint);

/** Whether the dates of an input mean something only together with the event that it changes. */
export function needsEvent({ name }: Resource, { start_date, end_date, duration }: Input): boolean {
  const given = [start_date, end_date, duration].filter((value) => value !== undefined);
  const isWhole = [start_date, end_date].every((value) => isText(value) && isFixed(dateText(value)));
  return hasDates(name) && given.length > 0 && !isWhole;
}
