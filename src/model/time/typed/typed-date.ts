import { monthNumber } from '../date-parts.ts';
import { moved } from '../date-steps.ts';
import { type DateTime, instantOf } from '../datetime.ts';
import { readDuration } from '../duration.ts';
import { hasDay, isDayOnly, readDate } from '../parse-date.ts';
import { toUtc, wallOf } from '../time.ts';
import { type DateOrder, digitDateIn, maxDateLength, readingIn } from './digit-date.ts';
import { typedDateFault } from './faults.ts';
import { inEnglish, nameOfWeekday, units, weekdayName } from './names.ts';
import { isYearless, nextDate } from './years.ts';

const signedSteps = new RegExp(String.raw`(?<=^|\s)[+-]\s*(?:\d+(?:\.\d+)?\s*(?:${units})(?![a-z])\s*)+`, 'gi');
/** Units and fractions that `strtotime` misreads. */
const misreadUnits = /\d\s*(?:y|mo|w|d|h|hrs?|m|s)(?![a-z])|\.\d/i;

const counts = ['an?|one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const steps = String.raw`(?:(?:\d+(?:\.\d+)?\s*|(?:${counts.join('|')})\s+)(?:${units})(?![a-z])(?:,?\s+and\s+|[\s,]*))+`;
/** A time from now, at the start of a text. */
const fromNow = new RegExp(String.raw`^\s*(?:in\s+(half\s+an\s+hour\b|${steps})|(half\s+an\s+hour|${steps})from\s+now\b)`, 'i');
/** The word before a time of day. */
export const atTime = /\bat\s+(?=\d{1,2}[:.]\d\d|\d{1,2}\s*[ap]\.?m|noon\b|midnight\b)/gi;

const stepsInDigits = (text: string): string =>
  counts.reduce(
    (result, count, index) => result.replace(new RegExp(String.raw`\b(?:${count})\b`, 'gi'), String(index + 1)),
    text
      .replace(/half\s+an\s+hour/i, '30 minutes')
      .replace(/\band\b|,/gi, ' ')
      .trim(),
  );

const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?!\\p{L})';
/** A month of another language that `strtotime` takes for an English one with a time: `mars 2027` is 20:27 in March. */
const misreadMonth = new RegExp(String.raw`(?<!\p{L})(?!${monthName})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}`, 'iu');
const weekdayIn = new RegExp(weekdayName, 'iu');
const yearAfter = String.raw`(?:[\s.,-]*(?:(?:of|del?)\s+)?(\d{4})(?![\d:]))?`;
/** `4. december 2026`, `4th of December`, `4 december de 2026`. */
const dayMonth = new RegExp(
  String.raw`(?<![\d.:/+-])(\d{1,2})(?:\.|st|nd|rd|th|er|[\u00ba\u00aa])?[\s-]*(?:(?:of|de)\s+)?${monthName}[.,]?${yearAfter}`,
  'iu',
);
/** `December 4, 2026`. */
const monthDay = new RegExp(
  String.raw`(?<!\p{L})${monthName}[.\s-]*(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|\.\d|\s*[ap]\.?m\b|h)(?:[,\s-]+(\d{4})(?![\d:]))?`,
  'iu',
);

const clockWords = 'h|u|uhr|uur|heures?|horas?|ore|hrs?';
const atWords = String.raw`at|um|\u00e0s?|a las|as?|alle|ore|om`;
/** Words between the parts of a date. */
const fillers = `(?:on|the|am|den|der|dem|le|el|il|op|de|${atWords}|,)`;
const fillersBefore = new RegExp(String.raw`^\s*(?:${fillers}(?:\s+|$))+`, 'iu');
const fillersAfter = new RegExp(String.raw`(?:(?:^|\s+)${fillers})+\s*$|[\s,]+$`, 'iu');
const timeOfDay = new RegExp(
  String.raw`^(?:(?:${atWords})\s+)?(\d{1,2})(?:(?:\s*[hu]\s*|[.:])(\d{2})(?:[.:](\d{2}))?)?\s*(${clockWords})?\s*(?:([ap])\.?\s?m\.?)?$`,
  'iu',
);
/** A time with minutes that `strtotime` doesn't read, or reads in a military time zone: `19h30`, `19.30 Uhr`, `19.30h`. */
const clockWithMinutes = new RegExp(
  String.raw`(?<![+\-\d.:/]\s?)\d{1,2}(?:\s*[hu]\s*\d\d(?![\dm])|[.:]\d\d\s*(?:${clockWords})(?!\p{L}))`,
  'giu',
);
const clockWithHour = new RegExp(String.raw`(?:(?<!\p{L})(?:${atWords})\s+)?(?<![+\-\d.:/]\s?)\d{1,2}\s*(?:${clockWords})(?!\p{L})`, 'giu');

