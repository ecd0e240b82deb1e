import type { Calendar, Page, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { hasDates, isTerms } from '../../model/resources/relations.ts';

const perPage = '50';
/** Every event, not only those of the default window. */
const allDates = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' };
const statuses = 'publish,future,draft,pending,private';

type NumberedPage = Page & { number: number };

/** How often a list that changes is read again. */
const mostReadings = 5;

/**
 * The pages of a list from page `from` on. When records come or go meanwhile, pages shift and some would be missed: the list is read again, and gives the records that
 * were not seen. `list` answers one page. Fails with `busy` when the list never holds still.
 */
export async function* steadyPages(list: (number: number) => Promise<Page>, from = 1): AsyncGenerator<NumberedPage> {
  const seen = new Set<number>();
  let before: number | undefined;
  for (let reading = 1; reading <= mostReadings; reading++) {
    const passed = new Set<number>();
    let total: number | undefined;
    let [isSteady, hasNew] = [true, false];
    const first = reading === 1 ? from : 1;
    for (let number = first; ; number++) {
      const page = await pageOrNothing(list(number));
      // A page that holds nothing new ends the list, whatever number of pages a server claims.
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
      if (reading === 1 || entries.length) yield { ...page, entries, number };
      if (page.total_pages > 0 ? number >= page.total_pages : page.next_rest_url === undefined) break;
    }
    // Read twice alike, it holds still, however its pages are numbered.
    if (isSteady || (reading > 1 && !hasNew && Object.is(total, before))) return;
    before = total;
  }
  throw new Failure('busy', 'the list changed whenever it was read', {}, 'Try again when nobody changes it.');
}

/** A page; undefined past the last. */
async function pageOrNothing(page: Promise<Page>): Promise<Page | undefined> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof Failure && String(error.data.remote_code ?? error.code).endsWith('archive-page-not-found')) return undefined;
    throw error;
  }
}

/** The pages of all records of a resource that a calendar shows this viewer, with their UIDs where it has such, from page `from` on. */
export async function* pagesOf(calendar: Calendar, resource: ResourceName, from = 1): AsyncGenerator<NumberedPage> {
  const usual: Query = { per_page: perPage, _uid: '1' };
  if (hasDates(resource)) Object.assign(usual, allDates);
  if (isTerms(resource)) Object.assign(usual, { hide_empty: 'false', orderby: 'id', order: 'asc' });
  let query = isTerms(resource) ? usual : { ...usual, status: statuses };
  const read = (number: number) => calendar[resource].list({ ...query, page: String(number) });
  yield* steadyPages(async (number) => {
    try {
      return await read(number);
    } catch (error) {
      // A viewer who may not see drafts may not ask for them either.
      const mayRetry = number === from && query !== usual && error instanceof Failure && [400, 401, 403].includes(error.status);
      if (!mayRetry) throw error;
      query = usual;
      return read(number);
    }
  }, from);
}
