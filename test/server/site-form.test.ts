import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { decodeEntities } from '../../src/model/html/plain-text.ts';

const dates = { start_date: '2027-03-05 20:00', end_date: '2027-03-05 22:00', timezone: 'Europe/Paris' };
const events = {
  plain: { title: 'Don\'t "stop" - now', description: 'One\n\nTwo\nthree', ...dates },
  tag: { title: 'A <em>b</em> & c', description: 'a < b & c -- d "q" it\'s\n\nsecond\nline', ...dates },
  moment: { title: 'Moment', ...dates, end_date: dates.start_date },
  place: {
    title: 'Place',
    ...dates,
    venue: { venue: 'Hall', address: '1 Main St, Suite 2', city: 'Graz', country: 'Austria', geo_lat: 47.07, geo_lng: 15.44 },
    organizer: [{ organizer: 'Anna B: é, "x"; 100%25', email: 'a@b.example' }, { organizer: 'Second' }],
  },
  colon: {
    title: 'Colon',
    ...dates,
    venue: { venue: 'Bar: "A"; B', address: 'Top: 1', geo_lat: 1.5, geo_lng: -2 },
    organizer: { organizer: 'No mail' },
  },
  bare: { title: 'Bare', ...dates, venue: { venue: 'Nowhere', geo_lat: 1, geo_lng: 2 } },
};

let calendar: Calendar;
let feed = '';
const readOf = (ics: string) => ics.replaceAll('\r\n ', '');
beforeAll(async () => {
  calendar = await createCalendar({ listen: false, now: '2027-03-01T09:00Z' });
  for (const [slug, event] of Object.entries(events)) await calendar.events.create({ slug, ...event });
  feed = await (await calendar.fetch(`${new URL(calendar.url).origin}/events/?ical=1`)).text();
});
afterAll(() => calendar.close());

/** The lines of an event in the feed of the site. */
const linesOf = async (slug: string) =>
  readOf(await (await calendar.fetch(`${new URL(calendar.url).origin}/event/${slug}/?ical=1`)).text()).split('\r\n');

describe('the feed of a site has the form of the service', () => {
  it.each<[keyof typeof events, string]>([
    ['plain', 'SUMMARY:Don\'t "stop" - now'],
    ['plain', 'DESCRIPTION:One \\nTwo\\nthree'],
    ['tag', 'SUMMARY:A b & c'],
    ['tag', 'DESCRIPTION:a < b & c -- d "q" it\'s\\n\\nsecond\\nline'],
    ['moment', 'DTSTART;TZID=Europe/Paris:20270305T200000'],
    ['moment', 'DTEND;TZID=Europe/Paris:20270305T200000'],
    ['place', 'LOCATION:Hall\\, 1 Main St\\, Suite 2\\, Graz\\, Austria'],
    ['place', 'GEO:47.07;15.44'],
    [
      'place',
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=Hall 1 Main St Suite 2 Graz Austria;X-APPLE-RADIUS=500;X-TITLE=1 Main St\\, Suite 2:geo:15.44,47.07',
    ],
    ['place', 'ORGANIZER;CN="Anna B%3A %C3%A9%2C %22x%22%3B 100%2525":MAILTO:a@b.example'],
    ['place', 'CONTACT:Second'],
    ['colon', 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Bar: “A”; B Top: 1";X-APPLE-RADIUS=500;X-TITLE="Top: 1":geo:-2,1.5'],
    ['colon', 'CONTACT:No mail'],
    ['bare', 'LOCATION:Nowhere'],
  ])('%s: %s', async (slug, line) => expect(await linesOf(slug)).toContain(line));

  it.each<[keyof typeof events, string]>([
    ['colon', 'ORGANIZER'],
    ['bare', 'X-APPLE'],
    ['place', 'LOCATION;'],
    ['plain', 'GEO'],
  ])('%s has no %s', async (slug, start) => expect((await linesOf(slug)).filter((line) => line.startsWith(start))).toEqual([]));
});

it('an import of it loses nothing that the own feed keeps', async () => {
  const whole = await (await calendar.fetch(`${new URL(calendar.url).origin}/calendar.ics`)).text();
  const read = async (text: string) => {
    const other = await createCalendar({ listen: false, now: '2027-03-01T09:00Z' });
    try {
      await other.data.import({ text, format: 'ics' });
      const { events: all } = await other.events.list({ per_page: 50 });
      const namesOf = (records: unknown) =>
        [records]
          .flat()
          .map(
            (each) =>
              each && [
                (each as { venue?: string }).venue,
                decodeEntities(String((each as { organizer?: string }).organizer)),
                (each as { email?: string }).email,
                (each as { address?: string }).address,
              ],
          );
      return all
        .map(({ title, description, start_date, end_date, venue, organizer, cost }) => ({
          ...{ title: decodeEntities(title), description: decodeEntities(description), start_date, end_date, cost },
          ...{ venue: namesOf(venue), organizer: namesOf(organizer) },
        }))
        .sort((a, b) => (a.title < b.title ? -1 : 1));
    } finally {
      await other.close();
    }
  };
  expect(await read(feed)).toEqual(await read(whole));
});
