import type { Page, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates, isTerms } from '../../model/resources/relations.ts';
import type { RemoteCalendar } from './remote.ts';

const perPage = '50';
/** Every event, not only those of the default window. */
const allDates = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' };
const statuses = 'publish,future,draft,pending,private';

type NumberedPage = Page & { number: number };

/** Maximum number of records of a list. */
export const maxListedRecords = 1_000_000;

/** Maximum number of times a changing list is read. */
const maxReadings = 5;

/**
 * Yields the pages of a list, starting with page `from`. If records are added or deleted meanwhile, pages shift, so the list is read again and the missed records are
 * yielded. `list` returns one page. Throws `busy` if the list keeps changing.
 */
export async function* steadyPages(list: (number: number) => Promise<Page>, from = 1): AsyncGenerator<NumberedPage> {
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
      checkCount(passed.size, page);
      if (reading === 1 || entries.length) yield { ...page, entries, number };
      if (page.total_pages > 0 ? number >= page.total_pages : page.next_rest_url === undefined) break;
    }
    // Two equal readings mean that the list is stable.
    if (isSteady || (reading > 1 && !hasNew && Object.is(total, before))) return;
    before = total;
  }
  throw new Failure('busy', 'The list kept changing while it was read', {}, 'Retry when no other client is writing.');
}

/** Throws `not-a-calendar` for a list that goes on after its announced end. A page more may be records that were replaced meanwhile. */
function checkCount(count: number, { total }: Page): void {
  const max = Number.isFinite(total) ? Math.min(total + Number(perPage), maxListedRecords) : maxListedRecords;
  if (count > max)
    throw new Failure(
      'not-a-calendar',
      `The server sent ${count} records of a list with a total of ${total}`,
      {},
      'The list of the server has no end. Nothing more was read.',
    );
}

/** Returns a page; undefined after the last one. */
async function pageOrNothing(page: Promise<Page>): Promise<Page | undefined> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof Failure && String(error.data.remote_code ?? error.code).endsWith('archive-page-not-found')) return undefined;
    throw error;
  }
}

/** Yields the pages of all records of a resource that the user may see, with UIDs if available, starting with page `from`. */
export async function* pagesOf(remote: RemoteCalendar, resource: ResourceName, from = 1): AsyncGenerator<NumberedPage> {
  const base: Query = { per_page: perPage, ...((await remote.isOurs()) ? { _uid: '1' } : {}) };
  if (hasDates(resource)) Object.assign(base, allDates);
  if (isTerms(resource)) Object.assign(base, { hide_empty: 'false', orderby: 'id', order: 'asc' });
  let query = isTerms(resource) || !(await remote.maySeeUnpublished(resource)) ? base : { ...base, status: statuses };
  const read = (number: number) => remote.calendar[resource].list({ ...query, page: String(number) });
  yield* steadyPages(async (number) => {
    try {
      return await read(number);
    } catch (error) {
      // Users who may not read drafts may not request them.
      const mayRetry = number === from && query !== base && error instanceof Failure && [400, 401, 403].includes(error.status);
      if (!mayRetry) throw error;
      query = base;
      return read(number);
    }
  }, from);
}
