import { addDays, addMonths, type DateTime, instantOf, utcOf } from './datetime.ts';
import { fromUtc, toUtc } from './time.ts';

/** A length of time: calendar months and days, and seconds. */
export interface Duration {
  months: number;
  days: number;
  seconds: number;
}

/** The forms that people write, for messages. */
export const durationForms = '45m, 1h30m, 7d, 1w or P1M';

const iso =
  /^([+-]?)P(?=\w)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i;

const unit: readonly (readonly [words: string, months: number, days: number, seconds: number])[] = [
  ['y|years?', 12, 0, 0],
  ['mo|months?', 1, 0, 0],
  ['w|weeks?', 0, 7, 0],
  ['d|days?', 0, 1, 0],
  ['h|hrs?|hours?', 0, 0, 3600],
  ['m|mins?|minutes?', 0, 0, 60],
  ['s|secs?|seconds?', 0, 0, 1],
];
/** Each unit once, the longest first; hours and minutes may have a fraction. */
const plain = new RegExp(
  `^([+-]?)\\s*(?=\\d)${unit.map(([words, , , seconds]) => `(?:(\\d{1,6}${seconds > 1 ? '(?:\\.\\d{1,3})?' : ''})\\s*(?:${words})(?![a-z])\\s*)?`).join('')}$`,
);

/** Reads a duration as people write it (`45m`, `1h30m`, `7d`, `1w`, `2 hours`) or in ISO 8601 (`P7D`, `P1M`, `-PT90M`); undefined for any other text. */
export function readDuration(text: string): Duration | undefined {
  const found = iso.exec(text.trim()) ?? plain.exec(text.trim());
  if (!found) return undefined;
  const sign = found[1] === '-' ? -1 : 1;
  const total: Duration = { months: 0, days: 0, seconds: 0 };
  for (const [at, [, months, days, seconds]] of unit.entries()) {
    const count = sign * Number(found[at + 2] ?? 0);
    if (!count) continue;
    total.months += count * months;
    total.days += count * days;
    total.seconds += Math.round(count * seconds);
  }
  return total;
}

/** Adds a duration to a wall time, all on one clock. A day that a month lacks becomes its last. */
export function addDuration(wall: DateTime, { months, days, seconds }: Duration): DateTime {
  const day = Number(wall.slice(-11, -9));
  let moved = months ? addMonths(wall, months) : wall;
  const over = Number(moved.slice(-11, -9));
  if (months && over !== day) moved = addDays(moved, -over);
  return utcOf(instantOf(addDays(moved, days)) + seconds * 1000);
}

/** The wall time in a zone so much later: months and days by the calendar, hours and less as they pass. */
export function laterBy(wall: DateTime, { months, days, seconds }: Duration, zone: string): DateTime {
  const moved = addDuration(wall, { months, days, seconds: 0 });
  return seconds === 0 ? moved : fromUtc(utcOf(instantOf(toUtc(moved, zone)) + seconds * 1000), zone);
}
