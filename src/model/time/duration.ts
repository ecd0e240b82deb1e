import { Failure } from '../error.ts';
import { addDays, addMonths, type DateTime, instantOf, utcOf } from './datetime.ts';
import { fromUtc, toUtc } from './time.ts';

/** A length of time: calendar months and days, and seconds, which may have a fraction of three digits. */
export interface Duration {
  months: number;
  days: number;
  seconds: number;
}

/** The forms that people write, for messages. */
export const durationForms = '45m, 1h30m, 7d, 1w or P1DT2H';

/** Parts of ISO 8601, each once; those of a time may have a fraction, and each a sign, as other programs write them. */
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
/** Each unit once, the longest first; hours and minutes may have a fraction. */
const plain = new RegExp(
  `^([+-]?)\\s*(?=\\d)${unit.map(([words, , , seconds]) => `(?:(\\d{1,6}${seconds > 1 ? '(?:\\.\\d{1,3})?' : ''})\\s*(?:${words})(?![a-z])\\s*)?`).join('')}$`,
);

/** Reads a duration as people write it (`45m`, `1h30m`, `7d`, `1w`, `2 hours`) or in ISO 8601 (`P7D`, `P1DT2H`, `-PT90M`, `PT0.5S`); undefined for any other text. */
export function readDuration(text: string): Duration | undefined {
  const found = iso.exec(text.trim()) ?? plain.exec(text.trim());
  if (!found) return undefined;
  const sign = found[1] === '-' ? -1 : 1;
  const total: Duration = { months: 0, days: 0, seconds: 0 };
  for (const [at, [, months, days, seconds]] of unit.entries()) {
    const count = sign * Number((found[at + 2] ?? '0').replace(',', '.'));
    if (!count) continue;
    total.months += count * months;
    total.days += count * days;
    total.seconds += Math.round(count * seconds * 1000) / 1000;
  }
  return total;
}

/** The same date. Fails with `bad-request` where its year is not one of four digits, which is all that dates are written with. */
function writable(wall: DateTime): DateTime {
  if (/^(?!0000)\d{4}-/.test(wall)) return wall;
  throw new Failure('bad-request', `${wall} is too far away: years go from 1 to 9999`);
}

/** Adds a duration to a wall time, all on one clock. A day that a month lacks becomes its last. Fails with `bad-request` past the year 9999 and before the year 1. */
export function addDuration(wall: DateTime, { months, days, seconds }: Duration): DateTime {
  const day = Number(wall.slice(-11, -9));
  let moved = months ? addMonths(wall, months) : wall;
  const over = Number(moved.slice(-11, -9));
  if (months && over !== day) moved = addDays(moved, -over);
  return writable(utcOf(instantOf(addDays(moved, days)) + seconds * 1000));
}

/** The wall time in a zone so much later: months and days by the calendar, hours and less as they pass. Fails as {@link addDuration} does. */
export function laterBy(wall: DateTime, { months, days, seconds }: Duration, zone: string): DateTime {
  const moved = addDuration(wall, { months, days, seconds: 0 });
  return seconds === 0 ? moved : writable(fromUtc(utcOf(instantOf(toUtc(moved, zone)) + seconds * 1000), zone));
}
