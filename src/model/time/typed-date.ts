import { type DateTime, instantOf } from './datetime.ts';
import { readDuration } from './duration.ts';
import { moved } from './move.ts';
import { readDate } from './parse-date.ts';
import { toUtc, wallOf } from './time.ts';

const units = 'y|years?|mo|months?|w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?';
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

/** Returns a typed date in a form that `readDate` understands: `20270305` as a day, `+1h30m` or `+1.5 hours` as steps, `in two hours` as steps from now, and `friday at 20:00`. */
export function typedDate(text: string): string {
  const [, year, month, day] = /^\s*((?:19|2\d)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])\s*$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  return text
    .replace(atTime, '')
    .replace(fromNow, (_, after?: string, before?: string) => `now +${stepsInDigits(after ?? before!)} `)
    .replace(signedSteps, stepsInWords)
    .replace(/^(now \+.*?)\s+$/, '$1');
}

/** Reads a date or a duration from now as people type it. Returns undefined for other text. */
export function readMoment(text: string, now: number, zone: string): { wall: DateTime; instant: number } | undefined {
  const duration = readDuration(text.trim().toLowerCase());
  if (duration) {
    const wall = moved(wallOf(now, zone), duration, zone);
    return { wall, instant: instantOf(toUtc(wall, zone)) };
  }
  const typed = typedDate(text);
  if (!/[a-z0-9]/i.test(typed) || typedDateFault(typed)?.isAmbiguous === false) return undefined;
  const date = readDate(typed, now, zone);
  return date && { wall: wallOf(date.instant, zone), instant: date.instant };
}

function stepsInWords(group: string): string {
  const duration = misreadUnits.test(group) ? readDuration(group.trim().toLowerCase()) : undefined;
  if (!duration || !Number.isInteger(duration.seconds)) return group;
  const words = Object.entries(duration).map(([unit, count]) => `${count < 0 ? '-' : '+'}${Math.abs(count)} ${unit}`);
  return `${words.filter((step) => !/^.0 /.test(step)).join(' ') || '+0 seconds'} `.slice(0, /\s$/.test(group) ? undefined : -1);
}

/** A reason to reject a typed date that `strtotime` accepts. */
export interface TypedDateFault {
  isAmbiguous: boolean;
  reason: string;
  hint: string;
}

const slashes = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?(?![\d/])/;
const months = 'January February March April May June July August September October November December'.split(' ');
const bareNumber = /^\s*[+-]?(?:\d{1,8}|\d{3,8}\.\d+)\s*$/;
const twoTimes = /(?:^|\s)\d{1,2}[:.]\d\d\s*-\s*\d{1,2}[:.]\d\d$/;
const fraction = new RegExp(String.raw`\d\.\d+\s*(?:${units})(?![a-z])`, 'i');
const notDate = { isAmbiguous: false, hint: 'See: calendar help dates' };

/** Returns why people don't mean what `strtotime` reads: in `2027` a second of 1970, in `19:00-21:00` a UTC offset, in `05/06/2027` a day in May. */
export function typedDateFault(text: string): TypedDateFault | undefined {
  if (bareNumber.test(text))
    return {
      ...notDate,
      reason: 'is a number, not a date',
      hint: 'Write 2027-03-01. A Unix timestamp has at least 9 digits, or begins with @.',
    };
  if (fraction.test(text)) return { ...notDate, reason: 'is not a valid date' };
  if (twoTimes.test(text.trim()))
    return {
      isAmbiguous: true,
      reason: 'a range of times or a UTC offset',
      hint: 'Give the end separately. Write an offset as in 2027-03-01T19:00-05:00.',
    };
  return slashFault(text);
}

/** Returns the fault of a date with slashes that is one day in America and another elsewhere. */
function slashFault(text: string): TypedDateFault | undefined {
  const [, first, second, year = ''] = slashes.exec(text) ?? [];
  const [one, other] = [Number(first), Number(second)];
  if (!(one >= 1 && one <= 12 && other >= 1 && other <= 12) || one === other) return undefined;
  const full = year.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year;
  const formatDay = (month: number, day: number) => `${months[month - 1]} ${day}${full && `, ${full}`}`;
  const iso = (month: number, day: number) =>
    full ? `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` : `"${formatDay(month, day)}"`;
  return {
    isAmbiguous: true,
    reason: `${formatDay(one, other)} or ${formatDay(other, one)}`,
    hint: `Write ${iso(one, other)} or ${iso(other, one)}.`,
  };
}
