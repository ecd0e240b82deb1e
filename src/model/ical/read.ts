import type { Problem } from '../error.ts';
import { addDays, type DateTime, endOfDay, startOfDay, utcOf } from '../time/datetime.ts';
import { wallOf } from '../time/time.ts';
import { isZone } from '../time/zone.ts';
import { type Clock, clockDescribed, type Moment, momentOf, zoneClock } from './clock.ts';
import { type Component, componentsIn } from './components.ts';
import { type Property, propertiesOf, propertyText } from './properties.ts';
import { eventFrom, type ReadEvent } from './read-event.ts';
import { isRecurring, later, type Occurrence, occurrenceKey, occurrencesOf, type Window } from './recurrence.ts';
import { icalDate } from './vtimezone.ts';

/** How a file is read. */
export interface IcalReading {
  /** The zone of times that name none; the file's own X-WR-TIMEZONE where it has one, else `zone`. */
  floating?: string;
  /** The calendar's own zone. */
  zone: string;
  /** The stretch of time that recurrences are expanded in. */
  window: Window;
  /** Leaves out single events that start outside the window too. */
  strict?: boolean;
}

/** An event of a file with the line it begins on, or what is wrong with it, or the line of a later revision of it. */
export type IcalFound = { line: number } & ({ event: ReadEvent } | { problems: Problem[] } | { title: string; superseded: number });

/** What has to be known of a file before its events are read. */
export interface IcalSurvey {
  clocks: Map<string, Clock>;
  /** The components that stand for one occurrence of a recurring event, by UID. */
  exceptions: Map<string, Component[]>;
  /** The last revision of each event, by {@link revisionKey}. */
  revisions: Map<string, Revision>;
  name: string;
  timezone: string;
  /** How many VEVENTs there are. */
  events: number;
  problems: Problem[];
}

/** One component among those of an event. */
interface Revision {
  line: number;
  sequence: number;
  /** When it was written. */
  stamp: string;
}

