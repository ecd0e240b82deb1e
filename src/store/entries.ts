import type { LinkKind, TermKind } from '../model/asking.ts';
import { eventEntry } from '../model/event-entry.ts';
import { organizerEntry } from '../model/organizer.ts';
import type { Look } from '../model/post.ts';
import type { Entry, Row } from '../model/resource.ts';
import { embeddedTerm, type Lineage, termEntry } from '../model/term.ts';
import { venueEntry } from '../model/venue.ts';
import { mayRead } from '../model/viewer.ts';
import { type Context, linkedRow, tableOf } from './context.ts';
import type { Database } from './database.ts';
import { imageEntry } from './images.ts';
import type { Links } from './links.ts';
import { linkTables } from './schema.ts';
import { fold } from './where.ts';

/** Rows linked to some events, by event, in linked order. One query, however many events. */
function linkedRows(db: Database, kind: LinkKind, events: string): Map<number, Row[]> {
  const { table: links, column } = linkTables[kind];
  // From the events to the links to the records: left to itself SQLite reads every record there is.
  const rows = db.all<Row>(
    `select linked.*, ${links}.event_id as of_event from json_each(?) cross join ${links} on ${links}.event_id = value
     cross join ${tableOf[kind]} linked on linked.id = ${links}.${column} order by ${links}.event_id, ${links}.position`,
    events,
  );
  const byEvent = new Map<number, Row[]>();
  for (const row of rows) {
    const event = Number(row.of_event);
    delete row.of_event;
    const list = byEvent.get(event);
    if (list) list.push(row);
    else byEvent.set(event, [row]);
  }
  return byEvent;
}

const linkKinds: readonly LinkKind[] = ['venue', 'organizer', 'category', 'tag'];

/** The rows that some events are shown with, by kind and event, in linked order. */
export type Linked = Record<LinkKind, Map<number, Row[]>>;

/** Reads what some events are linked to: four queries, however many events. */
export function linkedTo(db: Database, rows: readonly Row[]): Linked {
  const events = JSON.stringify(rows.map((row) => row.id));
  return Object.fromEntries(linkKinds.map((kind) => [kind, linkedRows(db, kind, events)])) as Linked;
}

/** What one event is linked to, where its links are known. */
export const linkedBy = (context: Context, event: number, links: Links): Linked =>
  Object.fromEntries(linkKinds.map((kind) => [kind, new Map([[event, links[kind].map((id) => linkedRow(context, kind, id)!)]])])) as Linked;

const byName = (a: Row, b: Row) => {
  const [x, y] = [fold(String(a.name)), fold(String(b.name))];
  return x < y ? -1 : x > y ? 1 : Number(a.id) - Number(b.id);
};

/** Rows of events as the API shows them, with all that they embed. */
export function eventEntries({ db, site, rows: kept }: Context, rows: readonly Row[], look: Look, linked = linkedTo(db, rows)): Entry[] {
  const readable = (row: Row) => row.status !== 'trash' && mayRead(look.viewer, { author: Number(row.author), status: String(row.status) });
  const terms = (kind: TermKind, found: Row[] = []) => found.sort(byName).map((row) => embeddedTerm(kind, row, site));
  // Events of one page share venues and organizers: each is shown once.
  const shown = new Map<number, Entry>();
  const made = (show: typeof venueEntry, row: Row) => show(row, imageEntry(db, row.image!), look);
  const linkedEntry = (show: typeof venueEntry, row: Row): Entry => {
    const id = Number(row.id);
    const entry = shown.get(id) ?? (kept ? kept.shown(row, look, () => made(show, row)) : made(show, row));
    shown.set(id, entry);
    return entry;
  };
  return rows.map((row) => {
    const id = Number(row.id);
    return eventEntry(
      row,
      {
        venues: (linked.venue.get(id) ?? []).filter(readable).map((venue) => linkedEntry(venueEntry, venue)),
        organizers: (linked.organizer.get(id) ?? []).filter(readable).map((organizer) => linkedEntry(organizerEntry, organizer)),
        categories: terms('category', linked.category.get(id)),
        tags: terms('tag', linked.tag.get(id)),
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
