import { isLocked, type RequestContext, type ViewOptions } from '../context.ts';
import type { Columns, Entry, Input, Row, SqlValue } from '../record.ts';
import type { Definition } from '../resource.ts';
import { embeddedTermSchema } from '../resources/term.ts';
import { isObject } from './coerce.ts';
import { emptyList, type Field } from './field.ts';
import type { Member } from './response.ts';
import { anySite, asSite, partsOf, siteValue } from './sayings.ts';

/** The column `extra` of a row: members that other sites add, by form, and the values of declared fields. */
type StoredExtra = Record<string, Record<string, unknown>>;

/** The part of the column with the values of declared fields. */
export const declaredPart = 'declared';

/** Parses the column `extra`. */
export const parseExtra = (column: SqlValue | undefined): StoredExtra =>
  typeof column === 'string' && column !== '' ? (JSON.parse(column) as StoredExtra) : {};

/** The column with unknown members: JSON, or empty text for none. */
export const extraColumn = (extra: object): string => (Object.keys(extra).length ? JSON.stringify(extra) : '');

/** The members of other sites in the input of a copy. */
export function givenExtra({ extra }: Input, { copying }: Pick<RequestContext, 'copying'>): SqlValue | undefined {
  if (!isObject(extra) || !copying) return undefined;
  return extraColumn(Object.fromEntries(Object.entries(extra).filter(([form, members]) => form !== declaredPart && isObject(members))));
}

export function storedValue(
  { name, isDeclared, stored }: Pick<Field, 'name' | 'isDeclared'> & { stored: Pick<Field['stored'], 'column'> },
  row: Row,
): SqlValue {
  if (!isDeclared) return row[name]!;
  const values = (partsOf(row)?.[declaredPart] ?? {}) as Record<string, unknown>;
  return (Object.hasOwn(values, name) ? (values[name] as SqlValue) : undefined) ?? stored.column!.default ?? null;
}

/** Moves the values of declared fields from their columns to the column `extra`, which keeps those of the row before. */
export function withDeclared(fields: readonly Field[], columns: Columns, before: Row | undefined): Columns {
  if (!fields.some(({ isDeclared }) => isDeclared)) return columns;
  const declared = fields.filter(({ isDeclared }) => isDeclared);
  const old = parseExtra(before?.extra);
  const { [declaredPart]: _, ...members } = columns.extra === undefined ? old : parseExtra(columns.extra);
  const values = { ...old[declaredPart] };
  const others = { ...columns };
  for (const {
    name,
    stored: { column },
  } of declared) {
    const value = Object.hasOwn(columns, name) ? columns[name] : undefined;
    delete others[name];
    if (value === undefined) continue;
    if (value === (column!.default ?? null)) delete values[name];
    else values[name] = value;
  }
  return { ...others, extra: extraColumn({ ...members, ...(Object.keys(values).length ? { [declaredPart]: values } : {}) }) };
}

/** The forms of a record in responses. Sites add members to some of them. */
export type ExtraForm = 'list' | 'single' | 'embedded';

/** Members that this program doesn't know, by form. */
export type Extra = Partial<Record<ExtraForm, Record<string, unknown>>>;

export const isOwnMember = (name: string): boolean => ownMembers.includes(name);

/** Members of every response that belong to the wire or to this program. */
const ownMembers = ['id', 'uid', 'sequence', '_links', ...Object.keys(embeddedTermSchema([]).properties)];

/** The names of members that this program knows, and of those that are always empty here, by the fields of a resource. */
const knownNames = new WeakMap<Definition['fields'], { known: ReadonlySet<string>; empty: ReadonlySet<string> }>();

function namesOf({ response, fields }: Pick<Definition, 'response' | 'fields'>) {
  const cached = knownNames.get(fields);
  if (cached) return cached;
  const responseNames = response.members.map(({ name }: Member) => name);
  const isEmpty = ({ name, response: schema }: Member) =>
    [schema, schema.anyOf].flat().includes(emptyList) && !fields.some((field) => field.name === name);
  const empty = new Set(response.members.filter(isEmpty).map(({ name }) => name));
  const names = { known: new Set([...ownMembers, ...responseNames, ...fields.map(({ name }) => name)]), empty };
  knownNames.set(fields, names);
  return names;
}

/** The members of a record from another site that this program doesn't know. */
export function unknownMembers(definition: Pick<Definition, 'response' | 'fields'>, entry: Entry): Record<string, unknown> {
  const { known, empty } = namesOf(definition);
  const unknown: Record<string, unknown> = {};
  // Of members that are always empty here, a site may have values.
  for (const name in entry)
    if (!known.has(name) || (empty.has(name) && JSON.stringify(entry[name] ?? []) !== '[]')) unknown[name] = entry[name];
  return unknown;
}

const isFree = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** An entry with the members that a site added to this form of its record, behind the known ones. A password hides them. */
export function withExtra(
  entry: Entry,
  row: Row,
  form: ExtraForm,
  view: Partial<ViewOptions> & Pick<ViewOptions, 'viewer' | 'site'>,
): Entry {
  if (!row.extra || isLocked(row, { ...view, editing: view.editing ?? false })) return entry;
  const { [form]: members, list } = partsOf(row) as Extra;
  // Members of the single form are only stored if they differ.
  const all: Entry = { ...entry };
  for (const [name, value] of Object.entries(members ?? (form === 'single' ? list : undefined) ?? {}))
    if ((!Object.hasOwn(entry, name) || isFree(entry[name])) && (!view.members || view.members.has(name)))
      all[name] = siteValue(value, anySite);
  return view.asSite === 'all' || (view.asSite === 'linked' && form === 'embedded') ? asSite(all, row, form, view.site, view.members) : all;
}
