import type { Calendar, Ref, ResourceName } from '../calendar.ts';
import type { RequestContext, Site } from '../context.ts';
import type { StoredImage, Upload } from '../images/image.ts';
import type { Resources } from '../resources/declared.ts';
import type { Action } from '../routes.ts';
import type { Viewer } from '../viewer.ts';

/** A calendar as a server offers it: authentication, permissions and records. */
export interface Service {
  /** Returns the calendar that a viewer sees, with the links of a site. */
  calendar(viewer: Viewer, site: Site): Calendar;
  /** Returns whether a viewer may run an action on a record, or on the whole collection. */
  may(viewer: Viewer, action: Action, resource: ResourceName, ref: Ref | undefined): boolean;
  /** Returns the user with these credentials. Throws `invalid_username` or `incorrect_password`. */
  authenticate(name: string, password: string): Viewer | Promise<Viewer>;
  /** Returns whether the calendar has users, so that visitors may only read. */
  hasUsers(): boolean;
  /** Returns who callers are as long as the calendar has no users. */
  defaultViewer(): Viewer;
  /** Returns the definitions of the resources with the declared fields of the calendar. */
  resources(): Resources;
  /** Returns an image by ID, or by the address under which it is stored. */
  findImage(ref: number | string): StoredImage | undefined;
  /** Throws `rest_cannot_create` if a viewer may not upload images, and `read-only` if uploads are not allowed at all. */
  checkUpload(viewer: Viewer): void;
  /** Adds an uploaded image with the path of its file. Resolves with its ID when it is durable; that of the existing one if the path is known. */
  addUpload(path: string, upload: Upload): Promise<number>;
  title(): string;
  /** Returns the context of a visitor's request at this moment. */
  requestContext(): RequestContext;
}
