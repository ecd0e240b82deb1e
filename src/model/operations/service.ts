import type { Calendar, Ref, ResourceName, Row } from '../calendar.ts';
import type { LinkBase, RequestContext } from '../context.ts';
import type { StoredImage, Upload } from '../images/image.ts';
import type { Resources } from '../resources/declared.ts';
import type { Action } from '../routes.ts';
import type { SiteSlugs } from '../site-address.ts';
import type { Viewer } from '../viewer.ts';

/** A record as it is stored, with its links, to put it back. */
export interface StoredRecord {
  resource: ResourceName;
  id: number;
  /** Title or name. */
  name: string;
  row: Row;
  /** The rows of the tables that link it to other records, in both directions. */
  links: readonly { table: string; rows: readonly Row[] }[];
  /** IDs of the records whose parent it is. */
  children: readonly number[];
}

/** A calendar as a server offers it: authentication, permissions and records. */
export interface Service {
  /** The calendar that a viewer sees, with the links of a site. */
  calendar(viewer: Viewer, site: LinkBase): Calendar;
  /** Runs synchronous work in one transaction; resolves when that is durable. */
  together<T>(work: () => T): Promise<T>;
  /** A record as it is stored; undefined for a missing one. */
  stored(resource: ResourceName, id: number): StoredRecord | undefined;
  /** Puts back a record. Returns false, and changes nothing, if it is no longer as `after`; that is undefined for one that was deleted. */
  putBack(before: StoredRecord, after: StoredRecord | undefined): boolean;
  /** True if a viewer may run an action on a record, or on the whole collection. */
  may(viewer: Viewer, action: Action, resource: ResourceName, ref: Ref | undefined): boolean;
  /** The user with these credentials. Throws `invalid_username` or `incorrect_password`. */
  authenticate(name: string, password: string): Viewer | Promise<Viewer>;
  /** True if the calendar has users, so that visitors may only read. */
  hasUsers(): boolean;
  /** The caller as long as the calendar has no users. */
  defaultViewer(): Viewer;
  /** The definitions of the resources with the declared fields of the calendar. */
  resources(): Resources;
  /** An image by ID, or by the address under which it is stored. */
  findImage(ref: number | string): StoredImage | undefined;
  /** Throws `rest_cannot_create` if a viewer may not upload images, and `read-only` if uploads are not allowed at all. */
  checkUpload(viewer: Viewer): void;
  /** Adds an uploaded image with the path of its file. Resolves with its ID when it is durable; that of the existing one if the path is known. */
  addUpload(path: string, upload: Upload): Promise<number>;
  title(): string;
  /** The words of the addresses of its pages. */
  slugs(): SiteSlugs;
  /** The paths of a copied record's page here and on its site, where they differ, by either of them. */
  sitePageAt(path: string): { here: string; there: string } | undefined;
  /** The context of a visitor's request at this moment. */
  requestContext(): RequestContext;
}
