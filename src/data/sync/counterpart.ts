import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';

/**
 * The ID of the local record that a remote one is: the one with its UID, or else its copy. A copy that was made of a record with another UID is none: another calendar
 * answers at that address now. Terms, which have no UIDs, are known by their slugs too.
 */
export function counterpartOf(local: LocalCalendar, state: SyncState, name: ResourceName, remote: Entry): number | undefined {
  const uid = String(remote.uid ?? '');
  const byUid = uid && local.idBy(name, 'uid', uid);
  if (byUid) return byUid;
  const copy = state.ofRemote(name, remote.id);
  if (copy && (copy.uid === '' || copy.uid === uid) && local.source(name, copy.local)) return copy.local;
  if (name !== 'categories' && name !== 'tags') return undefined;
  const bySlug = local.idBy(name, 'slug', String(remote.slug ?? ''));
  return bySlug === undefined || state.ofLocal(name, bySlug) ? undefined : bySlug;
}
