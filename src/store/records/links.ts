import type { Input, PostResource, Row } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { wholeNumber } from '../../model/fields/coerce.ts';
import { cleanTermName } from '../../model/html/clean.ts';
import { toUtc } from '../../model/time/time.ts';
import { mayEdit, ownership } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import type { StoreContext } from './context.ts';
import { referenceIn } from './lookups.ts';
import { findTerm, hasRow, rowsNamed, update } from './queries.ts';
import { type Link, type LinkedIds, linksFrom, linksTo } from './tables.ts';
import { saveTerm } from './terms.ts';
import { writePost } from './write-post.ts';

/** Sets the links that an input contains and returns their IDs; others stay. Creates linked records that do not exist yet. */
export function linkRecord(context: StoreContext, resource: PostResource, id: number, input: Input, isNew: boolean): LinkedIds {
  const linked: LinkedIds = {};
  for (const link of linksFrom(resource)) {
    const value = input[link.name];
    if (value === undefined) continue;
    const { join, ignoresNull } = link.field;
    if (value === null && ignoresNull) continue;
    const ids = join!.items(value).map((item) => linkedId(context, link, item));
    linked[link.name] = setLinks(
      context.db,
      link,
      id,
      ids.filter((each) => each !== undefined),
      isNew,
    );
  }
  return linked;
}

function setLinks(db: Database, { table, from, insertion }: Link, id: number, ids: readonly number[], isNew: boolean): number[] {
  if (!isNew) db.run(`delete from ${table} where ${from} = ?`, id);
  const different = [...new Set(ids)];
  for (const [position, other] of different.entries()) db.run(insertion, id, other, position);
  return different;
}

/**
 * Returns the ID of the record that an item stands for: an ID, an object with an ID, the data of a new post, or the slug or name of a term.
 * Undefined for IDs and empty names that stand for no term.
 */
function linkedId(context: StoreContext, { target }: Link, item: unknown): number | undefined {
  if (target.family === 'post') {
    if (typeof item !== 'object' || item === null) return wholeNumber(item)!;
    if ('id' in item) return wholeNumber(item.id)!;
    const { kind, label } = target;
    if ((item as Input)[label] === '') throw new Failure(`could-not-create-${kind}`, `A new ${kind} requires a name`);
    return writePost(context, target, item as Input).id;
  }
  return referenceIn(context.db, target.name, item as string | number, () => {
    const id = wholeNumber(item);
    if (id !== undefined) return hasRow(context.db, target.name, id) ? id : undefined;
    const name = cleanTermName(String(item));
    if (name === '') return undefined;
    const termId = findTerm(context.db, target.name, String(item)) ?? rowsNamed(context.db, target, name, 'id')[0]?.id;
    return termId === undefined ? saveTerm(context, target, { name: String(item) }).id : Number(termId);
  });
}

/** Publishes the drafts among the linked posts that the viewer may change, as the reference does for a sticky event. */
export function publishLinked({ db, request }: StoreContext, resource: PostResource, id: number): void {
  for (const { table, from, to, target } of linksFrom(resource)) {
    if (target.family !== 'post') continue;
    const drafts = db.all<Row>(
      `select id, date, author, status from ${target.name} where status in ('draft', 'pending') and id in (select ${to} from ${table} where ${from} = ?)`,
      id,
    );
    for (const draft of drafts)
      if (mayEdit(request.viewer, ownership(draft)))
        update(db, target.name, Number(draft.id), { status: 'publish', date_utc: toUtc(String(draft.date), request.zone) });
  }
}

/** Removes a record from all records that link to it. */
export function unlink(db: Database, resource: PostResource, id: number): void {
  for (const { table, to } of linksTo(resource)) db.run(`delete from ${table} where ${to} = ?`, id);
}
