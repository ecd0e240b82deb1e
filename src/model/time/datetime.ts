/** A date and time without a time zone, 'YYYY-MM-DD HH:MM:SS'. The year can have more digits and a minus sign. */
export type DateTime = string;

/** The parts of a date and time as zero-padded strings, as in records. */
type DateDetails = { year: string; month: string; day: string; hour: string; minutes: string; seconds: string };

const form = /^(-?\d{4,})-(\d\d)-(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The epoch milliseconds of calendar fields in UTC. Fields out of range carry over; years below 100 are not mapped to 19xx. */
export function epochOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const days = Date.UTC(2000 + modulo(year, 400), month - 1, day) / 86_400_000 + Math.floor(year / 400) * 146_097 - 5 * 146_097;
  return days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000;
}

const usualForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** The epoch milliseconds of a UTC date and time; NaN for an invalid text. */
export function instantOf(utc: DateTime): number {
  if (usualForm.test(utc)) return epochIn(utc);
  const match = form.exec(utc);
  if (!match) return Number.NaN;
  const [, year, month, day, hour = 0, minute = 0, second = 0] = match;
  return epochOf(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
}

/** The UTC date and time of epoch milliseconds, rounded down to seconds. */
export function utcOf(instant: number): DateTime {
  const { year, month, day } = calendarDay(instant);
  const seconds = modulo(Math.floor(instant / 1000), 86_400);
  const minutes = Math.floor(seconds / 60);
  return `${yearText(year)}-${two(month)}-${two(day)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function calendarDay(instant: number): { year: number; month: number; day: number } {
  const days = Math.floor(instant / 86_400_000);
  const cycles = Math.floor(days / 146_097);
  const date = new Date((days - cycles * 146_097) * 86_400_000);
  return { year: date.getUTCFullYear() + cycles * 400, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The epoch milliseconds of a UTC date and time of the form 'YYYY-MM-DD HH:MM' with any separators. Faster than capturing and converting the parts. */
export function epochIn(utc: string): number {
  const pair = (at: number) => (utc.charCodeAt(at) - 48) * 10 + utc.charCodeAt(at + 1) - 48;
  return epochOf(pair(0) * 100 + pair(2), pair(5), pair(8), pair(11), pair(14), utc.length > 16 ? pair(17) : 0);
}

/** Splits a date and time into its parts, which are empty for an invalid text. */
export function dateDetails(wall: DateTime): DateDetails {
  const [, year = '', month = '', day = '', hour = '00', minutes = '00', seconds = '00'] = form.exec(wall) ?? [];
  return { year, month, day, hour, minutes, seconds };
}

export function addDays(wall: DateTime, count: number): DateTime {
  return utcOf(instantOf(wall) + count * 86_400_000);
}

/** Adds months. A day that doesn't exist carries over into the next month, as in PHP (31 January + 1 = 3 March). */
export function addMonths(wall: DateTime, count: number): DateTime {
  const instant = instantOf(wall);
  const { year, month, day } = calendarDay(instant);
  const months = month - 1 + count;
  return utcOf(epochOf(year + Math.floor(months / 12), modulo(months, 12) + 1, day) + modulo(instant, 86_400_000));
}

export function startOfDay(wall: DateTime): DateTime {
  return `${wall.split(' ')[0]} 00:00:00`;
}

export function endOfDay(wall: DateTime): DateTime {
  return `${wall.split(' ')[0]} 23:59:59`;
}

export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

const pairs = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

const two = (value: number): string => pairs[value]!;

function yearText(year: number): string {
  return year > 999 ? String(year) : `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}
