import { type Entry, type Input, type Resource, type ResourceName, type Row, resourceNames } from '../../model/calendar.ts';
import type { ViewOptions } from '../../model/context.ts';
import type { Extra } from '../../model/fields/extra.ts';
import { declaredPart, parseExtra, storedValue } from '../../model/fields/extra.ts';
import { sitePart } from '../../model/fields/sayings.ts';
import { urlOf } from '../../model/images/image.ts';
import { postersPath } from '../../model/images/poster-image.ts';
import { resources } from '../../model/resources/all.ts';
import type { Database } from '../sqlite/sql.ts';
import { ownersView, type StoreContext } from './context.ts';
import { idsLinked } from './counts.ts';
import { entriesOf, findImage } from './entries.ts';
import { rowWith } from './lookups.ts';
import { linksFrom } from './tables.ts';

/** Columns beyond the fields that an input carries, where the resource has them. */
const copied = ['slug', 'uid', 'modified', 'modified_utc', 'generated', 'lineage', 'sequence'];

function linkInputs(db: Database, resource: Resource, id: number): Input {
  const linked = linksFrom(resource).map((link): [string, number[]] => [link.name, idsLinked(db, link, id)]);
  return Object.fromEntries(linked.filter(([, ids]) => ids.length > 0));
}

/** Rows as the inputs that recreate them. Reads the links of all of them at once. */
function inputsFrom(context: StoreContext, resource: Resource, rows: readonly Row[]): (Input & { id: number })[] {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const linked = new Map<number, Record<string, number[]>>();
  for (const { name, table, from, to } of linksFrom(resource)) {
    const pairs = context.db.all<{ id: number; to: number }>(
      `select ${from} as id, ${to} as "to" from json_each(?) cross join ${table} on ${from} = value order by ${from}, position`,
      ids,
    );
    for (const pair of pairs) {
      const links = linked.get(pair.id) ?? {};
      linked.set(pair.id, links);
      links[name] = [...(links[name] ?? []), pair.to];
    }
  }
  return rows.map((row) => inputFrom(context, resource, row, linked.get(Number(row.id)) ?? {}) as Input & { id: number });
}

/** A row and its links as the input that recreates it, without empty values. */
function inputFrom({ db, site }: StoreContext, resource: Resource, row: Row, linked: Input): Input {
  const input: Input = { id: row.id };
  for (const field of resource.fields) {
    const { name, links, stored } = field;
    const value = storedValue(field, row);
    const { column } = stored;
    if (!column || value === null || value === undefined) continue;
    // A copy may have an empty name, and an empty website is another than none.
    if (!field.required && column.default !== undefined && (value === '' || value === column.default)) continue;
    if (links === 'images') {
      const image = findImage(db, Number(value));
      if (image?.url === postersPath) input.poster = true;
      else if (image) input[name] = urlOf(site.home, image);
    } else input[name] = stored.restored(value);
  }
  for (const name of copied) if (row[name]) input[name] = row[name];
  const extra = extraIn(row);
  if (Object.keys(extra).length) input.extra = extra;
  return { ...input, ...linked };
}

/** Undefined if there is none. */
export function storedInput(context: StoreContext, name: ResourceName, id: number): (Input & { id: number }) | undefined {
  const row = context.db.get<Row>(`select * from ${name} where id = ?`, id);
  const resource: Resource = context.resources[name];
  return row && (inputFrom(context, resource, row, linkInputs(context.db, resource, id)) as Input & { id: number });
}

/** Records by ID like {@link storedInput}, without missing ones. */
export const storedInputs = (context: StoreContext, name: ResourceName, ids: readonly number[]): (Input & { id: number })[] =>
  inputsFrom(
    context,
    context.resources[name],
    context.db.all<Row>(`select ${name}.* from json_each(?) cross join ${name} on ${name}.id = value`, JSON.stringify(ids)),
  );

const lookups = Object.fromEntries(
  resourceNames.map((name) => {
    const by = (column: string) => `select id from ${name} where ${column} = ?1 and ${column} <> ''`;
    const hasLineage = 'lineage' in (resources[name] as Resource).derived;
    return [name, { slug: by('slug'), uid: hasLineage ? `${by('uid')} union all ${by('lineage')}` : by('uid') }];
  }),
) as Record<ResourceName, Record<'slug' | 'uid', string>>;

