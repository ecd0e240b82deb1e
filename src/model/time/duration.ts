import { addDays, addMonths, type DateTime, instantOf, utcOf } from './datetime.ts';

/** An ISO 8601 duration (`P7D`, `P1M`, `-PT90M`): calendar months and days, and seconds. */
export interface Duration {
  months: number;
  days: number;
  seconds: number;
}

const form = /^([+-]?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Reads a duration; undefined for any other text. */
export function readDuration(text: string): Duration | undefined {
  const found = form.exec(text.trim());
  if (!found || /P$/i.test(text.trim())) return undefined;
  const sign = found[1] === '-' ? -1 : 1;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(2).map((part) => Number(part ?? 0));
  return { months: sign * (years * 12 + months), days: sign * (weeks * 7 + days), seconds: sign * (hours * 3600 + minutes * 60 + seconds) };
}

/** Adds a duration to a wall time, all on one clock. A day that a month lacks becomes its last. */
export function addDuration(wall: DateTime, { months, days, seconds }: Duration): DateTime {
  const day = Number(wall.slice(-11, -9));
  let moved = months ? addMonths(wall, months) : wall;
  const over = Number(moved.slice(-11, -9));
  if (months && over !== day) moved = addDays(moved, -over);
  return utcOf(instantOf(addDays(moved, days)) + seconds * 1000);
}
