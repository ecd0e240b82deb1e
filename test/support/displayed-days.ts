import type { Display } from '../../src/cli/days/display.ts';
import type { Calendar, Input } from '../../src/model/calendar.ts';
import { owner } from '../../src/model/viewer.ts';
import { openCalendar } from '../../src/store/calendar.ts';

/** Wednesday, 3 March 2027, 10:00 in Paris. */
export const now = Date.parse('2027-03-03T09:00:00Z');

/** A look from Paris on a Wednesday morning. */
export const lookWith = (over: Partial<Display> = {}): Display => ({
  here: 'Europe/Paris',
  own: 'Europe/Paris',
  now,
  locale: 'en-GB',
  weekStart: 1,
  color: false,
  ...over,
});

/** A calendar in memory that holds these events, each in Paris unless it says otherwise. */
export async function calendarWith(events: Input[]): Promise<Calendar> {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => now });
  const calendar = store.calendarFor(owner, { home: 'http://localhost', root: 'http://localhost/wp-json/calendar/events/v1' });
  for (const event of events) await calendar.events.create({ timezone: 'Europe/Paris', ...event });
  return calendar;
}

/** A few events of every kind around that morning. */
export const city: Input[] = [
  { title: 'Over', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' },
  { title: 'Exhibition', start_date: '2027-02-20', end_date: '2027-03-05', all_day: true, venue: { venue: 'Pier 9', city: 'Lyon' } },
  { title: 'Hackathon', start_date: '2027-03-02 18:00', end_date: '2027-03-04 12:00' },
  { title: 'Breakfast & talk', start_date: '2027-03-03 09:30', end_date: '2027-03-03 10:30' },
  { title: 'Concert', start_date: '2027-03-03 20:00', end_date: '2027-03-04 00:00' },
  { title: 'Night', start_date: '2027-03-03 23:00', end_date: '2027-03-04 05:00' },
  { title: 'Reminder', start_date: '2027-03-04 08:00', end_date: '2027-03-04 08:00' },
  { title: 'Holiday', start_date: '2027-03-06', end_date: '2027-03-06', all_day: true },
  { title: 'Call from Tokyo', start_date: '2027-03-05 07:00', end_date: '2027-03-05 08:00', timezone: 'Asia/Tokyo' },
  { title: 'Far off', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' },
];

/** All of a text that comes in pieces. */
export async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
