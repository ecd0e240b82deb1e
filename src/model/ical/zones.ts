import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import type { Problem } from '../error.ts';
import { addDays, type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { readDuration } from '../time/duration.ts';
import type { WallClock, WallMoment } from '../time/span.ts';
import { wallOf } from '../time/time.ts';
import { isZone, offsetAt, offsetOf, zoneOf } from '../time/zone.ts';
import type { Component } from './lines.ts';
import { type Property, parameterText, propertiesOf, propertyText } from './lines.ts';
import { ruleFrom, Steps, timesOf } from './rule.ts';
import { icalInstant, instantOn } from './vtimezone.ts';

/** A date, or a date and time, in a file. */
export interface Moment extends WallMoment {
  clock: Clock;
  /** True for a date without a time. */
  isDay: boolean;
  /** True if it is in UTC. */
  isUtc: boolean;
}

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

  /** The clock of the time zone in a TZID or in the X-LIC-LOCATION of its VTIMEZONE, else the clock that the VTIMEZONE describes. Throws for an invalid VTIMEZONE. */
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
  const tzid = parameterText(property, 'tzid');
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
export function plusDuration(start: Moment, duration: string): WallMoment | undefined {
  const read = readDuration(duration);
  if (!read || read.months || !(Math.abs(read.days) < 1e6) || !(Math.abs(read.seconds) < 1e11)) return undefined;
  const wall = addDays(start.wall, read.days);
  const rest = read.seconds * 1000;
  if (start.isDay) return { wall: utcOf(instantOf(wall) + rest), instant: start.clock.instantOf(wall) + rest };
  const instant = start.clock.instantOf(wall) + rest;
  return { wall: start.clock.wallOf(instant), instant };
}

/** The clock of a date in a file: a known time zone, or one that the file describes. */
export interface Clock extends WallClock {
  /** Name of the time zone; undefined if only the file describes it. */
  zone?: string;
}

/** A change of the UTC offset. Offsets are in seconds. */
interface Change {
  instant: number;
  from: number;
  to: number;
}

/** End of the expansion of rules. Later times keep the last offset. */
const horizon = Date.UTC(2100, 0, 1);
const maxDescribedSteps = 50_000;
/** Start of the expansion of rules, because some programs start all time zones in 1601. */
const beginning = Date.UTC(1950, 0, 1);

/** The clock that a VTIMEZONE describes (RFC 5545, 3.6.5). Throws if it is invalid or too complex. */
function describedClock(component: Component, steps: Steps): Clock {
  const changes = component.children.flatMap((child) => [...changesOf(child, steps)]).sort((a, b) => a.instant - b.instant);
  const [first] = changes;
  if (!first) throw new Error('has no STANDARD or DAYLIGHT');
  const offsetAt = (instant: number): number => {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle]!.instant <= instant) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? first.from : changes[low - 1]!.to;
  };
  return {
    instantOf: (wall) => instantOn(offsetAt, wall),
    wallOf: (instant) => utcOf(instant + offsetAt(instant) * 1000),
  };
}

/** Yields the changes of an observance: its start, its rules and its dates. */
function* changesOf(observance: Component, all: Steps): Generator<Change> {
  const properties = propertiesOf(observance, []);
  const [from, to] = [offsetOf(propertyText(properties, 'tzoffsetfrom')), offsetOf(propertyText(properties, 'tzoffsetto'))];
  const start = timeOf(propertyText(properties, 'dtstart'));
  if (from === undefined || to === undefined || Number.isNaN(start)) throw new Error('lacks DTSTART, TZOFFSETFROM or TZOFFSETTO');
  const change = (wall: number): Change => ({ instant: wall - from * 1000, from, to });
  yield change(start);
  for (const { values } of propertiesNamed(properties, 'rdate'))
    for (const value of values) {
      const at = timeOf([value].flat()[0]);
      if (!Number.isNaN(at)) yield change(at);
    }
  for (const { values } of propertiesNamed(properties, 'rrule')) {
    const rule = ruleFrom(values[0] as Record<string, unknown>, false);
    const last = rule.until === undefined ? horizon : timeOf(rule.until) + (rule.until.endsWith('Z') ? from * 1000 : 0);
    let count = 0;
    for (const time of timesOf(
      rule,
      start,
      { from: Math.max(start, beginning), until: Math.min(last, horizon) },
      new Steps(maxDescribedSteps, all),
    )) {
      if (time > last || ++count > rule.count) break;
      yield change(time);
    }
  }
}

const propertiesNamed = (properties: readonly Property[], name: string) => properties.filter((property) => property.name === name);

/** The epoch milliseconds of a date in the format of RFC 7265, read as UTC; NaN for an invalid date. */
const timeOf = (value: unknown): number => {
  const wall: DateTime = String(value).slice(0, 19).replace('T', ' ');
  return instantOf(wall);
};

