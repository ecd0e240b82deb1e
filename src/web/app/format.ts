import type { DateTime } from '../../model/time/datetime.ts';
import { instantOf } from '../../model/time/datetime.ts';
import type { Day } from '../../model/time/days.ts';

/** English, as everything on the page. Viewers with an English browser get their own date order. */
const language = /^en\b/i.test(navigator.language) ? navigator.language : 'en-US';

/** The viewer's preference for 12 or 24 hours, independent of the language. */
const viewerCycle = new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions().hourCycle;
const is12Hour = viewerCycle === 'h12' || viewerCycle === 'h11';
const hourCycle = is12Hour ? 'h12' : 'h23';

const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
  getWeekInfo?(): { firstDay: number };
  weekInfo?: { firstDay: number };
};
/** First day of the week in the viewer's region, from 1 for Monday. Monday if the browser doesn't know. */
export const weekStart: number = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', calendar: 'gregory' });
  formatters.set(key, formatter);
  return formatter;
}

const noonOf = (day: Day) => instantOf(`${day} 12:00:00`);
const formatDay = (day: Day, options: Intl.DateTimeFormatOptions) => formatterFor(options).format(noonOf(day));

/** '1 event' or '1,234 events' */
export const counted = (count: number, one: string, many = `${one}s`): string => `${countText(count)} ${count === 1 ? one : many}`;
/** '1,234' */
export const countText = (count: number): string => count.toLocaleString(language);

// The examples are those of an en-US browser.
/** 'March 2027' */
export const monthNameText = (day: Day): string => formatDay(day, { month: 'long' });
export const monthText = (day: Day): string => formatDay(day, { month: 'long', year: 'numeric' });
/** 'Monday, March 1, 2027' */
export const dayText = (day: Day): string => formatDay(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
/** 'Mon, Mar 1, 2027' */
export const narrowDayText = (day: Day): string => formatDay(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** 'Mon, Mar 1' */
export const shortDayText = (day: Day): string => formatDay(day, { weekday: 'short', day: 'numeric', month: 'short' });
/** 'March', with the year if it differs from that of the other day. */
export const monthNear = (day: Day, other: Day): string =>
  formatDay(day, { month: 'long', ...(day.slice(0, 4) !== other.slice(0, 4) && { year: 'numeric' }) });
/** 'Mar 1' */
export const shortDateText = (day: Day): string => formatDay(day, { day: 'numeric', month: 'short' });
/** 'Monday', 'Mon', 'M' */
export const weekdayText = (day: Day, length: 'long' | 'short' | 'narrow'): string => formatDay(day, { weekday: length });
/** 'March 1 – 7, 2027' or 'Mar 1 – 7, 2027' */
export const daysText = (from: Day, to: Day, month: 'long' | 'short' = 'long'): string =>
  formatterFor({ day: 'numeric', month, year: 'numeric' }).formatRange(noonOf(from), noonOf(to));

const time = { hour: is12Hour ? 'numeric' : '2-digit', minute: '2-digit', hourCycle } as const;
/** '9:00 AM' or '09:00' */
export const timeText = (wall: DateTime): string => formatterFor(time).format(instantOf(wall));
/** '7:00 – 10:30 PM' or '19:00 – 22:30'; '11:00 PM – 1:00 AM' across midnight. */
export function timesText(from: DateTime, to: DateTime): string {
  if (from === to) return timeText(from);
  // A range of two days would contain the dates.
  if (from.slice(0, 10) !== to.slice(0, 10)) return `${timeText(from)} – ${timeText(to)}`;
  return formatterFor(time).formatRange(instantOf(from), instantOf(to));
}
/** '9 AM', '9:30 AM' or '09:00': as short as a chip needs it. */
export const shortTimeText = (wall: DateTime): string =>
  is12Hour && wall.slice(14, 16) === '00' ? hourText(Number(wall.slice(11, 13))) : timeText(wall);
/** '9 AM' or '09:00' */
export const hourText = (hour: number): string => formatterFor(is12Hour ? { hour: 'numeric', hourCycle } : time).format(hour * 3_600_000);
/** '7:00:05 PM' or '19:00:05' */
export const clockText = (wall: DateTime): string => formatterFor({ ...time, second: '2-digit' }).format(instantOf(wall));

const localTime = { ...time, second: '2-digit' } as const;
/** Formats an ISO 8601 instant in the viewer's time zone: 'Mar 1, 19:00:05'. */
export const momentText = (instant: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...localTime }).format(new Date(instant));
/** The viewer's time zone. */
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Formats an ISO 8601 instant in the viewer's time zone: '19:00:05'. */
export const timeOfText = (instant: string): string => new Intl.DateTimeFormat(language, localTime).format(new Date(instant));
