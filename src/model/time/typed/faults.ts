import { weekdayNames } from '../date-parts.ts';
import { digitDateIn } from './digit-date.ts';
import { dayExists, nameOfWeekday, units, weekdayName } from './names.ts';

/** A reason to reject a typed date that `strtotime` accepts. */
interface TypedDateFault {
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
  return weekdayFault(text) ?? dotFault(text) ?? slashFault(text);
}

const wrongWeekday = new RegExp(`^(${weekdayNames.join('|')}) (\\d{4})(-\\d\\d-\\d\\d)(?= |$)`);
const formatWeekday = (date: string): string =>
  new Date(`${date}T00:00Z`).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });

/** The contradiction between a weekday and its date, with the nearest year in which they agree. */
export function weekdayFault(text: string): TypedDateFault | undefined {
  const [whole, weekday, year, monthAndDay] = wrongWeekday.exec(text) ?? [];
  const day = `${year}${monthAndDay}`;
  if (whole === undefined || !dayExists(day) || nameOfWeekday(day) === weekday) return undefined;
  const dates = Array.from({ length: 80 }, (_, at) => Number(year) + (at % 2 ? -1 : 1) * (Math.floor(at / 2) + 1)).map(
    (each) => `${each}${monthAndDay}`,
  );
  const right = dates.find((date) => dayExists(date) && nameOfWeekday(date) === weekday)!;
  const [month, number] = [months[Number(day.slice(5, 7)) - 1], Number(day.slice(8))];
  return {
    isAmbiguous: false,
    reason: `says ${formatWeekday(right)}, but ${month} ${number}, ${year} is a ${formatWeekday(day)}`,
    hint: `Write ${day}, or ${right}, which is a ${formatWeekday(right)}.`,
  };
}

const dottedPair = new RegExp(String.raw`^\s*(?:${weekdayName}\s+)?(\d{1,2})\.(\d\d)\s*$`, 'iu');

/** The readings of two numbers with a dot between them if both are possible. */
function dotFault(text: string): TypedDateFault | undefined {
  const [whole, , first = '', second = ''] = dottedPair.exec(text) ?? [];
  const date = whole === undefined ? undefined : digitDateIn(`${first}.${second}`);
  if (!date?.isTime) return undefined;
  const time = `${first.padStart(2, '0')}:${second}`;
  return {
    isAmbiguous: true,
    reason: `${months[Number(second) - 1]} ${Number(first)} or ${time}`,
    hint: `Write "${first}.${second}." or "${time}".`,
  };
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