/** Display names of Windows time zones without cities, with their Windows names without `Standard Time`. */
// biome-ignore format: a table
const displayNames: Record<string, string> = {
  alaska: 'Alaskan', 'aleutian islands': 'Aleutian', arizona: 'US Mountain', 'atlantic time (canada)': 'Atlantic',
  'baja california': 'Pacific Standard Time (Mexico)', brasilia: 'E. South America', 'cabo verde is.': 'Cape Verde',
  'cape verde is.': 'Cape Verde', 'cape verde islands': 'Cape Verde', 'central time (us & canada)': 'Central',
  'coordinated universal time': 'UTC', 'eastern time (us & canada)': 'Eastern', georgetown: 'SA Eastern',
  'greenwich mean time : dublin, edinburgh, lisbon, london': 'GMT', hawaii: 'Hawaiian', 'indiana (east)': 'US Eastern',
  'international date line west': 'Dateline', jerusalem: 'Israel', 'kiritimati island': 'Line Islands',
  'lord howe island': 'Lord Howe', 'marquesas islands': 'Marquesas', 'mid-atlantic': 'UTC-02',
  'mountain time (us & canada)': 'Mountain', 'norfolk island': 'Norfolk', "nuku'alofa": 'Tonga',
  'pacific time (us & canada)': 'Pacific', 'petropavlovsk-kamchatsky': 'Russia Time Zone 11', 'port louis': 'Mauritius',
  saskatchewan: 'Canada Central', 'solomon is., new caledonia': 'Central Pacific', 'sri jayawardenepura': 'Sri Lanka',
  'west central africa': 'W. Central Africa', 'yangon (rangoon)': 'Myanmar',
};

const key = (name: string) => name.toLowerCase().replace(/(?<!\s)\s+(?:standard|daylight) time$/, '');
let byName: Map<string, string> | undefined;

/** The time zone of a Windows name, with or without `Standard Time`. */
function windowsZone(name: string): string | undefined {
  byName ??= new Map(
    WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(({ windowsName, iana }) => [key(windowsName), iana[0]]),
  );
  // The library still contains Chihuahua, which left that zone in 2022.
  if (key(name) === 'mountain standard time (mexico)') return 'America/Mazatlan';
  return byName.get(key(name));
}

const continents = ['Europe', 'America', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic', 'Indian'];

/** The time zone of a Windows display name such as `(UTC+01:00) Amsterdam, Berlin, Rome`, by name or by a city with that offset. */
function zoneByDisplayName(offset: string, words: string): string | undefined {
  const [place = ''] = words.replace(' and Canada', ' & Canada').split(/;| - (?:New|Old)$/);
  const manual = /^Coordinated Universal Time([+-]\d+)$/i.exec(place);
  const name = manual ? `UTC${manual[1]}` : displayNames[place.toLowerCase()];
  if (name) return windowsZone(name);
  const seconds = offset === '' ? 0 : offsetOf(offset.replace('.', ':'));
  const zones = place.split(/[,/:]/).flatMap((city) => continents.map((continent) => `${continent}/${city.trim().replaceAll(' ', '_')}`));
  const candidates = zones.filter(isZone);
  return candidates.find((zone) => standardOffset(zone) === seconds) ?? (candidates.length === 1 ? candidates[0] : windowsZone(place));
}

/** The UTC offset of standard time, in seconds. */
function standardOffset(name: string): number {
  const zone = zoneOf(name)!;
  return Math.min(offsetAt(zone, Date.UTC(2025, 0)), offsetAt(zone, Date.UTC(2025, 6)));
}

const maxNameLength = 200;

/**
 * The time zone of a TZID: an IANA name, also after a path like `/example.org/2007/Europe/Berlin`, a Windows name or display name, or a UTC offset. Returns
 * undefined for an unknown name.
 */
export function zoneNamed(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"|"$/g, '');
  if (name.length > maxNameLength) return undefined;
  if (/^(?:Z|GMT|Etc\/(?:UTC|GMT))$/i.test(name)) return 'UTC';
  if ((name.includes('/') || name.startsWith('UTC')) && isZone(name)) return name;
  const path = /\/((?:[A-Za-z]+\/)?[A-Za-z]+\/[A-Za-z_+-]+\d*)$/.exec(name);
  for (let part = path?.[1]; part; part = part.includes('/') ? part.slice(part.indexOf('/') + 1) : '')
    if (part.includes('/') && isZone(part)) return part;
  const [, offset, words] = /^\((?:UTC|GMT)([+-]\d\d[:.]\d\d)?\)\s*(\S.*)$/i.exec(name) ?? [];
  const zone = words ? zoneByDisplayName(offset ?? '', words) : (windowsZone(name) ?? windowsZone(displayNames[name.toLowerCase()] ?? ''));
  return zone?.replace('Etc/UTC', 'UTC') ?? (isZone(name) ? name : undefined);
}
