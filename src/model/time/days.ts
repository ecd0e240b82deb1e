import { addDays, addMonths, type DateTime, instantOf } from './datetime.ts';

/** A date, 'YYYY-MM-DD'. */
export type Day = string;
/** A month, 'YYYY-MM'. */
export type Month = string;
/** ISO weekday: 1 for Monday to 7 for Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const dayOf = (wall: DateTime): Day => wall.split(' ')[0]!;
export const monthOf = (day: Day): Month => day.slice(0, -3);
export const earlier = (one: Day, other: Day): Day => [one, other].sort()[0]!;
export const later = (one: Day, other: Day): Day => [one, other].sort()[1]!;
export const firstOf = (month: Month): Day => `${month}-01`;
export const lastOf = (month: Month): Day => plusDays(firstOf(plusMonths(month, 1)), -1);

export const plusDays = (day: Day, count: number): Day => dayOf(addDays(`${day} 00:00:00`, count));
export const daysFrom = (first: Day, count: number): Day[] => Array.from({ length: count }, (_, index) => plusDays(first, index));
export const plusMonths = (month: Month, count: number): Month => monthOf(dayOf(addMonths(`${month}-01 00:00:00`, count)));
export const daysBetween = (from: Day, to: Day): number => (instantOf(`${to} 00:00:00`) - instantOf(`${from} 00:00:00`)) / 86_400_000;

export function weekdayOf(day: Day): Weekday {
  return (new Date(instantOf(`${day} 00:00:00`)).getUTCDay() || 7) as Weekday;
}

/** The first day of the week that contains a day. */
export const weekOf = (day: Day, weekStart: number): Day => plusDays(day, -((weekdayOf(day) - weekStart + 7) % 7));

/** The weeks that overlap a month, seven days each. */
export function weeksOf(month: Month, weekStart: number): Day[][] {
  const weeks: Day[][] = [];
  for (let first = weekOf(firstOf(month), weekStart); first <= lastOf(month); first = plusDays(first, 7)) weeks.push(daysFrom(first, 7));
  return weeks;
}
