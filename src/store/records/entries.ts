import type { Entry, PostResource, Resource, Row, TermResource } from '../../model/calendar.ts';
import { isLocked, type LinkBase, type ViewOptions } from '../../model/context.ts';
import { isDeepEqual, isImageUrl, isObject, toWholeNumber } from '../../model/fields/coerce.ts';
import { costTexts } from '../../model/fields/cost-format.ts';
import { type ExtraForm, withExtra } from '../../model/fields/extra.ts';
import type { Field } from '../../model/fields/field.ts';
import { entryOf, membersIn } from '../../model/fields/response.ts';
import { typedCost } from '../../model/fields/typed-cost.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { isMarked } from '../../model/html/tokens.ts';
import { occurrenceOf } from '../../model/ical/occurrence.ts';
import { nominalSizes, type StoredImage, shownImage, type Upload, uploadPathIn } from '../../model/images/image.ts';
import { isPoster, postersPath, shownPoster } from '../../model/images/poster-image.ts';
import type { Related } from '../../model/record.ts';
import { embeddedTerm } from '../../model/resources/term.ts';
import { mayEdit, mayRead, ownership } from '../../model/viewer.ts';
import type { Database } from '../sqlite/sql.ts';
import { type StoreContext, viewOptions } from './context.ts';
import { rowById } from './queries.ts';
import { type Link, type LinkedIds, linksFrom } from './tables.ts';
import { fold } from './where.ts';

/** The rows that some records are linked to, by link and record, in linked order. */
type LinkedRows = Map<Link, Map<number, Row[]>>;

/** Reads the rows that some records are linked to: one query per link, for all links or those in `names`. */
function linkedTo(db: Database, resource: Resource, rows: readonly Row[], names: ReadonlySet<string> | undefined): LinkedRows {
  const ids = JSON.stringify(rows.map((row) => row.id));
  const links = linksFrom(resource).filter(({ name }) => !names || names.has(name));
  return new Map(links.map((link) => [link, linkedBy(db, link, ids)]));
}

function linkedBy(db: Database, { table, from, to, target }: Link, ids: string): Map<number, Row[]> {
  // Cross joins keep SQLite from scanning the whole table of linked records.
  const rows = db.all<Row>(
    `select linked.*, ${table}.${from} as linked_from from json_each(?) cross join ${table} on ${table}.${from} = value
     cross join ${target.name} linked on linked.id = ${table}.${to} order by ${table}.${from}, ${table}.position`,
    ids,
  );
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const list = groups.get(Number(row.linked_from));
    if (list) list.push(row);
    else groups.set(Number(row.linked_from), [row]);
  }
  return groups;
}

/** The rows that one record is linked to, from their IDs. */
export const linkedRowsOf = (db: Database, resource: Resource, id: number, linked: LinkedIds): LinkedRows =>
  new Map(
    linksFrom(resource).map((link) => [link, new Map([[id, (linked[link.name] ?? []).map((to) => rowById(db, link.target.name, to)!)]])]),
  );

const byName = (a: Row, b: Row) => {
  const [x, y] = [fold(String(a.name)), fold(String(b.name))];
  return x < y ? -1 : x > y ? 1 : Number(a.id) - Number(b.id);
};

/** Adds the UID, the imported revision, and prices that are not read from their text as they are stored, if the request asks for them. */
const identified = (entry: Entry, row: Row, view: ViewOptions): Entry =>
  view.withUids
    ? Object.assign(entry, { uid: row.uid }, row.sequence ? { sequence: row.sequence } : {}, seriesOf(row), pricesOf(entry, row, view))
    : entry;

function pricesOf({ cost }: Entry, row: Row, view: ViewOptions): { prices?: string[] } {
  if (typeof cost !== 'string' || cost === '' || isLocked(row, view)) return {};
  const prices = costTexts(row.cost);
  return isDeepEqual(typedCost(htmlToLine(cost)).list, prices) ? {} : { prices };
}

