import type { Input } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import { addDays, type DateTime, startOfDay } from '../../model/time/datetime.ts';
import { type Duration, durationForms, laterBy, readDuration } from '../../model/time/duration.ts';
import { impossibleDay, readDate } from '../../model/time/parse-date.ts';
import { wallOf } from '../../model/time/time.ts';
import { isZone } from '../../model/time/zone.ts';

/** A time without a day, as tables have it in a column of its own: `7 PM`, `19:00`, `7:30 p.m.`. */
const time = /^\d{1,2}(?::\d\d){0,2}\s*(?:[ap]\.?m\.?)?$/i;
const clock = /^(\d{1,4}):(\d\d)$/;

/**
 * The row of an event with dates as an input has them. A date that says how far its clock is from UTC is turned into the time of the event's own zone, which the
 * API would not do; an end of a time alone is on the day of the start, or on the next; a duration is counted from the start; a whole day without an end ends on its day. Fails on
 * a day that no month has, and on what is no duration.
 */
export function withRowDates(row: Input, now: number, zone: string): Input {
  const { duration, duration_minutes, private: isPrivate, ...input } = row;
  const place = typeof input.timezone === 'string' && isZone(input.timezone) ? input.timezone : zone;
  for (const name of ['start_date', 'end_date']) if (isText(input[name])) input[name] = toldIn(place, name, input[name], now);
  const start = isText(input.start_date) ? readDate(input.start_date, now, place)?.wall : undefined;
  const length = isText(duration) ? lengthOf(duration) : isText(duration_minutes) ? lengthOf(`PT${duration_minutes}M`) : undefined;
  if (start !== undefined) {
    if (isText(input.end_date) && time.test(input.end_date)) input.end_date = endAt(input.end_date, start, now, place);
    else if (!isText(input.end_date) && length) input.end_date = laterBy(start, length, place);
    else if (!isText(input.end_date) && input.all_day === true) input.end_date = start;
  }
  if (isText(isPrivate) && !/^(?:no|false|0|off)$/i.test(isPrivate)) input.status = 'private';
  return input;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A date as it was typed, but for one with a zone of its own. */
function toldIn(zone: string, name: string, text: string, now: number): string {
  const missing = impossibleDay(text, now);
  if (missing) throw invalidParams({ [name]: { reason: `is no day that there is: ${missing}` } });
  // A zone alone is no date.
  const read = /\d/.test(text) ? readDate(text, now, zone) : undefined;
  return read?.ownZone ? wallOf(read.instant, zone) : text;
}

/** The end of an event that ends at a time of day. */
function endAt(text: string, start: DateTime, now: number, zone: string): string {
  const at = (day: DateTime) => readDate(`${startOfDay(day).slice(0, -9)} ${text}`, now, zone)?.wall;
  const end = at(start);
  return (end !== undefined && end < start ? at(addDays(start, 1)) : end) ?? text;
}

function lengthOf(text: string): Duration {
  const [, hours, minutes] = clock.exec(text) ?? [];
  const length = hours === undefined ? readDuration(text) : readDuration(`PT${hours}H${minutes}M`);
  if (length && length.months >= 0 && length.days >= 0 && length.seconds >= 0) return length;
  throw invalidParams({ duration: { reason: `is no length of time: ${JSON.stringify(text)}; write it like 1:30, ${durationForms}` } });
}
