import { Failure } from '../error.ts';
import { addDays, addMonths, type DateTime, instantOf, utcOf } from './datetime.ts';
import { type Duration, readDuration } from './duration.ts';
import { toUtc, wallOf } from './time.ts';

/** Examples of lengths of events and steps between dates, for messages. */
export const durationForms = '1:30, 45m, 1h30m, 7d, 1w or P1DT2H';

const clockForm = /^([+-]?)(\d{1,4}):(\d\d)$/;

/** Parses the length of an event or a step between dates: a duration with a unit, or hours and minutes as `1:30`. Returns undefined for other text. */
export function readLength(text: string): Duration | undefined {
  const [, sign = '', hours, minutes] = clockForm.exec(text.trim()) ?? [];
  return readDuration(hours === undefined ? text : `${sign}PT${hours}H${minutes}M`);
}

/** Throws `bad-request` for a date outside the years 1 to 9999, which four digits cannot express. */
function checkYear(wall: DateTime): DateTime {
  if (/^(?!0000)\d{4}-/.test(wall)) return wall;
  throw new Failure('bad-request', `The date ${wall} is outside the years 1 to 9999`);
}

/** Adds a duration to a wall time, ignoring time zones. A day that doesn't exist becomes the last of its month. Throws `bad-request` outside the years 1 to 9999. */
export function addDuration(wall: DateTime, { months, days, seconds }: Duration): DateTime {
  const day = Number(wall.slice(-11, -9));
  let moved = months ? addMonths(wall, months) : wall;
  const over = Number(moved.slice(-11, -9));
  if (months && over !== day) moved = addDays(moved, -over);
  return checkYear(utcOf(instantOf(addDays(moved, days)) + seconds * 1000));
}

const daySeconds = 86_400;

/** A wall time moved by a duration in a time zone: months and days in wall time, shorter parts in elapsed time. */
export function moved(wall: DateTime, by: Duration, zone: string): DateTime {
  const day = addDuration(wall, { ...by, seconds: 0 });
  return by.seconds ? wallOf(instantOf(toUtc(day, zone)) + by.seconds * 1000, zone) : day;
}

/** The dates of an event moved by a duration. All-day events move by whole days. */
export function movedDates(
  { start_date, end_date, all_day, timezone }: Record<string, unknown>,
  by: Duration,
): { start_date: DateTime; end_date: DateTime } {
  const whole = { ...by, days: by.days + Math.trunc(by.seconds / daySeconds), seconds: 0 };
  const move = (wall: unknown) => moved(String(wall), all_day === true ? whole : by, String(timezone));
  return { start_date: move(start_date), end_date: move(end_date) };
}
