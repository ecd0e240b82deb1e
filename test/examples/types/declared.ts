import { createCalendar, defineFixture, type Fixture } from 'local-calendar';

declare module 'local-calendar' {
  interface DeclaredValues {
    events: { age_group: string; seats: number };
    venues: { floors: number };
  }
}

const fixture: Fixture = defineFixture({ venues: { hall: { venue: 'Hall', floors: 2 } } });
await using calendar = await createCalendar({ seed: fixture });
const event = await calendar.events.create({ title: 'X', start_date: 'today', end_date: 'today', age_group: '6-10', seats: 20 });
await calendar.events.update(event, { seats: 21 });
const { events } = await calendar.events.list({ age_group: '6-10', seats_min: 20 });
const seats: number | null | undefined = events[0]?.seats;
const { venue } = await calendar.events.get(event);
const floors: (number | null)[] = [venue].flat().map((each) => each.floors);
console.log(seats, floors, (await calendar.venues.get('hall')).floors);
// @ts-expect-error seats is a number
await calendar.events.update(event, { seats: 'many' });
// @ts-expect-error organizers have no such field
await calendar.organizers.list({ seats_min: 20 });
