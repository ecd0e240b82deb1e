import type { Calendar, Ref, ResourceName, SerializedReads } from '../calendar.ts';
import type { RequestContext, Site } from '../context.ts';
import type { Action } from '../routes.ts';
import type { Viewer } from '../viewer.ts';

/** A calendar as a server gives it to its callers: who they are, what they may do, and what they get. */
export interface Service {
  /** The calendar as one viewer sees it, with links that start at a site. */
  calendar(viewer: Viewer, site: Site): Calendar;
  /** Whether a viewer may take an action on the record that is named, or on the whole collection. */
  may(viewer: Viewer, action: Action, resource: ResourceName, ref: Ref | undefined): boolean;
  /**
   * The user with these credentials; fails with `invalid_username` or `incorrect_password`, and after many wrong ones from one place, where that is
   * named, with `too-many-attempts`.
   */
  authenticate(name: string, password: string, place?: string): Viewer | Promise<Viewer>;
  /** Whether callers must say who they are to do more than visitors. */
  hasUsers(): boolean;
  /** What the calendar is called. */
  title(): string;
  /** The circumstances of a visitor's request, now. */
  requestContext(): RequestContext;
}

/** Reads of a calendar from memory: the same records and failures as its own, serialized. */
export interface ReadCache {
  /** The reads of one resource as a viewer sees it; undefined where nothing of it is cached. */
  reads(viewer: Viewer, site: Site, resource: ResourceName): SerializedReads | undefined;
  hasUsers(): boolean;
  /** Another value after every written row, and in every second: what lists show depends on the time. */
  state(): unknown;
}
