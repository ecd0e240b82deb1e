import { addDays, addMonths, type DateTime, instantOf, utcOf } from '../../model/time/datetime.ts';
import { instantIn, offsetAt, utcZone, zoneOf } from '../../model/time/zone.ts';

/** A day, 'YYYY-MM-DD'. */
export type CalendarDay = string;

const dayLength = 86_400_000;

/** The day of a wall time. */
export const dayOf = (wall: DateTime): CalendarDay => wall.slice(0, 10);
/** The day so many days later. */
export const plusDays = (day: CalendarDay, count: number): CalendarDay => dayOf(addDays(`${day} 00:00:00`, count));
/** How many days lie between two days. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  (instantOf(`${to} 00:00:00`) - instantOf(`${from} 00:00:00`)) / dayLength;
/** The wall time so many minutes later, by the clock. */
export const plusMinutes = (wall: DateTime, minutes: number): DateTime => utcOf(instantOf(wall) + minutes * 60_000);
/** The minutes of a wall time since its day began. */
export const minutesOf = (wall: DateTime): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
/** The day of the week, from 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: CalendarDay): number => new Date(instantOf(`${day} 00:00:00`)).getUTCDay() || 7;
/** The same day of the month so many months later, or the last one that the month has. */
export function plusMonths(day: CalendarDay, count: number): CalendarDay {
  const first = dayOf(addMonths(`${day.slice(0, 8)}01 00:00:00`, count));
  const last = plusDays(dayOf(addMonths(`${first} 00:00:00`, 1)), -1);
  return `${first.slice(0, 8)}${day.slice(8) < last.slice(8) ? day.slice(8) : last.slice(8)}`;
}
/** The first day of the week that a day is in. */
export const weekOf = (day: CalendarDay, weekStart: number): CalendarDay => plusDays(day, -((weekdayOf(day) - weekStart + 7) % 7));
/** So many days in a row. */
export const daysFrom = (first: CalendarDay, count: number): CalendarDay[] => Array.from({ length: count }, (_, at) => plusDays(first, at));
/** The weeks that the month of a day touches, each as its seven days. */
export function weeksOf(day: CalendarDay, weekStart: number): CalendarDay[][] {
  const first = `${day.slice(0, 8)}01`;
  const next = plusMonths(first, 1);
  const weeks: CalendarDay[][] = [];
  for (let week = weekOf(first, weekStart); week < next; week = plusDays(week, 7)) weeks.push(daysFrom(week, 7));
  return weeks;
}

/** Whether a text is a day that there is. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && plusDays(text, 0) === text;

/** The wall time in a zone of epoch milliseconds; an unknown zone counts as UTC. */
export const wallOf = (instant: number, zone: string): DateTime => utcOf(instant + offsetAt(zoneOf(zone) ?? utcZone, instant) * 1000);
/** The wall time in a zone of a UTC time. */
export const fromUtc = (utc: DateTime, zone: string): DateTime => wallOf(instantOf(utc), zone);
/** The epoch milliseconds of a wall time in a zone; an unknown zone counts as UTC. */
export const instantOfWall = (wall: DateTime, zone: string): number => instantIn(zoneOf(zone) ?? utcZone, instantOf(wall));
