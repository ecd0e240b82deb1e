import type { Problem } from '../error.ts';
import { addDays, type DateTime, endOfDay, instantOf, startOfDay, utcOf } from '../time/datetime.ts';
import { type GivenSpan, resolveSpan, spanRules, type WallMoment } from '../time/span.ts';
import { wallOf } from '../time/time.ts';
import { isZone } from '../time/zone.ts';
import { siteUidIn } from './event.ts';
import { type Component, componentsIn, type Property, propertiesOf, propertyText, rawOf } from './lines.ts';
import { eventFrom, type ReadEvent } from './read-event.ts';
import { isRecurring, type Occurrence, occurrenceKey, occurrenceMark, occurrencesOf, type Window } from './recurrence.ts';
import { Steps } from './rule.ts';
import { productId } from './write.ts';
import { type Clock, Clocks, type Moment, momentOf, plusDuration, zoneClock } from './zones.ts';

interface IcalReading {
  /** Time zone of times without one (default: X-WR-TIMEZONE of the file, else `zone`). */
  floating?: string;
  /** Time zone of the calendar. */
  zone: string;
  /** Period in which recurrences are expanded. */
  window: Window;
  /** True to omit single events outside the window. */
  strict?: boolean;
}

/** A rule that can be written again: a single RRULE in a known time zone. */
interface SeriesRule {
  rule: string;
  start: DateTime;
  end: DateTime;
  timezone: string;
  all_day: boolean;
}

/** The result of a VEVENT: its events and problems, or the line of a later revision. Without a valid start there are no events. */
type IcalResult = { line: number; title: string } & (
  | {
      events: ReadEvent[];
      problems: Problem[];
      /** The rule of a recurring event, without the UID and the period. */
      series?: SeriesRule;
    }
  | { superseded: number }
);

/** Information about a file that is needed to read its events. */
export interface IcalSurvey {
  clocks: Clocks;
  /** Components that replace one occurrence of a recurring event, by UID. */
  exceptions: Map<string, Component[]>;
  /** UIDs of all-day recurring events. */
  daily: Set<string>;
  /** The last revisions of events with earlier ones, by the lines of these. */
  superseded: Map<number, Revision>;
  name: string;
  timezone: string;
  /** Address of the site whose feed it is; empty for other files. */
  original: string;
  /** True for a file that this program wrote. */
  isOwn: boolean;
  /** The UID of each ID and host of sites; empty for several. */
  siteIds: Map<string, string>;
  /** Number of VEVENTs. */
  events: number;
  problems: Problem[];
}

/** A revision of an event. */
interface Revision {
  line: number;
  sequence: number;
  /** Time of the last modification. */
  stamp: string;
}

/** Empty if missing. */
const rawValue = (component: Component, name: string): string => {
  const isIt = ({ text }: { text: string }) =>
    (text[name.length] === ':' || text[name.length] === ';') && text.slice(0, name.length).toUpperCase() === name;
  return rawOf(component.lines.find(isIt)?.text ?? '').trim();
};

/** Adds a revision of an event or occurrence. The last one counts (RFC 5546, 2.1.5): by SEQUENCE, then time, then position. */
function addRevision(component: Component, revisions: Map<string, Revision>, { superseded }: IcalSurvey): void {
  const { line } = component;
  const uid = rawValue(component, 'UID');
  if (!uid) return;
  const key = `${uid}\n${rawValue(component, 'RECURRENCE-ID')}`;
  const revision = {
    line,
    sequence: Number(rawValue(component, 'SEQUENCE')) || 0,
    stamp: rawValue(component, 'LAST-MODIFIED') || rawValue(component, 'DTSTAMP'),
  };
  const last = revisions.get(key);
  if (!last) revisions.set(key, revision);
  else if (revision.sequence < last.sequence || (revision.sequence === last.sequence && revision.stamp < last.stamp))
    superseded.set(line, last);
  else {
    superseded.set(last.line, last);
    Object.assign(last, revision);
  }
}

/** Reads the time zones, exceptions to recurrences and number of events of a file. Throws a DataError if the file is not a calendar. */
export function surveyIcal(chunks: Iterable<string>): IcalSurvey {
  const survey: IcalSurvey = {
    clocks: new Clocks(),
    exceptions: new Map(),
    daily: new Set(),
    superseded: new Map(),
    name: '',
    timezone: '',
    original: '',
    isOwn: false,
    siteIds: new Map(),
    events: 0,
    problems: [],
  };
  /** The last revision of each event. */
  const revisions = new Map<string, Revision>();
  for (const component of componentsIn(chunks)) {
    if (component.name === 'VTIMEZONE') survey.clocks.add(component);
    else if (component.name === 'VCALENDAR') {
      const properties = propertiesOf(component, survey.problems);
      survey.name ||= propertyText(properties, 'x-wr-calname') || propertyText(properties, 'name');
      survey.timezone ||= propertyText(properties, 'x-wr-timezone');
      survey.original ||= propertyText(properties, 'x-original-url');
      survey.isOwn ||= propertyText(properties, 'prodid') === productId;
      if (propertyText(properties, 'version') === '1.0')
        survey.problems.push({ at: `line ${component.line}`, reason: 'vCalendar 1.0 is not supported, only iCalendar 2.0' });
    } else if (component.name === 'VEVENT') {
      survey.events++;
      addRevision(component, revisions, survey);
      const uid = rawValue(component, 'UID');
      const ofSite = siteUidIn(uid);
      if (ofSite) {
        const key = `${ofSite.id}@${ofSite.host}`;
        survey.siteIds.set(key, (survey.siteIds.get(key) ?? uid) === uid ? uid : '');
      }
      const exceptions = survey.exceptions.get(uid);
      if (rawValue(component, 'RECURRENCE-ID') === '') {
        if (/^\d{8}$/.test(rawValue(component, 'DTSTART'))) survey.daily.add(uid);
      } else if (exceptions) exceptions.push(component);
      else survey.exceptions.set(uid, [component]);
    }
  }
  return survey;
}

