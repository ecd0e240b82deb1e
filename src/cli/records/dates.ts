import { Option } from 'commander';
import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { dateText, isTruthy } from '../../model/fields/coerce.ts';
import { dateFault } from '../../model/fields/date.ts';
import type { Field, ParameterDefinition } from '../../model/fields/field.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { addDays, type DateTime, instantOf, utcOf } from '../../model/time/datetime.ts';
import { impossibleDay, isFixed, readDate, stepped } from '../../model/time/parse-date.ts';
import { eventLength, isTimeOnly, type PreviousSpan, resolveSpan, spanRules } from '../../model/time/span.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import { typedDate } from '../../model/time/typed/typed-date.ts';
import { isYearless, withYear } from '../../model/time/typed/years.ts';
import { isZone } from '../../model/time/zone.ts';
import { readTyped } from '../days/locale.ts';

type Move = (own: string, zone: string) => string | undefined;

const moveOf = (name: string, typed: string): Move | undefined => {
  const text = typedDate(typed);
  if (stepped(text, '2000-01-03 00:00:00', 'UTC') !== undefined) return (own, zone) => stepped(text, own, zone);
  // An end that is only a time is relative to the start.
  return name !== 'end_date' && isTimeOnly(text) ? (own) => `${own.slice(0, 10)} ${text.trim()}` : undefined;
};

const movesIn = (fields: readonly Field[], input: Input): [name: string, text: string, move: Move][] =>
  fields.flatMap(({ name, topic }): [string, string, Move][] => {
    const text = input[name];
    const move = topic === 'dates' && typeof text === 'string' ? moveOf(name, text) : undefined;
    return move ? [[name, text as string, move]] : [];
  });

/** True if an update moves dates from their own values, such as `+1 hour`, or `20:00` on the same day. */
export const hasMoves = (fields: readonly Field[], input: Input): boolean => movesIn(fields, input).length > 0;

/** An input with the dates that signed steps and times of day lead to from the record's own values. `zone` is the calendar's time zone. */
export async function moveDates(fields: readonly Field[], input: Input, before: Entry, zone: () => Promise<string>): Promise<Input> {
  const moved: Input = { ...input };
  for (const [name, text, move] of movesIn(fields, input)) {
    const own = before[name];
    if (typeof own !== 'string' || own === '')
      throw new Failure('bad-request', `${name} has no value to which ${JSON.stringify(text)} can be added`, 'Pass a whole date.');
    const place = /^(start|end)_date$/.test(name) ? String(before.timezone) : name.endsWith('_utc') ? 'UTC' : await zone();
    moved[name] = move(own, place);
  }
  return moved;
}

/** Throws `bad-request` for a start or end that would put all events of a series on one day. */
export function checkSeriesDates(input: Input): void {
  for (const name of ['start_date', 'end_date']) {
    const text = input[name];
    if (text === undefined || (typeof text === 'string' && (isTimeOnly(text) || moveOf(name, text)))) continue;
    throw new Failure(
      'bad-request',
      `With --series, ${name} ${JSON.stringify(text)} would put every event on the same day`,
      "Pass a time or a step, e.g. 20:00 or '+1 day', or leave out --series.",
    );
  }
}

/** The clock and time zone that relative dates refer to. For a server, reading them sends a request. */
export interface ClockAndZone {
  /** Resolves to a clock that returns epoch milliseconds. */
  clock(): Promise<() => number>;
  zone(): Promise<string>;
}

type Dated = Pick<ParameterDefinition, 'name' | 'topic'>;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The time that a date refers to; 0 for a date that doesn't depend on it. */
const nowFor = async (text: string, place: ClockAndZone): Promise<number> => (isFixed(dateText(text)) ? 0 : (await place.clock())());

