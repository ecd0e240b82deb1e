/**
 * A client with a function for each operation, made from the calendar's own description. `npm test` generates it and runs this file.
 */
import { client } from './client/client.gen.ts';
import { controlSetClock, createEvent, deleteEvent, getEvent, listEvents, putEvent, updateEvent } from './client/sdk.gen.ts';
import type { Event } from './client/types.gen.ts';

// Set by `calendar exec`.
const baseUrl = process.env.CALENDAR_URL!;
client.setConfig({ baseUrl });

/** An event's venue is one object, or a list: an empty one, or several. */
const venuesOf = ({ venue }: Event) => (Array.isArray(venue) ? venue : [venue]);

// List.
const list = await listEvents({ query: { per_page: 5, search: 'plain words' } });
if (!list.data) throw new Error(list.error.message);
console.log(`listed ${list.data.events.length} of ${list.data.total}; the header says ${list.response.headers.get('X-Calendar-Total')}`);

// Create, with a venue and a category that are made along with it.
const created = await createEvent({
  body: {
    title: 'Typed concert',
    start_date: '2027-06-01 20:00',
    end_date: '2027-06-01 23:00',
    venue: { venue: 'Old Station', city: 'Berlin' },
    categories: ['Typed music'],
    cost: ['€8', '€12'],
  },
});
if (!created.data) throw new Error(created.error.message);
const event: Event = created.data;
console.log(`created ${event.title} at ${venuesOf(event).map(({ venue }) => venue)}, ${event.cost_details.values.join(' or ')}`);

// Update: what is sent changes, and nothing else.
const path = { id: event.id };
const updated = await updateEvent({ path, body: { featured: true } });
if (!updated.data) throw new Error(updated.error.message);
console.log(`updated: featured is ${updated.data.featured}, the title is still ${updated.data.title}`);

// What was read can be sent back.
const read = await getEvent({ path });
if (!read.data) throw new Error(read.error.message);
const { start_date, end_date, timezone } = read.data;
const back = await putEvent({ path, body: { start_date, end_date, timezone, title: 'Typed concert II' } });
console.log(`sent back: ${back.data?.title}`);

// Errors: one type for all, whose code says what its data contains.
const refused = await createEvent({ body: { title: 'Never', start_date: 'no date', end_date: '2027-06-01' } });
if (refused.error?.code === 'rest_invalid_param') console.log(`refused: ${Object.keys(refused.error.data.params ?? {}).join(', ')}`);

// Delete: an event goes into the trash.
const deleted = await deleteEvent({ path });
console.log(`deleted: ${deleted.data?.status}`);
const again = await deleteEvent({ path });
if (again.error) console.log(`deleted again: ${again.error.code} ${again.error.data.status}`);

// What a test does with the server stands at its root, below /_calendar.
const clock = await controlSetClock({ baseUrl: process.env.CALENDAR_ROOT_URL!, body: { now: '2027-03-01T09:00:00Z' } });
console.log(`the clock stands at ${clock.data?.now}`);

// What the description does not have does not compile.
// @ts-expect-error an event has an end
await createEvent({ body: { title: 'x', start_date: 'x' } });
// @ts-expect-error a title is text
await createEvent({ body: { title: 5, start_date: 'x', end_date: 'x' } });
