import { type Entry, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { resourceOrder } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { Store } from '../../store/calendar.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import type { OnProgress } from '../summary.ts';
import { labelOf } from '../transaction.ts';
import { Comparison, type DifferingFields } from './compare.ts';
import { pagesOf } from './pages.ts';
import type { RemoteCalendar } from './remote.ts';

/** A record that differs between two calendars. */
export interface Difference {
  resource: ResourceName;
  /** IDs in both calendars; undefined if missing there. */
  local?: number;
  remote?: number;
  name: string;
  fields: DifferingFields;
}

/** Yields the differences between a local and a remote calendar by resource: remote records in order, then local-only records. */
export async function* diff(
  store: Store,
  remote: RemoteCalendar,
  { only = resourceNames, onProgress }: { only?: readonly ResourceName[]; onProgress?: OnProgress } = {},
): AsyncGenerator<Difference> {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const comparison = new Comparison(local, new SyncState(store.db, remote.root));
  let count = 0;
  for (const name of resourceOrder.filter((each) => only.includes(each))) {
    const matched = new Set<number>();
    for await (const page of pagesOf(remote, name))
      for (const entry of page.entries) {
        const result = comparison.compare(name, entry);
        if (result.local) matched.add(result.local.id);
        const difference = { resource: name, ...(result.local ? { local: result.local.id } : {}), remote: entry.id };
        if (!result.local && !result.isRedacted) yield { ...difference, name: labelOf(name, entry), fields: {} };
        else if (result.local && Object.keys(result.fields).length)
          yield { ...difference, name: labelOf(name, result.local), fields: result.fields };
        onProgress?.(++count);
      }
    for (const entry of local.entries(name))
      if (!matched.has(entry.id) && isListed(entry)) yield { resource: name, local: entry.id, name: labelOf(name, entry), fields: {} };
  }
}

/** Returns whether lists include a record. Others cannot be expected in remote lists. */
const isListed = (entry: Entry): boolean => entry.hide_from_listings !== true;
