import type { Problem } from '../error.ts';
import { addDays, type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { readDuration } from '../time/duration.ts';
import type { WallMoment } from '../time/span.ts';
import { wallOf } from '../time/time.ts';
import type { Component } from './components.ts';
import { type Clock, describedClock } from './described-clock.ts';
import { type Property, parameterOf, propertiesOf, propertyText } from './properties.ts';
import { Steps } from './rule.ts';
import { icalInstant } from './vtimezone.ts';
import { zoneNamed } from './windows-zones.ts';

/** A date or a date and time as a file has it. */
export interface Moment extends WallMoment {
  clock: Clock;
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
/** How many steps the clocks that one file describes may take to make. */
const mostSteps = 1_000_000;

/** The clocks that the TZIDs of one file name. */
export class Clocks {
  readonly #known = new Map<string, Clock | undefined>();
  readonly #described = new Map<string, Component>();
  readonly #steps = new Steps(mostSteps);

  /** Takes in a VTIMEZONE. */
  add(component: Component): void {
    this.#described.set(propertyText(propertiesOf(component, []), 'tzid'), component);
  }

  /** The clock of the zone that a TZID means by itself or by the X-LIC-LOCATION of its VTIMEZONE, else the clock that this describes. Fails on one that cannot be read. */
  named(tzid: string): Clock | undefined {
    if (!this.#known.has(tzid)) this.#known.set(tzid, this.#clockOf(tzid));
    return this.#known.get(tzid);
  }

  #clockOf(tzid: string): Clock | undefined {
    const component = this.#described.get(tzid.trim());
    const location = component && propertyText(propertiesOf(component, []), 'x-lic-location');
    const zone = (location && zoneNamed(location)) || zoneNamed(tzid);
    return zone ? zoneClock(zone) : component && describedClock(component, this.#steps);
  }
}

/** The moment that a value of a property is; a floating one is told on the clock of `floating`. Undefined, and a problem, when it is none. */
export function momentOf(property: Property, value: unknown, clocks: Clocks, floating: Clock, problems: Problem[]): Moment | undefined {
  // The parser takes a day whose type is not said for a time that has no parts.
  const [, day, time, mark] = /^(\d{4}-\d\d-\d\d)(?:T(?:::|(\d\d:\d\d:(?:\d\d)?)(Z?)))?$/.exec(String(value)) ?? [];
  const wall = `${day} ${(time ?? '00:00:00').replace(/:$/, ':00').replace(/:60$/, ':59')}`;
  const fault = (reason: string) => {
    problems.push({ at: `line ${property.line}`, reason: `${property.name.toUpperCase()} ${reason}` });
    return undefined;
  };
  if (!day || utcOf(instantOf(wall)) !== wall) return fault(`is not a date: ${JSON.stringify(property.raw.slice(0, 60))}`);
  const tzid = parameterOf(property, 'tzid');
  if (mark || tzid === '') return moment(mark ? greenwich : floating, wall, !time, mark === 'Z');
  try {
    const clock = clocks.named(tzid);
    if (clock) return moment(clock, wall, !time, false);
  } catch (error) {
    return fault(`is in a time zone that the file describes wrongly: ${JSON.stringify(tzid)} ${(error as Error).message}`);
  }
  return fault(`names a time zone that is not known and not described in the file: ${JSON.stringify(tzid)}`);
}

const moment = (clock: Clock, wall: DateTime, isDay: boolean, isUtc: boolean): Moment => ({
  clock,
  wall,
  instant: clock.instantOf(wall),
  isDay,
  isUtc,
});

/** Wall time and instant so much later; days count on the calendar, the rest as time that passes (RFC 5545, 3.3.6). Undefined for what is no duration. */
export function later(start: Moment, duration: string): WallMoment | undefined {
  const read = readDuration(duration);
  if (!read || read.months || !(Math.abs(read.days) < 1e6) || !(Math.abs(read.seconds) < 1e11)) return undefined;
  const wall = addDays(start.wall, read.days);
  const rest = read.seconds * 1000;
  if (start.isDay) return { wall: utcOf(instantOf(wall) + rest), instant: start.clock.instantOf(wall) + rest };
  const instant = start.clock.instantOf(wall) + rest;
  return { wall: start.clock.wallOf(instant), instant };
}
