import type { Resource } from '../../model/calendar.ts';

/** Converts the HTML of a text field to plain text. */
export type ToText = (html: string) => string;

/** The converter for paths like `title.text`; undefined without any. */
export const textConverter = async (paths: readonly string[] = []): Promise<ToText | undefined> =>
  paths.some((path) => path.endsWith('.text')) ? (await import('../../model/html/plain-text.ts')).htmlToText : undefined;

/** The value at a path like `venue.city`; for a list, the values of its items. `title.text` is the plain text of a title. */
export function valueAt(value: unknown, path: string, toText?: ToText): unknown {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(value) && !/^\d+$/.test(name)) {
    const values = value.map((item) => valueAt(item, path, toText)).filter((item) => item !== undefined);
    return values.length ? values : undefined;
  }
  if (typeof value === 'string' && path === 'text') return toText?.(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const next = (value as Record<string, unknown>)[name];
  return rest.length ? valueAt(next, rest.join('.'), toText) : next;
}

/** The given paths of a record with their nesting: `venue.city` gives `{"venue": {"city": …}}`. A missing value is null. */
export function pick(value: unknown, paths: readonly string[], toText?: ToText): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths, toText));
  if (typeof value === 'string' && toText && paths.includes('text')) return { text: toText(value) };
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const name = path.split('.')[0]!;
    if (Object.hasOwn(picked, name)) continue;
    const below = paths.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1));
    const next = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    picked[name] = below.length && !paths.includes(name) ? pick(next, below, toText) : next;
  }
  return picked;
}

/** The default columns of CSV and TSV: the ID and the fields of responses. */
export const fieldColumns = (resource: Resource): string[] => [
  'id',
  ...resource.fields.filter((field) => !field.shown.writeOnly && !field.cell.onRequest).map((field) => field.name),
];
