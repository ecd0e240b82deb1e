import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import type { WallClock } from '../time/span.ts';
import { offsetOf } from '../time/zone.ts';
import type { Component } from './components.ts';
import { type Property, propertiesOf, propertyText } from './properties.ts';
import { ruleFrom, Steps, timesOf } from './rule.ts';
import { instantOn } from './vtimezone.ts';

/** The clock that dates of a file are told on: a zone that we know, or one that only the file knows. */
export interface Clock extends WallClock {
  /** The zone's name; undefined for a zone that only the file describes. */
  zone?: string;
}

/** A moment at which a clock changes; offsets are in seconds east of Greenwich. */
interface Change {
  instant: number;
  from: number;
  to: number;
}

/** Rules of clocks are followed up to this moment; what comes later keeps the last offset. */
const horizon = Date.UTC(2100, 0, 1);
const mostSteps = 50_000;
/** Some programs let every clock begin in 1601; between then and this moment its rules are not followed. */
const beginning = Date.UTC(1950, 0, 1);

/** The clock that a VTIMEZONE describes (RFC 5545, 3.6.5). Fails where it describes none, or none that can be followed. */
export function describedClock(component: Component, steps: Steps): Clock {
  const changes = component.children.flatMap((child) => [...changesOf(child, steps)]).sort((a, b) => a.instant - b.instant);
  const [first] = changes;
  if (!first) throw new Error('has neither standard nor daylight time');
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

/** The changes of one observance: its start, those of its rules, and the dates that it names. */
function* changesOf(observance: Component, all: Steps): Generator<Change> {
  const properties = propertiesOf(observance, []);
  const [from, to] = [offsetOf(propertyText(properties, 'tzoffsetfrom')), offsetOf(propertyText(properties, 'tzoffsetto'))];
  const start = timeOf(propertyText(properties, 'dtstart'));
  if (from === undefined || to === undefined || Number.isNaN(start)) throw new Error('has no DTSTART, TZOFFSETFROM or TZOFFSETTO');
  const change = (wall: number): Change => ({ instant: wall - from * 1000, from, to });
  yield change(start);
  for (const { values } of named(properties, 'rdate'))
    for (const value of values) {
      const at = timeOf([value].flat()[0]);
      if (!Number.isNaN(at)) yield change(at);
    }
  for (const { values } of named(properties, 'rrule')) {
    const rule = ruleFrom(values[0] as Record<string, unknown>, false);
    const last = rule.until === undefined ? horizon : timeOf(rule.until) + (rule.until.endsWith('Z') ? from * 1000 : 0);
    let count = 0;
    for (const time of timesOf(
      rule,
      start,
      { from: Math.max(start, beginning), until: Math.min(last, horizon) },
      new Steps(mostSteps, all),
    )) {
      if (time > last || ++count > rule.count) break;
      yield change(time);
    }
  }
}

const named = (properties: readonly Property[], name: string) => properties.filter((property) => property.name === name);

/** A date or a date and time in the form of RFC 7265 as epoch milliseconds, as if its clock were that of UTC; NaN for anything else. */
const timeOf = (value: unknown): number => {
  const wall: DateTime = String(value).slice(0, 19).replace('T', ' ');
  return instantOf(wall);
};
