import type { Calendar, ResourceName } from '../../model/calendar.ts';

/** A remote calendar to copy from, copy to or compare with. */
export interface RemoteCalendar {
  calendar: Calendar;
  /** Root URL of its routes, which identifies the site of copied records. */
  root: string;
  /** Returns whether the server is one of this program, which has UIDs. */
  isOurs(): Promise<boolean>;
  /** Returns whether the user may list unpublished records. */
  maySeeUnpublished(resource: ResourceName): Promise<boolean>;
}
