import type { LinkBase, RequestContext, ViewOptions } from '../../model/context.ts';
import type { Query } from '../../model/fields/list.ts';
import type { Resources } from '../../model/resources/declared.ts';
import type { Database } from '../file/sql.ts';

/** The database, viewer and site that the actions of one request work with. */
export interface StoreContext {
  db: Database;
  request: RequestContext;
  site: LinkBase;
  /** The definitions of the resources with the declared fields of the calendar. */
  resources: Resources;
}

export const viewOptions = ({ request, site }: StoreContext, query: Query = {}, single = false): ViewOptions => ({
  site,
  viewer: request.viewer,
  single,
  password: typeof query.password === 'string' ? query.password : undefined,
  editing: query.context === 'edit',
  extensions: request.extensions,
  currency: request.currency,
  slugs: request.slugs,
  withUids: query._uid !== undefined,
  withRaw: query.context === 'edit',
  asSite: 'all',
});
