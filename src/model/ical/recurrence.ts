import type { Problem } from '../error.ts';
import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import type { Property } from './lines.ts';
import { type Rule, ruleFrom, Steps, timesOf } from './rule.ts';
import { icalDate } from './vtimezone.ts';
import { type Clocks, type Moment, momentOf, plusDuration } from './zones.ts';

/** The period in which recurrences are expanded, in epoch milliseconds, inclusive. */
export interface Window {
  from: number;
  until: number;
}

/** An occurrence of a recurring event. */
export interface Occurrence {
  wall: DateTime;
  instant: number;
  /** Its end, if it has a separate one. */
  until?: number;
}

const maxOccurrences = 5000;
const maxSteps = 500_000;
const day = 86_400_000;

/** A key for an occurrence within its series: the day for all-day series and dates, else the instant. */
export const occurrenceKey = (moment: { wall: DateTime; instant: number; isDay: boolean }, series: { isDay: boolean }): string =>
  moment.isDay || series.isDay ? moment.wall.slice(0, 10) : String(moment.instant);

/** The recurrence ID of an occurrence: the day, or the UTC time. */
export const occurrenceMark = ({ wall, instant, isDay }: Pick<Moment, 'wall' | 'instant' | 'isDay'>): string =>
  isDay ? icalDate(wall).slice(0, 8) : `${icalDate(utcOf(instant))}Z`;

export const isRecurring = (properties: readonly Property[]): boolean =>
  properties.some(({ name }) => name === 'rrule' || name === 'rdate');

/**
 * The occurrences of an event within a window: its start, RRULE and RDATE, without EXDATE (RFC 5545, 3.8.5) and EXRULE (RFC 2445). Rules use the wall time of the
 * start. Adds a problem for each rule that cannot be expanded.
 */
export function occurrencesOf(
  properties: readonly Property[],
  start: Moment,
  { clocks, window, steps }: { clocks: Clocks; window: Window; steps: Steps },
  problems: Problem[],
): Occurrence[] {
  const occurrences = new Map<DateTime, Occurrence>();
  const add = (wall: DateTime, until?: number): void => {
    const instant = start.clock.instantOf(wall);
    if (instant >= window.from && instant <= window.until && !occurrences.has(wall)) occurrences.set(wall, { wall, instant, until });
  };
  const moments = (name: string) =>
    properties
      .filter((property) => property.name === name)
      .flatMap((property) =>
        property.values.map((value) => {
          const [from, until] = [value].flat();
          return { moment: momentOf(property, from, clocks, start.clock, problems), until, property };
        }),
      );
  const rules = (name: string, onTime: (wall: DateTime) => void) => {
    for (const property of properties) if (property.name === name) expand(property, start, clocks, window, steps, onTime, problems);
  };
  add(start.wall);
  for (const { moment, until, property } of moments('rdate')) {
    if (!moment) continue;
    const end =
      typeof until !== 'string'
        ? undefined
        : until.includes('P')
          ? plusDuration(moment, until)
          : momentOf(property, until, clocks, start.clock, problems);
    add(moment.isDay || moment.clock === start.clock ? moment.wall : start.clock.wallOf(moment.instant), end?.instant);
  }
  rules('rrule', add);
  const excluded = new Set(moments('exdate').flatMap(({ moment }) => (moment ? [occurrenceKey(moment, start)] : [])));
  rules('exrule', (wall) => excluded.add(occurrenceKey({ wall, instant: start.clock.instantOf(wall), isDay: false }, start)));
  return [...occurrences.values()]
    .filter(({ wall, instant }) => !excluded.has(String(instant)) && !excluded.has(wall.slice(0, 10)))
    .sort((a, b) => a.instant - b.instant);
}

/** Calls `onTime` with the wall times of a rule within the window. Adds a problem if it cannot be expanded. */
function expand(
  property: Property,
  start: Moment,
  clocks: Clocks,
  window: Window,
  steps: Steps,
  onTime: (wall: DateTime) => void,
  problems: Problem[],
): void {
  const fault = (reason: string) => void problems.push({ at: `line ${property.line}`, reason: `${property.name.toUpperCase()} ${reason}` });
  try {
    const rule = ruleFrom(property.values[0] as Record<string, unknown>, start.isDay);
    const last = rule.until === undefined ? Number.POSITIVE_INFINITY : lastTime(rule.until, property, start, clocks, problems);
    // UTC offsets are less than two days.
    const stretch = { from: window.from - 2 * day, until: Math.min(window.until + 2 * day, last) };
    const first = instantOf(start.wall);
    let count = 0;
    let inWindow = 0;
    for (const time of timesOf(rule, first, stretch, new Steps(maxSteps, steps))) {
      if (time > stretch.until) return;
      // The start is always the first occurrence (RFC 5545, 3.8.5.3).
      if (count === 0 && time !== first) count = 1;
      if (++count > rule.count) return;
      if (time < stretch.from) continue;
      if (++inWindow > maxOccurrences)
        throw new Error(`has more than ${maxOccurrences} occurrences in this period. Use --until to shorten it`);
      onTime(utcOf(time));
    }
  } catch (error) {
    fault((error as Error).message);
  }
}

/** The last wall time before UNTIL, as epoch milliseconds; the end of the day if UNTIL or the event is all-day. */
function lastTime(until: NonNullable<Rule['until']>, property: Property, start: Moment, clocks: Clocks, problems: Problem[]): number {
  const moment = momentOf({ ...property, name: `until in ${property.name}`, parameters: {} }, until, clocks, start.clock, problems);
  if (!moment) return Number.NEGATIVE_INFINITY;
  if (moment.isDay || start.isDay) return Math.floor(instantOf(moment.wall) / day) * day + day - 1;
  return instantOf(moment.isUtc && !start.isUtc ? start.clock.wallOf(moment.instant) : moment.wall);
}
