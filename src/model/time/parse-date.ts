import { datePatterns } from './date-grammar.ts';
import type { ParsedDate } from './date-parts.ts';
import { calendarDay, type DateTime, epochIn, epochOf, instantOf, modulo, utcOf } from './datetime.ts';
import { moved } from './move.ts';
import { instantIn, offsetAt, type Zone, zoneOf } from './zone.ts';

const dayLength = 86_400_000;
const plainNumber = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * Parses a date like PHP's `strtotime`, relative to `now` (epoch milliseconds) in `zone`. An integer is a Unix timestamp (`events.create.timezone.with-timestamp`). Returns
 * the wall time in the zone of the text (UTC for a timestamp), else in `zone`; the instant in epoch milliseconds; and whether the text contains a zone. Returns
 * undefined for an invalid text.
 */
export function readDate(text: string, now: number, zone: string): { wall: DateTime; instant: number; ownZone: boolean } | undefined {
  const read = readInstant(text, now, zone);
  return read && { wall: utcOf(read.instant + offsetAt(read.place, read.instant) * 1000), instant: read.instant, ownZone: read.ownZone };
}

/** Like {@link readDate}, but returns the zone instead of the wall time. */
export function readInstant(text: string, now: number, zone: string): { instant: number; place: Zone; ownZone: boolean } | undefined {
  if (text.length > 200) return undefined;
  const wall = plainWall(text);
  if (wall !== undefined) {
    const place = zoneOf(zone);
    return place && { instant: instantIn(place, wall), place, ownZone: false };
  }
  const whole = plainNumber.test(text) && Number.isInteger(Number(text));
  const parsed = parse(whole ? `@${Number(text)}` : text.trim());
  if (!parsed) return undefined;
  const [place, here] = [zoneOf(parsed.zone ?? zone), zoneOf(zone)];
  if (!place || !here) return undefined;
  const instant = resolve(parsed, now + offsetAt(here, now) * 1000, place);
  if (!Number.isFinite(instant)) return undefined;
  return { instant, place, ownZone: parsed.zone !== undefined };
}

/** Returns whether a text means the same wall time in every zone and at any time, as `2027-03-01 10:00` does and `friday` doesn't. */
export function isFixed(text: string): boolean {
  // Offsets need no formatter of node, the first of which takes 10 ms.
  const [west, east] = [readDate(text, 0, '-10:00'), readDate(text, Date.UTC(2000, 6, 4, 5, 6, 7), '+09:00')];
  return west !== undefined && !west.ownZone && west.wall === east?.wall;
}

/** Returns whether a text is a day without a time, not even `now` or `midnight`. */
export function isDay(text: string): boolean {
  const parsed = /midnight/i.test(text) ? undefined : parse(text.trim());
  if (!parsed || parsed.hasTime || parsed.add.hour || parsed.add.minute || parsed.add.second) return false;
  return parsed.hasDate || parsed.hour === 0;
}

