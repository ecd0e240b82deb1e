import type { Collection, Entry, Page, WholeList } from './calendar.ts';
import { Failure } from './error.ts';
import { maxPerPage, type Query } from './fields/list.ts';

export type NumberedPage = Page & { number: number };

/** Maximum number of records of a list. */
export const maxListedRecords = 1_000_000;

/** Maximum number of times a changing list is read. */
const maxReadings = 5;

/**
 * Yields the pages of a list, starting with page `from`. If records are added or deleted meanwhile, pages shift, so the list is read again and the missed records are
 * yielded. `list` returns one page. Throws `busy` if the list keeps changing, and `not-a-calendar` if it has more than `max` records.
 */
export async function* steadyPages(
  list: (number: number) => Promise<Page>,
  from = 1,
  max = maxListedRecords,
): AsyncGenerator<NumberedPage> {
  const seen = new Set<number>();
  let before: number | undefined;
  for (let reading = 1; reading <= maxReadings; reading++) {
    const passed = new Set<number>();
    let total: number | undefined;
    let [isSteady, hasNew] = [true, false];
    const first = reading === 1 ? from : 1;
    for (let number = first; ; number++) {
      const page = await pageOrNothing(list(number));
      // A page without new records ends the list, even if the server claims more pages.
      if (!page?.entries.some(({ id }) => !passed.has(id))) {
        if (number > first) isSteady = false;
        break;
      }
      total ??= page.total;
      if (!Object.is(page.total, total) || page.entries.some(({ id }) => passed.has(id))) isSteady = false;
      const entries = page.entries.filter(({ id }) => !seen.has(id));
      hasNew ||= entries.length > 0;
      for (const { id } of page.entries) {
        seen.add(id);
        passed.add(id);
      }
      checkCount(passed.size, page, max);
      if (reading === 1 || entries.length) yield { ...page, entries, number };
      if (page.total_pages > 0 ? number >= page.total_pages : page.next_rest_url === undefined) break;
    }
    // Two equal readings mean that the list is stable.
    if (isSteady || (reading > 1 && !hasNew && Object.is(total, before))) return;
    before = total;
  }
  throw new Failure('busy', 'The list kept changing while it was read', 'Retry when no other client is writing.');
}

/** Throws `not-a-calendar` for a list that goes on after its announced end. A page more may be records that were replaced meanwhile. */
function checkCount(count: number, { total }: Page, max: number): void {
  if (count > (Number.isFinite(total) ? Math.min(total + maxPerPage, max) : max))
    throw new Failure(
      'not-a-calendar',
      `The server sent ${count} records of a list with a total of ${total}`,
      'The list of the server has no end. Nothing more was read.',
    );
}

/** A page; undefined after the last one. */
export async function pageOrNothing(page: Promise<Page>): Promise<Page | undefined> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof Failure && String(error.data.remote_code ?? error.code).endsWith('archive-page-not-found')) return undefined;
    throw error;
  }
}

/** The part of a collection that lists records. */
export type Lister = Pick<Collection, 'list'> & Partial<WholeList>;

/**
 * Yields every record of a list: from a file in batches, and from a server page by page, also if the list changes meanwhile. `first` is the page that the query selects, if it
 * was read before; `members` limits the members of records of a file. Throws `busy` if the list keeps changing.
 */
export async function* everyRecord(
  collection: Lister,
  query: Query,
  { first, members }: { first?: Page; members?: ReadonlySet<string> } = {},
): AsyncGenerator<Entry> {
  if (collection.listAll) {
    yield* collection.listAll(query, members);
    return;
  }
  let next = first;
  const list = async (page: number) => {
    const read = next ?? (await collection.list({ ...query, per_page: query.per_page ?? String(maxPerPage), page: String(page) }));
    next = undefined;
    return read;
  };
  for await (const { entries } of steadyPages(list, Number(query.page ?? 1))) yield* entries;
}