/** The value of a property of a component as it stands in the file; empty when it is not there. */
const rawValue = (component: Component, name: string): string =>
  component.lines
    .find(({ text }) => text.length > name.length && text.slice(0, name.length).toUpperCase() === name && /[;:]/.test(text[name.length]!))
    ?.text.replace(/^(?:[^":]|"[^"]*")*:/, '')
    .trim() ?? '';

/** What tells an event, or one occurrence of it, from the others of its file; empty when it has no UID. */
const revisionKey = (component: Component): string => {
  const uid = rawValue(component, 'UID');
  return uid && `${uid}\n${rawValue(component, 'RECURRENCE-ID')}`;
};

/** Whether a component is the last revision of its event (RFC 5546, 2.1.5): the highest SEQUENCE, then the latest stamp, then the last of the file. */
const isLast = (component: Component, { revisions }: IcalSurvey): boolean =>
  (revisions.get(revisionKey(component))?.line ?? component.line) === component.line;

function noteRevision(component: Component, { revisions }: IcalSurvey): void {
  const key = revisionKey(component);
  if (!key) return;
  const before = revisions.get(key);
  const sequence = Number(rawValue(component, 'SEQUENCE')) || 0;
  const stamp = rawValue(component, 'LAST-MODIFIED') || rawValue(component, 'DTSTAMP');
  const isOlder = before && (sequence < before.sequence || (sequence === before.sequence && stamp < before.stamp));
  if (!isOlder) revisions.set(key, { line: component.line, sequence, stamp });
}

/** Reads a file once for its zones, its exceptions to recurrences and how many events it has. Fails with a DataError on a file that is no calendar. */
export function surveyIcal(chunks: Iterable<string>): IcalSurvey {
  const survey: IcalSurvey = {
    clocks: new Map(),
    exceptions: new Map(),
    revisions: new Map(),
    name: '',
    timezone: '',
    events: 0,
    problems: [],
  };
  for (const component of componentsIn(chunks)) {
    if (component.name === 'VTIMEZONE') describe(component, survey);
    else if (component.name === 'VCALENDAR') {
      const properties = propertiesOf(component, survey.problems);
      survey.name ||= propertyText(properties, 'x-wr-calname') || propertyText(properties, 'name');
      survey.timezone ||= propertyText(properties, 'x-wr-timezone');
      if (propertyText(properties, 'version') === '1.0')
        survey.problems.push({ at: `line ${component.line}`, reason: 'is a vCalendar 1.0; only iCalendar 2.0 is read' });
    } else if (component.name === 'VEVENT') {
      survey.events++;
      noteRevision(component, survey);
      if (!component.lines.some(({ text }) => /^RECURRENCE-ID[;:]/i.test(text))) continue;
      const uid = propertyText(propertiesOf(component, []), 'uid');
      const exceptions = survey.exceptions.get(uid);
      if (exceptions) exceptions.push(component);
      else survey.exceptions.set(uid, [component]);
    }
  }
  return survey;
}

function describe(component: Component, survey: IcalSurvey): void {
  try {
    const [tzid, clock] = clockDescribed(component);
    survey.clocks.set(tzid, clock);
  } catch (error) {
    survey.problems.push({ at: `line ${component.line}`, reason: `VTIMEZONE cannot be read: ${(error as Error).message}` });
  }
}

/** The events of a file one after the other; recurring ones as their occurrences within the window. Memory holds one component. */
export function* readIcal(chunks: Iterable<string>, survey: IcalSurvey, how: IcalReading): Generator<IcalFound> {
  const floating = zoneClock(how.floating ?? (isZone(survey.timezone) ? survey.timezone : how.zone));
  for (const component of componentsIn(chunks)) {
    if (component.name !== 'VEVENT') continue;
    if (!isLast(component, survey)) {
      yield { line: component.line, title: rawValue(component, 'SUMMARY'), superseded: survey.revisions.get(revisionKey(component))!.line };
      continue;
    }
    const problems: Problem[] = [];
    const reader = new EventReader(component, survey, floating, how, problems);
    const events = reader.events();
    if (problems.length) yield { line: component.line, problems };
    else for (const event of events) yield { line: component.line, event };
  }
}

/** Reads one VEVENT. */
class EventReader {
  readonly #properties: Property[];

  constructor(
    private readonly component: Component,
    private readonly survey: IcalSurvey,
    private readonly floating: Clock,
    private readonly how: IcalReading,
    private readonly problems: Problem[],
  ) {
    this.#properties = propertiesOf(component, problems);
  }

  events(): ReadEvent[] {
    const start = this.#moment(this.#properties, 'dtstart');
    const said = eventFrom(this.#properties, this.component.line, this.problems);
    if (!this.#properties.some(({ name }) => name === 'dtstart')) this.#missing('DTSTART');
    if (!said.title && !said.uid) this.#missing('SUMMARY and UID');
    if (!start || this.problems.length) return [];
    const recurrence = this.#moment(this.#properties, 'recurrence-id');
    const single = (moment: Occurrence, uid: string) => this.#event(this.#properties, said, start, moment, uid);
    if (recurrence) return this.#within(start) ? [single(start, occurrenceUid(said.uid, recurrence))] : [];
    if (!isRecurring(this.#properties)) return this.#within(start) || !this.how.strict ? [single(start, said.uid)] : [];
    return this.#occurrences(start, said);
  }

  #occurrences(start: Moment, said: ReadEvent): ReadEvent[] {
    const replaced = new Set<string>();
    const onward: { from: Moment; properties: Property[]; start: Moment; said: ReadEvent }[] = [];
    for (const component of (said.uid && this.survey.exceptions.get(said.uid)) || []) {
      if (!isLast(component, this.survey)) continue;
      const properties = propertiesOf(component, []);
      const from = this.#moment(properties, 'recurrence-id');
      const own = this.#moment(properties, 'dtstart');
      if (!from || !own) continue;
      replaced.add(occurrenceKey(from));
      const all = properties.some((property) => property.name === 'recurrence-id' && property.parameters.range === 'THISANDFUTURE');
      if (all) onward.push({ from, properties, start: own, said: eventFrom(properties, component.line, this.problems) });
    }
    const events: ReadEvent[] = [];
    for (const occurrence of occurrencesOf(this.#properties, start, this.survey.clocks, this.how.window, this.problems)) {
      if (replaced.has(String(occurrence.instant)) || replaced.has(occurrence.wall.slice(0, 10))) continue;
      const uid = occurrenceUid(said.uid, { ...occurrence, isDay: start.isDay });
      const change = onward.findLast(({ from }) => from.instant < occurrence.instant);
      if (!change) events.push(this.#event(this.#properties, said, start, occurrence, uid));
      else {
        const instant = occurrence.instant + change.start.instant - change.from.instant;
        const moved = { wall: change.start.clock.wallOf(instant), instant };
        events.push(this.#event(change.properties, change.said, change.start, moved, uid));
      }
    }
    return events;
  }

  /** The event that takes place at `at`, as long as the one that starts at `start`. */
  #event(properties: readonly Property[], said: ReadEvent, start: Moment, at: Occurrence, uid: string): ReadEvent {
    const end = this.#endOf(properties, start);
    const zone = propertyText(properties, 'x-timezone');
    const own = isZone(zone) ? zone : undefined;
    if (start.isDay || isMarkedDay(properties, start, end)) {
      const days = Math.max(
        1,
        Math.round((Date.parse(`${end.wall.slice(0, 10)}Z`) - Date.parse(`${start.wall.slice(0, 10)}Z`)) / 86_400_000),
      );
      const timezone = own ?? (start.isDay ? this.floating.zone! : this.#zoneOf(start, own));
      return { ...said, uid, timezone, all_day: true, start_date: startOfDay(at.wall), end_date: endOfDay(addDays(at.wall, days - 1)) };
    }
    const timezone = this.#zoneOf(start, own);
    const until = at.instant + Math.max(0, end.instant - start.instant);
    const told = (instant: number): DateTime => wallOf(instant, timezone);
    return { ...said, uid, timezone, all_day: false, start_date: told(at.instant), end_date: told(until) };
  }

  /** The zone that an event is kept in: its own, unless its times are in UTC or on a clock that only the file knows. */
  #zoneOf(start: Moment, own: string | undefined): string {
    if (!start.isUtc) return start.clock.zone ?? this.floating.zone!;
    return own ?? this.how.floating ?? (isZone(this.survey.timezone) ? this.survey.timezone : 'UTC');
  }

  #endOf(properties: readonly Property[], start: Moment): Occurrence {
    const end = this.#moment(properties, 'dtend');
    const duration = propertyText(properties, 'duration');
    if (end) return end;
    if (duration) return later(start, duration);
    return start.isDay ? later(start, 'P1D') : start;
  }

  #moment(properties: readonly Property[], name: string): Moment | undefined {
    const property = properties.find((each) => each.name === name);
    return property && momentOf(property, property.values[0], this.survey.clocks, this.floating, this.problems);
  }

  #within(start: Moment): boolean {
    return start.instant >= this.how.window.from && start.instant <= this.how.window.until;
  }

  #missing(what: string): void {
    this.problems.push({ at: `line ${this.component.line}`, reason: `VEVENT has no ${what}` });
  }
}

/** The UID of one occurrence: behind the UID of its event, if that has one, the day, or the instant in UTC. */
const occurrenceUid = (uid: string, moment: Occurrence & { isDay: boolean }): string => uid && `${uid}#${occurrenceMark(moment)}`;

const occurrenceMark = (moment: Occurrence & { isDay: boolean }): string =>
  moment.isDay ? icalDate(moment.wall).slice(0, 8) : `${icalDate(utcOf(moment.instant))}Z`;

/** Some programs write whole days as times from midnight to midnight, and say so. */
function isMarkedDay(properties: readonly Property[], start: Moment, end: Occurrence): boolean {
  const midnight = ' 00:00:00';
  return propertyText(properties, 'x-microsoft-cdo-alldayevent') === 'TRUE' && start.wall.endsWith(midnight) && end.wall.endsWith(midnight);
}
