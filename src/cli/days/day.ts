import { addMonths, type DateTime, instantOf, addDays as wallPlusDays } from '../../model/time/datetime.ts';

/** A day, 'YYYY-MM-DD'. */
export type Day = string;
/** A month, 'YYYY-MM'. */
export type Month = string;
/** A day of the week, from 1 for Monday to 7 for Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The day of a wall time. */
export const dayOf = (wall: DateTime): Day => wall.split(' ')[0]!;
/** The month of a day. */
export const monthOf = (day: Day): Month => day.slice(0, -3);
/** The earlier of two days or wall times. */
export const earlier = (one: Day, other: Day): Day => [one, other].sort()[0]!;
/** The later of two days or wall times. */
export const later = (one: Day, other: Day): Day => [one, other].sort()[1]!;
/** The first day of a month. */
export const firstOf = (month: Month): Day => `${month}-01`;
/** The last day of a month. */
export const lastOf = (month: Month): Day => plusDays(firstOf(plusMonths(month, 1)), -1);

/** The day so many days later. */
export const plusDays = (day: Day, count: number): Day => dayOf(wallPlusDays(`${day} 00:00:00`, count));
/** The month so many months later. */
export const plusMonths = (month: Month, count: number): Month => monthOf(dayOf(addMonths(`${month}-01 00:00:00`, count)));
/** How many days lie between two days. */
export const daysBetween = (from: Day, to: Day): number => (instantOf(`${to} 00:00:00`) - instantOf(`${from} 00:00:00`)) / 86_400_000;

/** The day of the week of a day. */
export function weekdayOf(day: Day): Weekday {
  return (new Date(instantOf(`${day} 00:00:00`)).getUTCDay() || 7) as Weekday;
}

/** The first day of the week that a day is in. */
export const weekOf = (day: Day, weekStart: Weekday): Day => plusDays(day, -((weekdayOf(day) - weekStart + 7) % 7));

/** The weeks that a month touches, each as its seven days. */
export function weeksOf(month: Month, weekStart: Weekday): Day[][] {
  const weeks: Day[][] = [];
  for (let first = weekOf(firstOf(month), weekStart); first <= lastOf(month); first = plusDays(first, 7))
    weeks.push(Array.from({ length: 7 }, (_, at) => plusDays(first, at)));
  return weeks;
}
