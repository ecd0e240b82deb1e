import { type DateTime, instantOf, utcOf } from './datetime.ts';
import { instantIn, offsetAt, offsetMark, utcZone, zoneOf } from './zone.ts';

/** The UTC time of a wall time in a zone; an unknown zone counts as UTC. See `instantIn` for wall times that a zone skips or repeats. */
export function toUtc(wall: DateTime, zone: string): DateTime {
  return utcOf(instantIn(zoneOf(zone) ?? utcZone, instantOf(wall)));
}

/** The wall time in a zone of a UTC time; an unknown zone counts as UTC. */
export function fromUtc(utc: DateTime, zone: string): DateTime {
  return wallOf(instantOf(utc), zone);
}

/** The wall time in a zone of epoch milliseconds; an unknown zone counts as UTC. */
export function wallOf(instant: number, zone: string): DateTime {
  return utcOf(instant + offsetAt(zoneOf(zone) ?? utcZone, instant) * 1000);
}

/** How far a zone is from Greenwich at a UTC time, as '-05:00'; an unknown zone counts as UTC. */
function offsetText(zone: string, utc: DateTime): string {
  return offsetMark(offsetAt(zoneOf(zone) ?? utcZone, instantOf(utc)), ':');
}

/** A wall time in a zone in the form of ISO 8601: '2027-03-01T09:00:00-05:00'. */
export function isoDate(wall: DateTime, zone: string): string {
  return wall.replace(' ', 'T') + offsetText(zone, toUtc(wall, zone));
}
