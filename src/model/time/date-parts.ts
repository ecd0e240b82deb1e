import { epochOf } from './datetime.ts';

/** The state of parsing a date. Fields that are not set are undefined. */
export type ParsedDate = {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  hasDate: boolean;
  hasTime: boolean;
  zone?: string;
  zones: number;
  add: { year: number; month: number; day: number; hour: number; minute: number; second: number };
  weekday?: { day: number; mode: 'after' | 'from' | 'week' };
  inMonth?: 'counted' | 'last';
  edge?: 'first' | 'last';
  weekdays?: number;
  failed: boolean;
};

export const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
export const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const ordinals = 'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Parses the number in a part; 0 if it is missing. */
export const numberOf = (text: string | undefined) => Number(text ?? 0);

/** The number of a month, from 1, by its English name or Roman numeral. */
export function monthNumber(text: string): number {
  const name = text.toLowerCase();
  return /^[ivx]+$/.test(name) ? romans.indexOf(name) + 1 : monthNames.indexOf(name.slice(0, 3)) + 1;
}

/** Parses a year. One or two digits mean 1970 to 2069. */
export function yearOf(text: string): number {
  const year = Number(text);
  return text.length >= 4 || year >= 100 ? year : year + (year < 70 ? 2000 : 1900);
}

/** Sets the date; an undefined part stays open. A second date fails. */
export function setDate(parsed: ParsedDate, year: number | undefined, month: number | undefined, day: number | undefined) {
  if (parsed.hasDate) parsed.failed = true;
  parsed.hasDate = true;
  parsed.year = year ?? parsed.year;
  parsed.month = month ?? parsed.month;
  parsed.day = day ?? parsed.day;
}

/** Sets the time of day. A second one fails. */
export function setTime(parsed: ParsedDate, hour: number, minute = 0, second = 0) {
  if (parsed.hasTime) parsed.failed = true;
  Object.assign(parsed, { hasTime: true, hour, minute, second });
}

/** Sets the time to midnight, until a time follows. */
export function clearTime(parsed: ParsedDate) {
  Object.assign(parsed, { hasTime: false, hour: 0, minute: 0, second: 0 });
}

/** Sets the zone. A second one is ignored, a third fails. */
export function setZone(parsed: ParsedDate, zone: string) {
  parsed.zones++;
  if (parsed.zones > 2) parsed.failed = true;
  if (parsed.zones === 1) parsed.zone = zone;
}

/** The hour of the day for an hour with 'a' (AM), 'p' (PM) or neither. */
export function halfDay(hour: string, half: string | undefined): number {
  if (!half) return Number(hour);
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** The number for words such as 'first', 'next' and 'last'. */
export function numberIn(word: string): number {
  const text = word.toLowerCase();
  if (text === 'next') return 1;
  return text === 'last' || text === 'previous' ? -1 : ordinals.indexOf(text);
}

/** Adds `count` of a unit. Weekdays counted in words ('next monday', not '+1 monday') reset the time; units below a second are ignored. */
export function add(parsed: ParsedDate, count: number, unit: string, mode: 'after' | 'from', words: boolean) {
  const name = unit.toLowerCase();
  const add = parsed.add;
  if (/^weekdays?$/.test(name)) {
    if (words) clearTime(parsed);
    parsed.weekdays = count;
  } else if (/^(ms|milli|micro|\u00b5s|usec)/.test(name)) return;
  else if (name.startsWith('sec')) add.second += count;
  else if (name.startsWith('min')) add.minute += count;
  else if (name.startsWith('hour')) add.hour += count;
  else if (name.startsWith('day')) add.day += count;
  else if (name.startsWith('week')) add.day += count * 7;
  else if (name.startsWith('fort')) add.day += count * 14;
  else if (name.startsWith('month')) add.month += count;
  else if (name.startsWith('year')) add.year += count;
  else {
    if (words) clearTime(parsed);
    add.day += (count > 0 ? count - 1 : count) * 7;
    parsed.weekday = { day: weekdayNames.indexOf(name.slice(0, 3)), mode };
  }
}

/** Reads 'next week', which without a weekday means its Monday. */
export function addWeeks(parsed: ParsedDate, word: string) {
  parsed.add.day += numberIn(word) * 7;
  parsed.weekday = { day: parsed.weekday?.day ?? 1, mode: 'week' };
}

/** Reads a weekday, today included; a bare 'weekday' is Monday, as in PHP. */
export function setWeekday(parsed: ParsedDate, name: string) {
  clearTime(parsed);
  const day = /^weekday/i.test(name) ? 1 : weekdayNames.indexOf(name.slice(0, 3).toLowerCase());
  parsed.weekday = { day, mode: parsed.weekday?.mode === 'week' ? 'week' : 'from' };
}

/** Reads 'first monday of'. */
export function setWeekdayOf(parsed: ParsedDate, word: string, name: string) {
  const count = numberIn(word);
  clearTime(parsed);
  add(parsed, count, name, count > 0 || /this/i.test(word) ? 'from' : 'after', true);
  parsed.inMonth = count > 0 ? 'counted' : 'last';
}

/** Reads a Unix timestamp, rounded down to seconds. */
export function setStamp(parsed: ParsedDate, seconds: string) {
  Object.assign(parsed, { hasDate: false, year: 1970, month: 1, day: 1 });
  clearTime(parsed);
  parsed.add.second += Math.floor(Number(seconds));
  setZone(parsed, 'UTC');
}

/** Reads a day of an ISO week. */
export function setWeek(parsed: ParsedDate, year: string, week: string, day = '1') {
  setDate(parsed, Number(year), 1, 1);
  const first = new Date(epochOf(Number(year), 1, 1)).getUTCDay();
  parsed.add.day = (first > 4 ? 7 - first : -first) + (Number(week) - 1) * 7 + Number(day);
}

/** Reads four digits: a time, or the year when there is a time already. */
export function setDigits(parsed: ParsedDate, text: string) {
  if (parsed.hasTime) {
    parsed.year = Number(text);
    return;
  }
  setTime(parsed, Number(text.slice(0, 2)), Number(text.slice(2)));
}

/** Reads 'ago': negates everything added so far. */
export function negate(parsed: ParsedDate) {
  for (const unit of Object.keys(parsed.add) as (keyof ParsedDate['add'])[]) parsed.add[unit] = -parsed.add[unit];
  if (parsed.weekday) parsed.weekday.day = parsed.weekday.day === 0 ? -7 : -parsed.weekday.day;
  if (parsed.weekdays !== undefined) parsed.weekdays = -parsed.weekdays;
}

/** Reads a date with its time. */
export function setFull(parsed: ParsedDate, year: string, month: string, day: string, hour: string, minute: string, second: string) {
  setTime(parsed, numberOf(hour), numberOf(minute), numberOf(second));
  setDate(parsed, Number(year), Number(month), Number(day));
}

/** Reads 'back of 7pm', a quarter past, or 'front of 7pm', a quarter to. */
export function setAround(parsed: ParsedDate, side: string, hour: number) {
  clearTime(parsed);
  const back = side.toLowerCase() === 'back';
  setTime(parsed, back ? hour : hour - 1, back ? 15 : 45);
}

/** Reads the date of a web server's log. */
export function readLogDate(parsed: ParsedDate, ...[day, month, year, hour, minute, second, zone]: string[]) {
  setTime(parsed, numberOf(hour), numberOf(minute), numberOf(second));
  setDate(parsed, numberOf(year), monthNumber(month ?? ''), numberOf(day));
  setZone(parsed, zone ?? '');
}
