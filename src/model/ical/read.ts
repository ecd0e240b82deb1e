import type { Problem } from '../error.ts';
import { addDays, type DateTime, endOfDay, instantOf, startOfDay, utcOf } from '../time/datetime.ts';
import { type GivenSpan, resolveSpan, spanRules, type WallMoment } from '../time/span.ts';
import { wallOf } from '../time/time.ts';
import { isZone } from '../time/zone.ts';
import { Clocks, later, type Moment, momentOf, zoneClock } from './clock.ts';
import { type Component, componentsIn } from './components.ts';
import type { Clock } from './described-clock.ts';
import { type Property, propertiesOf, propertyText, rawOf } from './properties.ts';
import { eventFrom, type ReadEvent } from './read-event.ts';
import { isRecurring, type Occurrence, occurrenceKey, occurrencesOf, type Window } from './recurrence.ts';
import { Steps } from './rule.ts';
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

/**
 * What a VEVENT of a file gives, with the line that it begins on: its events, without what is wrong with some of its lines; none of them, where that is too much. Or
 * the line of a later revision of it.
 */
export type IcalFound = { line: number; title: string } & ({ events: ReadEvent[]; problems: Problem[] } | { superseded: number });

/** What has to be known of a file before its events are read. */
export interface IcalSurvey {
  clocks: Clocks;
  /** The components that stand for one occurrence of a recurring event, by UID. */
  exceptions: Map<string, Component[]>;
  /** The UIDs of recurring events that last whole days. */
  daily: Set<string>;
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
const rawValue = (component: Component, name: string): string => {
  const isIt = ({ text }: { text: string }) =>
    (text[name.length] === ':' || text[name.length] === ';') && text.slice(0, name.length).toUpperCase() === name;
  return rawOf(component.lines.find(isIt)?.text ?? '').trim();
};

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
    clocks: new Clocks(),
    exceptions: new Map(),
    daily: new Set(),
    revisions: new Map(),
    name: '',
    timezone: '',
    events: 0,
    problems: [],
  };
  for (const component of componentsIn(chunks)) {
    if (component.name === 'VTIMEZONE') survey.clocks.add(component);
    else if (component.name === 'VCALENDAR') {
      const properties = propertiesOf(component, survey.problems);
      survey.name ||= propertyText(properties, 'x-wr-calname') || propertyText(properties, 'name');
      survey.timezone ||= propertyText(properties, 'x-wr-timezone');
      if (propertyText(properties, 'version') === '1.0')
        survey.problems.push({ at: `line ${component.line}`, reason: 'is a vCalendar 1.0; only iCalendar 2.0 is read' });
    } else if (component.name === 'VEVENT') {
      survey.events++;
      noteRevision(component, survey);
      const uid = rawValue(component, 'UID');
      const exceptions = survey.exceptions.get(uid);
      if (rawValue(component, 'RECURRENCE-ID') === '') {
        if (/^\d{8}$/.test(rawValue(component, 'DTSTART'))) survey.daily.add(uid);
      } else if (exceptions) exceptions.push(component);
      else survey.exceptions.set(uid, [component]);
    }
  }
  return survey;
}

/** Steps that the rules of a file may take, and what each VEVENT adds to them. */
const steps = { file: 500_000, event: 2000 };

/** The events of a file, one VEVENT after the other; recurring ones as their occurrences within the window. Memory holds one component. */
export function* readIcal(chunks: Iterable<string>, survey: IcalSurvey, how: IcalReading): Generator<IcalFound> {
  const floating = zoneClock(how.floating ?? (isZone(survey.timezone) ? survey.timezone : how.zone));
  const left = new Steps(steps.file + steps.event * survey.events);
  for (const component of componentsIn(chunks)) {
    if (component.name !== 'VEVENT') continue;
    const found = { line: component.line, title: rawValue(component, 'SUMMARY') };
    if (!isLast(component, survey)) yield { ...found, superseded: survey.revisions.get(revisionKey(component))!.line };
    else {
      const problems: Problem[] = [];
      const events = new EventReader(component, survey, floating, how, left, problems).events();
      yield { ...found, events, problems };
    }
  }
}

