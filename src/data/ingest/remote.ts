import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { type Extra, unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import { inputFrom, isRedacted } from '../../model/formats/remote-record.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { resources } from '../../model/resources/all.ts';
import { hasDates, linkFields, treeField } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import type { Summary } from '../summary.ts';
import { formOf, isEqual, localFormOf, localFormsOf } from '../sync/forms.ts';
import { labelOf } from '../transaction.ts';
import { isSameUid } from './identity.ts';
import { type ExistingRecord, type IncomingRecord, Ingest } from './ingest.ts';
import { type ConflictSink, type EmbeddedExtra, embeddedExtras, extraOf, RecordCopy, withForm } from './record-copy.ts';

/** Options of copying the records of a site. */
export interface CopyOptions {
  /** Skips records last modified before this time (UTC). */
  since?: string;
  /** Kind of source, which decides how records are identified. */
  by?: 'site' | 'loopback';
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
  conflicts: ConflictSink;
  /** True if records that were deleted here stay deleted. */
  isSync?: boolean;
}

/** Copies records from the API of another site. Keeps local edits of fields that the site didn't change. */
export class RemoteRecords {
  /** Categories whose parents have not been copied yet. */
  readonly #orphans: { name: ResourceName; id: number; parent: number }[] = [];

  /** Records of the page whose pairs have not been stored yet. */
  readonly #written: { id: number; copy: RecordCopy }[] = [];
  /** Local IDs of embedded records, by `resource:remote ID`, as of a change of the calendar. */
  readonly #linked = new Map<string, number | undefined>();
  #linkedAt: number | undefined;
  /** Pairs of the records of the page, for resources whose records don't embed each other. */
  #pairs: Map<number, SyncedRecord | undefined> | undefined;

  constructor(
    private readonly state: SyncState,
    private readonly summary: Summary,
    private readonly options: CopyOptions,
  ) {}

  /** Copies records of a list. `singles` are those of them that were read from their own addresses; null if these have no more members. `isListed` is false for single forms. */
  copy(
    local: LocalCalendar,
    name: ResourceName,
    entries: readonly Entry[],
    singles: ReadonlyMap<number, Entry> | null = new Map(),
    { isListed = true } = {},
  ): void {
    const { since = '', by = 'site' } = this.options;
    const ingest = new Ingest(local, this.summary, by, this.state);
    // The pairs of other records may be needed by the next record of the page.
    this.#pairs = hasDates(name)
      ? this.state.ofPage(
          name,
          entries.map(({ id }) => id),
        )
      : undefined;
    this.#written.length = 0;
    // Kept only if the last page was the last change.
    if (this.#linkedAt === undefined || this.state.version !== this.#linkedAt + 1) this.#linked.clear();
    this.#linkedAt = this.state.version;
    for (const entry of entries) {
      const modified = String(entry.modified_utc ?? '');
      if (modified !== '' && modified < since)
        this.summary.add('skipped', name, labelOf(name, entry), this.state.pairOf(name, entry.id)?.local);
      else {
        const single = singles === null ? null : singles.get(entry.id);
        const whole = single ? { ...declaredIn(local.resources[name], single), ...entry } : entry;
        namingRecord(name, entry, () => this.#copyRecord(local, ingest, name, whole, single, isListed));
        local.describeImage(entry.image);
      }
    }
    ingest.finish();
    this.#storeBases(local, name);
  }

  /** Stores the pairs of the records of a page. Their forms are read together, which takes a query for each link instead of one for each record. */
  #storeBases(local: LocalCalendar, name: ResourceName): void {
    const records = this.#written.splice(0);
    const forms = localFormsOf(
      local,
      name,
      records.map(({ id }) => id),
    );
    for (const { id, copy } of records) copy.store(id, forms.get(id));
  }

  /** Sets the parents of categories that were copied before their parents. */
  linkParents(local: LocalCalendar): void {
    for (const { name, id, parent } of this.#orphans.splice(0)) {
      const above = this.state.pairOf(name, parent)?.local;
      if (above === undefined) continue;
      local[name].update({ id }, { [treeField(name)!]: above });
      const row = this.state.ofLocal(name, id)!;
      this.state.set(name, { ...row, localBase: localFormOf(local, name, id) });
    }
  }

  /** Copies a record. Returns the local ID; undefined for a redacted record without a copy, and for one that was deleted here. */
  #copyRecord(
    local: LocalCalendar,
    ingest: Ingest,
    name: ResourceName,
    entry: Entry,
    single?: Entry | null,
    isListed = true,
  ): number | undefined {
    const resource: Resource = local.resources[name];
    const row = this.#pairs && hasDates(name) ? this.#pairs.get(entry.id) : this.state.ofRemote(name, entry.id);
    const embeds = embeddedExtras(local.resources, name, entry);
    const theirs = Object.assign(formOf(resource, entry), isListed ? { extra: unknownMembers(resource, entry) } : {}, { embedded: embeds });
    const isSame = row !== undefined && isSameUid(row.uid, String(entry.uid ?? ''));
    if (row && isSame && row.remoteBase && this.options.isSync) {
      if (!local.has(name, row.local)) {
        if (this.#keepDeleted(local, name, entry, row, theirs)) return undefined;
      } else if (!single && isEqual({ ...row.remoteBase, ...theirs }, row.remoteBase)) {
        this.options.conflicts.drop(name, entry.id);
        this.summary.add('unchanged', name, labelOf(name, entry), row.local);
        return row.local;
      }
    }
    const copy = new RecordCopy(
      local,
      this.state,
      name,
      entry,
      theirs,
      row,
      single === null ? {} : single && unknownMembers(resource, single),
    );
    const isHidden = isRedacted(resource, entry) && resource.family === 'post' && resource.isLinked;
    const record: IncomingRecord = {
      name,
      at: `${name} ${entry.id}`,
      label: isHidden ? String(entry.slug ?? entry.id) : labelOf(name, entry),
      identity: identityOf(name, entry),
      remote: entry.id,
      pair: this.#pairs && hasDates(name) ? (row ?? null) : undefined,
      inputFor: (before) => {
        if (isHidden) return { decision: { outcome: before ? 'unchanged' : 'skipped' } };
        if (!before) {
          const input = this.#inputOf(local, ingest, name, entry);
          return Object.assign(input, extraOf(copy.extra), { id: entry.id });
        }
        return this.#changesTo(before, copy, () => this.#inputOf(local, ingest, name, entry));
      },
      onWritten: (id) => {
        if (this.#pairs && hasDates(name)) this.#written.push({ id, copy });
        else copy.store(id);
        this.#keepEmbedded(local, embeds);
        const tree = treeField(name);
        if (tree && entry[tree] && this.state.pairOf(name, Number(entry[tree])) === undefined)
          this.#orphans.push({ name, id, parent: Number(entry[tree]) });
      },
    };
    try {
      return ingest.write(record);
    } catch (error) {
      // Changes of different fields that are invalid together conflict.
      if (!(error instanceof Failure) || copy.id === undefined) throw error;
      this.#report(copy, [...copy.merge!.fromRemote, ...copy.merge!.fromLocal]);
      return copy.id;
    }
  }

  #changesTo(before: ExistingRecord, copy: RecordCopy, inputOf: () => Input): ReturnType<IncomingRecord['inputFor']> {
    const { name, entry } = copy;
    const { fromRemote, fromLocal, conflicts } = copy.mergeWith(before, this.options.prefer);
    if (conflicts.length) {
      this.#report(copy, conflicts);
      return undefined;
    }
    this.options.conflicts.drop(name, entry.id);
    const isExtraChanged = !isEqual(copy.extra, before.extra ?? {});
    if (!fromRemote.length && !isExtraChanged) {
      copy.store(before.id);
      this.#keepEmbedded(copy.local, embeddedExtras(copy.local.resources, name, entry));
      return { decision: { outcome: 'unchanged' } };
    }
    const input = inputOf();
    const empty = (field: string) => (copy.local.resources[name] as Resource).fields.find((each) => each.name === field)?.empty;
    const changes = {
      ...Object.fromEntries(fromRemote.map((field) => [field, input[field] ?? empty(field)])),
      ...(isExtraChanged ? { extra: copy.extra } : {}),
    };
    // The time of modification is the site's, unless the record has other local changes.
    const { modified, modified_utc } = input;
    return fromLocal.length || modified === undefined ? changes : { ...changes, modified, modified_utc };
  }

  /** Stores the unknown members of embedded records with these records. */
  #keepEmbedded(local: LocalCalendar, extras: readonly EmbeddedExtra[]): void {
    for (const { name, id: remote, members } of extras) {
      const id = this.state.pairOf(name, remote)?.local;
      const before = id === undefined ? undefined : local.source(name, id);
      if (!before || isEqual((before.extra as Extra | undefined)?.embedded, members)) continue;
      const { modified, modified_utc } = before;
      const extra = withForm((before.extra ?? {}) as Extra, 'embedded', members);
      local[name].update({ id: id! }, { extra, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  #report(copy: RecordCopy, fields: readonly string[]): void {
    const { name, entry, id } = copy;
    const conflict = { name, label: labelOf(name, entry), remote: entry.id, local: id!, kind: 'edited' as const, entry };
    this.options.conflicts.add({ ...conflict, fields: copy.conflictsOf(fields) });
  }

  /** Returns whether a record that was deleted here stays so. It is restored, or created again, if its remote edit wins. */
  #keepDeleted(local: LocalCalendar, name: ResourceName, entry: Entry, row: SyncedRecord, theirs: RecordForm): boolean {
    const label = labelOf(name, entry);
    const { conflicts, prefer } = this.options;
    const base = row.remoteBase!;
    // The base of a record that was pushed has no members of the site.
    const compared = Object.fromEntries(Object.entries(theirs).filter(([field]) => field in base));
    const isEdited = !isEqual({ ...base, ...compared }, base);
    if (isEdited && prefer === 'theirs') {
      // In the trash, it would be deleted on the site by the next push.
      if (local.exists(name, row.local)) local[name].update({ id: row.local }, { status: String(entry.status ?? 'publish') });
      else this.state.drop(name, entry.id);
      conflicts.drop(name, entry.id);
      return false;
    }
    if (isEdited && prefer === undefined) {
      conflicts.add({ name, label, remote: entry.id, local: row.local, kind: 'deleted-here', fields: {}, entry });
      return true;
    }
    if (isEdited) this.state.set(name, { ...row, remoteBase: { ...row.remoteBase, ...theirs } });
    conflicts.drop(name, entry.id);
    this.summary.add('unchanged', name, label);
    this.summary.notes.push({ at: `${name} ${entry.id} (${label})`, reason: 'deleted here; push --delete deletes it on the site' });
    return true;
  }

  /** Returns the local ID of an embedded record. Copies one that was missing from the lists. */
  #linkedId(local: LocalCalendar, ingest: Ingest, to: ResourceName, each: Entry): number | undefined {
    const key = `${to}:${each.id}`;
    if (this.#linked.has(key)) return this.#linked.get(key);
    const id =
      ingest.find({ name: to, identity: identityOf(to, each), remote: each.id }) ??
      namingRecord(to, each, () => this.#copyRecord(local, ingest, to, each));
    this.#linked.set(key, id);
    return id;
  }

  #inputOf(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): Input {
    const input = inputFrom(local.resources[name], entry);
    if (typeof entry.uid === 'string') input.uid = entry.uid;
    if (input.author !== undefined && local.users.any && !local.users.has(Number(input.author))) delete input.author;
    const tree = treeField(name);
    if (tree) input[tree] = entry[tree] ? (this.state.pairOf(name, Number(entry[tree]))?.local ?? 0) : 0;
    const lineage = String((entry.global_id_lineage as unknown[] | undefined)?.at(-1) ?? entry.global_id ?? '');
    if (lineage && 'lineage' in (resources[name] as Resource).derived) input.lineage = lineage;
    if (isRedacted(local.resources[name], entry)) return input;
    for (const { name: field, links: to, empty } of linkFields(name)) {
      const ids = embedded(entry[field]).map((each) => this.#linkedId(local, ingest, to, each));
      const mapped = ids.filter((id) => id !== undefined);
      input[field] = mapped.length ? mapped : empty;
    }
    return input;
  }
}

/** Returns the declared fields that a record has, which some sites show only in single records. */
const declaredIn = ({ fields }: Resource, entry: Entry): Input =>
  Object.fromEntries(fields.filter(({ name, isDeclared }) => isDeclared && name in entry).map(({ name }) => [name, entry[name]]));

/** Runs work on a record of another site. Failures name it. */
function namingRecord<T>(name: ResourceName, entry: Entry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `${name} ${entry.id} (${labelOf(name, entry)}): ${error.message}` });
  }
}

export const identityOf = (name: ResourceName, entry: Entry): Input => ({
  uid: entry.uid,
  slug: String(entry.slug ?? ''),
  [resources[name].label]: entry[resources[name].label],
});
