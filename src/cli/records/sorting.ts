import { InvalidArgumentError, Option } from 'commander';
import type { Entry, Resource } from '../../model/calendar.ts';

/** One key to sort by: a path like `venue.city`. */
export interface SortKey {
  path: string;
  descending: boolean;
}

/** Returns `--sort`: comma-separated fields, with a minus for descending order. */
export const sortOption = (): Option =>
  new Option('--sort <fields>', 'Sort by fields, e.g. title or -start_date,title; minus means descending').argParser(sortKeys);

const sortKeys = (text: string): SortKey[] =>
  text.split(',').map((part) => {
    const path = part.trim().replace(/^-/, '');
    if (path === '') throw new InvalidArgumentError('Expected names of fields, e.g. -start_date,title.');
    return { path, descending: part.trim().startsWith('-') };
  });

/** Returns whether the API's order of a list matches these keys, forward or backward; undefined if it doesn't. */
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
