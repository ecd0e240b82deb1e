import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/filter.ts';
import type { Calendar, Page, ResourceName } from '../../model/resource.ts';

const perPage = '50';
/** Every event, not only those of the usual window. */
const always = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' };
const statuses = 'publish,future,draft,pending,private';

/** Pages of everything that a calendar shows of a resource, in its order, from a page on. */
export async function* pagesOf(calendar: Calendar, resource: ResourceName, from = 1): AsyncGenerator<Page & { number: number }> {
  const usual: Query = { per_page: perPage };
  if (resource === 'events') Object.assign(usual, always);
  if (resource === 'categories' || resource === 'tags') Object.assign(usual, { hide_empty: 'false', orderby: 'id', order: 'asc' });
  let query = resource === 'categories' || resource === 'tags' ? usual : { ...usual, status: statuses };
  for (let number = from; ; number++) {
    const page = await pageOf(calendar, resource, { ...query, page: String(number) }).catch((error) => {
      // Who may not see drafts may not ask for them either.
      if (number !== from || query.status === undefined || !(error instanceof Failure) || ![400, 401, 403].includes(error.status))
        throw error;
      query = usual;
      return pageOf(calendar, resource, { ...query, page: String(number) });
    });
    if (!page) return;
    yield { ...page, number };
    const last = page.next_rest_url === undefined && !(number < page.total_pages);
    if (last || !page.entries.length) return;
  }
}

/** One page; undefined past the last. */
async function pageOf(calendar: Calendar, resource: ResourceName, query: Query): Promise<Page | undefined> {
  try {
    return await calendar[resource].list(query);
  } catch (error) {
    if (error instanceof Failure && String(error.data.remote_code ?? error.code).endsWith('archive-page-not-found')) return undefined;
    throw error;
  }
}
