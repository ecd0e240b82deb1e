import { type DateTime, instantOf, utcOf } from './wall.ts';
import { instantIn, offsetAt, offsetMark, type Zone, zoneOf } from './zone.ts';

export { readDate, readInstant } from './date-text.ts';
export { addDays, addMonths, type DateDetails, type DateTime, dateDetails, endOfDay, instantOf, startOfDay, utcOf } from './wall.ts';
export { isZone, zoneAbbreviation, zoneAbbreviationAt } from './zone.ts';

const greenwich: Zone = { offset: 0, letters: 'UTC' };

/** The UTC time of a wall time in a zone; an unknown zone counts as UTC. See `instantIn` for wall times that a zone skips or repeats. */
export function toUtc(wall: DateTime, zone: string): DateTime {
  return utcOf(instantIn(zoneOf(zone) ?? greenwich, instantOf(wall)));
}

/** The wall time in a zone of a UTC time; an unknown zone counts as UTC. */
export function fromUtc(utc: DateTime, zone: string): DateTime {
  return wallOf(instantOf(utc), zone);
}

/** The wall time in a zone of epoch milliseconds; an unknown zone counts as UTC. */
export function wallOf(instant: number, zone: string): DateTime {
  return utcOf(instant + offsetAt(zoneOf(zone) ?? greenwich, instant) * 1000);
}

/** How far a zone is from Greenwich at a UTC time, as '-05:00'; an unknown zone counts as UTC. */
export function offsetText(zone: string, utc: DateTime): string {
  return offsetMark(offsetAt(zoneOf(zone) ?? greenwich, instantOf(utc)), ':');
}

/** A wall time in a zone in the form of ISO 8601: '2027-03-01T09:00:00-05:00'. */
export function isoDate(wall: DateTime, zone: string): string {
  return wall.replace(' ', 'T') + offsetText(zone, toUtc(wall, zone));
}
