import ICAL from 'ical.js';
import { readIcal, surveyIcal } from '../../src/model/ical/read.ts';
import type { Window } from '../../src/model/ical/recurrence.ts';
import { timezoneComponent } from '../../src/model/ical/vtimezone.ts';
import { zoneNamed } from '../../src/model/ical/zones.ts';
import { addDays, instantOf, utcOf } from '../../src/model/time/datetime.ts';
import { toUtc } from '../../src/model/time/time.ts';

/** Occurrences of an event that are compared. */
const maxOccurrences = 5000;
const moment = (instant: number) => utcOf(instant).replace(' ', 'T');

/** When the events of a calendar take place, `start end title` in order, and what is wrong with it: as it is read here, times that name no zone in UTC. */
export function timesHere(text: string, window: Window): { times: string[]; problems: string[] } {
  const survey = surveyIcal([text]);
  const problems = [...survey.problems];
  const times: string[] = [];
  for (const found of readIcal([text], survey, { zone: 'UTC', floating: 'UTC', window })) {
    if ('superseded' in found) continue;
    problems.push(...found.problems);
    for (const { all_day, start_date, end_date, timezone, title } of found.events) {
      const [start, end] = all_day
        ? [start_date.slice(0, 10), addDays(end_date, 1).slice(0, 10)]
        : [start_date, end_date].map((wall) => moment(instantOf(toUtc(wall, timezone))));
      times.push(`${start} ${end} ${title}`);
    }
  }
  return { times: times.sort(), problems: problems.map(({ at, reason }) => `${at}: ${reason}`) };
}

/** The same as another library has it. Zones that a calendar names without describing them are described for it. */
export function timesThere(text: string, window: Window): string[] {
  const times: string[] = [];
  // Text before and after calendars is ignored, and a file may contain several.
  for (const jcal of [ICAL.parse(text)].flatMap((parsed) => (typeof parsed[0] === 'string' ? [parsed] : parsed)) as unknown[][]) {
    const calendar = new ICAL.Component(jcal as never);
    const zones = new Map(
      calendar.getAllSubcomponents('vtimezone').map((each) => [String(each.getFirstPropertyValue('tzid')), new ICAL.Timezone(each)]),
    );
    const told = (time: ICAL.Time, property: ICAL.Property | null): ICAL.Time => {
      const tzid = property?.getParameter('tzid');
      if (typeof tzid !== 'string' || time.isDate || time.zone === ICAL.Timezone.utcTimezone) return time;
      if (!zones.has(tzid)) {
        const described = timezoneComponent(zoneNamed(tzid) ?? 'UTC', 1970);
        if (described) zones.set(tzid, new ICAL.Timezone(new ICAL.Component(ICAL.parse(described))));
      }
      time.zone = zones.get(tzid) ?? ICAL.Timezone.utcTimezone;
      return time;
    };
    const events = calendar.getAllSubcomponents('vevent');
    for (const event of events)
      for (const property of event.getAllProperties()) {
        if (!['dtstart', 'dtend', 'recurrence-id', 'exdate', 'rdate'].includes(property.name)) continue;
        const values = property.getValues().map((value: unknown) => (value instanceof ICAL.Time ? told(value, property) : value));
        if (property.isMultiValue) property.setValues(values as never);
        else property.setValue(values[0] as never);
      }
    times.push(...timesOf(events, window));
  }
  return times.sort();
}

function timesOf(all: ICAL.Component[], window: Window): string[] {
  const last = new Map<string, ICAL.Component>();
  const rank = (event: ICAL.Component) => [
    Number(event.getFirstPropertyValue('sequence') ?? 0),
    String(event.getFirstPropertyValue('last-modified') ?? event.getFirstPropertyValue('dtstamp') ?? ''),
  ];
  all.forEach((event, at) => {
    const uid = event.getFirstPropertyValue('uid');
    const key = uid ? `${uid} ${event.getFirstPropertyValue('recurrence-id') ?? ''}` : String(at);
    const before = last.get(key);
    if (!before || rank(event) >= rank(before)) last.set(key, event);
  });
  const events = [...last.values()].filter((event) => event.getFirstProperty('dtstart'));
  const shown = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time) => {
    const at = (time: ICAL.Time) => (start.isDate ? time.toString().slice(0, 10) : moment(time.toUnixTime() * 1000));
    const [from, to] = [at(start), at(end)];
    const next = start.isDate && to <= from ? addDays(`${from} 00:00:00`, 1).slice(0, 10) : to < from ? from : to;
    return `${from} ${next} ${event.summary?.trim() || '(no title)'}`;
  };
  const instantOfTime = (time: ICAL.Time) => time.toUnixTime() * 1000;
  const isWithin = (time: ICAL.Time) => instantOfTime(time) >= window.from && instantOfTime(time) <= window.until;
  return events.flatMap((component) => {
    const uid = component.getFirstPropertyValue('uid');
    const isException = component.hasProperty('recurrence-id');
    const event = new ICAL.Event(component, {
      exceptions:
        isException || !uid ? [] : events.filter((each) => each.getFirstPropertyValue('uid') === uid && each.hasProperty('recurrence-id')),
    });
    if (isException) return isWithin(event.startDate) ? [shown(event, event.startDate, event.endDate)] : [];
    if (!event.isRecurring()) return [shown(event, event.startDate, event.endDate)];
    const found: string[] = [];
    const iterator = event.iterator();
    for (let count = 0; count < maxOccurrences; count++) {
      const next = iterator.next();
      if (!next || instantOfTime(next) > window.until + 86_400_000) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      // Overridden occurrences have a component.
      if (item === event && isWithin(startDate)) found.push(shown(event, startDate, endDate));
    }
    // A time that a rule and a date give is one (RFC 5545, 3.8.5.2).
    return [...new Set(found)];
  });
}
