import type { Problem } from '../error.ts';
import { type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { type Clocks, later, type Moment, momentOf } from './clock.ts';
import type { Property } from './properties.ts';
import { type Rule, ruleFrom, Steps, timesOf } from './rule.ts';

/** The stretch of time that recurrences are expanded in, in epoch milliseconds, both ends included. */
export interface Window {
  from: number;
  until: number;
}

/** One time that a recurring event takes place: wall time on its clock, and the instant. */
export interface Occurrence {
  wall: DateTime;
  instant: number;
  /** When it ends, where it says so itself. */
  until?: number;
}

const mostOccurrences = 5000;
const mostSteps = 500_000;
const day = 86_400_000;

/** What tells one occurrence among those of its series: the day where the series or the moment itself is of days, else the instant. */
export const occurrenceKey = (moment: { wall: DateTime; instant: number; isDay: boolean }, series: { isDay: boolean }): string =>
  moment.isDay || series.isDay ? moment.wall.slice(0, 10) : String(moment.instant);

/** Whether a component repeats. */
export const isRecurring = (properties: readonly Property[]): boolean =>
  properties.some(({ name }) => name === 'rrule' || name === 'rdate');

/**
 * When an event takes place within a window, in order: its start, what RRULE and RDATE add, without EXDATE (RFC 5545, 3.8.5) and EXRULE (RFC 2445). Rules go by the
 * wall time of the start. What cannot be followed becomes a problem.
 */
export function occurrencesOf(
  properties: readonly Property[],
  start: Moment,
  { clocks, window, steps }: { clocks: Clocks; window: Window; steps: Steps },
  problems: Problem[],
): Occurrence[] {
  const found = new Map<DateTime, Occurrence>();
  const add = (wall: DateTime, until?: number): void => {
    const instant = start.clock.instantOf(wall);
    if (instant >= window.from && instant <= window.until && !found.has(wall)) found.set(wall, { wall, instant, until });
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
  const rules = (name: string, take: (wall: DateTime) => void) => {
    for (const property of properties) if (property.name === name) expand(property, start, clocks, window, steps, take, problems);
  };
  add(start.wall);
  for (const { moment, until, property } of moments('rdate')) {
    if (!moment) continue;
    const end =
      typeof until !== 'string'
        ? undefined
        : until.includes('P')
          ? later(moment, until)
          : momentOf(property, until, clocks, start.clock, problems);
    add(moment.isDay || moment.clock === start.clock ? moment.wall : start.clock.wallOf(moment.instant), end?.instant);
  }
  rules('rrule', add);
  const excluded = new Set(moments('exdate').flatMap(({ moment }) => (moment ? [occurrenceKey(moment, start)] : [])));
  rules('exrule', (wall) => excluded.add(occurrenceKey({ wall, instant: start.clock.instantOf(wall), isDay: false }, start)));
  return [...found.values()]
    .filter(({ wall, instant }) => !excluded.has(String(instant)) && !excluded.has(wall.slice(0, 10)))
    .sort((a, b) => a.instant - b.instant);
}

/** Gives the wall times of one rule within the window, and what must be left out of it becomes a problem. */
function expand(
  property: Property,
  start: Moment,
  clocks: Clocks,
  window: Window,
  steps: Steps,
  take: (wall: DateTime) => void,
  problems: Problem[],
): void {
  const fault = (reason: string) => void problems.push({ at: `line ${property.line}`, reason: `${property.name.toUpperCase()} ${reason}` });
  try {
    const rule = ruleFrom(property.values[0] as Record<string, unknown>, start.isDay);
    const last = rule.until === undefined ? Number.POSITIVE_INFINITY : lastTime(rule.until, property, start, clocks, problems);
    // The clock of a zone is less than two days off that of UTC.
    const stretch = { from: window.from - 2 * day, until: Math.min(window.until + 2 * day, last) };
    const first = instantOf(start.wall);
    let given = 0;
    let inWindow = 0;
    for (const time of timesOf(rule, first, stretch, new Steps(mostSteps, steps))) {
      if (time > stretch.until) return;
      // The start always is the first (RFC 5545, 3.8.5.3).
      if (given === 0 && time !== first) given = 1;
      if (++given > rule.count) return;
      if (time < stretch.from) continue;
      if (++inWindow > mostOccurrences)
        throw new Error(`gives more than ${mostOccurrences} occurrences in the window: narrow it with --until`);
      take(utcOf(time));
    }
  } catch (error) {
    fault((error as Error).message);
  }
}

/** The last wall time that UNTIL lets through, as epoch milliseconds: of a day all of it, and of whole days that day, on whatever clock it is said. */
function lastTime(until: NonNullable<Rule['until']>, property: Property, start: Moment, clocks: Clocks, problems: Problem[]): number {
  const moment = momentOf({ ...property, name: `until in ${property.name}`, parameters: {} }, until, clocks, start.clock, problems);
  if (!moment) return Number.NEGATIVE_INFINITY;
  if (moment.isDay || start.isDay) return Math.floor(instantOf(moment.wall) / day) * day + day - 1;
  return instantOf(moment.isUtc && !start.isUtc ? start.clock.wallOf(moment.instant) : moment.wall);
}
