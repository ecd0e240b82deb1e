import type { ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { type NumberedPage, steadyPages } from '../../model/paging.ts';
import { isTerms } from '../../model/resources/names.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { RemoteCalendar } from './remote.ts';

/** Every event, not only those of the default window. */
const allDates = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' };
const statuses = 'publish,future,draft,pending,private';

/** Yields the pages of all records of a resource that the user may see, with UIDs if available, starting with page `from`. */
export async function* pagesOf(remote: RemoteCalendar, resource: ResourceName, from = 1): AsyncGenerator<NumberedPage> {
  const base: Query = { per_page: String(maxPerPage), ...((await remote.isOurs()) ? { _uid: '1' } : {}) };
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
