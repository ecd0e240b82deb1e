import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import type { WallClock } from '../time/span.ts';
import { offsetOf } from '../time/zone.ts';
import type { Component } from './components.ts';
import { type Property, propertiesOf, propertyText } from './properties.ts';
import { ruleFrom, Steps, timesOf } from './rule.ts';
import { instantOn } from './vtimezone.ts';

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
const maxSteps = 50_000;
/** Start of the expansion of rules, because some programs start all time zones in 1601. */
const beginning = Date.UTC(1950, 0, 1);

/** Returns the clock that a VTIMEZONE describes (RFC 5545, 3.6.5). Throws if it is invalid or too complex. */
export function describedClock(component: Component, steps: Steps): Clock {
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
      new Steps(maxSteps, all),
    )) {
      if (time > last || ++count > rule.count) break;
      yield change(time);
    }
  }
}

const propertiesNamed = (properties: readonly Property[], name: string) => properties.filter((property) => property.name === name);

/** Returns the epoch milliseconds of a date in the format of RFC 7265, read as UTC; NaN for an invalid date. */
const timeOf = (value: unknown): number => {
  const wall: DateTime = String(value).slice(0, 19).replace('T', ' ');
  return instantOf(wall);
};
