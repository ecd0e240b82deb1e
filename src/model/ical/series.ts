import type { Problem } from '../error.ts';
import { addDays, type DateTime } from '../time/datetime.ts';
import { occurrenceOf, type Series } from './occurrence.ts';
import { readIcal, surveyIcal } from './read.ts';
import type { ReadEvent } from './read-event.ts';
import { icalDate } from './vtimezone.ts';

/** Returns DTSTART and DTEND of a series. */
export function seriesDates({ start, end, timezone, all_day }: Pick<Series, 'start' | 'end' | 'timezone' | 'all_day'>): string[] {
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
