import { forms } from './date-form.ts';
import type { Reading } from './date-reading.ts';
import { type DateTime, dayOf, epochOf, modulo, utcOf } from './wall.ts';
import { instantIn, offsetAt, type Zone, zoneOf } from './zone.ts';

const dayLength = 86_400_000;
const plainNumber = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * Reads a date text as PHP does, relative words counted from `now` (epoch milliseconds) on the clock of `zone`. A whole number is a Unix
 * timestamp, as everywhere in the reference. Gives the wall clock in the text's own zone if it names one (UTC for a timestamp), else
 * in `zone`; the instant in epoch milliseconds; and whether the zone was the text's own. Undefined when the text cannot be read.
 */
export function readDate(text: string, now: number, zone: string): { wall: DateTime; instant: number; ownZone: boolean } | undefined {
  const read = readInstant(text, now, zone);
  return read && { wall: utcOf(read.instant + offsetAt(read.place, read.instant) * 1000), instant: read.instant, ownZone: read.ownZone };
}

/** The instant that a date text means and the zone whose clock it is told by, as `readDate` finds them. */
export function readInstant(text: string, now: number, zone: string): { instant: number; place: Zone; ownZone: boolean } | undefined {
  if (text.length > 200) return undefined;
  const whole = plainNumber.test(text) && Number.isInteger(Number(text));
  const reading = scanned(whole ? `@${Number(text)}` : text.trim());
  if (!reading) return undefined;
  const place = zoneOf(reading.zone ?? zone);
  if (!place) return undefined;
  const instant = resolve(reading, now, place);
  if (!Number.isFinite(instant)) return undefined;
  return { instant, place, ownZone: reading.zone !== undefined };
}

const known = new Map<string, Reading | undefined>();

/** A text as it was understood; a request reads each of its dates twice, and requests repeat them. */
function scanned(text: string): Reading | undefined {
  if (known.has(text)) return known.get(text);
  const reading = scan(text);
  if (known.size >= 500) known.clear();
  known.set(text, reading);
  return reading;
}

function scan(text: string): Reading | undefined {
  const add = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  const reading: Reading = { hasDate: false, hasTime: false, zones: 0, add, failed: text === '' };
  let at = 0;
  while (at < text.length && !reading.failed) {
    const form = longest(text, at);
    if (!form) return undefined;
    form.read(reading, ...form.parts);
    at += form.length;
  }
  return reading.failed ? undefined : reading;
}

function longest(text: string, at: number) {
  let best: { length: number; parts: string[]; read: (typeof forms)[number][1] } | undefined;
  for (const [pattern, read] of forms) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found && found[0].length > (best?.length ?? 0)) best = { length: found[0].length, parts: found.slice(1), read };
  }
  return best;
}

/** The instant that a reading means. Weekdays move before days, months and years are added; hours count as time that passes. */
function resolve(reading: Reading, now: number, zone: Zone): number {
  const wallNow = now + offsetAt(zone, now) * 1000;
  const today = dayOf(wallNow);
  const clear = reading.hasDate && !reading.hasTime;
  const seconds = Math.floor(modulo(wallNow, dayLength) / 1000);
  const hour = clear ? 0 : (reading.hour ?? Math.floor(seconds / 3600));
  const minute = clear ? 0 : (reading.minute ?? Math.floor(seconds / 60) % 60);
  const second = clear ? 0 : (reading.second ?? seconds % 60);
  const date = { year: reading.year ?? today.year, month: reading.month ?? today.month, day: reading.day ?? today.day };
  const day = skipWeekends(moved(reading, date), reading.weekdays ?? 0);
  const wall = day + (hour * 3600 + minute * 60 + second) * 1000;
  return instantIn(zone, wall) + (reading.add.hour * 3600 + reading.add.minute * 60 + reading.add.second) * 1000;
}

function moved(reading: Reading, date: { year: number; month: number; day: number }): number {
  const add = { ...reading.add };
  let { year, month, day } = date;
  if (reading.inMonth) {
    day = 1;
    month += add.month + (reading.inMonth === 'last' ? 1 : 0);
    add.month = 0;
  }
  if (reading.edge) {
    month += reading.edge === 'last' ? 1 : 0;
    day = reading.edge === 'last' ? 0 : 1;
  }
  if (reading.weekday) day += daysToWeekday(reading.weekday, add.day, new Date(epochOf(year, month, day)).getUTCDay());
  ({ year, month, day } = dayOf(epochOf(year, month, day)));
  month += add.month;
  year += add.year;
  day += add.day;
  if (reading.edge) {
    month += reading.edge === 'last' ? 1 : 0;
    day = reading.edge === 'last' ? 0 : 1;
  }
  return epochOf(year, month, day);
}

function daysToWeekday({ day, mode }: NonNullable<Reading['weekday']>, days: number, today: number): number {
  if (mode === 'week') {
    const wanted = today === 0 && day !== 0 ? day - 7 : day === 0 && today !== 0 ? 7 : day;
    return wanted - today;
  }
  if (day < 0) return -(7 - (-day - today));
  const away = day - today;
  const behind = days < 0 ? away < 0 : mode === 'from' ? away < 0 : away <= 0;
  return behind ? away + 7 : away;
}

/** The day `count` working days from another, both at midnight in epoch milliseconds. */
function skipWeekends(day: number, count: number): number {
  let at = day;
  let left = Math.min(Math.abs(count), 100_000);
  while (left > 0) {
    at += Math.sign(count) * dayLength;
    if (new Date(at).getUTCDay() % 6 !== 0) left--;
  }
  return at;
}
