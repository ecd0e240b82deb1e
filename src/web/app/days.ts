import { addDays, addMonths, type DateTime, instantOf, utcOf } from '../../model/time/datetime.ts';
import { offsetAt, utcZone, zoneOf } from '../../model/time/zone.ts';

/** A day: 'YYYY-MM-DD'. */
export type CalendarDay = string;

const dayMs = 86_400_000;

export const dayOf = (wall: DateTime): CalendarDay => wall.slice(0, 10);
export const plusDays = (day: CalendarDay, count: number): CalendarDay => dayOf(addDays(`${day} 00:00:00`, count));
/** Returns the number of days from one day to another. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  (instantOf(`${to} 00:00:00`) - instantOf(`${from} 00:00:00`)) / dayMs;
/** Adds minutes to a wall time, ignoring changes of the UTC offset. */
export const plusMinutes = (wall: DateTime, minutes: number): DateTime => utcOf(instantOf(wall) + minutes * 60_000);
/** Number of minutes in a column of hours, which always has 24. */
export const dayMinutes = 24 * 60;
/** Returns a time of day, in minutes, as a position in a column of hours. */
export const toPercent = (minutes: number): string => `${(minutes / dayMinutes) * 100}%`;
/** Returns the minutes since midnight. */
export const minutesOf = (wall: DateTime): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
/** Returns the day of the week, from 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: CalendarDay): number => new Date(instantOf(`${day} 00:00:00`)).getUTCDay() || 7;
/** Adds months to a day. Uses the last day of the month if the month is too short. */
export function plusMonths(day: CalendarDay, count: number): CalendarDay {
  const first = dayOf(addMonths(`${day.slice(0, 8)}01 00:00:00`, count));
  const last = plusDays(dayOf(addMonths(`${first} 00:00:00`, 1)), -1);
  return `${first.slice(0, 8)}${day.slice(8) < last.slice(8) ? day.slice(8) : last.slice(8)}`;
}
/** Returns the first day of the week that contains a day. */
export const weekOf = (day: CalendarDay, weekStart: number): CalendarDay => plusDays(day, -((weekdayOf(day) - weekStart + 7) % 7));
/** Returns `count` consecutive days. */
export const daysFrom = (first: CalendarDay, count: number): CalendarDay[] =>
  Array.from({ length: count }, (_, index) => plusDays(first, index));
/** Returns the weeks of the month that contains a day, each with its seven days. */
export function weeksOf(day: CalendarDay, weekStart: number): CalendarDay[][] {
  const first = `${day.slice(0, 8)}01`;
  const next = plusMonths(first, 1);
  const weeks: CalendarDay[][] = [];
  for (let week = weekOf(first, weekStart); week < next; week = plusDays(week, 7)) weeks.push(daysFrom(week, 7));
  return weeks;
}

/** Returns whether the text is a valid day. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && plusDays(text, 0) === text;

/** Converts ms since the epoch to the wall time in a zone. Unknown zones count as UTC. */
export const wallOf = (instant: number, zone: string): DateTime => utcOf(instant + offsetAt(zoneOf(zone) ?? utcZone, instant) * 1000);
/** Converts a UTC time to the wall time in a zone. */
export const fromUtc = (utc: DateTime, zone: string): DateTime => wallOf(instantOf(utc), zone);
