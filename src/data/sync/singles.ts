import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { formOf, isEqual } from './forms.ts';
import type { RemoteCalendar } from './remote.ts';

/**
 * Reads records from their own addresses, on sites where these have members that lists lack and that this program doesn't know. One record of each resource
 * is tried; of the others, new and changed ones are read only if that one had such members.
 */
export class Singles {
  #hasMore: boolean | undefined;

  constructor(
    private readonly remote: RemoteCalendar,
    private readonly resource: Resource & { name: ResourceName },
    private readonly state: SyncState,
  ) {}

  /** Returns the records of a page that were read, by ID; null if they have no more members than in lists. On servers of this program, only records with unknown members in lists may have more. */
  async of(entries: readonly Entry[]): Promise<Map<number, Entry> | null> {
    const isOurs = await this.remote.isOurs();
    if (isOurs && !entries.some((entry) => Object.keys(unknownMembers(this.resource, entry)).length)) return null;
    const read = new Map<number, Entry>();
    for (const entry of entries) {
      if (this.#hasMore === false) return null;
      if (!this.#isChanged(entry)) continue;
      const single = await this.#read(entry.id);
      if (!single) continue;
      this.#hasMore ??= this.#additional(single).some((member) => !(member in entry));
      if (this.#hasMore) read.set(entry.id, single);
    }
    return this.#hasMore === false ? null : read;
  }

  /** Returns the members of a record that the API doesn't define. */
  #additional(entry: Entry): string[] {
    const declared = this.resource.fields.filter(({ name, isDeclared }) => isDeclared && name in entry);
    return [...Object.keys(unknownMembers(this.resource, entry)), ...declared.map(({ name }) => name)];
  }

  #isChanged(entry: Entry): boolean {
    const row = this.state.ofRemote(this.resource.name, entry.id);
    if (!row?.remoteBase || row.modified !== String(entry.modified_utc ?? '')) return true;
    const theirs = { ...formOf(this.resource, entry), extra: unknownMembers(this.resource, entry) };
    return !isEqual({ ...row.remoteBase, ...theirs }, row.remoteBase);
  }

  async #read(id: number): Promise<Entry | undefined> {
    try {
      return await this.remote.calendar[this.resource.name].get({ id });
    } catch (error) {
      // Deleted after the list was read, or a site without this route.
      if (error instanceof Failure && ((error.status >= 400 && error.status < 500) || error.code === 'not-a-calendar')) return undefined;
      throw error;
    }
  }
}
