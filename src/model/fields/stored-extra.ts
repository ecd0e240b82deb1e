import type { RequestContext } from '../context.ts';
import type { Columns, Input, Row, SqlValue } from '../record.ts';
import { mayUseAnyHtml } from '../viewer.ts';
import { isObject } from './coerce.ts';
import type { Field } from './field.ts';

/** The column `extra` of a row: members that other sites add, by form, and the values of declared fields. */
export type StoredExtra = Record<string, Record<string, unknown>>;

/** The part of the column with the values of declared fields. */
export const declaredPart = 'declared';

/** Parses the column `extra`. */
export const parseExtra = (column: SqlValue | undefined): StoredExtra =>
  typeof column === 'string' && column !== '' ? (JSON.parse(column) as StoredExtra) : {};

/** Returns the column with unknown members: JSON, or empty text for none. */
export const extraColumn = (extra: object): string => (Object.keys(extra).length ? JSON.stringify(extra) : '');

/** Returns the members of other sites in the input of a copy, or of a push from a program like this, which an editor sends with a UID. */
export function givenExtra({ extra, uid }: Input, { copying, viewer }: Pick<RequestContext, 'copying' | 'viewer'>): SqlValue | undefined {
  if (!isObject(extra) || !(copying || (uid !== undefined && mayUseAnyHtml(viewer)))) return undefined;
  return extraColumn(Object.fromEntries(Object.entries(extra).filter(([form, members]) => form !== declaredPart && isObject(members))));
}

const parsed = new WeakMap<Row, Record<string, unknown>>();

/** Returns the stored value of a field in a row. */
export function storedValue({ name, column, isDeclared }: Pick<Field, 'name' | 'column' | 'isDeclared'>, row: Row): SqlValue {
  if (!isDeclared) return row[name]!;
  const values = parsed.get(row) ?? parseExtra(row.extra)[declaredPart] ?? {};
  parsed.set(row, values);
  return (values[name] as SqlValue | undefined) ?? column!.default ?? null;
}

/** Moves the values of declared fields from their columns to the column `extra`, which keeps those of the row before. */
export function withDeclared(fields: readonly Field[], columns: Columns, before: Row | undefined): Columns {
  if (!fields.some(({ isDeclared }) => isDeclared)) return columns;
  const declared = fields.filter(({ isDeclared }) => isDeclared);
  const old = parseExtra(before?.extra);
  const { [declaredPart]: _, ...members } = columns.extra === undefined ? old : parseExtra(columns.extra);
  const values = { ...old[declaredPart] };
  const others = { ...columns };
  for (const { name, column } of declared) {
    const value = columns[name];
    delete others[name];
    if (value === undefined) continue;
    if (value === (column!.default ?? null)) delete values[name];
    else values[name] = value;
  }
  return { ...others, extra: extraColumn({ ...members, ...(Object.keys(values).length ? { [declaredPart]: values } : {}) }) };
}
