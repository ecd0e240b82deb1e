import { InvalidArgumentError, Option } from 'commander';
import type { Entry, Page, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import type { Query } from '../../model/fields/list.ts';

/** One key to sort by: a path like `venue.city`. */
export interface SortKey {
  path: string;
  descending: boolean;
}

/** `--sort`: fields with commas, each with a minus for the other direction. */
export const sortOption = (resource: Resource): Option =>
  new Option('--sort <fields>', 'sort all that match, like title or -start_date,title; a minus turns a field round').argParser((text) =>
    sortKeys(text, resource),
  );

function sortKeys(text: string, { fields, answer, name }: Resource): SortKey[] {
  const known = [...new Set([...fields, ...answer.members].map((each) => each.name))];
  return text.split(',').map((part) => {
    const descending = part.trim().startsWith('-');
    const path = part.trim().replace(/^-/, '');
    const [root = ''] = path.split('.');
    if (!known.includes(root)) throw new InvalidArgumentError(didYouMean(root, known) ?? `Fields of ${name} are ${known.join(', ')}.`);
    return { path, descending };
  });
}

/** The direction in which the list of a resource stands by itself where these keys ask for no other order; undefined where they do. */
export function ownDirection({ name }: Resource, keys: readonly SortKey[]): 'forward' | 'backward' | undefined {
  if (name !== 'events' || keys.length !== 1 || keys[0]!.path !== 'start_date') return undefined;
  return keys[0]!.descending ? 'backward' : 'forward';
}

/** Records in the order of some keys: numbers by size, also within texts, and texts without regard to case and accents; what is empty last. */
export async function sorted(entries: readonly Entry[], keys: readonly SortKey[]): Promise<Entry[]> {
  const { displayTextAt } = await import('../print/words.ts');
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const texts = new Map(entries.map((entry) => [entry, keys.map(({ path }) => displayTextAt(entry, path))]));
  return [...entries].sort((a, b) => {
    for (const [at, { descending }] of keys.entries()) {
      const [one, other] = [texts.get(a)![at]!, texts.get(b)![at]!];
      if ((one === '') !== (other === '')) return one === '' ? 1 : -1;
      const order = compare(one, other);
      if (order) return descending ? -order : order;
    }
    return 0;
  });
}

/** Records from the last one of a list back to its first, page before page. `first` is its first page. */
export async function* backward(first: Page, list: (query: Query) => Promise<Page>, query: Query, perPage: number): AsyncIterable<Entry> {
  const pages = Math.ceil(first.total / perPage);
  for (let page = pages; page >= 1; page--) {
    const { entries } = await list({ ...query, per_page: String(perPage), page: String(page) });
    yield* [...entries].reverse();
  }
}
