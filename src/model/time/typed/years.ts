import { invalidParams } from '../../error.ts';
import { weekdayNames } from '../date-parts.ts';
import { weekdayFault } from './faults.ts';
import { dayExists, nameOfWeekday } from './names.ts';

const yearless = new RegExp(`^(?:(${weekdayNames.join('|')}) )?-(-\\d\\d-\\d\\d)(?= |$)`);

/** True if the day of a typed date has no year. */
export const isYearless = (typed: string): boolean => yearless.test(typed);

/** A typed date whose day has no year as the first such day on or after the day `first`, with its weekday if that is another. */
export function nextDate(typed: string, first: string): string {
  const [, , monthAndDay] = yearless.exec(typed) ?? [];
  if (monthAndDay === undefined) return typed;
  const firstYear = Number(first.slice(0, 4)) + (monthAndDay < first.slice(4) ? 1 : 0);
  // February 29 dayExists every four or eight years.
  const years = Array.from({ length: 9 }, (_, at) => `${firstYear + at}${monthAndDay}`);
  const day = years.find((date) => dayExists(date)) ?? years[0]!;
  return inYear(typed, Number(day.slice(0, 4)));
}

/** A typed date whose day has no year as that of a year. */
export const inYear = (typed: string, year: number): string =>
  typed.replace(yearless, (_, weekday: string | undefined, monthAndDay: string) => {
    const day = `${String(year).padStart(4, '0')}${monthAndDay}`;
    return `${weekday && weekday !== nameOfWeekday(day) ? `${weekday} ` : ''}${day}`;
  });

/** {@link nextDate}. Throws `rest_invalid_param` if it is on another weekday. */
export function withYear(name: string, typed: string, first: string): string {
  const text = nextDate(typed, first);
  const fault = isYearless(typed) ? weekdayFault(text) : undefined;
  if (fault) throw invalidParams({ [name]: { reason: `the date ${fault.reason}` } }, fault.hint);
  return text;
}
