import type { Input, Resource, ResourceName } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import type { LocalCalendar } from '../store/calendar.ts';

/** Returns the title, venue, organizer or name of a record; empty if it has none. */
export const labelOf = (name: ResourceName, record: Input): string => String(record[(resources[name] as Resource).label] ?? '');

/** Updates a record and returns whether anything changed. Without a change, its time of modification stays. */
export function updateIfChanged(local: LocalCalendar, name: ResourceName, id: number, { id: _, ...input }: Input): boolean {
  const { modified, modified_utc, ...before } = local.source(name, id)!;
  local[name].update({ id }, input);
  const { modified: _modified, modified_utc: _utc, ...after } = local.source(name, id)!;
  if (JSON.stringify(before) !== JSON.stringify(after)) return true;
  if (modified !== undefined) local[name].update({ id }, { modified, modified_utc });
  return false;
}
