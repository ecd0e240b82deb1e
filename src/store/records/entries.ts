import type { Entry, Row } from '../../model/calendar.ts';
import type { LinkKind, TermKind, ViewOptions } from '../../model/context.ts';
import { type AnswerForm, entryOf } from '../../model/fields/answer.ts';
import { resources } from '../../model/resources/all.ts';
import { embeddedTerm } from '../../model/resources/term.ts';
import { mayRead, ownership } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { type StoreContext, viewOptions } from './context.ts';
import { imageEntry } from './images.ts';
import { rowById } from './queries.ts';
import { type EventLinkIds, linkKinds, linkTables, tableOf } from './tables.ts';
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

/** The rows that some events are shown with, by kind and event, in linked order. */
export type Linked = Record<LinkKind, Map<number, Row[]>>;

/** Reads the rows that some events are linked to: four queries, however many events. */
export function linkedTo(db: Database, rows: readonly Row[]): Linked {
  const events = JSON.stringify(rows.map((row) => row.id));
  return Object.fromEntries(linkKinds.map((kind) => [kind, linkedRows(db, kind, events)])) as Linked;
}

/** The rows that one event is linked to, where the IDs are known. */
export const linkedBy = ({ db }: StoreContext, event: number, links: EventLinkIds): Linked =>
  Object.fromEntries(
    linkKinds.map((kind) => [kind, new Map([[event, links[kind].map((id) => rowById(db, tableOf[kind], id)!)]])]),
  ) as Linked;

const byName = (a: Row, b: Row) => {
  const [x, y] = [fold(String(a.name)), fold(String(b.name))];
  return x < y ? -1 : x > y ? 1 : Number(a.id) - Number(b.id);
};

/** A record with its UID where that was asked for, and with the revision that it was imported as. */
const identified = (entry: Entry, row: Row, { withUids }: ViewOptions): Entry =>
  withUids ? { ...entry, uid: row.uid, ...(row.sequence ? { sequence: row.sequence } : {}) } : entry;

/** Rows of events as the API shows them, with all that they embed. */
export function eventEntries({ db, site }: StoreContext, rows: readonly Row[], view: ViewOptions, linked = linkedTo(db, rows)): Entry[] {
  const readable = (row: Row) => mayRead(view.viewer, ownership(row));
  const terms = (kind: TermKind, found: Row[] = []) => found.sort(byName).map((row) => embeddedTerm(kind, row, site));
  // Events of one page share venues and organizers: each is shown once.
  const shown = new Map<number, Entry>();
  const made = (answer: AnswerForm, row: Row) => identified(entryOf(answer, row, { image: imageEntry(db, row.image!) }, view), row, view);
  const linkedEntry = (answer: AnswerForm, row: Row): Entry => {
    const id = Number(row.id);
    const entry = shown.get(id) ?? made(answer, row);
    shown.set(id, entry);
    return entry;
  };
  return rows.map((row) => {
    const id = Number(row.id);
    const entry = entryOf(
      resources.events.answer,
      row,
      {
        venues: (linked.venue.get(id) ?? []).filter(readable).map((venue) => linkedEntry(resources.venues.answer, venue)),
        organizers: (linked.organizer.get(id) ?? [])
          .filter(readable)
          .map((organizer) => linkedEntry(resources.organizers.answer, organizer)),
        categories: terms('category', linked.category.get(id)),
        tags: terms('tag', linked.tag.get(id)),
        image: imageEntry(db, row.image!),
      },
      view,
    );
    return identified(entry, row, view);
  });
}

/** Rows of events, venues or organizers as the API shows them. */
export function postEntries(
  context: StoreContext,
  kind: 'event' | 'venue' | 'organizer',
  rows: readonly Row[],
  view: ViewOptions,
): Entry[] {
  if (kind === 'event') return eventEntries(context, rows, view);
  const { answer } = kind === 'venue' ? resources.venues : resources.organizers;
  return rows.map((row) => identified(entryOf(answer, row, { image: imageEntry(context.db, row.image!) }, view), row, view));
}

/** The slugs from the top of the tree down to a category; a tag's own. */
function lineageOf(db: Database, row: Row): string[] {
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
export function termEntries(context: StoreContext, kind: TermKind, rows: readonly Row[]): Entry[] {
  const { answer } = kind === 'category' ? resources.categories : resources.tags;
  return rows.map((row) => entryOf(answer, row, { lineage: lineageOf(context.db, row) }, viewOptions(context)));
}
