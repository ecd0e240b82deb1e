import type { Input, Row } from '../../model/calendar.ts';
import { termsOf, wholeNumber } from '../../model/coerce.ts';
import type { LinkKind, TermKind } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { cleanTermName } from '../../model/html/render.ts';
import { linksOf } from '../../model/resources/event.ts';
import { toUtc } from '../../model/time/time.ts';
import { mayEdit, ownership } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import type { StoreContext } from './context.ts';
import { findTerm, hasRow, rowsNamed, update } from './queries.ts';
import { type EventLinkIds, linkTables, tableOf } from './tables.ts';
import { saveTerm, termResources } from './terms.ts';
import { postResources, writePost } from './write-post.ts';

/**
 * Sets the links of an event of each kind that an input mentions, and answers these; other kinds stay. Terms, venues and organizers that do not
 * exist yet are made.
 */
export function linkEvent(context: StoreContext, event: number, input: Input, isNew: boolean): Partial<EventLinkIds> {
  const links: Partial<EventLinkIds> = {};
  for (const [name, kind] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    if (input[name] !== undefined) links[kind] = setLinks(context.db, event, kind, idsOfTerms(context, kind, input[name]), isNew);
  for (const kind of ['venue', 'organizer'] as const) {
    const value = input[kind];
    // Null says nothing of a venue; of organizers it takes all off, as in the recorded events.update.venue-null.
    if (value === undefined || (kind === 'venue' && value === null)) continue;
    const ids = linksOf(value).map((item) => linkedId(context, kind, item));
    links[kind] = setLinks(context.db, event, kind, ids, isNew);
  }
  return links;
}

function setLinks(db: Database, event: number, kind: LinkKind, ids: readonly number[], isNew: boolean): number[] {
  const { table, column } = linkTables[kind];
  if (!isNew) db.run(`delete from ${table} where event_id = ?`, event);
  const different = [...new Set(ids)];
  for (const [position, id] of different.entries())
    db.run(`insert into ${table} (event_id, ${column}, position) values (?, ?, ?)`, event, id, position);
  return different;
}

/** The record that one linked item stands for: an ID, an object with an ID, or the data of a new record. */
function linkedId(context: StoreContext, kind: 'venue' | 'organizer', item: unknown): number {
  if (typeof item !== 'object' || item === null) return wholeNumber(item)!;
  if ('id' in item) return wholeNumber(item.id)!;
  if ((item as Input)[kind] === '') throw new Failure(`could-not-create-${kind}`, `${kind}: a new ${kind} needs a name`);
  return writePost(context, postResources[kind], item as Input).id;
}

/** The terms that a value names: IDs of existing ones (others are passed over), slugs or names, and names of new ones. */
function idsOfTerms(context: StoreContext, kind: TermKind, value: unknown): number[] {
  const ids: number[] = [];
  for (const item of termsOf(value)) {
    const id = termOf(context, kind, item);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

function termOf(context: StoreContext, kind: TermKind, item: unknown): number | undefined {
  const id = wholeNumber(item);
  if (id !== undefined) return hasRow(context.db, tableOf[kind], id) ? id : undefined;
  const name = cleanTermName(String(item));
  if (name === '') return undefined;
  const known = findTerm(context.db, kind, String(item)) ?? rowsNamed(context.db, termResources[kind], name, 'id')[0]?.id;
  return known === undefined ? saveTerm(context, kind, { name: String(item) }) : Number(known);
}

/** Publishes the drafts among an event's venues and organizers that the viewer may change, as the reference does when it puts an event in front. */
export function publishLinked({ db, request }: StoreContext, event: number): void {
  for (const kind of ['venue', 'organizer'] as const) {
    const { table, column } = linkTables[kind];
    const drafts = db.all<Row>(
      `select id, date, author, status from ${tableOf[kind]} where status in ('draft', 'pending') and id in (select ${column} from ${table} where event_id = ?)`,
      event,
    );
    for (const draft of drafts)
      if (mayEdit(request.viewer, ownership(draft)))
        update(db, tableOf[kind], Number(draft.id), { status: 'publish', date_utc: toUtc(String(draft.date), request.zone) });
  }
}

/** Takes a venue or organizer off all its events. */
export function unlink(db: Database, kind: 'venue' | 'organizer', id: number): void {
  const { table, column } = linkTables[kind];
  db.run(`delete from ${table} where ${column} = ?`, id);
}
