import { type CalendarDay, plusMinutes } from '../days.ts';

/** Kinds of record that have a page and a form of their own. */
export const kinds = { event: 'events', venue: 'venues', organizer: 'organizers' } as const;
export type RecordKind = keyof typeof kinds;

/** Where a new event is written; without a minute it begins at nine. */
export const newEventAddress = (day: CalendarDay, minute = 540): string =>
  `/?${new URLSearchParams({ new: 'event', start: plusMinutes(`${day} 00:00:00`, Math.min(minute, 1439)).slice(0, 16) })}`;

/** Where a record is changed. */
export function editAddress(path: string): string {
  const { pathname, searchParams } = new URL(path, location.href);
  searchParams.set('edit', 'true');
  return `${pathname}?${searchParams}`;
}
