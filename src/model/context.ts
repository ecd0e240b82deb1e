import type { CurrencySettings } from './fields/cost-format.ts';
import type { Row } from './record.ts';
import type { SiteSlugs } from './site-address.ts';
import { mayEdit, ownership, type Viewer } from './viewer.ts';

/** Lookups that checks may use. */
export interface Lookup {
  hasUser(id: number): boolean;
  hasImage(ref: number | string): boolean;
  hasPost(resource: string, id: number): boolean;
  /** A term's ID by slug, else by ID. */
  findTerm(resource: string, ref: string | number): number | undefined;
}

/** Optional parts of the API. */
export type Extension = 'geolocation' | 'tickets';
export const extensions: readonly Extension[] = ['geolocation', 'tickets'];

/** The context of a request. */
export interface RequestContext {
  viewer: Viewer;
  /** Epoch milliseconds. */
  now: number;
  /** Time zone of the calendar. */
  zone: string;
  /** Default number of records per page. */
  perPage: number;
  /** Search radius of `geoloc_lat` and `geoloc_lng`, in kilometers. */
  radius: number;
  /** Currency of prices without a sign. */
  currency: CurrencySettings;
  slugs: SiteSlugs;
  /** Enabled optional parts. */
  extensions: readonly Extension[];
  /** True for copies, which keep their ID if it is free, their slug, and the date of their last change. */
  copying: boolean;
  /** True for updates as the reference makes them: they reset what is omitted. */
  resetting?: boolean;
  newUid(): string;
  store: Lookup;
}

/** Base URLs of links, without trailing slashes: of the site, and of the namespace. */
export interface LinkBase {
  home: string;
  root: string;
  /** Name of the taxonomy of categories; that of the default namespace if absent. */
  taxonomy?: string;
  /** True for requests whose updates reset what they omit, as those of the reference do. */
  resetsOmitted?: boolean | undefined;
  /** True to show posters of records without an image. */
  posters?: boolean;
}

/** Options for showing a record. */
export interface ViewOptions {
  site: LinkBase;
  viewer: Viewer;
  /** True for reads of one record, which add schema.org data. */
  single: boolean;
  /** The given password. */
  password?: string;
  /** True to show protected records to viewers who may edit them. */
  editing: boolean;
  /** Enabled optional parts. */
  extensions: readonly Extension[];
  currency: CurrencySettings;
  slugs: SiteSlugs;
  /** True to include UIDs, which the reference doesn't have. */
  withUids?: boolean;
  /** True to include stored texts that have block comments. */
  withRaw?: boolean;
  /** Which copied records are shown as their site shows them; none if undefined. */
  asSite?: 'all' | 'linked';
  /** Names of the members to include; all if undefined. */
  members?: ReadonlySet<string>;
  /** Names of the members of linked records to include; all if undefined. */
  linkedMembers?: ReadonlySet<string>;
}

/** True if a row looks the same to every viewer. Categories and tags have no status and no password. */
export const isOpen = ({ status = 'publish', post_password = '' }: Row): boolean => status === 'publish' && post_password === '';

/** The parts of a view that decide whether a password hides a record. */
export type Sight = Pick<ViewOptions, 'viewer' | 'password' | 'editing'>;

/** True if a password hides a record from a view. Terms have none. */
export const isLocked = (row: Row, view: Sight): boolean =>
  typeof row.post_password === 'string' &&
  row.post_password !== '' &&
  row.post_password !== view.password &&
  !(view.editing && mayEdit(view.viewer, ownership(row)));
