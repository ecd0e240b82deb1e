import type { Entry, Input, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { eventLinks, inputFrom, isRedacted } from '../../model/formats/remote-record.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import { Ingest } from './ingest.ts';

/** Copies records as the API of another site shows them. */
export class RemoteRecords {
  /** Categories whose parents were not copied yet. */
  readonly #orphans: { id: number; parent: number }[] = [];

  /** Records that were last modified before `since`, in UTC, are skipped. */
  constructor(
    private readonly state: SyncState,
    private readonly summary: Summary,
    private readonly since = '',
  ) {}

  /** Copies some records of a resource. */
  copy(local: LocalCalendar, name: ResourceName, entries: readonly Entry[]): void {
    const ingest = new Ingest(local, this.summary, 'site', this.state);
    for (const entry of entries) {
      const modified = String(entry.modified_utc ?? '');
      if (modified !== '' && modified < this.since)
        this.summary.add('skipped', name, labelOf(name, entry), this.state.ofRemote(name, entry.id)?.local);
      else this.#copyRecord(local, ingest, name, entry);
    }
    ingest.finish();
  }

  /** Moves categories below parents that were copied after them. */
  adoptOrphans(local: LocalCalendar): void {
    for (const { id, parent } of this.#orphans.splice(0)) {
      const category = this.state.ofRemote('categories', parent)?.local;
      if (category !== undefined) local.categories.update({ id }, { parent: category });
    }
  }

  /** Copies a record, unless its copy has the same time of modification. Returns its local ID; undefined when it came redacted and has no copy. */
  #copyRecord(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): number | undefined {
    const { state } = this;
    const modified = String(entry.modified_utc ?? '');
    const isCopied = modified !== '' && state.ofRemote(name, entry.id)?.modified === modified;
    const isHidden = isRedacted(name, entry) && name !== 'events';
    let parent: unknown;
    return ingest.write({
      name,
      at: `${name} ${entry.id}`,
      label: isHidden && !isCopied ? String(entry.slug ?? entry.id) : labelOf(name, entry),
      identity: identityOf(entry),
      remote: entry.id,
      inputFor: (before) => {
        if (before && isCopied) return { decision: { outcome: 'unchanged' } };
        if (isHidden) return { decision: { outcome: 'skipped' } };
        const { lineage, ...input } = this.#inputOf(local, ingest, name, entry);
        parent = input.parent;
        return before ? input : { ...input, ...(lineage ? { lineage } : {}), id: entry.id };
      },
      onWritten: (id) => {
        state.set(name, { remote: entry.id, local: id, modified, uid: String(entry.uid ?? '') });
        if (name === 'categories' && entry.parent && !parent) this.#orphans.push({ id, parent: Number(entry.parent) });
      },
    });
  }

  #inputOf(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): Input {
    const input = inputFrom(name, entry);
    if (typeof entry.uid === 'string') input.uid = entry.uid;
    if (input.author !== undefined && local.users.any && !local.users.has(Number(input.author))) delete input.author;
    if (name === 'categories') input.parent = entry.parent ? (this.state.ofRemote(name, Number(entry.parent))?.local ?? 0) : 0;
    if (name !== 'events') return input;
    input.lineage = String((entry.global_id_lineage as unknown[] | undefined)?.at(-1) ?? entry.global_id ?? '');
    if (isRedacted(name, entry)) return input;
    for (const [field, to] of Object.entries(eventLinks)) {
      // Embedded records that the lists did not show are copied from the event.
      const ids = embedded(entry[field]).map(
        (each) => ingest.find({ name: to, identity: identityOf(each), remote: each.id }) ?? this.#copyRecord(local, ingest, to, each),
      );
      const known = ids.filter((id) => id !== undefined);
      input[field] = field === 'venue' && !known.length ? 0 : known;
    }
    return input;
  }
}

/** What identifies a record that a response shows. */
export const identityOf = ({ uid, slug }: Entry): Input => ({ uid, slug: String(slug ?? '') });
