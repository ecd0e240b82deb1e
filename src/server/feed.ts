import type { Entry, WholeList } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { maxPerPage, type Query } from '../model/fields/list.ts';
import { icalMembers } from '../model/ical/event.ts';
import type { IcalOptions } from '../model/ical/write.ts';
import { everyRecord } from '../model/paging.ts';
import { resources } from '../model/resources/all.ts';
import { mayRead } from '../model/viewer.ts';
import { checkNames } from './hints.ts';
import type { Call, Result } from './http.ts';
import { tagOf } from './response.ts';

/** Refresh interval for subscribers, in minutes. */
const refresh = 60;

const aboutOf = (service: Call['service']): IcalOptions => ({ name: service.title(), timezone: service.requestContext().zone, refresh });

/** Returns all pages of a list of events as iCalendar, with the title and the time zone of the calendar. */
export async function feed(call: Call): Promise<Result> {
  const { service, viewer, site, query } = call;
  checkNames(call, 'events', 'list');
  const { events } = service.calendar(viewer, site);
  const members = new Set([...icalMembers, 'author']);
  const listed: Entry[] = [];
  const whole = { ...query, page: '1', per_page: String(maxPerPage), _uid: '1' };
  // Lists show contributors and authors unpublished events of others, which they may not read one by one.
  for await (const entry of everyRecord(events, whole, { members }))
    if (mayRead(viewer, { author: Number(entry.author), status: String(entry.status) })) listed.push(entry);
  return icalResult(await feedText(listed, events, query, aboutOf(service)), 'calendar');
}

/** Returns the event in the path as iCalendar: what the feed contains about it. */
export async function eventFeed({ service, viewer, site, ref, query: { password } }: Call): Promise<Result> {
  const { events } = service.calendar(viewer, site);
  const reading = { context: 'edit', _uid: '1', ...(typeof password === 'string' ? { password } : {}) };
  const entry = await events.get(ref!, reading, new Set([...icalMembers, 'slug'])).catch((error) => {
    // The API reports an unknown slug as an invalid parameter.
    throw error instanceof Failure && error.status === 400 ? new Failure('rest_no_route', 'Event not found') : error;
  });
  return icalResult(
    await feedText([entry], events, { include: String(entry.id) }, aboutOf(service)),
    String(entry.slug).replace(/[^\w-]/g, '') || 'event',
  );
}

function icalResult(text: string, name: string): Result {
  const bytes = Buffer.from(text);
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': `inline; filename="${name}.ics"` };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}

const datesAndPaging = new Set(resources.events.list.parameters.filter(({ topic }) => topic === 'dates').map(({ name }) => name));

/** Returns events as iCalendar, each series as one event with its rule unless filters may have left out some of its occurrences. */
async function feedText(listed: readonly Entry[], { series: find }: Partial<WholeList>, query: Query, about: IcalOptions): Promise<string> {
  const { icalPieces } = await import('../model/ical/series.ts');
  const isFiltered = Object.keys(query).some((name) => !datesAndPaging.has(name));
  return [...icalPieces(listed, (uid) => (isFiltered ? undefined : find?.(uid)), about)].join('');
}
