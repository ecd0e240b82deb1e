import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { Site } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { anonymous, owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import type { UpstreamState } from '../../store/identity/upstream-state.ts';
import { patchOf } from './patch.ts';

/** Stores how records look on a site, as patches of how they look here. */
export class SiteForms {
  constructor(
    private readonly store: Store,
    private readonly state: UpstreamState,
    private readonly addresses: Site,
  ) {}

  /** Stores a form of the record with an ID here. */
  set(name: ResourceName, id: number, remote: Entry, form: 'list' | 'single', asOf: string): void {
    // Visitors don't see hidden records.
    const own = this.store.local(this.state.isHidden(name, id) ? owner : anonymous, this.addresses);
    const ours = form === 'list' ? own.listed(name, id) : singleOf(own, name, id);
    if (!ours) return;
    const { _links, ...theirs } = remote as Entry & { _links?: unknown };
    const patch = patchOf(JSON.parse(JSON.stringify(ours)), theirs);
    this.state.setForm(name, id, form, { patch: patch ? JSON.stringify(patch) : '', asOf });
  }
}

/** Returns the form of a single record; undefined for one that the viewer can't read. */
function singleOf(local: LocalCalendar, name: ResourceName, id: number): Entry | undefined {
  try {
    return local[name].get({ id });
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