/** Maximum number of steps to expand the rules of a file: a base, plus a number per VEVENT. */
const maxSteps = { file: 500_000, event: 2000 };

/** Yields the events of a file by VEVENT. Expands recurring events within the window. Keeps one component in memory. */
export function* readIcal(chunks: Iterable<string>, survey: IcalSurvey, options: IcalReading): Generator<IcalResult> {
  const floating = zoneClock(options.floating ?? (isZone(survey.timezone) ? survey.timezone : options.zone));
  if (options.floating !== undefined) survey.clocks.fallback = floating;
  const stepsLeft = new Steps(maxSteps.file + maxSteps.event * survey.events);
  for (const component of componentsIn(chunks)) {
    if (component.name !== 'VEVENT') continue;
    const place = { line: component.line, title: rawValue(component, 'SUMMARY') };
    const last = survey.superseded.get(component.line);
    if (last) yield { ...place, superseded: last.line };
    else {
      const problems: Problem[] = [];
      const reader = new EventReader(component, survey, floating, options, stepsLeft, problems);
      const events = reader.events();
      yield { ...place, events, problems, series: reader.series };
    }
  }
}

/** Reads one VEVENT. */
class EventReader {
  readonly #properties: Property[];
  /** Raw UID. */
  readonly #uid: string;
  /** The rule, if the event is recurring and the rule can be written again. */
  series: SeriesRule | undefined;

  constructor(
    private readonly component: Component,
    private readonly survey: IcalSurvey,
    private readonly floating: Clock,
    private readonly options: IcalReading,
    private readonly steps: Steps,
    private readonly problems: Problem[],
  ) {
    this.#properties = propertiesOf(component, problems);
    this.#uid = rawValue(component, 'UID');
  }