/** Throws `rest_invalid_param` for a day that doesn't exist. The API would carry it over into the next month. */
export async function checkDays(parameters: readonly Dated[], values: Record<string, unknown>, place: ClockAndZone): Promise<void> {
  for (const { name, topic } of parameters) {
    const value = values[name];
    if (topic !== 'dates' || !isText(value)) continue;
    const day = impossibleDay(value, await nowFor(value, place));
    if (day) throw invalidParams({ [name]: { reason: `the day ${day} doesn't exist` } }, seeDates);
  }
}

/** The parameters that end a period, with that which begins it. */
const starts: Record<string, string> = { end_date: 'start_date', starts_before: 'starts_after', ends_before: 'ends_after', to: 'from' };

/** Reports the day of a typed date without a year. */
type OnYear = (text: string) => Promise<void>;

/** Values in which typed dates without a year have one: the first such day from today, for the end of a period from its start. Throws `rest_invalid_param` for another weekday. */
export async function withYears<T extends Record<string, unknown>>(
  parameters: readonly Dated[],
  values: T,
  place: ClockAndZone,
  { before, onYear }: { before?: Entry; onYear?: OnYear } = {},
): Promise<T> {
  const names = parameters.map(({ name }) => name).filter((name) => isText(values[name]) && isYearless(values[name]));
  if (!names.length) return values;
  const dated: Record<string, unknown> = { ...values };
  const [now, zone] = [(await place.clock())(), await place.zone()];
  for (const name of names.sort((one, other) => Number(one in starts) - Number(other in starts))) {
    const start = dated[starts[name] ?? ''] ?? before?.[starts[name] ?? ''];
    const first = (isText(start) ? readDate(dateText(start), now, zone)?.wall : undefined) ?? wallOf(now, zone);
    const date = withYear(name, String(values[name]), first.slice(0, 10));
    dated[name] = date;
    await onYear?.(`--${name.replaceAll('_', '-')} is ${date}`);
  }
  return dated as T;
}

/** Returns why a text is not a valid date; undefined if it is. */
const faultOf = async (text: string, place: ClockAndZone) => dateFault(text, { now: await nowFor(text, place) });

/**
 * A list query with its dates as days in the calendar's zone, or as UTC times with `strict_dates`. The API would read them in UTC. Invalid
 * dates are left for the API to reject.
 */
export async function queryInZone(filters: readonly Dated[], query: Query, place: ClockAndZone): Promise<Query> {
  const strict = isTruthy(query.strict_dates ?? false);
  const local: Query = { ...query };
  for (const { name, topic } of filters) {
    const value = query[name];
    if (topic !== 'dates' || !isText(value) || (await faultOf(value, place))) continue;
    const text = dateText(value);
    if (!strict && isFixed(text)) continue;
    const { instant } = readDate(text, await nowFor(text, place), await place.zone())!;
    local[name] = strict ? utcOf(instant) : wallOf(instant, await place.zone()).split(' ')[0];
  }
  return local;
}

/** The values of {@link spanOptions}. */
export interface ListSpan {
  from?: string;
  to?: string;
  past?: boolean;
}

/** `--from`, `--to` and `--past`, which select the events that overlap a period, without the default window of two years. */
export function spanOptions(): Option[] {
  const others = ['startDate', 'endDate', 'startsAfter', 'startsBefore', 'endsAfter', 'endsBefore', 'strictDates'];
  const option = (flags: string, about: string) => new Option(flags, about).helpGroup('When:').conflicts(others);
  return [
    option('--from <date>', 'Only events that end on or after this date, e.g. now'),
    option('--to <date>', 'Only events that start on or before this date'),
    option('--past', 'Only past events, latest first'),
  ];
}

const spanNames = ['from', 'to'].map((name) => ({ name, topic: 'dates' as const }));