/** The ID of the record with exactly this slug or UID, or of the event that was copied from the one with this UID. */
export const idBy = (db: Database, name: ResourceName, column: 'slug' | 'uid', value: string): number | undefined =>
  value === ''
    ? undefined
    : rowWith(
        db,
        name,
        column === 'uid' ? ['uid', 'lineage'] : ['slug'],
        value,
        () => db.get<{ id: number }>(lookups[name][column], value)?.id,
      );

export const extraNames = (db: Database, name: ResourceName): string[] =>
  db
    .all<{ name: string }>(
      `select distinct member.key as name from ${name}, json_each(nullif(${name}.extra, '')) form, json_each(form.value) member
       where form.key not in ('${declaredPart}', '${sitePart}') order by 1`,
    )
    .map((row) => row.name);

const batch = 500;

const withUids = (context: StoreContext): ViewOptions => ({ ...ownersView(context), withUids: true });

/** Yields every record of a resource by ascending ID, including the trash, as the input that recreates it. Reads in batches. */
export function* inputs(context: StoreContext, name: ResourceName): Generator<Input & { id: number }> {
  const { db } = context;
  const resource: Resource = context.resources[name];
  for (let last = 0; ; ) {
    const rows = db.all<Row>(`select * from ${name} where id > ? order by id limit ${batch}`, last);
    yield* inputsFrom(context, resource, rows);
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** Yields every record of a resource as the API shows it to the owner, with its UID, by ascending ID, without the trash. Reads in batches. */
export function* entriesByBatch(context: StoreContext, name: ResourceName): Generator<Entry> {
  const resource: Resource = context.resources[name];
  const view = withUids(context);
  const where = resource.family === 'post' ? "status not in ('trash', 'auto-draft') and" : '';
  for (let last = 0; ; ) {
    const rows = context.db.all<Row>(`select * from ${name} where ${where} id > ? order by id limit ${batch}`, last);
    yield* entriesOf(context, resource, rows, view);
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** The members that other sites added to a row, by form. */
function extraIn(row: Row): Extra {
  const { [declaredPart]: _, ...extra } = parseExtra(row.extra);
  return extra;
}

/** A record as the API shows it to the owner, and what a response doesn't contain. */
export interface FullEntry {
  entry: Entry;
  secrets: Input;
  /** Members that other sites added, by form. */
  extra: Extra;
}

/** Records by ID as the API shows them to the owner, with their UIDs, without missing ones and the trash; only some `members` if given. */
export function fullEntries(
  context: StoreContext,
  name: ResourceName,
  ids: readonly number[],
  members?: ReadonlySet<string>,
): Map<number, FullEntry> {
  const resource: Resource = context.resources[name];
  const rows = context.db
    .all<Row>(`select ${name}.* from json_each(?) cross join ${name} on ${name}.id = value`, JSON.stringify(ids))
    .filter(({ status }) => status !== 'trash' && status !== 'auto-draft');
  const secret = resource.fields.filter((field) => field.shown.writeOnly && !field.links && field.stored.column).map((field) => field.name);
  const entries = entriesOf(context, resource, rows, { ...withUids(context), members, linkedMembers: members });
  return new Map(
    entries.map((entry, at) => {
      const secrets = Object.fromEntries(secret.map((field) => [field, rows[at]![field] ?? '']));
      return [entry.id, { entry, secrets, extra: extraIn(rows[at]!) }];
    }),
  );
}

/** A record as the API shows it to the owner, with its UID; undefined if it is missing or in the trash. */
export function entry(context: StoreContext, name: ResourceName, id: number): Entry | undefined {
  const resource: Resource = context.resources[name];
  const row = context.db.get<Row>(`select * from ${name} where id = ?`, id);
  if (!row || row.status === 'trash' || row.status === 'auto-draft') return undefined;
  const view = withUids(context);
  return entriesOf(context, resource, [row], view)[0];
}
