import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { SiteStatus } from '../../model/operations/sync.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { SiteState, StoredConflicts } from '../../store/identity/sites.ts';
import { localForms } from './forms.ts';
import { isBuried, isEqual, isUnchangedHere } from './pair.ts';

/** Number of records that are compared at a time. */
const batch = 500;

/** The state of the copies of each site: records changed here since they were copied, and conflicts. */
export function sitesIn(store: Store): SiteStatus[] {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const conflicts = new StoredConflicts(store.db).all();
  return SiteState.all(store.db)
    .filter(({ pulled, pushed }) => pulled !== null || pushed !== null)
    .map(({ site, address, pulled, pushed, remote_changes }) => {
      const changes = { created: 0, updated: 0, deleted: 0 };
      for (const name of resourceNames) addChanges(local, new SiteState(store.db, site), name, changes);
      return {
        site,
        address,
        pulled,
        pushed,
        local: changes,
        remote_changes,
        conflicts: conflicts.filter((each) => each.site === site).length,
      };
    });
}

/** Adds the records of a resource that were changed here. Values that the site did not accept don't count. */
function addChanges(local: LocalCalendar, state: SiteState, name: ResourceName, changes: SiteStatus['local']): void {
  const paired = new Set<number>();
  const pairs = state.pairs(name);
  for (let at = 0; at < pairs.length; at += batch) {
    const part = pairs.slice(at, at + batch);
    const ids = part.map((pair) => pair.local);
    const forms = localForms(local, name, ids);
    for (const pair of part) {
      paired.add(pair.local);
      const form = forms.get(pair.local);
      const { refused = {} } = pair;
      if (!form) changes.deleted += isBuried(pair) ? 0 : 1;
      else {
        const isSendable = ([field, value]: [string, unknown]) => !(field in refused && isEqual(refused[field], value));
        if (!isUnchangedHere(Object.fromEntries(Object.entries(form).filter(isSendable)), pair)) changes.updated++;
      }
    }
  }
  for (const { id } of local.entries(name)) if (!paired.has(id)) changes.created++;
}
