import { calendarDay, epochOf } from './datetime.ts';
import { instantIn, utcZone, zoneOf } from './zone.ts';

const form =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?\s?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i;

/**
 * Returns the epoch milliseconds of an instant in ISO 8601, of the years 1 to 9999. One without an offset is in the given time zone, and a day without a time is its midnight. Returns
 * undefined for any other text, also for a day that does not exist.
 */
export function readInstant(text: string, zone = 'UTC'): number | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const days = epochOf(year, month, day);
  if (calendarDay(days).day !== day || calendarDay(days).month !== month) return undefined;
  const [fraction = '', sign, hours = '0', minutes = '0'] = match.slice(7);
  const wall = epochOf(year, month, day, hour, minute, second);
  const ahead = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
  const isLocal = sign === undefined && !/z$/i.test(text.trim());
  const instant = (isLocal ? instantIn(zoneOf(zone) ?? utcZone, wall) : wall - ahead) + Number(fraction.padEnd(3, '0').slice(0, 3));
  return isDated(instant) ? instant : undefined;
}

/** Returns whether an instant is in the years 1 to 9999 in UTC, which dates with four digits can express. */
export const isDated = (instant: number): boolean => instant >= first && instant <= last;
const first = epochOf(1, 1, 1);
const last = epochOf(10_000, 1, 1) - 1;
