import type { Query } from '../model/filter.ts';
import { eventsToIcs } from '../model/ical.ts';
import type { Collection, Entry } from '../model/resource.ts';
import { type Result, tagOf } from './answer.ts';

/** Where the calendar can be subscribed to, below the base path. */
export const feedPath = '/calendar.ics';
/** How often subscribers should ask again, in minutes. */
const refresh = 60;

/** Events as iCalendar: all pages of the list that a query asks for. What a calendar is called, and its zone, stand at the beginning. */
export async function feed(events: Collection, query: Query, name: string, timezone: string): Promise<Result> {
  const pieces: string[] = [];
  for await (const piece of eventsToIcs(everyPage(events, query), { name, timezone, refresh })) pieces.push(piece);
  const bytes = Buffer.from(pieces.join(''));
  return {
    status: 200,
    headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': 'inline; filename="calendar.ics"', Allow: 'GET' },
    value: undefined,
    ready: { pieces: [bytes], tag: tagOf(bytes) },
  };
}

async function* everyPage(events: Collection, query: Query): AsyncGenerator<Entry> {
  for (let page = 1; ; page++) {
    const { entries, total_pages } = await events.list({ ...query, page: String(page), per_page: '50' });
    yield* entries;
    if (page >= total_pages) return;
  }
}
