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

/** A date, or a date and time, in a file. */
export interface Moment extends WallMoment {
  clock: Clock;
  /** True for a date without a time. */
  isDay: boolean;
  /** True if it is in UTC. */
  isUtc: boolean;
}

/** Returns the clock of a known time zone. */
export const zoneClock = (zone: string): Clock => ({
  zone,
  instantOf: (wall) => icalInstant(wall, zone),
  wallOf: (instant) => wallOf(instant, zone),
});

const utcClock = zoneClock('UTC');
/** Maximum number of steps to expand the VTIMEZONEs of a file. */
const maxSteps = 1_000_000;

/** The clocks of a file by TZID. */
export class Clocks {
  /** Clocks by TZID, or the error of an invalid VTIMEZONE. */
  readonly #clocks = new Map<string, Clock | Error | undefined>();
  readonly #components = new Map<string, Component>();
  readonly #steps = new Steps(maxSteps);
  /** The clock of unknown time zones, if one is given. */
  fallback?: Clock;
  /** TZIDs for which the fallback was used. */
  readonly replaced = new Set<string>();
  /** Lines of starts in the fallback clock. */
  readonly fallbackLines = new Set<number>();

  /** Adds a VTIMEZONE. */
  add(component: Component): void {
    this.#components.set(propertyText(propertiesOf(component, []), 'tzid'), component);
  }

  /** Returns the clock of the time zone in a TZID or in the X-LIC-LOCATION of its VTIMEZONE, else the clock that the VTIMEZONE describes. Throws for an invalid VTIMEZONE. */
  get(tzid: string): Clock | undefined {
    if (!this.#clocks.has(tzid)) this.#clocks.set(tzid, this.#read(tzid));
    const clock = this.#clocks.get(tzid);
    if (clock && !(clock instanceof Error)) return clock;
    if (!this.fallback) {
      if (clock) throw clock;
      return undefined;
    }
    this.replaced.add(tzid);
    return this.fallback;
  }

  #read(tzid: string): Clock | Error | undefined {
    try {
      return this.#clockOf(tzid);
    } catch (error) {
      return error as Error;
    }
  }

  #clockOf(tzid: string): Clock | undefined {
    const component = this.#components.get(tzid.trim());
    const location = component && propertyText(propertiesOf(component, []), 'x-lic-location');
    const zone = (location && zoneNamed(location)) || zoneNamed(tzid);
    return zone ? zoneClock(zone) : component && describedClock(component, this.#steps);
  }
}

/** Parses a value of a property. Times without a time zone use the clock `floating`. For an invalid value, adds a problem and returns undefined. */
export function momentOf(property: Property, value: unknown, clocks: Clocks, floating: Clock, problems: Problem[]): Moment | undefined {
  // The parser reads a date without VALUE=DATE as a time without parts.
  const [, day, time, mark] = /^(\d{4}-\d\d-\d\d)(?:T(?:::|(\d\d:\d\d:(?:\d\d)?)(Z?)))?$/.exec(String(value)) ?? [];
  const wall = `${day} ${(time ?? '00:00:00').replace(/:$/, ':00').replace(/:60$/, ':59')}`;
  const name = property.name.toUpperCase();
  const fault = (reason: string) => {
    problems.push({ at: `line ${property.line}`, reason });
    return undefined;
  };
  if (!day || utcOf(instantOf(wall)) !== wall) return fault(`invalid ${name} ${JSON.stringify(property.raw.slice(0, 60))}`);
  const tzid = parameterOf(property, 'tzid');
  const inFallback = (clock: Clock) => {
    if (clock === clocks.fallback && property.name === 'dtstart' && time) clocks.fallbackLines.add(property.line);
    return clock;
  };
  if (mark || tzid === '') return moment(mark ? utcClock : inFallback(floating), wall, !time, mark === 'Z');
  try {
    const clock = clocks.get(tzid);
    if (clock) return moment(inFallback(clock), wall, !time, false);
  } catch (error) {
    return fault(`${name} has the time zone ${JSON.stringify(tzid)}, whose VTIMEZONE ${(error as Error).message}`);
  }
  return fault(`${name} has the unknown time zone ${JSON.stringify(tzid)}. Pass --tz to read such times in another`);
}

const moment = (clock: Clock, wall: DateTime, isDay: boolean, isUtc: boolean): Moment => ({
  clock,
  wall,
  instant: clock.instantOf(wall),
  isDay,
  isUtc,
});

/** Adds a duration: days in calendar days, the rest in elapsed time (RFC 5545, 3.3.6). Returns undefined for an invalid duration. */
export function later(start: Moment, duration: string): WallMoment | undefined {
  const read = readDuration(duration);
  if (!read || read.months || !(Math.abs(read.days) < 1e6) || !(Math.abs(read.seconds) < 1e11)) return undefined;
  const wall = addDays(start.wall, read.days);
  const rest = read.seconds * 1000;
  if (start.isDay) return { wall: utcOf(instantOf(wall) + rest), instant: start.clock.instantOf(wall) + rest };
  const instant = start.clock.instantOf(wall) + rest;
  return { wall: start.clock.wallOf(instant), instant };
}
