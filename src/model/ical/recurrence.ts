import ICAL from 'ical.js';
import type { Problem } from '../error.ts';
import { addDays, type DateTime, instantOf, utcOf } from '../time/datetime.ts';
import { type Clock, type Moment, momentOf } from './clock.ts';
import type { Property } from './properties.ts';

/** The stretch of time that recurrences are expanded in, in epoch milliseconds, both ends included. */
export interface Window {
  from: number;
  until: number;
}

/** One time that a recurring event takes place: wall time on its clock, and the instant. */
export interface Occurrence {
  wall: DateTime;
  instant: number;
}

const mostOccurrences = 5000;
const mostSteps = 500_000;

/** What tells one occurrence among those of its event: the day, or the instant. */
export const occurrenceKey = (moment: { wall: DateTime; instant: number; isDay: boolean }): string =>
  moment.isDay ? moment.wall.slice(0, 10) : String(moment.instant);

/** Whether a component repeats. */
export const isRecurring = (properties: readonly Property[]): boolean =>
  properties.some(({ name }) => name === 'rrule' || name === 'rdate');

/**
 * When an event takes place within a window, in order: its start, what RRULE and RDATE add, without EXDATE (RFC 5545, 3.8.5). Rules go by the
 * wall time of the start.
 */
export function occurrencesOf(
  properties: readonly Property[],
  start: Moment,
  clocks: Map<string, Clock>,
  window: Window,
  problems: Problem[],
): Occurrence[] {
  const found = new Map<DateTime, Occurrence>();
  const add = (wall: DateTime): 'before' | 'after' | undefined => {
    const instant = start.clock.instantOf(wall);
    if (instant < window.from) return 'before';
    if (instant > window.until) return 'after';
    found.set(wall, { wall, instant });
    return undefined;
  };
  add(start.wall);
  const moments = (name: string) =>
    properties
      .filter((property) => property.name === name)
      .flatMap((property) =>
        property.values
          .map((value) => momentOf(property, Array.isArray(value) ? value[0] : value, clocks, start.clock, problems))
          .filter((moment) => moment !== undefined),
      );
  for (const moment of moments('rdate'))
    add(moment.isDay || moment.clock === start.clock ? moment.wall : start.clock.wallOf(moment.instant));
  for (const property of properties) if (property.name === 'rrule') expand(property, start, clocks, found, add, problems);
  const excluded = new Set(moments('exdate').map(occurrenceKey));
  return [...found.values()]
    .filter(({ wall, instant }) => !excluded.has(String(instant)) && !excluded.has(wall.slice(0, 10)))
    .sort((a, b) => a.instant - b.instant);
}

function expand(
  property: Property,
  start: Moment,
  clocks: Map<string, Clock>,
  found: Map<DateTime, Occurrence>,
  add: (wall: DateTime) => 'before' | 'after' | undefined,
  problems: Problem[],
): void {
  const fault = (reason: string) => problems.push({ at: `line ${property.line}`, reason: `RRULE ${reason}` });
  const { until, ...rule } = property.values[0] as Record<string, unknown> & { until?: string };
  const last =
    until === undefined ? undefined : lastWall({ ...property, name: 'until in rrule', parameters: {} }, until, start, clocks, problems);
  try {
    const iterator = ICAL.Recur.fromData(rule).iterator(ICAL.Time.fromDateTimeString(start.wall.replace(' ', 'T')));
    for (let step = 0; ; step++) {
      const next = iterator.next();
      if (!next) return;
      const wall = next.toString().slice(0, 19).replace('T', ' ').padEnd(19, ' 00:00:00');
      if ((last !== undefined && wall > last) || next.year > 9999) return;
      if (add(wall) === 'after') return;
      if (found.size > mostOccurrences)
        return void fault(`gives more than ${mostOccurrences} occurrences in the window: narrow it with --until`);
      if (step > mostSteps) return void fault('takes too many steps to reach the window');
    }
  } catch (error) {
    fault(`cannot be followed: ${(error as Error).message}`);
  }
}

/** The last wall time that UNTIL lets through. */
function lastWall(property: Property, until: string, start: Moment, clocks: Map<string, Clock>, problems: Problem[]): DateTime | undefined {
  const moment = momentOf(property, until, clocks, start.clock, problems);
  if (!moment) return undefined;
  if (moment.isDay) return addDays(moment.wall, 1).replace(/..:..:..$/, '00:00:00');
  return moment.isUtc && !start.isUtc ? start.clock.wallOf(moment.instant) : moment.wall;
}

/** Wall time and instant so much later; days count on the calendar, the rest as time that passes (RFC 5545, 3.3.6). */
export function later(start: Moment, duration: string): Occurrence {
  const { isNegative, weeks, days, hours, minutes, seconds } = ICAL.Duration.fromString(duration);
  const sign = isNegative ? -1 : 1;
  const wall = addDays(start.wall, sign * (weeks * 7 + days));
  const rest = sign * (hours * 3600 + minutes * 60 + seconds) * 1000;
  if (start.isDay) return { wall: utcOf(instantOf(wall) + rest), instant: start.clock.instantOf(wall) + rest };
  const instant = start.clock.instantOf(wall) + rest;
  return { wall: start.clock.wallOf(instant), instant };
}