/** The series and recurrence ID of an occurrence of a recurring event. */
function seriesOf({ uid }: Row): Entry | Record<string, never> {
  const occurrence = occurrenceOf(uid);
  return occurrence ? ({ series_uid: occurrence.series, recurrence_id: occurrence.recurrenceId } as unknown as Entry) : {};
}

/** Rows of a post resource as the API shows them, with the records they are linked to. */
export function postEntries(
  { db, resources }: StoreContext,
  resource: PostResource,
  rows: readonly Row[],
  view: ViewOptions,
  linked = linkedTo(db, resource, rows, membersIn(resource.response, view)),
): Entry[] {
  // Linked records that several records of a page share are created once.
  const entries = new Map<number, Entry>();
  const entryFor = (target: PostResource, row: Row, related: Related, shown: ViewOptions) =>
    identified(entryOf(target.response, row, { image: imageEntry(db, view.site, target, row), ...related }, shown), row, shown);
  const linkedView = { ...view, members: view.linkedMembers };
  const formOfRecord = view.single ? 'single' : 'list';
  const postFor = (target: PostResource, row: Row): Entry => {
    const entry =
      entries.get(Number(row.id)) ??
      withExtra(entryFor(resources[target.name] as PostResource, row, {}, linkedView), row, 'embedded', linkedView);
    entries.set(Number(row.id), entry);
    return entry;
  };
  const entriesOf = ({ target }: Link, rows: Row[]): Entry[] =>
    target.family === 'term'
      ? rows.toSorted(byName).map((row) => withExtra(embeddedTerm(target, row, view.site), row, 'embedded', linkedView))
      : rows.filter((row) => mayRead(view.viewer, ownership(row))).map((row) => postFor(target, row));
  return rows.map((row) => {
    const related = [...linked].map(([link, byId]) => [link.name, entriesOf(link, byId.get(Number(row.id)) ?? [])]);
    const entry = withRaw(entryFor(resource, row, { linked: Object.fromEntries(related) }, view), resource, row, view);
    return withExtra(entry, row, formOfRecord, view);
  });
}

/** Adds the stored texts that can't be told from what is shown, such as those with block comments, for who edits them. */
function withRaw(entry: Entry, { fields }: PostResource, row: Row, view: ViewOptions): Entry {
  const { members, viewer } = view;
  if (!view.withRaw || (members && !members.has('raw'))) return entry;
  const isUntold = ({ name, shown: { value: show }, compared: { input: fromResponse } }: Field): boolean => {
    const [shown, stored] = [entry[name], row[name]!];
    if (typeof shown !== 'string' || isLocked(row, view)) return false;
    const typed = fromResponse(shown, entry);
    return isMarked(stored) || (typeof typed === 'string' && show(typed, row, {}, view) !== show(stored, row, {}, view));
  };
  const marked = fields.filter((field) => field.control === 'text' && isUntold(field));
  if (marked.length && mayEdit(viewer, ownership(row))) entry.raw = Object.fromEntries(marked.map(({ name }) => [name, row[name]]));
  return entry;
}

/** The slugs from the top of a tree down to a term; its own slug if it has no parent. */
function lineageOf(db: Database, { name, isTree }: TermResource, row: Row): string[] {
  const slugs = [String(row.slug)];
  for (let parent = isTree ? row.parent : 0; parent; ) {
    const above = db.get<Row>(`select slug, parent from ${name} where id = ?`, parent);
    if (!above) break;
    slugs.unshift(String(above.slug));
    parent = above.parent;
  }
  return slugs;
}

export const termEntries = (
  context: StoreContext,
  resource: TermResource,
  rows: readonly Row[],
  form: ExtraForm = 'list',
  view: ViewOptions = viewOptions(context),
): Entry[] =>
  rows.map((row) => {
    return withExtra(entryOf(resource.response, row, { lineage: lineageOf(context.db, resource, row) }, view), row, form, view);
  });

export const entriesOf = (context: StoreContext, resource: Resource, rows: readonly Row[], view: ViewOptions): Entry[] =>
  resource.family === 'post' ? postEntries(context, resource, rows, view) : termEntries(context, resource, rows, 'list', view);

