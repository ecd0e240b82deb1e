import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/calendar.ts';
import { htmlToLine } from '../../../src/model/html/plain-text.ts';
import { isUnambiguous, timezoneComponent } from '../../../src/model/ical/vtimezone.ts';
import { eventsToIcs } from '../../../src/model/ical/write.ts';
import { addDays, instantOf, utcOf } from '../../../src/model/time/datetime.ts';
import { fromUtc, toUtc } from '../../../src/model/time/time.ts';
import { offsetAt, zoneOf } from '../../../src/model/time/zone.ts';

const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Auckland',
  'UTC+5.5',
  'UTC-3.5',
];
const text = fc.oneof(
  fc.string({ maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom('a, b; c\\d', 'line\nbreak', 'Grüße '.repeat(30), '日本語'.repeat(40), '👩‍👩‍👧‍👦'.repeat(12), 'C:\\new', 'BEGIN:VEVENT'),
);
const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) }).map((at) => utcOf(at));

const entry = fc
  .record({
    id: fc.integer({ min: 1, max: 9999 }),
    title: text,
    description: text,
    timezone: fc.constantFrom(...zones),
    all_day: fc.boolean(),
  })
  .chain((base) =>
    fc
      .record({
        utc: moment,
        minutes: fc.integer({ min: 0, max: 5000 }),
        venue: text,
        categories: fc.array(text, { maxLength: 3 }),
        name: text,
      })
      .map(({ utc, minutes, venue, categories, name }): Entry => {
        const { timezone, all_day } = base;
        const local = fromUtc(utc, timezone);
        const start = all_day ? `${local.slice(0, 10)} 00:00:00` : local;
        const until = utcOf(instantOf(utc) + minutes * 60_000);
        const end = all_day ? `${fromUtc(until, timezone).slice(0, 10)} 23:59:59` : fromUtc(until, timezone);
        const encoded = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        return {
          ...base,
          title: encoded(base.title),
          description: encoded(base.description),
          global_id: `example.org?id=${base.id}`,
          global_id_lineage: [`example.org?id=${base.id}`],
          status: 'publish',
          date_utc: '2026-11-20 10:00:00',
          modified_utc: '2026-11-20 11:00:00',
          url: 'http://example.org/event/x/',
          website: 'http://example.org/event/x/',
          start_date: start,
          end_date: end,
          utc_start_date: all_day ? toUtc(start, timezone) : utc,
          utc_end_date: all_day ? toUtc(end, timezone) : until,
          cost: '',
          image: false,
          categories: categories.map((each) => ({ name: encoded(each) })),
          tags: [],
          venue: { id: 1, venue: encoded(venue) },
          organizer: [{ id: 2, organizer: encoded(name), email: 'a@example.org', url: 'http://example.org/organizer/x/' }],
        };
      }),
  );

async function written(entries: Entry[]): Promise<string> {
  let all = '';
  for await (const piece of eventsToIcs(entries, { name: 'Test; calendar', timezone: 'UTC' })) all += piece;
  return all;
}

/** The instants of an event as the other parser reads them, by the zones of the file. */
function understood(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics) as never);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone as never);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return { event, component, start: event.startDate.toUnixTime() * 1000, end: event.endDate?.toUnixTime() * 1000 };
  });
}

describe('an event as iCalendar', () => {
  it('contains the record, read by another parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), async (entries) => {
        const ics = await written(entries);
        expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        ICAL.TimezoneService.reset();
        const found = understood(ics);
        expect(found).toHaveLength(entries.length);
        found.forEach(({ event, component, start, end }, at) => {
          const source = entries[at]!;
          expect(event.uid).toBe(source.global_id);
          expect(event.summary ?? '').toBe(htmlToLine(String(source.title)).replace(/[\0-\x08\x0b-\x1f\x7f]/g, ''));
          if (source.all_day) {
            expect(event.startDate.toString()).toBe(String(source.start_date).slice(0, 10));
            expect(event.endDate.toString()).toBe(addDays(String(source.end_date), 1).slice(0, 10));
          } else {
            expect(utcOf(start)).toBe(source.utc_start_date);
            expect(utcOf(end)).toBe(source.utc_end_date);
          }
          expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED');
        });
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['2027-10-31 02:30:00', 'Europe/Paris', /DTSTART:20271031T013000Z/],
    ['2027-11-07 01:30:00', 'America/New_York', /DTSTART:20271107T053000Z\r\n(?:.*\r\n)*X-TIMEZONE:America\/New_York/],
    ['2027-06-01 10:00:00', 'UTC+5:30', /DTSTART:20270601T043000Z\r\n(?:.*\r\n)*X-TIMEZONE:UTC\+5:30/],
    ['2027-06-01 10:00:00', 'UTC', /DTSTART:20270601T100000Z\r\n(?:.*\r\n)*X-TIMEZONE:UTC/],
  ])('%s in %s', async (start_date, timezone, line) => {
    const utc = toUtc(start_date, timezone);
    const [source] = fc.sample(entry, 1);
    const ics = await written([
      { ...source!, timezone, all_day: false, start_date, end_date: start_date, utc_start_date: utc, utc_end_date: utc },
    ]);
    expect(ics).toMatch(line);
    ICAL.TimezoneService.reset();
    expect(utcOf(understood(ics)[0]!.start)).toBe(utc);
  });
});

describe('a zone as VTIMEZONE', () => {
  it.each([
    'Europe/Paris',
    'America/New_York',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Europe/Dublin',
    'Asia/Tehran',
    'UTC-3.5',
  ])('%s gives the offsets of the zone, read by another parser', (name) => {
    const component = new ICAL.Component(ICAL.parse(timezoneComponent(name, 1990)!) as never);
    const zone = new ICAL.Timezone(component);
    const known = zoneOf(name)!;
    for (let at = Date.UTC(1990, 0, 2); at < Date.UTC(2037, 0); at += 37 * 3_600_000 * 5) {
      const wall = new Date(at + offsetAt(known, at) * 1000);
      if (!isUnambiguous(utcOf(wall.getTime()), name)) continue;
      const [year, month, day, hour, minute] = [
        wall.getUTCFullYear(),
        wall.getUTCMonth() + 1,
        wall.getUTCDate(),
        wall.getUTCHours(),
        wall.getUTCMinutes(),
      ];
      const offset = zone.utcOffset(ICAL.Time.fromData({ year, month, day, hour, minute, second: 0, isDate: false }, zone));
      expect([name, utcOf(at), offset]).toEqual([name, utcOf(at), offsetAt(known, at)]);
    }
  });
});

it.each(['UTC-3', 'UTC+5:30', 'UTC+5.5', '+02:00', 'UTC'])('an event in the zone %s is written in UTC', async (timezone) => {
  const utc = { utc_start_date: '2027-06-07 17:30:00', utc_end_date: '2027-06-07 18:30:00' };
  const dates = { start_date: fromUtc(utc.utc_start_date, timezone), end_date: fromUtc(utc.utc_end_date, timezone) };
  let text = '';
  for await (const piece of eventsToIcs([{ id: 1, title: 'A', timezone, ...utc, ...dates } as Entry], { name: '', timezone: '' }))
    text += piece;
  expect(text).toContain('DTSTART:20270607T173000Z');
  expect(text).toContain(`X-TIMEZONE:${timezone}`);
  expect(text).not.toContain('TZID');
});
