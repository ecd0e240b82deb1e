import type { LinkKind, TermKind } from '../model/asking.ts';
import { Failure } from '../model/error.ts';
import { linksOf } from '../model/event.ts';
import { cleanTermName } from '../model/html.ts';
import type { Input } from '../model/resource.ts';
import { toUtc } from '../model/time.ts';
import { termsOf, wholeNumber } from '../model/value.ts';
import { type Context, change, findTerm, linkedRow, tableOf } from './context.ts';
import type { Database } from './database.ts';
import { savePost } from './posts.ts';
import { linkTables } from './schema.ts';
import { saveTerm } from './terms.ts';
import { fold } from './where.ts';

/** What an event is linked to, in order. */
export type Links = Record<LinkKind, readonly number[]>;

/**
 * Makes the links of an event what an input says, and answers those it mentions; other kinds stay. Terms, venues and organizers that do not
 * exist yet are made.
 */
export function linkEvent(context: Context, event: number, input: Input, isNew: boolean): Partial<Links> {
  const links: Partial<Links> = {};
  for (const [name, kind] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    if (input[name] !== undefined) links[kind] = setLinks(context.db, event, kind, idsOfTerms(context, kind, input[name]), isNew);
  for (const kind of ['venue', 'organizer'] as const) {
    const value = input[kind];
    if (value === undefined || (kind === 'venue' && !isNew && keepsVenue(value))) continue;
    refuse(kind, value);
    const ids = linksOf(value).map((item) => linkedId(context, kind, item));
    links[kind] = setLinks(context.db, event, kind, ids, isNew);
  }
  return links;
}

/** Two forms pass the checks and are refused all the same: a list of venues that holds `{id}`, and organizers as one text with commas. */
function refuse(kind: 'venue' | 'organizer', value: unknown): void {
  if (kind === 'venue' && Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null && 'id' in item))
    throw new Failure('could-not-create-venue', 'venue: send an ID itself in a list, not an object with an id');
  if (kind === 'organizer' && typeof value === 'string' && value.includes(','))
    throw new Failure('could-not-create-organizer', 'organizer: send several IDs as a list, not as one text');
}

/** An update that sends an empty venue keeps the one there is, as in the reference; 0 takes it away. */
const keepsVenue = (value: unknown) => linksOf(value).length === 0 && value !== 0 && value !== '0';

/** What links events to records of a kind, in SQL: every text is written once. */
const statements = Object.fromEntries(
  Object.entries(linkTables).map(([kind, { table, column }]) => [
    kind,
    {
      cut: `delete from ${table} where event_id = ?`,
      link: `insert into ${table} (event_id, ${column}, position) values (?, ?, ?)`,
      counted: `select ${column} as id from ${table} where event_id = ?`,
      more: `update ${tableOf[kind as LinkKind]} set count = count + 1 where id = ?`,
      less: `update ${tableOf[kind as LinkKind]} set count = count - 1 where id = ?`,
    },
  ]),
) as Record<LinkKind, Record<'cut' | 'link' | 'counted' | 'more' | 'less', string>>;

function setLinks(db: Database, event: number, kind: LinkKind, ids: readonly number[], isNew: boolean): number[] {
  const { cut, link } = statements[kind];
  if (!isNew) db.run(cut, event);
  const different = [...new Set(ids)];
  for (const [position, id] of different.entries()) db.run(link, event, id, position);
  return different;
}

/** The record that one linked item stands for: an ID, an object with an ID, or the data of a new record. */
function linkedId(context: Context, kind: 'venue' | 'organizer', item: unknown): number {
  if (typeof item !== 'object' || item === null) return wholeNumber(item)!;
  return 'id' in item ? wholeNumber(item.id)! : savePost(context, kind, item as Input).id;
}

/** The terms that a value names: IDs of existing ones (others are passed over), slugs or names, and names of new ones. */
function idsOfTerms(context: Context, kind: TermKind, value: unknown): number[] {
  const ids: number[] = [];
  for (const item of termsOf(value)) {
    const id = termOf(context, kind, item);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

function termOf(context: Context, kind: TermKind, item: unknown): number | undefined {
  const id = wholeNumber(item);
  if (id !== undefined) return linkedRow(context, kind, id) ? id : undefined;
  const name = cleanTermName(String(item));
  if (name === '') return undefined;
  const known =
    findTerm(context.db, kind, String(item)) ??
    context.db.get<{ id: number }>(`select id from ${tableOf[kind]} where fold(name) = ? order by id`, fold(name))?.id;
  return known ?? saveTerm(context, kind, { name: String(item) });
}

/** The categories and tags that count an event of a status: its own when it is published, else none. Links that are known are not read. */
export function countedBy(db: Database, event: number, status: unknown, links?: Links): [TermKind, number][] {
  if (status !== 'publish') return [];
  const of = (kind: TermKind): [TermKind, number][] =>
    (links?.[kind] ?? db.all<{ id: number }>(statements[kind].counted, event).map(({ id }) => id)).map((id) => [kind, id]);
  return [...of('category'), ...of('tag')];
}

/** Brings the counts of terms up to date after an event that counted for some counts for others. */
export function recount(db: Database, before: [TermKind, number][], after: [TermKind, number][]): void {
  const without = (some: [TermKind, number][], others: [TermKind, number][]) =>
    some.filter(([kind, id]) => !others.some(([otherKind, other]) => kind === otherKind && id === other));
  for (const [kind, id] of without(after, before)) db.run(statements[kind].more, id);
  for (const [kind, id] of without(before, after)) db.run(statements[kind].less, id);
}

/** Publishes what is still a draft among an event's venues and organizers, as the reference does when it puts an event in front. */
export function publishLinked({ db, asking }: Context, event: number): void {
  for (const kind of ['venue', 'organizer'] as const) {
    const { table, column } = linkTables[kind];
    const drafts = db.all<{ id: number; date: string }>(
      `select id, date from ${tableOf[kind]} where status in ('draft', 'pending') and id in (select ${column} from ${table} where event_id = ?)`,
      event,
    );
    for (const { id, date } of drafts) change(db, tableOf[kind], id, { status: 'publish', date_utc: toUtc(date, asking.zone) });
  }
}

/** Takes a venue or organizer off all its events. */
export function unlink(db: Database, kind: 'venue' | 'organizer', id: number): void {
  const { table, column } = linkTables[kind];
  db.run(`delete from ${table} where ${column} = ?`, id);
}