/** The query for {@link spanOptions}, with UTC times for `strict_dates`. Throws `rest_invalid_param` for an invalid date. */
export async function spanBounds({ past, ...span }: ListSpan, place: ClockAndZone, onYear?: OnYear): Promise<Query> {
  if (span.from === undefined && span.to === undefined && !past) return {};
  const typed = { from: readTyped('from', span.from), to: readTyped('to', span.to) };
  const { from, to } = await withYears(spanNames, typed, place, { onYear });
  const read = async (name: string, text: string) => {
    const fault = await faultOf(text, place);
    if (fault) throw invalidParams({ [name]: { reason: fault } }, seeDates);
    await checkDays([{ name, topic: 'dates' }], { [name]: text }, place);
    const zone = await place.zone();
    const { instant } = readDate(dateText(text), await nowFor(text, place), zone)!;
    const wall = wallOf(instant, zone);
    return { instant, nextDay: wall.endsWith(' 00:00:00') ? instantOf(toUtc(addDays(wall, 1), zone)) : undefined };
  };
  const query: Query = { strict_dates: 'true' };
  // The API excludes the bounds themselves.
  const [first, last] = [from === undefined ? undefined : await read('from', from), to === undefined ? undefined : await read('to', to)];
  const afterLast = last && (last.nextDay ?? last.instant + 1000);
  if (first && afterLast !== undefined && afterLast <= first.instant)
    throw invalidParams({ to: { reason: `${JSON.stringify(to)} is before ${JSON.stringify(from)}` } });
  if (first) query.ends_after = utcOf(first.instant - 1000);
  if (afterLast !== undefined) query.starts_before = utcOf(afterLast);
  if (past) query.ends_before = utcOf((await place.clock())());
  return query;
}

/**
 * Resolves the dates of an event's input: relative ends, durations, all-day events. `before` is the event to update; `onDefaultEnd` is called with a notice if a new
 * event gets a default end. Throws `rest_invalid_param`; invalid dates are left for the API to reject.
 */
export async function withSpan(
  input: Input,
  before: Entry | undefined,
  place: ClockAndZone,
  onDefaultEnd?: (text: string) => void,
): Promise<Input> {
  const { duration: length, ...rest } = input;
  const { start_date, end_date } = rest;
  if (length !== undefined && end_date !== undefined) throw invalidParams({ duration: { reason: 'cannot be combined with end_date' } });
  const duration = length === undefined ? undefined : eventLength(length);
  if (![start_date, end_date, duration].some((value) => value !== undefined)) return rest;
  for (const [name, value] of Object.entries({ start_date, end_date })) {
    if (value === undefined) continue;
    const fault = isText(value) ? await faultOf(value, place) : '';
    // Without an end, the API would report the missing end instead of the invalid start.
    if (fault && end_date === undefined && duration === undefined) throw invalidParams({ [name]: { reason: fault } }, seeDates);
    if (fault !== undefined) return rest;
  }
  const [start, end] = [start_date, end_date].map((value) => (value === undefined ? undefined : dateText(value)));
  const areFixed = [start, end].every((text) => text === undefined || isFixed(text));
  const own = isText(rest.timezone) && isZone(rest.timezone) ? rest.timezone : before && String(before.timezone);
  const isWhole = areFixed && (end !== undefined || duration?.seconds === 0);
  const zone = own ?? (isWhole ? 'UTC' : await place.zone());
  const isNew = before === undefined && onDefaultEnd !== undefined;
  const allDay = rest.all_day === undefined ? (isNew ? undefined : (before?.all_day ?? false) === true) : isTruthy(rest.all_day);
  const span = resolveSpan({ start, end, duration, allDay }, before && previousSpan(before), spanRules.people, {
    now: areFixed ? 0 : (await place.clock())(),
    zone,
  });
  if (!span || (!isNew && !before && end === undefined && !duration)) return rest;
  if (span.usual)
    onDefaultEnd?.(
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

const seeDates = 'See: calendar help dates';

/** True if the dates of an input depend on the record that it changes. */
export function needsEvent({ name, fields }: Resource, input: Input): boolean {
  if (hasMoves(fields, input)) return true;
  const { start_date, end_date, duration } = input;
  const values = [start_date, end_date, duration].filter((value) => value !== undefined);
  const isWhole = [start_date, end_date].every((value) => isText(value) && isFixed(dateText(value)));
  return hasDates(name) && values.length > 0 && !isWhole;
}
