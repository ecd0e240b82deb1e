import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import { expect } from 'vitest';
import type { Input, Resource, ResourceName } from '../../src/model/calendar.ts';
import { icalEvent } from '../../src/model/ical/event.ts';
import { occurrenceOf } from '../../src/model/ical/occurrence.ts';
import { offsetAt, zoneOf } from '../../src/model/time/zone.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';

/* Compares exported files with the calendar by programs that share no code with the writers. */

const site = { home: 'http://x', root: 'http://x/v1' };
const formula = /^'(?='*[=+\-@\t\r])/;

/** Fails unless csv-parse reads the values of all records of a table: texts, dates, numbers and switches. Links are names, which only this program reads. Returns the number of cells. */
export function expectTable(store: Store, name: ResourceName, text: string): number {
  const rows: Record<string, string>[] = parse(text, { columns: true, relax_column_count: false });
  const sources = new Map([...store.local(owner, site).sources(name)].map((source) => [source.id, source as Input]));
  expect(rows).toHaveLength(sources.size);
  const definition: Resource = store.resources[name];
  const compared = definition.fields.filter(({ links, secret }: { links?: unknown; secret?: unknown }) => !links && !secret);
  let count = 0;
  for (const row of rows) {
    const source = sources.get(Number(row.id))!;
    for (const { name: field } of compared) {
      const cell = row[field]?.replace(formula, '');
      if (cell === undefined || source[field] === undefined) continue;
      const value = source[field];
      count++;
      if (field === 'cost') {
        // Several prices are JSON; one is its text.
        const prices = (value as string[]).map(String);
        expect([row.id, cell.startsWith('[') ? JSON.parse(cell) : [cell]]).toEqual([row.id, prices]);
      } else expect([row.id, field, cell]).toEqual([row.id, field, String(value)]);
    }
  }
  return count;
}

/** Returns whether a clock changes within an hour of a time. */
const isDst = (zone: string, at: number): boolean => {
  const definition = zoneOf(zone);
  return definition !== undefined && offsetAt(definition, at - 3_600_000) !== offsetAt(definition, at + 3_600_000);
};

const text = (component: ICAL.Component, name: string) => String(component.getFirstPropertyValue(name) ?? '');
const list = (component: ICAL.Component, name: string) =>
  component.getAllProperties(name).flatMap((property) => property.getValues().map(String));

/** Returns the milliseconds of a date of ical.js. Its zone has to be one of the file, or UTC. */
function millisecondsOf(component: ICAL.Component, name: string, zones: ReadonlyMap<string, ICAL.Timezone>): number | undefined {
  const property = component.getFirstProperty(name);
  if (!property) return undefined;
  const time = property.getFirstValue() as ICAL.Time;
  const tzid = property.getParameter('tzid') as string | undefined;
  if (tzid !== undefined) expect([...zones.keys()]).toContain(tzid);
  const zone = tzid === undefined ? ICAL.Timezone.utcTimezone : zones.get(tzid)!;
  return instantOf(time, zone);
}

const instantOf = ({ year, month, day, hour, minute, second }: ICAL.Time, zone: ICAL.Timezone): number =>
  ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false }, zone).toUnixTime() * 1000;

/** Fails unless ical.js reads the values of all events: texts, lists, starts and ends, and the occurrences of series. Each zone needs a VTIMEZONE. Returns the number of events. */
export function expectIcal(store: Store, file: string): number {
  const calendar = new ICAL.Component(ICAL.parse(file));
  const zones = new Map(
    calendar.getAllSubcomponents('vtimezone').map((component) => [text(component, 'tzid'), new ICAL.Timezone(component)] as const),
  );
  const components = calendar.getAllSubcomponents('vevent');
  const single = new Map(
    components.filter((each) => !each.hasProperty('rrule') && !each.hasProperty('recurrence-id')).map((each) => [text(each, 'uid'), each]),
  );
  const starts = new Map<string, Set<number>>();
  for (const component of components.filter((each) => each.hasProperty('rrule'))) {
    const tzid = component.getFirstProperty('dtstart')!.getParameter('tzid') as string | undefined;
    if (tzid !== undefined) expect([...zones.keys()]).toContain(tzid);
    const zone = tzid === undefined ? undefined : zones.get(tzid);
    const start = component.getFirstPropertyValue('dtstart') as ICAL.Time;
    const rule = (component.getFirstPropertyValue('rrule') as ICAL.Recur).iterator(start);
    const left = new Set(component.getAllProperties('exdate').flatMap((each) => each.getValues().map(String)));
    // RFC 5545, 3.8.5.3: the start is an occurrence too. ical.js leaves out one that the rule doesn't produce.
    const times = new Set([instantOf(start, zone ?? ICAL.Timezone.utcTimezone)]);
    for (let time = rule.next(); time && times.size < 400; time = rule.next())
      if (!left.has(String(time))) times.add(instantOf(time, zone ?? ICAL.Timezone.utcTimezone));
    starts.set(text(component, 'uid'), times);
  }
  let count = 0;
  for (const entry of store.local(owner, site).entries('events')) {
    const event = icalEvent(entry);
    const series = occurrenceOf(event.uid)?.series;
    const utc = (date: string) => Date.parse(`${date.replace(' ', 'T')}Z`);
    const begin = event.all_day ? utc(event.start_date.slice(0, 10).concat(' 00:00:00')) : utc(event.utc_start_date);
    count++;
    if (series !== undefined && starts.has(series)) {
      // Programs differ at a time that the clock skips or repeats.
      const isAt = (time: number) => starts.get(series)!.has(time);
      const near = [begin - 3_600_000, begin - 1_800_000, begin, begin + 1_800_000, begin + 3_600_000];
      expect([event.uid, isDst(event.timezone, begin) ? near.some(isAt) : isAt(begin)]).toEqual([event.uid, true]);
      continue;
    }
    const component = single.get(event.uid)!;
    expect({
      uid: event.uid,
      summary: text(component, 'summary'),
      description: text(component, 'description'),
      // ical.js doesn't know that extensions are texts.
      cost: text(component, 'x-cost').replace(/\\([,;\\])/g, '$1'),
      categories: list(component, 'categories'),
      start: millisecondsOf(component, 'dtstart', zones),
    }).toEqual({
      uid: event.uid,
      summary: event.title,
      description: event.description,
      cost: event.cost,
      categories: event.categories,
      start: begin,
    });
    const end = millisecondsOf(component, 'dtend', zones);
    const last = event.all_day ? utc(event.end_date.slice(0, 10).concat(' 00:00:00')) + 86_400_000 : utc(event.utc_end_date);
    expect([event.uid, end ?? begin]).toEqual([event.uid, last]);
  }
  return count;
}