/** The word before a time in another language. */
const atClock = new RegExp(String.raw`(?<!\p{L})(?:${atWords})\s+(?=\d{1,2}:\d\d)`, 'giu');

/** A time like `19.30 Uhr`, `19h30` or `7.30pm` as `19:30`; undefined for other texts. */
function plainTime(text: string): string | undefined {
  const [whole, hour, minute, second, unit, half] = timeOfDay.exec(text) ?? [];
  if (whole === undefined || (minute === undefined && !unit && !half && !/h$|^(?!at)\D/i.test(whole))) return undefined;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  if (hours > 24 || Number(minute ?? 0) > 59 || (half && (Number(hour) > 12 || Number(hour) < 1))) return undefined;
  return `${String(hours).padStart(2, '0')}:${minute ?? '00'}${second === undefined ? '' : `:${second}`}`;
}

/** Reads a time such as `19.30`, which can't be a date. */
const dottedTime = (text: string): string | undefined =>
  /^\s*\d{1,2}\.\d\d\s*$/.test(text) && !digitDateIn(text) ? plainTime(text.trim()) : undefined;

const withPlainTimes = (text: string, pattern: RegExp): string => text.replace(pattern, (time) => plainTime(time) ?? time);

const isReadable = (text: string): boolean => readDate(text, 0, 'UTC') !== undefined;

/** The time beside a date: a time of day, with a zone or steps. Undefined for other text. */
function timeBeside(text: string): string | undefined {
  const whole = text.replace(fillersAfter, '').replace(/^[\s,]+/, '');
  const rest = whole.replace(fillersBefore, '');
  if (rest === '') return '';
  return plainTime(whole) ?? plainTime(rest) ?? (!hasDay(rest) && !/^\d+$/.test(rest) && isReadable(rest) ? rest : undefined);
}

/** The first date in a text, as `2026-12-04`, or `--12-04` without a year. */
interface FoundDate {
  date: string;
  index: number;
  length: number;
  isTime?: boolean;
}

