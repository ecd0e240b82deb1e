import type { Entry, Resource } from '../../model/calendar.ts';

/** Returns the value at a path like `venue.city`; for a list, the values of its items. */
export function valueAt(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(value) && !/^\d+$/.test(name)) {
    const values = value.map((item) => valueAt(item, path)).filter((item) => item !== undefined);
    return values.length ? values : undefined;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const next = (value as Record<string, unknown>)[name];
  return rest.length ? valueAt(next, rest.join('.')) : next;
}

/** Formats a value for CSV: linked records as IDs, terms as slugs, lists with commas. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.every(isNamed) ? value.map(cellOf).join(',') : JSON.stringify(value);
  if (!isNamed(value)) return JSON.stringify(value);
  const linked = value as Record<string, unknown>;
  return String('taxonomy' in linked ? linked.slug : linked.id);
}

/** Returns whether a value is a scalar or a record with an ID. */
const isNamed = (value: unknown): boolean => typeof value !== 'object' || value === null || 'id' in value;

/** Formats the value at a path of a record; no image is an empty cell. */
export function cellAt(entry: Entry, path: string): string {
  const value = valueAt(entry, path);
  return value === false && path === 'image' ? '' : cellOf(value);
}

/** Returns the given paths of a record with their nesting: `venue.city` gives `{"venue": {"city": …}}`. A missing value is null. */
export function pick(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const name = path.split('.')[0]!;
    if (Object.hasOwn(picked, name)) continue;
    const below = paths.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1));
    const next = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    picked[name] = below.length && !paths.includes(name) ? pick(next, below) : next;
  }
  return picked;
}

/** Returns the default columns of CSV and TSV: the ID and the fields of responses. */
export const fieldColumns = (resource: Resource): string[] => [
  'id',
  ...resource.fields.filter((field) => !field.writeOnly && !field.columnOnRequest).map((field) => field.name),
];
