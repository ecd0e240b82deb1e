import { Failure } from '../../model/error.ts';

const slashes = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?(?![\d/])/;
const months = 'January February March April May June July August September October November December'.split(' ');

/** Throws `bad-request` for a date with slashes that is one day in America and another elsewhere, such as 05/06/2027. */
export function checkSlashDate(name: string, text: unknown): void {
  const [, first, second, year = ''] = typeof text === 'string' ? (slashes.exec(text) ?? []) : [];
  const [one, other] = [Number(first), Number(second)];
  if (!(one >= 1 && one <= 12 && other >= 1 && other <= 12) || one === other) return;
  const full = year.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year;
  const formatDay = (month: number, day: number) => `${months[month - 1]} ${day}${full && `, ${full}`}`;
  const iso = (month: number, day: number) =>
    full ? `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` : `"${formatDay(month, day)}"`;
  throw new Failure(
    'bad-request',
    `Ambiguous ${name} ${JSON.stringify(text)}: ${formatDay(one, other)} or ${formatDay(other, one)}`,
    {},
    `Write ${iso(one, other)} or ${iso(other, one)}.`,
  );
}
