import { type DateTime, instantOf, utcOf } from './datetime.ts';
import { instantIn, offsetAt, offsetMark, utcZone, zoneOf } from './zone.ts';

/** Converts a wall time in a zone to UTC. An unknown zone is UTC. See `instantIn` for skipped and repeated times. */
export function toUtc(wall: DateTime, zone: string): DateTime {
  return utcOf(instantIn(zoneOf(zone) ?? utcZone, instantOf(wall)));
}

/** Converts a UTC time to wall time in a zone. An unknown zone is UTC. */
export function fromUtc(utc: DateTime, zone: string): DateTime {
  return wallOf(instantOf(utc), zone);
}

/** Returns the wall time in a zone of epoch milliseconds. An unknown zone is UTC. */
export function wallOf(instant: number, zone: string): DateTime {
  return utcOf(instant + offsetAt(zoneOf(zone) ?? utcZone, instant) * 1000);
}

/** Formats the UTC offset of a zone at a UTC time: '-05:00'. */
function offsetText(zone: string, utc: DateTime): string {
  return offsetMark(offsetAt(zoneOf(zone) ?? utcZone, instantOf(utc)), ':');
}

/** Formats a wall time in ISO 8601 with its offset: '2027-03-01T09:00:00-05:00'. */
export function isoDate(wall: DateTime, zone: string): string {
  return wall.replace(' ', 'T') + offsetText(zone, toUtc(wall, zone));
}
