import type { Calendar, ResourceName } from '../../model/calendar.ts';
import type { Store } from '../../store/calendar.ts';

/** A remote calendar to copy from, copy to or compare with. */
export interface RemoteCalendar {
  calendar: Calendar;
  /** Root URL of its routes, which identifies the site of copied records. */
  root: string;
  /** Returns its title, and its time zone, empty if unknown. */
  about(): Promise<{ name: string; timezone: string }>;
  /** Returns whether the server is one of this program, which has UIDs. */
  isOurs(): Promise<boolean>;
  /** Returns whether the user may list unpublished records. */
  maySeeUnpublished(resource: ResourceName): Promise<boolean>;
}

/** Gives a new calendar the time zone and the title of the site that it copies; a time zone that the user chose stays. */
export async function adoptSettings(store: Store, remote: Pick<RemoteCalendar, 'about'>): Promise<void> {
  const { name, timezone } = await remote.about();
  await store.change(({ settings }) => {
    if (timezone) settings.import('timezone', timezone);
    if (name.trim()) settings.import('title', name);
  });
}
