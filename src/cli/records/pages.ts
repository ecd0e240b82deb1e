import type { Entry, Page } from '../../model/calendar.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { everyRecord, type Lister, pageOrNothing } from '../../model/paging.ts';

/**
 * Yields at most `limit` records: those of the first page if they are enough, else from one query of a file, or page by page from a server. Reads the
 * list again if it changed in between.
 */
export async function* recordsFrom(
  first: Page,
  collection: Lister,
  query: Query,
  limit: number,
  onProgress: (done: number) => void = () => {},
): AsyncIterable<Entry> {
  let done = 0;
  for await (const entry of entriesFor(first, collection, query, limit)) {
    yield entry;
    onProgress(++done);
    if (done >= limit) return;
  }
}

function entriesFor(first: Page, collection: Lister, query: Query, limit: number): Iterable<Entry> | AsyncIterable<Entry> {
  if (limit <= first.entries.length || first.total === first.entries.length) return first.entries;
  return everyRecord(collection, query, { first });
}

export async function wholeList(collection: Lister, query: Query): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of everyRecord(collection, { ...query, page: '1', per_page: String(maxPerPage) })) entries.push(entry);
  return entries;
}

/** Counts them if the server doesn't return a total. */
export async function countRecords(collection: Lister, query: Query, { total }: Page): Promise<number> {
  return total >= 0 ? total : (await wholeList(collection, query)).length;
}

/** Yields the records of a list in reverse order, page by page, and the rest at once if the list changed in between. `first` is its first page. */
export async function* backward(first: Page, collection: Lister, query: Query, perPage: number): AsyncIterable<Entry> {
  const yielded = new Set<number>();
  for (let number = Math.ceil(first.total / perPage); number >= 1; number--) {
    const page = await pageOrNothing(collection.list({ ...query, per_page: String(perPage), page: String(number) }));
    const isSteady = page?.total === first.total && !page.entries.some(({ id }) => yielded.has(id));
    const entries = isSteady ? page.entries : (await wholeList(collection, query)).filter(({ id }) => !yielded.has(id));
    for (const entry of entries.toReversed()) {
      yielded.add(entry.id);
      yield entry;
    }
    if (!isSteady) return;
  }
}

/** Yields `size` records, starting at a position. */
export async function* part(entries: Iterable<Entry> | AsyncIterable<Entry>, start: number, size: number): AsyncIterable<Entry> {
  let at = 0;
  for await (const entry of entries) {
    if (at >= start) yield entry;
    at += 1;
    if (at >= start + size) return;
  }
}
