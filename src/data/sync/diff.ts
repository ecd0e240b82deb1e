import { type Entry, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { resourceOrder } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';
import type { OnProgress } from '../summary.ts';
import { Comparison, type DifferingFields } from './compare.ts';
import { pagesOf } from './pages.ts';
import type { RemoteCalendar } from './remote.ts';

/** A record that differs between two calendars. */
export interface Difference {
  resource: ResourceName;
  /** Its IDs; undefined where it is missing. */
  local?: number;
  remote?: number;
  name: string;
  fields: DifferingFields;
}

/** The differences between a local and a remote calendar, resource by resource: remote records in their order, then those that are only local. */
export async function* diff(
  store: Store,
  remote: RemoteCalendar,
  { only = resourceNames, onProgress }: { only?: readonly ResourceName[]; onProgress?: OnProgress } = {},
): AsyncGenerator<Difference> {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const comparison = new Comparison(local, new SyncState(store.db, remote.site));
  let count = 0;
  for (const name of resourceOrder.filter((each) => only.includes(each))) {
    const matched = new Set<number>();
    for await (const page of pagesOf(remote.calendar, name))
      for (const entry of page.entries) {
        const found = comparison.compare(name, entry);
        if (found.local) matched.add(found.local.id);
        const difference = { resource: name, ...(found.local ? { local: found.local.id } : {}), remote: entry.id };
        if (!found.local && !found.isRedacted) yield { ...difference, name: labelOf(name, entry), fields: {} };
        else if (found.local && Object.keys(found.fields).length)
          yield { ...difference, name: labelOf(name, found.local), fields: found.fields };
        onProgress?.(++count);
      }
    for (const entry of local.entries(name))
      if (!matched.has(entry.id) && isListed(entry)) yield { resource: name, local: entry.id, name: labelOf(name, entry), fields: {} };
  }
}

/** Whether lists show a record: others cannot be missed in the remote ones. */
const isListed = (entry: Entry): boolean => entry.hide_from_listings !== true;