  events(): ReadEvent[] {
    const start = this.#moment(this.#properties, 'dtstart');
    const details = eventFrom(this.#properties, this.problems);
    if (!this.component.lines.some(({ text }) => /^DTSTART[;:]/i.test(text))) this.#fault(this.component.line, 'VEVENT has no DTSTART');
    if (!start) return [];
    const single = (uid: string) => [this.#maker(this.#properties, details, start)(start, uid)];
    if (rawValue(this.component, 'RECURRENCE-ID') !== '') {
      const recurrence = this.#moment(this.#properties, 'recurrence-id', start.clock);
      const isOfDays = recurrence?.isDay || this.#isOfDays;
      return recurrence && this.#within(start) ? single(occurrenceUid(details.uid, { ...recurrence, isDay: isOfDays })) : [];
    }
    if (!isRecurring(this.#properties)) return this.#within(start) || !this.options.strict ? single(details.uid) : [];
    return this.#occurrences(start, details);
  }

  #occurrences(start: Moment, details: ReadEvent): ReadEvent[] {
    const { clocks, exceptions } = this.survey;
    const replaced = new Set<string>();
    const laterChanges: { from: number; move: number; make: Maker }[] = [];
    for (const component of (this.#uid && exceptions.get(this.#uid)) || []) {
      if (this.survey.superseded.has(component.line)) continue;
      // Its problems are reported when it is read.
      const properties = propertiesOf(component, []);
      const from = this.#moment(properties, 'recurrence-id', start.clock, []);
      const own = this.#moment(properties, 'dtstart', this.floating, []);
      if (!from || !own) continue;
      replaced.add(occurrenceKey(from, start));
      if (properties.some(({ name, parameters }) => name === 'recurrence-id' && parameters.range === 'THISANDFUTURE'))
        laterChanges.push({
          from: from.instant,
          move: own.instant - from.instant,
          make: this.#maker(properties, eventFrom(properties, []), own),
        });
    }
    laterChanges.sort((a, b) => a.from - b.from);
    const { window } = this.options;
    const make = this.#maker(this.#properties, details, start);
    this.series = this.#ruleOf(start, make(start, ''));
    let changes = 0;
    return occurrencesOf(this.#properties, start, { clocks, window, steps: this.steps }, this.problems).flatMap((occurrence) => {
      while (changes < laterChanges.length && laterChanges[changes]!.from < occurrence.instant) changes++;
      if (replaced.has(String(occurrence.instant)) || replaced.has(occurrence.wall.slice(0, 10))) return [];
      const uid = occurrenceUid(details.uid, { ...occurrence, isDay: start.isDay });
      const change = laterChanges[changes - 1];
      return [change ? change.make({ instant: occurrence.instant + change.move }, uid) : make(occurrence, uid)];
    });
  }

  /** The rule; undefined with RDATE, EXRULE, several rules, or a time zone that only the file describes. */
  #ruleOf(start: Moment, first: ReadEvent): SeriesRule | undefined {
    const count = (property: string) => this.#properties.filter(({ name }) => name === property).length;
    const timezone = start.isUtc ? 'UTC' : start.isDay ? first.timezone : start.clock.zone;
    if (count('rrule') !== 1 || count('rdate') || count('exrule') || timezone === undefined || !this.#uid) return undefined;
    const length = instantOf(first.end_date) - instantOf(first.start_date);
    const begin = first.all_day ? first.start_date : start.wall;
    const end = first.all_day ? first.end_date : utcOf(instantOf(start.wall) + length);
    return { rule: rawValue(this.component, 'RRULE'), start: begin, end, timezone, all_day: first.all_day };
  }

  /** A function that creates the occurrences of a VEVENT, with the duration of the one at `start`. */
  #maker(properties: readonly Property[], details: ReadEvent, start: Moment): Maker {
    const ends = { start, end: this.#endOf(properties, start) };
    const allDay = start.isDay || this.#isMarkedDay(properties, start, ends.end ?? start);
    const resolve = (from: GivenSpan) =>
      resolveSpan({ ...from, allDay }, undefined, spanRules.ical, { now: 0, zone: '', clock: start.clock })!;
    const usual = resolve(ends);
    const zone = propertyText(properties, 'x-timezone');
    const own = isZone(zone) ? zone : undefined;
    if (allDay) {
      const timezone = own ?? (start.isDay ? this.floating.zone! : this.#zoneOf(start, own));
      const days = (instantOf(startOfDay(usual.end.wall)) - instantOf(usual.start.wall)) / 86_400_000;
      return ({ instant, wall = start.clock.wallOf(instant), until }, uid) => {
        const end = until === undefined ? undefined : { wall: start.clock.wallOf(until), instant: until };
        const last = end ? resolve({ ...ends, start: { ...start, wall, instant }, end }).end.wall : endOfDay(addDays(wall, days));
        return { ...details, uid, timezone, all_day: true, start_date: startOfDay(wall), end_date: last };
      };
    }
    const timezone = this.#zoneOf(start, own);
    const length = usual.end.instant - usual.start.instant;
    return ({ instant, until = instant + length }, uid) => ({
      ...details,
      uid,
      timezone,
      all_day: false,
      start_date: wallOf(instant, timezone),
      end_date: wallOf(Math.max(instant, until), timezone),
    });
  }

  #zoneOf(start: Moment, own: string | undefined): string {
    if (!start.isUtc) return start.clock.zone ?? this.floating.zone!;
    return own ?? this.options.floating ?? (isZone(this.survey.timezone) ? this.survey.timezone : 'UTC');
  }

  #endOf(properties: readonly Property[], start: Moment): WallMoment | undefined {
    // A floating end uses the clock of the start.
    const end = this.#moment(properties, 'dtend', start.clock);
    const duration = end ? undefined : properties.find(({ name }) => name === 'duration');
    if (!duration) return end;
    const last = plusDuration(start, String(duration.values[0]));
    if (!last) this.#fault(duration.line, `invalid DURATION ${JSON.stringify(duration.raw.slice(0, 60))}`);
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
    return start.instant >= this.options.window.from && start.instant <= this.options.window.until;
  }

  #fault(line: number, reason: string): void {
    this.problems.push({ at: `line ${line}`, reason });
  }

  /** True if it belongs to an all-day series. */
  get #isOfDays(): boolean {
    return this.#uid !== '' && this.survey.daily.has(this.#uid);
  }

  /** True if times from midnight to midnight mean an all-day event, as some programs write them. */
  #isMarkedDay(properties: readonly Property[], start: Moment, end: Pick<Moment, 'wall'>): boolean {
    const isMarked = propertyText(properties, 'x-microsoft-cdo-alldayevent') === 'TRUE' || this.#isOfDays;
    return isMarked && [start, end].every(({ wall }) => wall.endsWith(' 00:00:00'));
  }
}

/** A time of an event; its wall time if already known. */
type At = Omit<Occurrence, 'wall'> & { wall?: DateTime };
type Maker = (at: At, uid: string) => ReadEvent;

/** The UID of an occurrence: the UID of the event with the day or the UTC time. */
const occurrenceUid = (uid: string, moment: Pick<Moment, 'wall' | 'instant' | 'isDay'>): string =>
  uid && `${uid}#${occurrenceMark(moment)}`;
