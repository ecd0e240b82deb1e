import ICAL from 'ical.js';
import type { Problem } from '../error.ts';
import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { wallOf } from '../time/time.ts';
import type { Component } from './components.ts';
import { jcalOf, type Property, parameterOf, propertyText } from './properties.ts';
import { icalInstant } from './vtimezone.ts';
import { zoneNamed } from './windows-zones.ts';

/** The clock that dates of a file are told on: a zone that we know, or one that only the file knows. */
export interface Clock {
  /** The zone's name; undefined for a zone of the file's own. */
  zone?: string;
  instantOf(wall: DateTime): number;
  wallOf(instant: number): DateTime;
}

/** A date or a date and time as a file has it. */
export interface Moment {
  clock: Clock;
  wall: DateTime;
  instant: number;
  /** Without a time: a whole day. */
  isDay: boolean;
  /** Whether it was given in UTC. */
  isUtc: boolean;
}

/** The clock of a zone that we know. */
export const zoneClock = (zone: string): Clock => ({
  zone,
  instantOf: (wall) => icalInstant(wall, zone),
  wallOf: (instant) => wallOf(instant, zone),
});

const greenwich = zoneClock('UTC');

/** The clock of a VTIMEZONE: the zone that its name or its X-LIC-LOCATION means, else the clock that it describes. */
export function clockDescribed(component: Component): [tzid: string, clock: Clock] {
  const jcal = jcalOf(component);
  const found = (jcal[1] as unknown[][]).map(
    ([name, parameters, type, ...values]) => ({ name, parameters, type, values, raw: '', line: 0 }) as Property,
  );
  const tzid = propertyText(found, 'tzid');
  const zone = zoneNamed(propertyText(found, 'x-lic-location')) ?? zoneNamed(tzid);
  if (zone) return [tzid, zoneClock(zone)];
  const timezone = new ICAL.Timezone(new ICAL.Component(jcal as never));
  const timeOf = (wall: DateTime, at: unknown) => ICAL.Time.fromData(partsOf(wall), at as never);
  return [
    tzid,
    {
      instantOf: (wall) => timeOf(wall, timezone).toUnixTime() * 1000,
      wallOf: (instant) =>
        timeOf(utcOf(instant), ICAL.Timezone.utcTimezone).convertToZone(timezone).toString().slice(0, 19).replace('T', ' '),
    },
  ];
}

function partsOf(wall: DateTime) {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = wall.match(/\d+/g)!.map(Number);
  return { year, month, day, hour, minute, second, isDate: false };
}

/** The moment that a value of a property is; a floating one is told on the clock of `floating`. Undefined, and a problem, when it is none. */
export function momentOf(
  property: Property,
  value: unknown,
  clocks: Map<string, Clock>,
  floating: Clock,
  problems: Problem[],
): Moment | undefined {
  const [, day, time, mark] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z?))?$/.exec(String(value)) ?? [];
  const wall = `${day} ${(time ?? '00:00:00').replace(/:60$/, ':59')}`;
  const fault = (reason: string) => {
    problems.push({ at: `line ${property.line}`, reason: `${property.name.toUpperCase()} ${reason}` });
    return undefined;
  };
  if (!day || utcOf(instantOf(wall)) !== wall) return fault(`is not a date: ${JSON.stringify(property.raw)}`);
  const tzid = parameterOf(property, 'tzid');
  const named = tzid === '' ? undefined : clockNamed(tzid, clocks);
  if (tzid !== '' && !named && !mark)
    return fault(`names a time zone that is not known and not described in the file: ${JSON.stringify(tzid)}`);
  const clock = mark ? greenwich : time ? (named ?? floating) : (named ?? floating);
  return { clock, wall, instant: clock.instantOf(wall), isDay: !time, isUtc: mark === 'Z' };
}

function clockNamed(tzid: string, clocks: Map<string, Clock>): Clock | undefined {
  const known = clocks.get(tzid);
  if (known) return known;
  const zone = zoneNamed(tzid);
  if (zone) clocks.set(tzid, zoneClock(zone));
  return clocks.get(tzid);
}
