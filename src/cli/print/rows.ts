import type { Entry, Resource, ResourceName } from '../../model/resource.ts';
import { plain } from './plain.ts';

/** What stands at a path of a record like `venue.city`; through a list, what stands there in each of its items. Undefined when nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(value) && !/^\d+$/.test(name)) {
    const found = value.map((item) => valueAt(item, path)).filter((item) => item !== undefined);
    return found.length ? found : undefined;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const next = (value as Record<string, unknown>)[name];
  return rest.length ? valueAt(next, rest.join('.')) : next;
}

/** A value as one cell that a program reads back: linked records by their ID, terms by their slug, lists with commas, texts as they are. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.every(isNamed) ? value.map(cellOf).join(',') : JSON.stringify(value);
  if (!isNamed(value)) return JSON.stringify(value);
  const linked = value as Record<string, unknown>;
  return String('taxonomy' in linked ? linked.slug : linked.id);
}

/** Whether a value is plain, or a record with an ID: it can stand for itself in a list. */
const isNamed = (value: unknown): boolean => typeof value !== 'object' || value === null || 'id' in value;

/** The cell of a record at a path, as {@link cellOf} says; no image is an empty cell. */
export function cellAt(entry: Entry, path: string): string {
  const value = valueAt(entry, path);
  return value === false && path === 'image' ? '' : cellOf(value);
}

const labels = ['title', 'venue', 'organizer', 'name', 'url'] as const;

/** A value as people read it: linked records by their names, yes and no in words, HTML as plain text, all on one line. */
export function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return plain(String(value));
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ');
  const record = value as Record<string, unknown>;
  const label = labels.find((name) => typeof record[name] === 'string');
  return plain(label ? String(record[label]) : JSON.stringify(value));
}

/** The cell of a record at a path, as {@link wordsOf} says. */
export function wordsAt(entry: Entry, path: string): string {
  const value = valueAt(entry, path);
  return value === false && path === 'image' ? '' : wordsOf(value);
}

/** A record cut down to some paths, its form kept: `venue.city` gives `{"venue": {"city": …}}`. What is missing is null. */
export function pick(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const name = path.split('.')[0]!;
    if (name in picked) continue;
    const below = paths.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1));
    const next = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    picked[name] = below.length && !paths.includes(name) ? pick(next, below) : next;
  }
  return picked;
}

const tableColumns: Record<ResourceName, string[]> = {
  events: ['id', 'title', 'start_date', 'end_date', 'venue'],
  venues: ['id', 'venue', 'address', 'city', 'country', 'slug'],
  organizers: ['id', 'organizer', 'email', 'phone', 'slug'],
  categories: ['id', 'name', 'slug', 'count', 'parent'],
  tags: ['id', 'name', 'slug', 'count'],
};

/** The columns of a table for people when none are asked for. */
export const columnsForPeople = (resource: Resource): string[] => tableColumns[resource.name];

/** The columns of a file for programs when none are asked for: the ID, and every field of the specification. */
export const columnsForPrograms = (resource: Resource): string[] => [
  'id',
  ...resource.fields.filter((field) => !field.beyond).map((field) => field.name),
];