function dateOfNames(text: string): FoundDate | undefined {
  const isoDate = (year: string | undefined, month: string, day: string) =>
    `${year ?? '-'}-${String(monthNumber(month)).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const dayFirst = dayMonth.exec(text);
  const match = dayFirst ?? monthDay.exec(text);
  if (!match) return undefined;
  const [whole, first = '', second = '', year] = match;
  const [day, month] = dayFirst ? [first, second] : [second, first];
  if (Number(day) < 1 || Number(day) > 31) return undefined;
  return { date: isoDate(year, month, day), index: match.index, length: whole.length };
}

function dateOfDigits(text: string, order: DateOrder | undefined): FoundDate | undefined {
  const digits = digitDateIn(text);
  const date = digits && readingIn(digits, order);
  return date === undefined ? undefined : { ...digits!, date };
}

/** Reads a text that consists of a date, and a weekday and a time if it has them, in any order. Undefined for other text. */
function readParts(text: string, order: DateOrder | undefined): string | undefined {
  const match = dateOfNames(text) ?? dateOfDigits(text, order);
  if (!match) return undefined;
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match.length)];
  let weekday: string | undefined;
  const remove = (part: string) =>
    part.replace(weekdayIn, (whole, name: string) => {
      if (weekday !== undefined) return whole;
      weekday = name.slice(0, 3).toLowerCase();
      return ' ';
    });
  const [first, last] = [remove(before), remove(after)].map(timeBeside);
  if (first === undefined || last === undefined || (first !== '' && last !== '')) return undefined;
  const time = first || last;
  if (match.isTime && time === '') return undefined;
  const { date } = match;
  const isKept = weekday !== undefined && (date.startsWith('--') || ![weekday, ''].includes(nameOfWeekday(date)));
  return [...(isKept ? [weekday] : []), date, ...(time ? [time] : [])].join(' ');
}

const leadingTime = /^\s*(noon|midnight|\d{1,2}(?:[:.]\d\d)?\s*[ap]\.?m\.?|\d{1,2}:\d\d)\s+(\S.*)$/i;

/** Moves a time before a day behind it: `strtotime` reads `8pm friday` as midnight. */
const timeLast = (text: string): string =>
  text.replace(leadingTime, (whole, time: string, rest: string) => (isDayOnly(rest) ? `${rest.trim()} ${time}` : whole));

/** Reads steps and words in English. */
const inWords = (text: string): string =>
  timeLast(text)
    .replace(atTime, '')
    .replace(/\btonight\b/i, /\d/.test(text) ? 'today' : 'today 20:00')
    .replace(fromNow, (_, after?: string, before?: string) => `now +${stepsInDigits(after ?? before!)} `)
    .replace(signedSteps, stepsInWords)
    .trimEnd();

const isoForm = /^\s*\d{4}-\d\d-\d\d(?:[T ][\d:.+-]+Z?)?\s*$/i;

/**
 * A date as people type it in a form that `readDate` understands: `20270305` and `5.3.27` as a day, `+1h30m` as steps, `in two hours` as steps from now, `friday
 * at 20:00`, `4. Dezember 2026, 20 Uhr`. A date without a year becomes `--12-04`, for {@link withYear}; a weekday stays only beside that, and beside a date that it contradicts.
 */
export function typedDate(text: string, order?: DateOrder): string {
  const [, year, month, day] = /^\s*((?:19|2\d)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])\s*$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  if (text.length > maxDateLength || isoForm.test(text)) return text;
  const clear = withPlainTimes(text, clockWithMinutes);
  const english = readParts(clear, order) ?? dottedTime(clear) ?? inWords(clear);
  const isRead = isReadable(english) || isYearless(english);
  if (!/\p{L}/u.test(english) || (isRead && !misreadMonth.test(english))) return english;
  const translated = inEnglish(clear);
  const result =
    (translated && readParts(translated, order)) ??
    plainTime(clear.trim()) ??
    inWords(withPlainTimes(translated ?? clear, clockWithHour).replace(atClock, '')).trim();
  return isReadable(result) || isYearless(result) ? result : english;
}

/** Reads a date or a duration from now as people type it. Returns undefined for other text. */
export function readMoment(text: string, now: number, zone: string): { wall: DateTime; instant: number } | undefined {
  const duration = readDuration(text.trim().toLowerCase());
  if (duration) {
    const wall = moved(wallOf(now, zone), duration, zone);
    return { wall, instant: instantOf(toUtc(wall, zone)) };
  }
  const typed = nextDate(typedDate(text), wallOf(now, zone).slice(0, 10));
  if (!/[a-z0-9]/i.test(typed) || typedDateFault(typed)) return undefined;
  const date = readDate(typed, now, zone);
  return date && { wall: wallOf(date.instant, zone), instant: date.instant };
}

function stepsInWords(group: string): string {
  const duration = misreadUnits.test(group) ? readDuration(group.trim().toLowerCase()) : undefined;
  if (!duration || !Number.isInteger(duration.seconds)) return group;
  const words = Object.entries(duration).map(([unit, count]) => `${count < 0 ? '-' : '+'}${Math.abs(count)} ${unit}`);
  return `${words.filter((step) => !/^.0 /.test(step)).join(' ') || '+0 seconds'} `.slice(0, /\s$/.test(group) ? undefined : -1);
}

/** A cell of a table as {@link typedDate} does. Returns undefined if it contradicts the order of the table's dates. */
export function rewriteDate(cell: string, order: DateOrder | undefined, isTime: boolean): string | undefined {
  const digits = cell.length > maxDateLength ? undefined : digitDateIn(cell);
  if (digits?.isTime && isTime) return plainTime(cell) ?? typedDate(cell, order);
  if (digits && order && readingIn(digits, order) === undefined) return undefined;
  return typedDate(cell, order);
}
