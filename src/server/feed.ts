import type { Collection, Entry } from '../model/calendar.ts';
import type { Query } from '../model/fields/list.ts';
import { eventsToIcs } from '../model/ical/write.ts';
import { mayRead, type Viewer } from '../model/viewer.ts';
import { checkNames } from './hints.ts';
import type { Call, Result } from './http.ts';
import { tagOf } from './response.ts';

/** Refresh interval for subscribers, in minutes. */
const refresh = 60;

/** Returns all pages of a list of events as iCalendar, with the title and the time zone of the calendar. */
export async function feed(call: Call): Promise<Result> {
  const { service, viewer, site, query } = call;
  checkNames(call, 'events', 'list');
  const { events } = service.calendar(viewer, site);
  const about = { name: service.title(), timezone: service.requestContext().zone, refresh };
  const pieces: string[] = [];
  for await (const piece of eventsToIcs(everyPage(events, query, viewer), about)) pieces.push(piece);
  const bytes = Buffer.from(pieces.join(''));
  return {
    status: 200,
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': 'inline; filename="calendar.ics"' },
    body: { pieces: [bytes], tag: tagOf(bytes) },
  };
}

/** Yields the events of every page that the viewer may read one by one, too: lists show contributors and authors unpublished events of others. */
async function* everyPage(events: Collection, query: Query, viewer: Viewer): AsyncGenerator<Entry> {
  for (let page = 1; ; page++) {
    const { entries, total_pages } = await events.list({ ...query, page: String(page), per_page: '50', _uid: '1' });
    yield* entries.filter((entry) => mayRead(viewer, { author: Number(entry.author), status: String(entry.status) }));
    if (page >= total_pages) return;
  }
}
