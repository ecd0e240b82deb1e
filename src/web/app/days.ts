import { type DateTime, instantOf, utcOf } from '../../model/time/datetime.ts';
import { type Day, earlier, lastOf, monthOf, plusDays, plusMonths } from '../../model/time/days.ts';

/** Adds minutes to a wall time, ignoring changes of the UTC offset. */
export const plusMinutes = (wall: DateTime, minutes: number): DateTime => utcOf(instantOf(wall) + minutes * 60_000);
/** Number of minutes in a column of hours, which always has 24. */
export const dayMinutes = 24 * 60;
/** A time of day, in minutes, as a position in a column of hours. */
export const toPercent = (minutes: number): string => `${(minutes / dayMinutes) * 100}%`;
/** The minutes since midnight. */
export const minutesOf = (wall: DateTime): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
/** Adds months to a day. Uses the last day of the month if the month is too short. */
export function monthsLater(day: Day, count: number): Day {
  const month = plusMonths(monthOf(day), count);
  return earlier(`${month}${day.slice(-3)}`, lastOf(month));
}

export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && plusDays(text, 0) === text;
