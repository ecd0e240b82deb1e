import type { Entry } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { addDays, type DateTime } from '../time/datetime.ts';
import { toUtc } from '../time/time.ts';
import { type IcalEvent, icalEvent } from './event.ts';
import { foldLine } from './lines.ts';
import { occurrenceOf, type Series } from './occurrence.ts';
import { readIcal, surveyIcal } from './read.ts';
import type { ReadEvent } from './read-event.ts';
import { icalDate } from './vtimezone.ts';
import { type IcalOptions, icalHead, icalPiece, linesOf, zonePiece } from './write.ts';

function seriesDates({ start, end, timezone, all_day }: Pick<Series, 'start' | 'end' | 'timezone' | 'all_day'>): string[] {
  if (all_day) {
    const day = (wall: DateTime) => icalDate(wall).slice(0, 8);
    return [`DTSTART;VALUE=DATE:${day(start)}`, `DTEND;VALUE=DATE:${day(addDays(end, 1))}`];
  }
  const date = (name: string, wall: DateTime) =>
    timezone === 'UTC' ? `${name}:${icalDate(wall)}Z` : `${name};TZID=${timezone}:${icalDate(wall)}`;
  return [date('DTSTART', start), ...(end > start ? [date('DTEND', end)] : [])];
}

/** Returns the occurrences of a series with their UIDs and dates. Adds a problem for an invalid rule. */
export function expandSeries(series: Series, problems: Problem[] = []): ReadEvent[] {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:series', ...seriesDates(series), `RRULE:${series.rule}`];
  const text = `${[...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')}\r\n`;
  const window = { from: series.from, until: series.until };
  const zone = series.timezone;
  const events: ReadEvent[] = [];
  for (const item of readIcal([text], surveyIcal([text]), { zone, floating: zone, window })) {
    if ('superseded' in item) continue;
    problems.push(...item.problems);
    for (const event of item.events) events.push({ ...event, uid: `${series.uid}#${occurrenceOf(event.uid)?.recurrenceId ?? ''}` });
  }
  return events;
}

/** Returns what the occurrences of a series have in common, as a comparable text. */
function commonPart(event: IcalEvent): string {
  const { uid, start_date, end_date, utc_start_date, utc_end_date, url, created, modified, ...common } = event;
  return JSON.stringify(common);
}

/** Returns the events with the most frequent common part. */
function largestGroup(events: readonly IcalEvent[]): IcalEvent[] {
  const groups = new Map<string, IcalEvent[]>();
  for (const event of events) {
    const key = commonPart(event);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest));
}

/** Returns a recurrence ID in the form of the series' start. */
function recurrenceDate(name: string, { timezone, all_day }: Series, recurrenceId: string, wallOfUtc: (utc: string) => string): string {
  if (all_day) return `${name};VALUE=DATE:${recurrenceId}`;
  if (timezone === 'UTC') return `${name}:${recurrenceId}`;
  return `${name};TZID=${timezone}:${wallOfUtc(recurrenceId)}`;
}

/**
 * Returns a series as one event with its rule, EXDATE for occurrences that are missing, and the occurrences that differ (RFC 5545, 3.8.4.4). Occurrences
 * that the rule doesn't contain follow as single events.
 */
function seriesPiece(series: Series, entries: readonly Entry[], zones: Set<string>, since?: number): string {
  const expected = new Map(expandSeries(series).map((event) => [event.uid, event]));
  const inRule = entries.filter(({ uid }) => expected.has(String(uid)));
  if (!inRule.length) return entries.map((entry) => icalPiece(entry, zones, since)).join('');
  const events = inRule.map(icalEvent);
  const alike = largestGroup(events);
  const common = new Set(alike.map(({ uid }) => uid));
  const wallOf = (recurrenceId: string) => {
    const event = expected.get(`${series.uid}#${recurrenceId}`)!;
    return icalDate(event.start_date);
  };
  const dateOf = (name: string, uid: string) => recurrenceDate(name, series, occurrenceOf(uid)!.recurrenceId, wallOf);
  const isAsExpected = (event: IcalEvent) => {
    const { start_date, end_date, timezone, all_day } = expected.get(event.uid)!;
    if (all_day || event.all_day) return event.all_day === all_day && event.start_date === start_date && event.end_date === end_date;
    return event.utc_start_date === toUtc(start_date, timezone) && event.utc_end_date === toUtc(end_date, timezone);
  };
  const present = new Set(events.map(({ uid }) => uid));
  const zone = !series.all_day && alike[0]!.timezone === series.timezone ? [] : [`X-TIMEZONE:${alike[0]!.timezone}`];
  const master = linesOf({ ...alike[0]!, uid: series.uid, url: '' }, [
    ...seriesDates(series),
    ...zone,
    `RRULE:${series.rule}`,
    ...[...expected.keys()].filter((uid) => !present.has(uid)).map((uid) => dateOf('EXDATE', uid)),
  ]);
  const overrides = events
    .filter((event) => !common.has(event.uid) || !isAsExpected(event))
    .map((event) => linesOf({ ...event, uid: series.uid }, undefined, [dateOf('RECURRENCE-ID', event.uid)]));
  const zoneNames = [series.timezone, ...events.map(({ timezone }) => timezone)];
  const pieces = series.all_day ? [] : zoneNames.map((name) => zonePiece(name, zones, since));
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
    } else yield icalPiece(event, zones);
  }
  yield 'END:VCALENDAR\r\n';
}
