import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { embedded } from '../../model/fields/link.ts';
import { inputFrom, isRedacted } from '../../model/formats/remote-record.ts';
import { resources } from '../../model/resources/all.ts';
import { linkFields, treeField } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';
import type { Summary } from '../summary.ts';
import { Ingest } from './ingest.ts';

/** Copies records from the API of another site. */
export class RemoteRecords {
  /** Categories whose parents have not been copied yet. */
  readonly #orphans: { name: ResourceName; id: number; parent: number }[] = [];

  /** Skips records last modified before `since` (UTC). `by` is how records are identified. */
  constructor(
    private readonly state: SyncState,
    private readonly summary: Summary,
    private readonly since = '',
    private readonly by: 'site' | 'loopback' = 'site',
  ) {}

  copy(local: LocalCalendar, name: ResourceName, entries: readonly Entry[]): void {
    const ingest = new Ingest(local, this.summary, this.by, this.state);
    for (const entry of entries) {
      const modified = String(entry.modified_utc ?? '');
      if (modified !== '' && modified < this.since)
        this.summary.add('skipped', name, labelOf(name, entry), this.state.ofRemote(name, entry.id)?.local);
      else namingRecord(name, entry, () => this.#copyRecord(local, ingest, name, entry));
    }
    ingest.finish();
  }

  /** Sets the parents of categories that were copied before their parents. */
  linkParents(local: LocalCalendar): void {
    for (const { name, id, parent } of this.#orphans.splice(0)) {
      const above = this.state.ofRemote(name, parent)?.local;
      if (above !== undefined) local[name].update({ id }, { [treeField(name)!]: above });
    }
  }

  /** Copies a record, unless the copy has the same time of modification. Returns the local ID; undefined for a redacted record without a copy. */
  #copyRecord(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): number | undefined {
    const { state } = this;
    const modified = String(entry.modified_utc ?? '');
    const isCopied = modified !== '' && state.ofRemote(name, entry.id)?.modified === modified;
    const resource: Resource = resources[name];
    const isHidden = isRedacted(name, entry) && resource.family === 'post' && resource.isLinked;
    const tree = treeField(name);
    let parent: unknown;
    return ingest.write({
      name,
      at: `${name} ${entry.id}`,
      label: isHidden && !isCopied ? String(entry.slug ?? entry.id) : labelOf(name, entry),
      identity: identityOf(name, entry),
      remote: entry.id,
      inputFor: (before) => {
        if (before && isCopied) return { decision: { outcome: 'unchanged' } };
        if (isHidden) return { decision: { outcome: 'skipped' } };
        const { lineage, ...input } = this.#inputOf(local, ingest, name, entry);
        parent = tree && input[tree];
        return before ? input : { ...input, ...(lineage ? { lineage } : {}), id: entry.id };
      },
      onWritten: (id) => {
        state.set(name, { remote: entry.id, local: id, modified, uid: String(entry.uid ?? '') });
        if (tree && entry[tree] && !parent) this.#orphans.push({ name, id, parent: Number(entry[tree]) });
      },
    });
  }

  #inputOf(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): Input {
    const input = inputFrom(name, entry);
    if (typeof entry.uid === 'string') input.uid = entry.uid;
    if (input.author !== undefined && local.users.any && !local.users.has(Number(input.author))) delete input.author;
    const tree = treeField(name);
    if (tree) input[tree] = entry[tree] ? (this.state.ofRemote(name, Number(entry[tree]))?.local ?? 0) : 0;
    if ('lineage' in (resources[name] as Resource).derived)
      input.lineage = String((entry.global_id_lineage as unknown[] | undefined)?.at(-1) ?? entry.global_id ?? '');
    if (isRedacted(name, entry)) return input;
    for (const { name: field, links: to, empty } of linkFields(name)) {
      // Copies embedded records that were missing from the lists.
      const ids = embedded(entry[field]).map(
        (each) =>
          ingest.find({ name: to, identity: identityOf(to, each), remote: each.id }) ??
          namingRecord(to, each, () => this.#copyRecord(local, ingest, to, each)),
      );
      const known = ids.filter((id) => id !== undefined);
      input[field] = known.length ? known : empty;
    }
    return input;
  }
}

/** Runs work on a record of another site. Failures name it. */
function namingRecord<T>(name: ResourceName, entry: Entry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, data, hint, status } = error;
    throw new Failure(code, `${name} ${entry.id} (${labelOf(name, entry)}): ${message}`, data, hint, status);
  }
}

/** Returns the identifying properties of a record in a response. */
export const identityOf = (name: ResourceName, entry: Entry): Input => ({
  uid: entry.uid,
  slug: String(entry.slug ?? ''),
  [resources[name].label]: entry[resources[name].label],
});
