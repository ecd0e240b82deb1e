import { Failure } from '../error.ts';
import { addDays, addMonths, type DateTime, instantOf, utcOf } from './datetime.ts';
import { toUtc, wallOf } from './time.ts';

/** A duration in calendar months, days, and seconds with up to three decimals. */
export interface Duration {
  months: number;
  days: number;
  seconds: number;
}

/** Examples for messages. */
export const durationForms = '45m, 1h30m, 7d, 1w or P1DT2H';

/** Returns the pattern of ISO 8601 parts. Each can have a sign, and times a fraction, as other programs write them. */
const parts = (letters: string, digits: string) => [...letters].map((letter) => `(?:([+-]?${digits})${letter})?`).join('');
const iso = new RegExp(
  `^([+-]?)P(?=[-+\\dT])${parts('YMWD', '\\d{1,6}')}(?:T(?=[-+\\d])${parts('HMS', '\\d{1,9}(?:[.,]\\d{1,3})?')})?$`,
  'i',
);

const unit: readonly (readonly [words: string, months: number, days: number, seconds: number])[] = [
  ['y|years?', 12, 0, 0],
  ['mo|months?', 1, 0, 0],
  ['w|weeks?', 0, 7, 0],
  ['d|days?', 0, 1, 0],
  ['h|hrs?|hours?', 0, 0, 3600],
  ['m|mins?|minutes?', 0, 0, 60],
  ['s|secs?|seconds?', 0, 0, 1],
];
/** Each unit at most once, longest first. Hours and minutes can have a fraction. */
const plain = new RegExp(
  `^([+-]?)\\s*(?=\\d)${unit.map(([words, , , seconds]) => `(?:(\\d{1,6}${seconds > 1 ? '(?:\\.\\d{1,3})?' : ''})\\s*(?:${words})(?![a-z])\\s*)?`).join('')}$`,
);

/** Parses a duration such as `45m`, `1h30m`, `7d`, `1w`, `2 hours`, or ISO 8601 (`P7D`, `P1DT2H`, `-PT90M`, `PT0.5S`). Returns undefined for other text. */
export function readDuration(text: string): Duration | undefined {
  const match = iso.exec(text.trim()) ?? plain.exec(text.trim());
  if (!match) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const total: Duration = { months: 0, days: 0, seconds: 0 };
  for (const [at, [, months, days, seconds]] of unit.entries()) {
    const count = sign * Number((match[at + 2] ?? '0').replace(',', '.'));
    if (!count) continue;
    total.months += count * months;
    total.days += count * days;
    total.seconds += Math.round(count * seconds * 1000) / 1000;
  }
  return total;
}

/** Throws `bad-request` for a date outside the years 1 to 9999, which four digits cannot express. */
function checkYear(wall: DateTime): DateTime {
  if (/^(?!0000)\d{4}-/.test(wall)) return wall;
  throw new Failure('bad-request', `The date ${wall} is outside the years 1 to 9999`);
}

/** Adds a duration to a wall time, ignoring time zones. A day that doesn't exist becomes the last of its month. Throws `bad-request` outside the years 1 to 9999. */
export function addDuration(wall: DateTime, { months, days, seconds }: Duration): DateTime {
  const day = Number(wall.slice(-11, -9));
  let moved = months ? addMonths(wall, months) : wall;
  const over = Number(moved.slice(-11, -9));
  if (months && over !== day) moved = addDays(moved, -over);
  return checkYear(utcOf(instantOf(addDays(moved, days)) + seconds * 1000));
}

/** Returns a time in ms. Throws `bad-request` for one that is not positive, or has months or days. */
export function millisecondsIn(text: string): number {
  const { months, days, seconds } = readDuration(text) ?? { months: 1, days: 0, seconds: 0 };
  const total = (days * 86_400 + seconds) * 1000;
  if (months === 0 && total > 0) return total;
  throw new Failure('bad-request', `Invalid time ${JSON.stringify(text)}`, `Write it like ${durationForms}, without months.`);
}

const daySeconds = 86_400;

/** Returns a wall time moved by a duration in a time zone: months and days in wall time, shorter parts in elapsed time. */
export function moved(wall: DateTime, by: Duration, zone: string): DateTime {
  const day = addDuration(wall, { ...by, seconds: 0 });
  return by.seconds ? wallOf(instantOf(toUtc(day, zone)) + by.seconds * 1000, zone) : day;
}

/** Returns the dates of an event moved by a duration. All-day events move by whole days. */
export function movedDates(
  { start_date, end_date, all_day, timezone }: Record<string, unknown>,
  by: Duration,
): { start_date: DateTime; end_date: DateTime } {
  const whole = { ...by, days: by.days + Math.trunc(by.seconds / daySeconds), seconds: 0 };
  const move = (wall: unknown) => moved(String(wall), all_day === true ? whole : by, String(timezone));
  return { start_date: move(start_date), end_date: move(end_date) };
}

/** Longest delay of a timer, in ms. */
const maxDelayMs = 2 ** 31 - 1;

/**
 * Runs a task with a signal that aborts with the given one, or with a TimeoutError after a time in ms. `AbortSignal.timeout()` is not used:
 * if only `AbortSignal.any()` refers to its signal, it may be garbage-collected before it fires.
 */
export async function withTimeout<T>(ms: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const abort = () => timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(abort, Math.min(Math.max(0, Math.ceil(ms)), maxDelayMs));
  try {
    return await task(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
