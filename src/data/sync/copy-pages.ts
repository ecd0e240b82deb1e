import type { Entry, Input, Page, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { eventLinks, inputFrom, isRedacted } from '../../model/formats/remote-record.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf, updateIfChanged } from '../record.ts';
import type { Summary } from '../summary.ts';
import { counterpartOf } from './counterpart.ts';

/** Copies pages of remote records into a local calendar. */
export class PageCopier {
  /** Categories whose parents were not copied yet. */
  readonly #orphans: { id: number; parent: number }[] = [];

  /** `since` is the UTC time before whose last modification records are skipped; empty for none. */
  constructor(
    private readonly state: SyncState,
    private readonly summary: Summary,
    private readonly since: string,
  ) {}

  copy(local: LocalCalendar, name: ResourceName, page: Pick<Page, 'entries'>): void {
    for (const entry of page.entries) {
      const modified = String(entry.modified_utc ?? '');
      if (modified !== '' && modified < this.since)
        this.summary.add('skipped', name, labelOf(name, entry), this.state.ofRemote(name, entry.id)?.local);
      else this.#copyRecord(local, name, entry);
    }
  }

  /** Moves categories below parents that were copied after them. */
  adoptOrphans(local: LocalCalendar): void {
    for (const { id, parent } of this.#orphans.splice(0)) {
      const category = this.state.ofRemote('categories', parent)?.local;
      if (category !== undefined) local.categories.update({ id }, { parent: category });
    }
  }

  /** Copies one record, unless its copy has the same time of modification. Returns its local ID; undefined when it came redacted and has no copy. */
  #copyRecord(local: LocalCalendar, name: ResourceName, entry: Entry): number | undefined {
    const { state, summary } = this;
    const modified = String(entry.modified_utc ?? '');
    const copy = state.ofRemote(name, entry.id);
    const existing = counterpartOf(local, state, name, entry);
    if (existing !== undefined && copy && modified !== '' && copy.modified === modified) {
      summary.add('unchanged', name, labelOf(name, entry), existing);
      return existing;
    }
    if (isRedacted(name, entry) && name !== 'events') {
      summary.add('skipped', name, String(entry.slug ?? entry.id));
      return existing;
    }
    const { lineage, ...input } = this.#inputOf(local, name, entry);
    const id = existing ?? local[name].add({ ...input, ...(lineage ? { lineage } : {}), id: entry.id });
    const outcome = existing === undefined ? 'created' : updateIfChanged(local, name, existing, input) ? 'updated' : 'unchanged';
    summary.add(outcome, name, labelOf(name, input), id);
    state.set(name, { remote: entry.id, local: id, modified, uid: String(entry.uid ?? '') });
    if (name === 'categories' && entry.parent && !input.parent) this.#orphans.push({ id, parent: Number(entry.parent) });
    return id;
  }

  #inputOf(local: LocalCalendar, name: ResourceName, entry: Entry): Input {
    const input = inputFrom(name, entry);
    if (typeof entry.uid === 'string') input.uid = entry.uid;
    if (input.author !== undefined && local.users.any && !local.users.has(Number(input.author))) delete input.author;
    if (name === 'categories') input.parent = entry.parent ? (this.state.ofRemote(name, Number(entry.parent))?.local ?? 0) : 0;
    if (name !== 'events') return input;
    input.lineage = String((entry.global_id_lineage as unknown[] | undefined)?.at(-1) ?? entry.global_id ?? '');
    if (isRedacted(name, entry)) return input;
    for (const [field, to] of Object.entries(eventLinks)) {
      // Embedded records that the lists did not show are copied from the event.
      const ids = embedded(entry[field]).map((each) => counterpartOf(local, this.state, to, each) ?? this.#copyRecord(local, to, each));
      const known = ids.filter((id) => id !== undefined);
      input[field] = field === 'venue' && !known.length ? 0 : known;
    }
    return input;
  }
}