/** Reads one VEVENT. */
class EventReader {
  readonly #properties: Property[];
  /** Its UID as it stands in the file. */
  readonly #uid: string;

  constructor(
    private readonly component: Component,
    private readonly survey: IcalSurvey,
    private readonly floating: Clock,
    private readonly how: IcalReading,
    private readonly steps: Steps,
    private readonly problems: Problem[],
  ) {
    this.#properties = propertiesOf(component, problems);
    this.#uid = rawValue(component, 'UID');
  }

  events(): ReadEvent[] {
    const start = this.#moment(this.#properties, 'dtstart');
    const said = eventFrom(this.#properties, this.problems);
    if (!this.component.lines.some(({ text }) => /^DTSTART[;:]/i.test(text))) this.#fault(this.component.line, 'VEVENT has no DTSTART');
    if (!start) return [];
    const single = (uid: string) => [this.#maker(this.#properties, said, start)(start, uid)];
    if (rawValue(this.component, 'RECURRENCE-ID') !== '') {
      const recurrence = this.#moment(this.#properties, 'recurrence-id', start.clock);
      const isOfDays = recurrence?.isDay || this.#isOfDays;
      return recurrence && this.#within(start) ? single(occurrenceUid(said.uid, { ...recurrence, isDay: isOfDays })) : [];
    }
    if (!isRecurring(this.#properties)) return this.#within(start) || !this.how.strict ? single(said.uid) : [];
    return this.#occurrences(start, said);
  }

  #occurrences(start: Moment, said: ReadEvent): ReadEvent[] {
    const { clocks, exceptions } = this.survey;
    const replaced = new Set<string>();
    const onward: { from: number; move: number; make: Maker }[] = [];
    for (const component of (this.#uid && exceptions.get(this.#uid)) || []) {
      if (!isLast(component, this.survey)) continue;
      // What is wrong with it is said where it stands.
      const properties = propertiesOf(component, []);
      const from = this.#moment(properties, 'recurrence-id', start.clock, []);
      const own = this.#moment(properties, 'dtstart', this.floating, []);
      if (!from || !own) continue;
      replaced.add(occurrenceKey(from, start));
      if (properties.some(({ name, parameters }) => name === 'recurrence-id' && parameters.range === 'THISANDFUTURE'))
        onward.push({
          from: from.instant,
          move: own.instant - from.instant,
          make: this.#maker(properties, eventFrom(properties, []), own),
        });
    }
    onward.sort((a, b) => a.from - b.from);
    const { window } = this.how;
    const make = this.#maker(this.#properties, said, start);
    let changes = 0;
    return occurrencesOf(this.#properties, start, { clocks, window, steps: this.steps }, this.problems).flatMap((occurrence) => {
      while (changes < onward.length && onward[changes]!.from < occurrence.instant) changes++;
      if (replaced.has(String(occurrence.instant)) || replaced.has(occurrence.wall.slice(0, 10))) return [];
      const uid = occurrenceUid(said.uid, { ...occurrence, isDay: start.isDay });
      const change = onward[changes - 1];
      return [change ? change.make({ instant: occurrence.instant + change.move }, uid) : make(occurrence, uid)];
    });
  }

  /** Makes the events of a VEVENT that take place at some time, as long as the one that starts at `start`. What they share is found out once. */
  #maker(properties: readonly Property[], said: ReadEvent, start: Moment): Maker {
    const given = { start, end: this.#endOf(properties, start) };
    const allDay = start.isDay || this.#isMarkedDay(properties, start, given.end ?? start);
    const resolve = (from: GivenSpan) =>
      resolveSpan({ ...from, allDay }, undefined, spanRules.ical, { now: 0, zone: '', clock: start.clock })!;
    const usual = resolve(given);
    const zone = propertyText(properties, 'x-timezone');
    const own = isZone(zone) ? zone : undefined;
    if (allDay) {
      const timezone = own ?? (start.isDay ? this.floating.zone! : this.#zoneOf(start, own));
      const days = (instantOf(startOfDay(usual.end.wall)) - instantOf(usual.start.wall)) / 86_400_000;
      return ({ instant, wall = start.clock.wallOf(instant), until }, uid) => {
        const end = until === undefined ? undefined : { wall: start.clock.wallOf(until), instant: until };
        const last = end ? resolve({ ...given, start: { ...start, wall, instant }, end }).end.wall : endOfDay(addDays(wall, days));
        return { ...said, uid, timezone, all_day: true, start_date: startOfDay(wall), end_date: last };
      };
    }
    const timezone = this.#zoneOf(start, own);
    const length = usual.end.instant - usual.start.instant;
    return ({ instant, until = instant + length }, uid) => ({
      ...said,
      uid,
      timezone,
      all_day: false,
      start_date: wallOf(instant, timezone),
      end_date: wallOf(Math.max(instant, until), timezone),
    });
  }

  /** The zone that an event is kept in: its own, unless its times are in UTC or on a clock that only the file knows. */
  #zoneOf(start: Moment, own: string | undefined): string {
    if (!start.isUtc) return start.clock.zone ?? this.floating.zone!;
    return own ?? this.how.floating ?? (isZone(this.survey.timezone) ? this.survey.timezone : 'UTC');
  }

  /** The end that the properties give. */
  #endOf(properties: readonly Property[], start: Moment): WallMoment | undefined {
    // A floating end is on the clock of the start.
    const end = this.#moment(properties, 'dtend', start.clock);
    const duration = end ? undefined : properties.find(({ name }) => name === 'duration');
    if (!duration) return end;
    const last = later(start, String(duration.values[0]));
    if (!last) this.#fault(duration.line, `DURATION is not a duration: ${JSON.stringify(duration.raw.slice(0, 60))}`);
    return last;
  }

  #moment(
    properties: readonly Property[],
    name: string,
    floating: Clock = this.floating,
    problems: Problem[] = this.problems,
  ): Moment | undefined {
    const property = properties.find((each) => each.name === name);
    return property && momentOf(property, property.values[0], this.survey.clocks, floating, problems);
  }

  #within(start: Moment): boolean {
    return start.instant >= this.how.window.from && start.instant <= this.how.window.until;
  }

