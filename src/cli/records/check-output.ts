import { InvalidArgumentError, Option } from 'commander';
import type { Entry, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { anyDateQuery } from '../../model/resources/all.ts';
import { type UnknownPath, unknownPath } from '../../model/resources/response-paths.ts';
import type { Connection } from '../connect/connect.ts';
import { UnknownField } from '../options.ts';
import { valueAt } from '../print/cells.ts';
import { formatOf } from './output.ts';

/**
 * Throws `bad-request` if the output options don't fit a resource, before anything is read or changed: unknown fields, a template with unmatched braces, or an unsuitable
 * format. Records may have members of another site, so unknown ones are looked up in the first page.
 */
export async function checkOutput(
  options: Record<string, unknown>,
  resource: Resource,
  { calendar }: Pick<Connection, 'calendar'>,
): Promise<void> {
  if (formatOf(options) === 'ics' && options.template === undefined && resource.name !== 'events')
    throw new Failure('bad-request', 'Format ics is only available for events', 'Use --format json or csv.');
  const unknown = (await pathsOf(options)).flatMap((path) => {
    const fault = unknownPath(resource, path);
    return fault ? [{ path, fault }] : [];
  });
  if (!unknown.length) return;
  const sample = await firstRecords(resource, calendar);
  const missing = unknown.find(({ path }) => !sample.some((entry) => isIn(entry, path, resource)));
  if (missing) throw pathFailure(missing.path, missing.fault, resource);
}

async function firstRecords(resource: Resource, calendar: Connection['calendar']): Promise<Entry[]> {
  try {
    return (await calendar[resource.name].list(anyDateQuery(resource, {}))).entries;
  } catch {
    // The command reports why the calendar can't be read.
    return [];
  }
}

/** True if a record has a path, or a first name that the definitions lack, below which any path is accepted. */
function isIn(entry: Entry, path: string, resource: Resource): boolean {
  const [first = ''] = path.split('.');
  return valueAt(entry, path) !== undefined || (valueAt(entry, first) !== undefined && unknownPath(resource, first) !== undefined);
}

/** Throws for a template with unmatched braces. */
async function pathsOf({ fields, template, sort }: Record<string, unknown>): Promise<string[]> {
  const sorting = ((sort as SortKey[] | undefined) ?? []).map(({ path }) => path);
  if (typeof template !== 'string') return [...((fields as string[] | undefined) ?? []), ...sorting];
  const { templateParts } = await import('../print/table.ts');
  return [...templateParts(template).filter((_, at) => at % 2), ...sorting];
}

function pathFailure(path: string, { before, name, valid: known }: UnknownPath, resource: Resource): Failure {
  const full = known.map((each) => [...before, each].join('.'));
  const hint =
    didYouMean([...before, name].join('.'), full) ??
    (full.length ? `Fields${before.length ? ` of ${before.join('.')}` : ''}: ${known.join(', ')}.` : `${before.join('.')} has no fields.`);
  return new UnknownField(path, resource.name, hint);
}

/** One key to sort by: a path like `venue.city`. */
export interface SortKey {
  path: string;
  descending: boolean;
}

/** `--sort`: comma-separated fields, with a minus for descending order. */
export const sortOption = (): Option =>
  new Option('--sort <fields>', 'Sort by fields, e.g. title or -start_date,title; minus means descending').argParser(sortKeys);

const sortKeys = (text: string): SortKey[] =>
  text.split(',').map((part) => {
    const path = part.trim().replace(/^-/, '');
    if (path === '') throw new InvalidArgumentError('Expected names of fields, e.g. -start_date,title.');
    return { path, descending: part.trim().startsWith('-') };
  });

/** True if the API's order of a list matches these keys, forward or backward; undefined if it doesn't. */
export function listDirection({ name }: Resource, keys: readonly SortKey[]): 'forward' | 'backward' | undefined {
  if (name !== 'events' || keys.length !== 1 || keys[0]!.path !== 'start_date') return undefined;
  return keys[0]!.descending ? 'backward' : 'forward';
}

/** Sorts records by keys: numbers by value, also within texts; texts ignoring case and accents; empty values last. */
export async function sorted(entries: readonly Entry[], keys: readonly SortKey[]): Promise<Entry[]> {
  const { displayTextAt } = await import('../print/words.ts');
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const texts = new Map(entries.map((entry) => [entry, keys.map(({ path }) => displayTextAt(entry, path))]));
  return [...entries].sort((a, b) => {
    for (const [index, { descending }] of keys.entries()) {
      const [one, other] = [texts.get(a)![index]!, texts.get(b)![index]!];
      if ((one === '') !== (other === '')) return one === '' ? 1 : -1;
      const order = compare(one, other);
      if (order) return descending ? -order : order;
    }
    return 0;
  });
}
