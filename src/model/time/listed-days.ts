import { addDays, type DateTime, instantOf } from './datetime.ts';

const dayOf = (wall: DateTime): string => wall.slice(0, 10);
const hourMs = 3_600_000;

/**
 * Returns the last day, 'YYYY-MM-DD', under which calendars list an event. An event that ends at midnight ends on the previous day, and one
 * of less than 24 hours that ends before 06:00 stays on its evening.
 */
export function lastListedDay(from: DateTime, to: DateTime): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (last <= first) return first;
  const isShort = instantOf(to) - instantOf(from) < 24 * hourMs;
  const previous = dayOf(addDays(to, -1));
  return to.endsWith(' 00:00:00') || (isShort && to.slice(11) < '06:00:00') ? previous : last;
}