/** Rows as this program shows them in a form, with linked records as their site shows them. */
export function ownForms(context: StoreContext, resource: Resource, rows: readonly Row[], form: ExtraForm, view: ViewOptions): Entry[] {
  if (form !== 'embedded')
    return resource.family === 'post'
      ? postEntries(context, resource, rows, { ...view, single: form === 'single', asSite: 'linked' })
      : termEntries(context, resource, rows, form, { ...view, asSite: undefined });
  if (resource.family === 'term')
    return rows.map((row) => withExtra(embeddedTerm(resource, row, view.site), row, form, { ...view, asSite: undefined }));
  return rows.map((row) =>
    withExtra(
      entryOf(resource.response, row, { image: imageEntry(context.db, view.site, resource, row) }, { ...view, single: true }),
      row,
      form,
      {
        ...view,
        asSite: undefined,
      },
    ),
  );
}

/** An image by ID, or by the address under which it is stored. */
export function findImage(db: Database, ref: number | string): StoredImage | undefined {
  const row = db.get<{ id: number; url: string; upload: string | null }>(
    `select id, url, upload from images where ${typeof ref === 'number' ? 'id' : 'url'} = ?`,
    ref,
  );
  if (!row || row.upload === null) return row && { id: row.id, url: row.url };
  const facts = JSON.parse(row.upload);
  return { id: row.id, url: row.url, ...(row.url.startsWith('/') ? { upload: facts as Upload } : { siteFacts: facts }) };
}

/** Stores what a site shows of an image, if the calendar has it: its sizes, for example. */
export function describeImage(db: Database, image: unknown): void {
  if (!isObject(image) || typeof image.url !== 'string') return;
  const { url, id: _, ...facts } = image;
  if (isDeepEqual(facts.sizes, nominalSizes(url))) delete facts.sizes;
  const stored = findImage(db, url);
  if (!stored || isDeepEqual(stored.siteFacts ?? { extension: facts.extension }, facts)) return;
  db.run('update images set upload = ? where id = ?', JSON.stringify(facts), stored.id);
}

/** Adds an image of a site with the ID that it has there, if that is free. */
export function keepImageId(db: Database, image: unknown): void {
  if (!isObject(image) || typeof image.url !== 'string' || image.url === '') return;
  const id = toWholeNumber(image.id);
  if (!id || uploadPathIn(image.url) !== undefined || !isImageUrl(image.url) || findImage(db, image.url) || findImage(db, id)) return;
  db.run('insert into images (id, url) values (?, ?)', id, image.url);
}

export const hasImage = (db: Database, ref: number | string): boolean => findImage(db, ref) !== undefined;

/** The ID of an image by its ID or URL; null for none and for a poster. Adds a new URL without downloading it. */
export function imageId(db: Database, value: unknown): number | null {
  if (value === '' || value === null || value === undefined || isPoster(value)) return null;
  const id = toWholeNumber(value);
  // 0 is the ID of a poster.
  if (id !== undefined) return id || null;
  const url = String(value);
  const path = uploadPathIn(url);
  const image = (path === undefined ? undefined : findImage(db, path)) ?? findImage(db, url);
  return image?.id ?? db.insert('insert into images (url) values (?)', url);
}

/** Adds an uploaded image and returns its ID; that of the existing one if its path is known. */
export function addUpload(db: Database, path: string, upload: Upload): number {
  return findImage(db, path)?.id ?? db.insert('insert into images (url, upload) values (?, ?)', path, JSON.stringify(upload));
}

/** The image of a record as responses show it; false for none. */
function imageEntry(db: Database, site: LinkBase, { name }: PostResource, row: Row): Entry | false {
  const image = row.image === null ? undefined : findImage(db, Number(row.image));
  if (image && image.url !== postersPath) return shownImage(site.home, image);
  return image || site.posters ? shownPoster(site.home, name, Number(row.id)) : false;
}
