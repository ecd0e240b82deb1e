import type { Collection, Entry } from '../model/calendar.ts';
import type { Query } from '../model/fields/list.ts';
import { eventsToIcs } from '../model/ical/write.ts';
import { mayRead, type Viewer } from '../model/viewer.ts';
import type { Call, Result } from './http.ts';
import { tagOf } from './response.ts';

/** How often subscribers should ask again, in minutes. */
const refresh = 60;

/** Answers events as iCalendar: all pages of the list that a query asks for. What a calendar is called, and its zone, stand at the beginning. */
export async function feed({ service, viewer, site, query }: Call): Promise<Result> {
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

/** The events of every page that the viewer may read one by one too: a list shows contributors and authors the unpublished ones of others. */
async function* everyPage(events: Collection, query: Query, viewer: Viewer): AsyncGenerator<Entry> {
  for (let page = 1; ; page++) {
    const { entries, total_pages } = await events.list({ ...query, page: String(page), per_page: '50', _uid: '1' });
    yield* entries.filter((entry) => mayRead(viewer, { author: Number(entry.author), status: String(entry.status) }));
    if (page >= total_pages) return;
  }
}