  #fault(line: number, reason: string): void {
    this.problems.push({ at: `line ${line}`, reason });
  }

  /** Whether it belongs to a series of whole days. */
  get #isOfDays(): boolean {
    return this.#uid !== '' && this.survey.daily.has(this.#uid);
  }

  /** Some programs write whole days as times from midnight to midnight, and say so, or do it where a day of a series is moved. */
  #isMarkedDay(properties: readonly Property[], start: Moment, end: Pick<Moment, 'wall'>): boolean {
    const isMarked = propertyText(properties, 'x-microsoft-cdo-alldayevent') === 'TRUE' || this.#isOfDays;
    return isMarked && [start, end].every(({ wall }) => wall.endsWith(' 00:00:00'));
  }
}

/** A time at which an event takes place; its wall time where that is known already. */
type At = Omit<Occurrence, 'wall'> & { wall?: DateTime };
type Maker = (at: At, uid: string) => ReadEvent;

/** The UID of one occurrence: behind the UID of its event, if that has one, the day, or the instant in UTC. */
const occurrenceUid = (uid: string, moment: Pick<Moment, 'wall' | 'instant' | 'isDay'>): string =>
  uid && `${uid}#${occurrenceMark(moment)}`;

const occurrenceMark = (moment: Pick<Moment, 'wall' | 'instant' | 'isDay'>): string =>
  moment.isDay ? icalDate(moment.wall).slice(0, 8) : `${icalDate(utcOf(moment.instant))}Z`;
