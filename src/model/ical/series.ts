import type { Entry } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { addDays, type DateTime, endOfDay, instantOf, startOfDay } from '../time/datetime.ts';
import { toUtc } from '../time/time.ts';
import { type IcalEvent, icalEvent } from './event.ts';
import { escapeParameter, escapeText, foldLine, propertiesOf } from './lines.ts';
import { occurrenceOf, type Series } from './occurrence.ts';
import { occurrenceMark, occurrencesOf } from './recurrence.ts';
import { Steps } from './rule.ts';
import { icalDate } from './vtimezone.ts';
import { eventLines, type IcalOptions, icalHead, icalPiece, isUtcName, zonePiece } from './write.ts';
import { Clocks, zoneClock } from './zones.ts';

/** A date of a series: a day, in UTC, or in a time zone, which may be an offset. A rule in UTC would give other days. */
function dateLine(name: string, wall: string, { timezone, all_day }: Pick<Series, 'timezone' | 'all_day'>): string {
  if (all_day) return `${name};VALUE=DATE:${wall.slice(0, 8)}`;
  return isUtcName(timezone) ? `${name}:${wall}Z` : `${name};TZID=${escapeParameter(timezone)}:${wall}`;
}

function seriesDates(series: Series): string[] {
  const { start, end, all_day } = series;
  const date = (name: string, wall: DateTime) => dateLine(name, icalDate(wall), series);
  if (all_day) return [date('DTSTART', start), date('DTEND', addDays(end, 1))];
  return [date('DTSTART', start), ...(end > start ? [date('DTEND', end)] : [])];
}

/** An occurrence of a series with its UID and dates. */
type SeriesOccurrence = Pick<IcalEvent, 'uid' | 'start_date' | 'end_date' | 'timezone' | 'all_day'>;

/** Maximum number of steps to expand a rule. */
const maxSteps = 502_000;

/** The occurrences of a series. Adds a problem for an invalid rule. */
export function expandSeries(series: Series, problems: Problem[] = []): SeriesOccurrence[] {
  const { uid, rule, timezone, all_day, from, until } = series;
  const clock = zoneClock(timezone);
  const begin = all_day ? startOfDay(series.start) : series.start;
  const start = { clock, wall: begin, instant: clock.instantOf(begin), isDay: all_day, isUtc: isUtcName(timezone) };
  const properties = propertiesOf({ name: 'VEVENT', line: 0, lines: [{ text: `RRULE:${rule}`, line: 0 }], children: [] }, problems);
  const scope = { clocks: new Clocks(), window: { from, until }, steps: new Steps(maxSteps) };
  const length = Math.max(0, clock.instantOf(series.end) - start.instant);
  const days = (instantOf(startOfDay(series.end)) - instantOf(begin)) / 86_400_000;
  return occurrencesOf(properties, start, scope, problems).map(({ wall, instant }) => ({
    uid: `${uid}#${occurrenceMark({ wall, instant, isDay: all_day })}`,
    timezone,
    all_day,
    start_date: all_day ? wall : clock.wallOf(instant),
    end_date: all_day ? endOfDay(addDays(wall, days)) : clock.wallOf(instant + length),
  }));
}

/** Returns what the occurrences of a series have in common, as a comparable text. */
function commonPart(event: IcalEvent): string {
  const { uid, start_date, end_date, utc_start_date, utc_end_date, url, created, modified, ...common } = event;
  return JSON.stringify(common);
}

/** The events with the most frequent common part. */
function largestGroup(events: readonly IcalEvent[]): IcalEvent[] {
  const groups = new Map<string, IcalEvent[]>();
  for (const event of events) {
    const key = commonPart(event);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest));
}

/**
 * A series as one event with its rule, EXDATE for occurrences that are missing, and the occurrences that differ (RFC 5545, 3.8.4.4). Occurrences
 * that the rule doesn't contain follow as single events.
 */
function seriesPiece(series: Series, entries: readonly Entry[], zones: Set<string>, since?: number): string {
  const expected = new Map(expandSeries(series).map((event) => [event.uid, event]));
  const inRule = entries.filter(({ uid }) => expected.has(String(uid)));
  if (!inRule.length) return entries.map((entry) => icalPiece(entry, zones, since)).join('');
  const events = inRule.map((entry) => icalEvent(entry));
  const alike = largestGroup(events);
  const common = new Set(alike.map(({ uid }) => uid));
  const dateOf = (name: string, uid: string) => dateLine(name, icalDate(expected.get(uid)!.start_date), series);
  const isAsExpected = (event: IcalEvent) => {
    const { start_date, end_date, timezone, all_day } = expected.get(event.uid)!;
    if (all_day || event.all_day) return event.all_day === all_day && event.start_date === start_date && event.end_date === end_date;
    return event.utc_start_date === toUtc(start_date, timezone) && event.utc_end_date === toUtc(end_date, timezone);
  };
  const present = new Set(events.map(({ uid }) => uid));
  // Dates in UTC are read in the zone of the calendar.
  const isNamed = !series.all_day && alike[0]!.timezone === series.timezone && !isUtcName(series.timezone);
  const zone = isNamed ? [] : [`X-TIMEZONE:${escapeText(alike[0]!.timezone)}`];
  const master = eventLines({ ...alike[0]!, uid: series.uid, url: '' }, [
    ...seriesDates(series),
    ...zone,
    `RRULE:${series.rule}`,
    ...[...expected.keys()].filter((uid) => !present.has(uid)).map((uid) => dateOf('EXDATE', uid)),
  ]);
  const overrides = events
    .filter((event) => !common.has(event.uid) || !isAsExpected(event))
    .map((event) => eventLines({ ...event, uid: series.uid }, undefined, [dateOf('RECURRENCE-ID', event.uid)]));
  const own = series.all_day ? '' : zonePiece(series.timezone, zones, { since, isSeries: true });
  const pieces = [own, ...events.map(({ timezone, all_day }) => (all_day ? '' : zonePiece(timezone, zones, { since })))];
  const others = entries.filter(({ uid }) => !expected.has(String(uid))).map((entry) => icalPiece(entry, zones, since));
  return [...pieces, ...[master, ...overrides].map((lines) => lines.map(foldLine).join('')), ...others].join('');
}

/** Yields events as a calendar, each series that `find` returns as one event with its rule. */
export function* icalPieces(
  events: Iterable<Entry>,
  find: (uid: string) => { series: Series; entries: Entry[] } | undefined,
  options: IcalOptions,
): Generator<string> {
  yield icalHead(options);
  const zones = new Set<string>();
  const writtenSeries = new Set<string>();
  for (const event of events) {
    const uid = occurrenceOf(event.uid)?.series;
    if (uid !== undefined && writtenSeries.has(uid)) continue;
    const whole = uid === undefined ? undefined : find(uid);
    if (whole) {
      writtenSeries.add(whole.series.uid);
      yield seriesPiece(whole.series, whole.entries, zones);
    } else yield icalPiece(event, zones, undefined, options.site);
  }
  yield 'END:VCALENDAR\r\n';
}