/** Returns the day in a text if it doesn't exist, such as `2027-02-30`, which {@link readDate} carries over into March. */
export function impossibleDay(text: string, now: number): string | undefined {
  const parsed = text.length > 200 ? undefined : parse(text.trim());
  if (!parsed?.hasDate || parsed.month === undefined || parsed.day === undefined) return undefined;
  const { year = calendarDay(now).year, month, day } = parsed;
  // Days of the year count from January 1; without a date, all parts are 0.
  if (day > 31 || (year === 0 && month === 0 && day === 0)) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  return month > 0 && day > 0 && day <= new Date(epochOf(year, month + 1, 0)).getUTCDate()
    ? undefined
    : `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/**
 * Returns a wall time moved by a text that consists only of signed steps, such as `+1 week` or `-2 days +3 hours`: days and longer in wall time, hours and shorter in
 * elapsed time. A day that doesn't exist becomes the last of its month. Returns undefined for other text.
 */
export function stepped(text: string, wall: DateTime, zone: string): DateTime | undefined {
  const parsed = /^\s*[+-]/.test(text) && text.length <= 200 ? parse(text.trim()) : undefined;
  if (!parsed) return undefined;
  const { add, weekdays, hasDate, hasTime, hour, weekday, inMonth, edge, zone: own } = parsed;
  if (hasDate || hasTime || [hour, weekday, inMonth, edge, own].some((part) => part !== undefined)) return undefined;
  const start = weekdays ? utcOf(skipWeekends(instantOf(wall), weekdays)) : wall;
  const by = { months: add.year * 12 + add.month, days: add.day, seconds: add.hour * 3600 + add.minute * 60 + add.second };
  return moved(start, by, zone);
}

/** The format of dates in responses, with optional time and seconds. Most dates have it. */
const plainForm = /^(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01])(?:[ T]([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?)?$/;

/** Returns a plain date with a time as if it were in UTC, in epoch milliseconds; undefined for other text. */
function plainWall(text: string): number | undefined {
  return text.length > 10 && plainForm.test(text) ? epochIn(text) : undefined;
}

/** Parses a text. Plain dates skip the grammar, which is 20 times slower. */
function parse(text: string): ParsedDate | undefined {
  const add = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  const plain = plainForm.exec(text);
  if (!plain) return scan(text, add);
  const [year, month, day] = [Number(plain[1]), Number(plain[2]), Number(plain[3])];
  if (plain[4] === undefined) return { year, month, day, hasDate: true, hasTime: false, zones: 0, add, failed: false };
  const [hour, minute, second] = [Number(plain[4]), Number(plain[5]), Number(plain[6] ?? 0)];
  return { year, month, day, hour, minute, second, hasDate: true, hasTime: true, zones: 0, add, failed: false };
}

function scan(text: string, add: ParsedDate['add']): ParsedDate | undefined {
  const parsed: ParsedDate = { hasDate: false, hasTime: false, zones: 0, add, failed: text === '' };
  let at = 0;
  while (at < text.length && !parsed.failed) {
    const form = longest(text, at);
    if (!form) return undefined;
    form.read(parsed, ...form.parts);
    at += form.length;
  }
  return parsed.failed ? undefined : parsed;
}

function longest(text: string, at: number) {
  let best: { length: number; parts: string[]; read: (typeof datePatterns)[number][1] } | undefined;
  for (const [pattern, read] of datePatterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match && match[0].length > (best?.length ?? 0)) best = { length: match[0].length, parts: match.slice(1), read };
  }
  return best;
}

/**
 * Returns the instant of a parsed date. Missing parts come from the current local time, even if the text contains another zone. Weekdays are resolved before days, months
 * and years are added; hours are elapsed time.
 */
function resolve(parsed: ParsedDate, wallNow: number, zone: Zone): number {
  const today = calendarDay(wallNow);
  const clear = parsed.hasDate && !parsed.hasTime;
  const seconds = Math.floor(modulo(wallNow, dayLength) / 1000);
  const hour = clear ? 0 : (parsed.hour ?? Math.floor(seconds / 3600));
  const minute = clear ? 0 : (parsed.minute ?? Math.floor(seconds / 60) % 60);
  const second = clear ? 0 : (parsed.second ?? seconds % 60);
  const date = { year: parsed.year ?? today.year, month: parsed.month ?? today.month, day: parsed.day ?? today.day };
  const day = skipWeekends(dayOf(parsed, date), parsed.weekdays ?? 0);
  const wall = day + (hour * 3600 + minute * 60 + second) * 1000;
  return instantIn(zone, wall) + (parsed.add.hour * 3600 + parsed.add.minute * 60 + parsed.add.second) * 1000;
}

function dayOf(parsed: ParsedDate, date: { year: number; month: number; day: number }): number {
  const add = { ...parsed.add };
  let { year, month, day } = date;
  if (parsed.inMonth) {
    day = 1;
    month += add.month + (parsed.inMonth === 'last' ? 1 : 0);
    add.month = 0;
  }
  if (parsed.edge) {
    month += parsed.edge === 'last' ? 1 : 0;
    day = parsed.edge === 'last' ? 0 : 1;
  }
  if (parsed.weekday) day += daysToWeekday(parsed.weekday, add.day, new Date(epochOf(year, month, day)).getUTCDay());
  ({ year, month, day } = calendarDay(epochOf(year, month, day)));
  month += add.month;
  year += add.year;
  day += add.day;
  if (parsed.edge) {
    month += parsed.edge === 'last' ? 1 : 0;
    day = parsed.edge === 'last' ? 0 : 1;
  }
  return epochOf(year, month, day);
}

function daysToWeekday({ day, mode }: NonNullable<ParsedDate['weekday']>, days: number, today: number): number {
  if (mode === 'week') {
    const target = today === 0 && day !== 0 ? day - 7 : day === 0 && today !== 0 ? 7 : day;
    return target - today;
  }
  if (day < 0) return -(7 - (-day - today));
  const away = day - today;
  const behind = days < 0 ? away < 0 : mode === 'from' ? away < 0 : away <= 0;
  return behind ? away + 7 : away;
}

/** Adds workdays to a day, both at midnight in epoch milliseconds. */
function skipWeekends(day: number, count: number): number {
  let at = day;
  let remaining = Math.min(Math.abs(count), 100_000);
  while (remaining > 0) {
    at += Math.sign(count) * dayLength;
    if (new Date(at).getUTCDay() % 6 !== 0) remaining--;
  }
  return at;
}
