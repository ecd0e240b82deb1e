import type { DateTime } from '../../model/time/datetime.ts';
import { instantOf } from '../../model/time/datetime.ts';
import type { CalendarDay } from './days.ts';

/** The language of the browser: dates and times are written as people there do. */
export const language = navigator.language;

const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } };
/** The day on which weeks start there, from 1 for Monday; Monday where the browser does not know. */
export const weekStart: number = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', calendar: 'gregory' });
  formats.set(key, known);
  return known;
}

const noon = (day: CalendarDay) => instantOf(`${day} 12:00:00`);
const written = (day: CalendarDay, options: Intl.DateTimeFormatOptions) => format(options).format(noon(day));

/** 'March 2027' */
export const monthText = (day: CalendarDay): string => written(day, { month: 'long', year: 'numeric' });
/** 'Monday, 1 March 2027' */
export const dayText = (day: CalendarDay): string => written(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
/** 'Mon, 1 Mar 2027' */
export const narrowDayText = (day: CalendarDay): string =>
  written(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** 'Mon, 1 Mar' */
export const shortDayText = (day: CalendarDay): string => written(day, { weekday: 'short', day: 'numeric', month: 'short' });
/** 'March', and the year where it is another than that of a day. */
export const monthNear = (day: CalendarDay, other: CalendarDay): string =>
  written(day, { month: 'long', ...(day.slice(0, 4) !== other.slice(0, 4) && { year: 'numeric' }) });
/** '1 Mar' */
export const shortDateText = (day: CalendarDay): string => written(day, { day: 'numeric', month: 'short' });
/** 'Monday', 'Mon', 'M' */
export const weekdayText = (day: CalendarDay, length: 'long' | 'short' | 'narrow'): string => written(day, { weekday: length });
/** '1 – 7 March 2027', or '1 – 7 Mar 2027' */
export const daysText = (from: CalendarDay, to: CalendarDay, month: 'long' | 'short' = 'long'): string =>
  format({ day: 'numeric', month, year: 'numeric' }).formatRange(noon(from), noon(to));
const hasHalves = format({ hour: 'numeric' }).resolvedOptions().hour12 === true;
/** Hours have the digits that they have in a range there: alone they may be written in another way. */
const isPadded = format({ hour: 'numeric', minute: '2-digit' })
  .formatRange(8 * 3_600_000, 14 * 3_600_000)
  .includes('08');
const time = { hour: isPadded ? '2-digit' : 'numeric', minute: '2-digit' } as const;
/** '09:00' or '9:00 AM' */
export const timeText = (wall: DateTime): string => format(time).format(instantOf(wall));
/** '19:00 – 22:30' */
export const timesText = (from: DateTime, to: DateTime): string =>
  from === to ? timeText(from) : format(time).formatRange(instantOf(from), instantOf(to));
/** '09:00' or '9 AM' */
export const hourText = (hour: number): string => format(hasHalves ? { hour: 'numeric' } : time).format(hour * 3_600_000);
/** '19:00:05' */
export const clockText = (wall: DateTime): string => format({ ...time, second: '2-digit' }).format(instantOf(wall));
/** '1 Mar, 19:00:05', by the reader's own clock, of an instant in ISO 8601. */
export const momentText = (instant: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(
    new Date(instant),
  );
/** '19:00:05', by the reader's own clock, of an instant in ISO 8601. */
export const timeOfText = (instant: string): string =>
  new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(new Date(instant));
