import { moved } from './date-steps.ts';
import { type DateTime, instantOf } from './datetime.ts';
import { readDuration } from './duration.ts';
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

/** The order of day, month and year in dates like `05/06/2027`. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
/** The order of day, month and year in a date. */
export type DateOrder = (typeof dateOrders)[number];

/** A date of digits at the beginning of a cell. */
interface DigitDate {
  /** Its ISO forms by order; without an impossible order. */
  readings: Partial<Record<DateOrder, string>>;
  /** True if its form has a fixed meaning in every table. */
  isFixed: boolean;
  /** The rest of the cell, which may be a time. */
  rest: string;
}

const digitDate = /^(\d{1,4})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?(?=$|[\sT,])/;
/** The maximum length of a date, as in {@link readInstant}. */
const maxLength = 200;

/** Parses a date of digits; undefined for other texts. Dots mean day first, four leading digits year first. */
function digitDateIn(cell: string): DigitDate | undefined {
  const text = cell.trim();
  const [whole, first = '', sign, middle = '', last = ''] = (text.length <= maxLength && digitDate.exec(text)) || [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  const reading = (year: string, month: string, day: string): string | undefined => {
    if (year.length === 1 || year.length === 3 || month.length > 2 || day.length > 2) return undefined;
    if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
    const full = year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`;
    return `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  };
  const yearFirst = first.length > 2;
  const candidates: [DateOrder, string | undefined][] = yearFirst
    ? [['ymd', reading(first, middle, last)]]
    : sign === '.'
      ? [['dmy', reading(last, middle, first)]]
      : [
          ['dmy', reading(last, middle, first)],
          ['mdy', reading(last, first, middle)],
          // 27-06-07 is a short form of ISO 8601.
          ['ymd', sign === '-' && last.length < 3 ? reading(first, middle, last) : undefined],
        ];
  const readings = Object.fromEntries(candidates.filter(([, date]) => date !== undefined));
  return { readings, isFixed: yearFirst || sign === '.', rest };
}

/** Returns the possible orders of a cell; undefined if the cell doesn't depend on the order, because all its readings are equal or the year is first. */
function ordersOf(cell: string): readonly DateOrder[] | undefined {
  const date = digitDateIn(cell);
  if (!date || (date.isFixed && 'ymd' in date.readings)) return undefined;
  const orders = Object.keys(date.readings) as DateOrder[];
  const isEqual = orders.length > 1 && new Set(Object.values(date.readings)).size === 1;
  return isEqual || !orders.length ? undefined : orders;
}

const timeOfDay =
  /^(?:um|\u00e0|a las|alle|om)?\s*(\d{1,2})(?:(?:\s*[hu]\s*|[.:])(\d{2})(?:[.:](\d{2}))?)?\s*(uhr|h|u|heures?|horas?|ore|uur|hrs?)?\s*(?:([ap])\.?\s?m\.?)?$/i;

/** Returns a time like `19.30 Uhr`, `19h30` or `7.30pm` as `19:30`; undefined for other texts. */
function plainTime(text: string): string | undefined {
  const [whole, hour, minute, second, unit, half] = timeOfDay.exec(text) ?? [];
  if (whole === undefined || (minute === undefined && !unit && !half && !/h$/i.test(whole))) return undefined;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  if (hours > 24 || Number(minute ?? 0) > 59 || (half && (Number(hour) > 12 || Number(hour) < 1))) return undefined;
  return `${String(hours).padStart(2, '0')}:${minute ?? '00'}${second === undefined ? '' : `:${second}`}`;
}

/** Returns a date as people write it in tables in a form that {@link readDate} reads: `7.6.27 19.30 Uhr` as `2027-06-07 19:30`. Returns undefined if it contradicts the order. */
export function rewriteDate(cell: string, order: DateOrder | undefined): string | undefined {
  const date = digitDateIn(cell);
  if (!date) return cell.length <= maxLength ? (plainTime(cell.trim()) ?? typedDate(cell)) : cell;
  const all = Object.values(date.readings);
  if (!all.length) return cell;
  const isOne = date.isFixed || (all.length > 1 ? new Set(all).size === 1 : order === undefined);
  const day = isOne ? all[0] : order && date.readings[order];
  if (day === undefined) return undefined;
  const rest = date.rest.replace(/^[\s,]+/, '');
  return rest === '' ? day : date.rest.startsWith('T') ? day + date.rest : `${day} ${plainTime(rest) ?? rest}`;
}

/** Collects the dates of a table to find their order. */
export class DateOrderEvidence {
  /** The first cell that excludes each order. */
  readonly #against: Partial<Record<DateOrder, Evidence>> = {};
  /** The first cells whose meaning depends on the order. */
  readonly ambiguous: Evidence[] = [];

  add(cell: string, line: number): void {
    const orders = ordersOf(cell);
    if (!orders) return;
    for (const order of dateOrders) if (!orders.includes(order)) this.#against[order] ??= { cell, line };
    if (orders.length > 1 && this.ambiguous.length < 3 && !this.ambiguous.some((each) => each.cell === cell))
      this.ambiguous.push({ cell, line });
  }

  get possible(): readonly DateOrder[] {
    return dateOrders.filter((order) => !this.#against[order]);
  }

  /** Returns the first two cells that contradict each other, if no order is possible. */
  get contradiction(): readonly Evidence[] {
    return [this.#against.dmy, this.#against.mdy].filter((each) => each !== undefined);
  }
}

/** A cell and its line. */
export interface Evidence {
  cell: string;
  line: number;
}
