import { addDays, calendarDay, type DateTime, epochOf, instantOf, utcOf } from './datetime.ts';
import { dayOf } from './days.ts';
import { instantIn, offsetAt, offsetMark, plainOffset, utcZone, zoneOf } from './zone.ts';

/** Converts a wall time in a zone to UTC. An unknown zone is UTC. See `instantIn` for skipped and repeated times. */
export function toUtc(wall: DateTime, zone: string): DateTime {
  return utcOf(instantIn(zoneOf(zone) ?? utcZone, instantOf(wall)));
}

/** Converts a UTC time to wall time in a zone. An unknown zone is UTC. */
export function fromUtc(utc: DateTime, zone: string): DateTime {
  return wallOf(instantOf(utc), zone);
}

/** The wall time in a zone of epoch milliseconds. An unknown zone is UTC. */
export function wallOf(instant: number, zone: string): DateTime {
  return utcOf(instant + offsetAt(zoneOf(zone) ?? utcZone, instant) * 1000);
}

/** The UTC time of a wall time in a manual zone such as `UTC-5` without daylight time, as the form of a site stores it, while its API adds daylight time; undefined in other zones. */
export function plainUtc(wall: DateTime, zone: string): DateTime | undefined {
  const offset = plainOffset(zone);
  return offset === undefined ? undefined : utcOf(instantOf(wall) - offset * 1000);
}

/** Formats a wall time in ISO 8601 with its offset: '2027-03-01T09:00:00-05:00'. `utc` is the stored time in UTC, which tells a plain offset from one with daylight time. */
export function isoDate(wall: DateTime, zone: string, utc?: DateTime): string {
  const plain = utc !== undefined && utc === plainUtc(wall, zone) ? plainOffset(zone) : undefined;
  return wall.replace(' ', 'T') + offsetMark(plain ?? offsetAt(zoneOf(zone) ?? utcZone, instantOf(toUtc(wall, zone))), ':');
}

const form =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?\s?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i;

/**
 * The epoch milliseconds of an instant in ISO 8601, of the years 1 to 9999. One without an offset is in the given time zone, and a day without a time is its midnight. Returns
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

/** True if an instant is in the years 1 to 9999 in UTC, which dates with four digits can express. */
export const isDated = (instant: number): boolean => instant >= first && instant <= last;
const first = epochOf(1, 1, 1);
const last = epochOf(10_000, 1, 1) - 1;

const hourMs = 3_600_000;

/**
 * The last day, 'YYYY-MM-DD', under which calendars list an event. An event that ends at midnight ends on the previous day, and one
 * of less than 24 hours that ends before 06:00 stays on its evening.
 */
export function lastListedDay(from: DateTime, to: DateTime): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (last <= first) return first;
  const isShort = instantOf(to) - instantOf(from) < 24 * hourMs;
  const previous = dayOf(addDays(to, -1));
  return to.endsWith(' 00:00:00') || (isShort && to.slice(11) < '06:00:00') ? previous : last;
}
