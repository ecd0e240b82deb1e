import type { Calendar, ResourceName } from '../../model/calendar.ts';
import type { Problem } from '../../model/error.ts';
import type { LocalCalendar } from '../../store/calendar.ts';

/** The settings of a site that anybody can read. */
export interface SiteSettings {
  /** Its title, or its host. */
  name: string;
  /** Empty if unknown. */
  timezone: string;
}

/** A remote calendar to copy from, copy to or compare with. */
export interface RemoteCalendar {
  calendar: Calendar;
  /** Root URL of its routes, which identifies the site of copied records. */
  root: string;
  about(): Promise<SiteSettings>;
  /** Returns whether the server is one of this program, which has UIDs. */
  isOurs(): Promise<boolean>;
  /** Returns whether the user may list unpublished records. */
  maySeeUnpublished(resource: ResourceName): Promise<boolean>;
  /** Returns whether the site confirms the user of the credentials. Throws if it rejects them. */
  confirmsUser?(): Promise<boolean>;
}

/** Notes a site that doesn't tell whether it accepts the user. Throws if it rejects the user. */
export async function checkUser(remote: RemoteCalendar, notes: Problem[]): Promise<void> {
  if (remote.confirmsUser && !(await remote.confirmsUser()))
    notes.push({
      at: remote.root,
      reason: 'the site does not tell whether it accepts the user; it may take a wrong password for a visitor',
    });
}

/** Sets the time zone and the title of a new calendar to those of the site that it copies, but keeps settings that the user chose. */
export function adoptSettings({ settings }: Pick<LocalCalendar, 'settings'>, { name, timezone }: SiteSettings): void {
  if (timezone) settings.import('timezone', timezone);
  if (name.trim()) settings.import('title', name);
}
