import { epochOf } from './wall.ts';

/** What a date text has said so far; a field that it leaves open is undefined. */
export type Reading = {
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

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const ordinals = 'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The number in a part, 0 when the part is missing. */
export const number = (text: string | undefined) => Number(text ?? 0);

/** The month, from 1, of an English or Roman name. */
export function monthOf(text: string): number {
  const name = text.toLowerCase();
  return /^[ivx]+$/.test(name) ? romans.indexOf(name) + 1 : monthNames.indexOf(name.slice(0, 3)) + 1;
}

/** The year of up to four digits; one or two of them mean 1970 to 2069. */
export function yearOf(text: string): number {
  const year = Number(text);
  return text.length >= 4 || year >= 100 ? year : year + (year < 70 ? 2000 : 1900);
}

/** Takes a date, of which an undefined part is left open; a second one fails. */
export function setDate(reading: Reading, year: number | undefined, month: number | undefined, day: number | undefined) {
  if (reading.hasDate) reading.failed = true;
  reading.hasDate = true;
  reading.year = year ?? reading.year;
  reading.month = month ?? reading.month;
  reading.day = day ?? reading.day;
}

/** Takes a time of day; a second one fails. */
export function setTime(reading: Reading, hour: number, minute = 0, second = 0) {
  if (reading.hasTime) reading.failed = true;
  Object.assign(reading, { hasTime: true, hour, minute, second });
}

/** Forgets the time of day: midnight, until a time follows. */
export function clearTime(reading: Reading) {
  Object.assign(reading, { hasTime: false, hour: 0, minute: 0, second: 0 });
}

/** Takes a zone; a second one is passed over, a third fails. */
export function setZone(reading: Reading, zone: string) {
  reading.zones++;
  if (reading.zones > 2) reading.failed = true;
  if (reading.zones === 1) reading.zone = zone;
}

/** The hour of a 12 hour clock, whose half is 'a' or 'p'; without a half the hour as it is. */
export function halfDay(hour: string, half: string | undefined): number {
  if (!half) return Number(hour);
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** The number of 'first', 'next', 'last' and the like. */
export function countOf(word: string): number {
  const text = word.toLowerCase();
  if (text === 'next') return 1;
  return text === 'last' || text === 'previous' ? -1 : ordinals.indexOf(text);
}

/** Adds `count` of a unit; weekdays said in words ('next monday', not '+1 monday') forget the time. Below a second nothing is kept. */
export function add(reading: Reading, count: number, unit: string, mode: 'after' | 'from', words: boolean) {
  const name = unit.toLowerCase();
  const add = reading.add;
  if (/^weekdays?$/.test(name)) {
    if (words) clearTime(reading);
    reading.weekdays = count;
  } else if (/^(ms|milli|micro|µs|usec)/.test(name)) return;
  else if (name.startsWith('sec')) add.second += count;
  else if (name.startsWith('min')) add.minute += count;
  else if (name.startsWith('hour')) add.hour += count;
  else if (name.startsWith('day')) add.day += count;
  else if (name.startsWith('week')) add.day += count * 7;
  else if (name.startsWith('fort')) add.day += count * 14;
  else if (name.startsWith('month')) add.month += count;
  else if (name.startsWith('year')) add.year += count;
  else {
    if (words) clearTime(reading);
    add.day += (count > 0 ? count - 1 : count) * 7;
    reading.weekday = { day: dayNames.indexOf(name.slice(0, 3)), mode };
  }
}

/** Takes 'next week', which with no weekday means its Monday. */
export function addWeeks(reading: Reading, word: string) {
  reading.add.day += countOf(word) * 7;
  reading.weekday = { day: reading.weekday?.day ?? 1, mode: 'week' };
}

/** Takes a weekday, today included; PHP takes a bare 'weekday' for Monday. */
export function setWeekday(reading: Reading, name: string) {
  clearTime(reading);
  const day = /^weekday/i.test(name) ? 1 : dayNames.indexOf(name.slice(0, 3).toLowerCase());
  reading.weekday = { day, mode: reading.weekday?.mode === 'week' ? 'week' : 'from' };
}

/** Takes 'first monday of'. */
export function setWeekdayOf(reading: Reading, word: string, name: string) {
  const count = countOf(word);
  clearTime(reading);
  add(reading, count, name, count > 0 || /this/i.test(word) ? 'from' : 'after', true);
  reading.inMonth = count > 0 ? 'counted' : 'last';
}

/** Takes seconds since 1970; fractions are cut off downwards. */
export function setStamp(reading: Reading, seconds: string) {
  Object.assign(reading, { hasDate: false, year: 1970, month: 1, day: 1 });
  clearTime(reading);
  reading.add.second += Math.floor(Number(seconds));
  setZone(reading, 'UTC');
}

/** Takes a day of an ISO week. */
export function setWeek(reading: Reading, year: string, week: string, day = '1') {
  setDate(reading, Number(year), 1, 1);
  const first = new Date(epochOf(Number(year), 1, 1)).getUTCDay();
  reading.add.day += (first > 4 ? 7 - first : -first) + (Number(week) - 1) * 7 + Number(day);
}

/** Takes four digits: a time, or the year when there is a time already. */
export function setDigits(reading: Reading, text: string) {
  if (reading.hasTime) {
    reading.year = Number(text);
    return;
  }
  setTime(reading, Number(text.slice(0, 2)), Number(text.slice(2)));
}

/** Takes 'ago'. */
export function turnBack(reading: Reading) {
  for (const unit of Object.keys(reading.add) as (keyof Reading['add'])[]) reading.add[unit] = -reading.add[unit];
  if (reading.weekday) reading.weekday.day = reading.weekday.day === 0 ? -7 : -reading.weekday.day;
  if (reading.weekdays !== undefined) reading.weekdays = -reading.weekdays;
}

/** Takes a date with its time. */
export function setFull(reading: Reading, year: string, month: string, day: string, hour: string, minute: string, second: string) {
  setTime(reading, number(hour), number(minute), number(second));
  setDate(reading, Number(year), Number(month), Number(day));
}

/** Takes 'back of 7pm', a quarter past, or 'front of 7pm', a quarter to. */
export function setAround(reading: Reading, side: string, hour: number) {
  clearTime(reading);
  const back = side.toLowerCase() === 'back';
  setTime(reading, back ? hour : hour - 1, back ? 15 : 45);
}

/** Takes the date of a web server log. */
export function readLog(reading: Reading, ...[day, month, year, hour, minute, second, zone]: string[]) {
  setTime(reading, number(hour), number(minute), number(second));
  setDate(reading, number(year), monthOf(month ?? ''), number(day));
  setZone(reading, zone ?? '');
}
