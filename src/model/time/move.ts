import { type DateTime, instantOf } from './datetime.ts';
import { addDuration, type Duration } from './duration.ts';
import { toUtc, wallOf } from './time.ts';

const daySeconds = 86_400;

/** Returns a wall time moved by a duration in a time zone: months and days in wall time, shorter parts in elapsed time. */
export function moved(wall: DateTime, by: Duration, zone: string): DateTime {
  const day = addDuration(wall, { ...by, seconds: 0 });
  return by.seconds ? wallOf(instantOf(toUtc(day, zone)) + by.seconds * 1000, zone) : day;
}

/** Returns the dates of an event moved by a duration. All-day events move by whole days. */
export function movedDates(
  { start_date, end_date, all_day, timezone }: Record<string, unknown>,
  by: Duration,
): { start_date: DateTime; end_date: DateTime } {
  const whole = { ...by, days: by.days + Math.trunc(by.seconds / daySeconds), seconds: 0 };
  const move = (wall: unknown) => moved(String(wall), all_day === true ? whole : by, String(timezone));
  return { start_date: move(start_date), end_date: move(end_date) };
}
