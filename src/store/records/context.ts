import type { LinkBase, RequestContext, ViewOptions } from '../../model/context.ts';
import type { Query } from '../../model/fields/list.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { owner } from '../../model/viewer.ts';
import type { Database } from '../sqlite/sql.ts';

/** The database, viewer and site that the actions of one request work with. */
export interface StoreContext {
  db: Database;
  request: RequestContext;
  site: LinkBase;
  /** The definitions of the resources with the declared fields of the calendar. */
  resources: Resources;
}

/** The view of the owner, who sees all texts. */
export const ownersView = ({ request, site }: Pick<StoreContext, 'request' | 'site'>): ViewOptions => ({
  site,
  viewer: owner,
  single: false,
  editing: true,
  extensions: request.extensions,
  currency: request.currency,
  slugs: request.slugs,
});

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
