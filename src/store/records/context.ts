import type { Entry, Row } from '../../model/calendar.ts';
import type { LinkKind, RequestContext, Site, ViewOptions } from '../../model/context.ts';
import type { Query } from '../../model/fields/filter.ts';
import type { Database } from '../file/sql.ts';

/** Rows that events are linked to, held in memory. Answers are the same without it. */
export interface RowCache {
  /** A row by its ID; the caller must not change it. */
  get(kind: LinkKind, id: number): Row | undefined;
  /** The entry that `show` makes of a venue's or organizer's row, or an equal one that was made before. */
  shown(row: Row, view: ViewOptions, show: () => Entry): Entry;
}

/** The database, viewer and site that the actions of one request work with. */
export interface StoreContext {
  db: Database;
  request: RequestContext;
  site: Site;
  /** Absent where nothing is held in memory. */
  rows?: RowCache;
}

/** How this request looks at a record. */
export const viewOptions = ({ request, site }: StoreContext, query: Query = {}, single = false): ViewOptions => ({
  site,
  viewer: request.viewer,
  single,
  password: typeof query.password === 'string' ? query.password : undefined,
  editing: query.context === 'edit',
  extensions: request.extensions,
  withUids: query._uid !== undefined,
});
