import { eventEntry } from '../model/event.ts';
import { organizerEntry } from '../model/organizer.ts';
import type { Look } from '../model/post.ts';
import type { Entry, Row } from '../model/resource.ts';
import { embeddedTerm, type Lineage, termEntry } from '../model/term.ts';
import { venueEntry } from '../model/venue.ts';
import { mayRead } from '../model/viewer.ts';
import type { LinkKind, TermKind } from '../model/asking.ts';
import type { Context } from './context.ts';
import type { Database } from './database.ts';
import { imageEntry } from './images.ts';
import { linkTables } from './schema.ts';
import { fold } from './where.ts';

/** Rows linked to some events, by event, in linked order. One query, however many events. */
function linkedRows(db: Database, kind: LinkKind, table: string, events: readonly number[]): Map<number, Row[]> {
  const { table: links, column } = linkTables[kind];
  const rows = db.all<Row>(
    `select linked.*, ${links}.event_id as of_event from ${links} join ${table} linked on linked.id = ${links}.${column}
     where ${links}.event_id in (select value from json_each(?)) order by ${links}.event_id, ${links}.position`,
    JSON.stringify(events),
  );
  const byEvent = new Map<number, Row[]>();
  for (const { of_event, ...row } of rows) {
    const list = byEvent.get(Number(of_event)) ?? [];
    list.push(row);
    byEvent.set(Number(of_event), list);
  }
  return byEvent;
}

const byName = (a: Row, b: Row) => {
  const [x, y] = [fold(String(a.name)), fold(String(b.name))];
  return x < y ? -1 : x > y ? 1 : Number(a.id) - Number(b.id);
};

/** Rows of events as the API shows them, with all that they embed. */
export function eventEntries({ db, site }: Context, rows: readonly Row[], look: Look): Entry[] {
  const ids = rows.map((row) => Number(row.id));
  const venues = linkedRows(db, 'venue', 'venues', ids);
  const organizers = linkedRows(db, 'organizer', 'organizers', ids);
  const categories = linkedRows(db, 'category', 'categories', ids);
  const tags = linkedRows(db, 'tag', 'tags', ids);
  const readable = (row: Row) => row.status !== 'trash' && mayRead(look.viewer, { author: Number(row.author), status: String(row.status) });
  const terms = (kind: TermKind, found: Row[] = []) => found.sort(byName).map((row) => embeddedTerm(kind, row, site));
  return rows.map((row) => {
    const id = Number(row.id);
    return eventEntry(
      row,
      {
        venues: (venues.get(id) ?? []).filter(readable).map((venue) => venueEntry(venue, imageEntry(db, venue.image!), look)),
        organizers: (organizers.get(id) ?? []).filter(readable).map((organizer) => organizerEntry(organizer, imageEntry(db, organizer.image!), look)),
        categories: terms('category', categories.get(id)),
        tags: terms('tag', tags.get(id)),
        image: imageEntry(db, row.image!),
      },
      look,
    );
  });
}

/** Rows of events, venues or organizers as the API shows them. */
export function postEntries(context: Context, kind: 'event' | 'venue' | 'organizer', rows: readonly Row[], look: Look): Entry[] {
  if (kind === 'event') return eventEntries(context, rows, look);
  const show = kind === 'venue' ? venueEntry : organizerEntry;
  return rows.map((row) => show(row, imageEntry(context.db, row.image!), look));
}

/** The slugs from the top of the tree down to a category; a tag's own. */
function lineageOf(db: Database, row: Row): Lineage {
  const slugs = [String(row.slug)];
  for (let parent = row.parent; parent; ) {
    const above = db.get<Row>('select slug, parent from categories where id = ?', parent);
    if (!above) break;
    slugs.unshift(String(above.slug));
    parent = above.parent;
  }
  return slugs;
}

/** Rows of categories or tags as their own routes show them. */
export const termEntries = ({ db, site }: Context, kind: TermKind, rows: readonly Row[]): Entry[] =>
  rows.map((row) => termEntry(kind, row, lineageOf(db, row), site));
