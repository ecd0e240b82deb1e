import { Failure, invalidParams } from '../../model/error.ts';
import { type DateTime, instantOf } from '../../model/time/datetime.ts';
import type { Day, Month, Weekday } from '../../model/time/days.ts';
import { typedDateFault } from '../../model/time/typed/faults.ts';
import { typedDate } from '../../model/time/typed/typed-date.ts';

// By CLDR; a fallback for runtimes without `getWeekInfo`.
const sundayRegions =
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW';
const saturdayRegions = 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY';

/** The locale of the environment, e.g. 'de-DE'. The default 'en-GB' has weeks that start on Monday. */
export function localeOf(env: Record<string, string | undefined>): string {
  const locale = env.LC_ALL || env.LC_TIME || env.LANG || '';
  const text = locale.replace(/[.@].*$/s, '').replaceAll('_', '-');
  try {
    return /^[a-z]{2,3}\b/i.test(text) ? new Intl.Locale(text).toString() : 'en-GB';
  } catch {
    return 'en-GB';
  }
}

export function weekStartOf(locale: string): Weekday {
  const intlLocale = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } };
  const day = intlLocale.getWeekInfo?.().firstDay ?? intlLocale.weekInfo?.firstDay;
  return day !== undefined && day >= 1 && day <= 7 ? (day as Weekday) : weekStartIn(intlLocale.maximize().region ?? '');
}

export function weekStartIn(region: string): Weekday {
  if (sundayRegions.includes(region) && region) return 7;
  if (saturdayRegions.includes(region) && region) return 6;
  return region === 'MV' ? 5 : 1;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The locale of words: dates are in English everywhere, in the order of the locale if it is English. */
const wordsLocale = (locale: string): string => (new Intl.Locale(locale).language === 'en' ? locale : 'en-GB');

function formatterFor(locale: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(parts)}`;
  const writer = formatters.get(key) ?? new Intl.DateTimeFormat(wordsLocale(locale), { ...parts, timeZone: 'UTC', calendar: 'gregory' });
  formatters.set(key, writer);
  return writer;
}

const format = (locale: string, wall: DateTime, parts: Intl.DateTimeFormatOptions): string =>
  formatterFor(locale, parts).format(instantOf(wall));

/** Formats a day: 'Mon, 1 March 2027', or 'Mon, 1 Mar' if `short`. */
export function dayText(day: Day, locale: string, short = false): string {
  const parts = short ? ({ month: 'short' } as const) : ({ month: 'long', year: 'numeric' } as const);
  return format(locale, `${day} 00:00:00`, { weekday: 'short', day: 'numeric', ...parts });
}

/** Formats several days: '1–7 March 2027', or '29 March – 4 April 2027'. */
export const daysText = (first: Day, last: Day, locale: string): string =>
  formatterFor(locale, { day: 'numeric', month: 'long', year: 'numeric' })
    .formatRange(instantOf(`${first} 00:00:00`), instantOf(`${last} 00:00:00`))
    .replaceAll(/[\u2009\u202f]/g, ' ');

/** Formats a month: 'March 2027'. */
export const monthText = (month: Month, locale: string): string =>
  format(locale, `${month}-01 00:00:00`, { month: 'long', year: 'numeric' });

/** Formats a weekday: 'Mon'. */
export const weekdayText = (day: Day, locale: string): string => format(locale, `${day} 00:00:00`, { weekday: 'short' });

const hour12 = new Map<string, boolean>();

/** Formats a time of day, e.g. '19:00', or '7:00 PM' in locales with a 12-hour clock. */
export function timeText(wall: DateTime, locale: string): string {
  const time = wall.split(' ')[1]!.slice(0, 5);
  const isHour12 = hour12.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 ?? false;
  hour12.set(locale, isHour12);
  if (!isHour12) return time;
  const [hour, minutes] = [Number(time.slice(0, 2)), time.slice(3)];
  return `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A date of the command line in a form that the API reads as it was meant. Throws for one that `strtotime` would misread, such as `05/06/2027` or `2027`. */
export function readTyped<T>(name: string, value: T): T | string {
  if (typeof value !== 'string') return value;
  const text = typedDate(value);
  const fault = typedDateFault(text);
  if (!fault) return text;
  const { isAmbiguous, reason, hint } = fault;
  if (isAmbiguous) throw new Failure('bad-request', `Ambiguous ${name} ${JSON.stringify(value)}: ${reason}`, hint);
  throw invalidParams({ [name]: { reason: `${JSON.stringify(value)} ${reason}` } }, hint);
}

/** Reads the dates of an object in place. */
export function readTypedDates(values: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (values[name] !== undefined) values[name] = readTyped(name, values[name]);
}
