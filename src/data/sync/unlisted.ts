import type { Entry, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { RemoteCalendar } from './remote.ts';

/** A copied record that is missing from lists: it still exists, was deleted, or the user may not see it any more. */
export type Unlisted = Entry | 'deleted' | 'hidden';

/** Requests a copied record that is missing from lists. */
export async function unlisted(remote: RemoteCalendar, name: ResourceName, id: number): Promise<Unlisted> {
  try {
    const entry = await remote.calendar[name].get({ id }, (await remote.isOurs()) ? { _uid: '1' } : {});
    // Users who may edit a venue or organizer see it in the trash.
    return entry.status === 'trash' ? 'deleted' : entry;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (isDeleted(name, error)) return 'deleted';
    if (error.status === 401 || error.status === 403) return 'hidden';
    throw error;
  }
}

/** Returns whether a failure means that a record was deleted. Of venues, organizers and terms, an unknown ID is an invalid parameter. */
function isDeleted(name: ResourceName, { code, status, data }: Failure): boolean {
  if (String(data.remote_code ?? code) === 'event-no-longer-available') return true;
  // A server of something else may be at the address: its responses have no code.
  if (code === 'not-a-calendar') return false;
  return status === 404 || status === 410 || (status === 400 && !hasDates(name));
}
