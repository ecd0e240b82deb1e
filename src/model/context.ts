import type { Viewer } from './viewer.ts';

/** What a check may ask the store. */
export interface Lookup {
  hasUser(id: number): boolean;
  hasImage(ref: number | string): boolean;
  hasPost(resource: string, id: number): boolean;
  /** A term's ID by slug, else by ID; undefined when there is none. */
  findTerm(resource: string, ref: string | number): number | undefined;
}

/** Parts of the service that a server may be started without. */
export type Extension = 'geolocation' | 'tickets';
export const extensions: readonly Extension[] = ['geolocation', 'tickets'];

/** The circumstances of one request: who asks, when, of what calendar. */
export interface RequestContext {
  viewer: Viewer;
  /** Epoch milliseconds. */
  now: number;
  /** The calendar's own time zone. */
  zone: string;
  /** Records on a page when nothing is asked for. */
  perPage: number;
  /** The radius of `geoloc_lat` and `geoloc_lng`, in kilometres. */
  radius: number;
  /** What the service does besides the base. */
  extensions: readonly Extension[];
  /** Whether what is written is a copy: it keeps the ID it was sent where that is free, its slug, and when it was changed. */
  copying: boolean;
  /** A UID that no other record has, in any calendar. */
  newUid(): string;
  store: Lookup;
}

/** Where records' addresses start: the site's, and the namespace's. Neither ends with a slash. */
export interface Site {
  home: string;
  root: string;
}

/** How one record is looked at. */
export interface ViewOptions {
  site: Site;
  viewer: Viewer;
  /** A single read, which adds schema.org data. */
  single: boolean;
  /** The password sent along. */
  password?: string;
  /** Whether the viewer asked to edit, which opens protected records to those who may. */
  editing: boolean;
  /** What the service does besides the base. */
  extensions: readonly Extension[];
  /** Whether UIDs are shown, which the reference's answers do not have. */
  withUids?: boolean;
}
