import type { Entry, Input, ResourceName } from '../../model/calendar.ts';
import { type Extra, type ExtraForm, unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { linkFields } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import { isExtraChanged, ownExtra } from '../sync/extra-change.ts';
import { type Bases, basesOf, formOf, isEqual, localFormOf, type Merge, merge, only, without } from '../sync/forms.ts';
import type { ExistingRecord } from './ingest.ts';

/** Receives conflicts of a site. */
export interface ConflictSink {
  add(conflict: FoundConflict): void;
  drop(name: ResourceName, remote: number): void;
}

/** A pair whose sides were changed differently. */
export interface FoundConflict {
  name: ResourceName;
  label: string;
  remote: number;
  local: number;
  kind: 'edited' | 'deleted-here' | 'deleted-there';
  fields: Record<string, { base: unknown; local: unknown; remote: unknown }>;
  entry?: Entry;
}

/** The copy of one remote record: what changed on either side, and the bases to store. */
export class RecordCopy {
  /** ID of the existing local record. */
  id: number | undefined;
  merge: Merge | undefined;
  /** Members of the site that this program doesn't know, by form. */
  extra: Extra;
  #mine: RecordForm = {};
  #here: RecordForm = {};
  #bases: Bases = { local: {}, remote: {} };

  constructor(
    readonly local: LocalCalendar,
    private readonly state: SyncState,
    readonly name: ResourceName,
    readonly entry: Entry,
    private readonly theirs: RecordForm,
    private readonly row: SyncedRecord | undefined,
    private readonly single: Record<string, unknown> | undefined,
  ) {
    this.extra = this.#extraOn({});
  }

  /** Returns unknown members with those of the given forms. Absence in one form removes nothing in another. */
  #extraOn(before: Extra): Extra {
    return withForm(withForm(before, 'list', this.theirs.extra as Record<string, unknown> | undefined), 'single', this.single);
  }

  /** Compares the remote record with the existing local one. The preferred side wins conflicts. */
  mergeWith(before: ExistingRecord, prefer: ConflictSide | undefined): Merge {
    const { local, state, name, entry, theirs, row } = this;
    this.id = before.id;
    this.#mine = localFormOf(local, name, before.id) ?? {};
    this.#here = formOf(local.resources[name], entry, (to, id) => state.pairOf(to, id)?.local ?? `remote ${id}`);
    const modified = () => ({ local: before.modified_utc, remote: entry.modified_utc });
    this.#bases = basesOf(row?.local === before.id ? row : undefined, this.#mine, theirs, modified);
    const { extra: _, embedded: _embedded, ...remoteFields } = theirs;
    const merged = merge(this.#mine, remoteFields, this.#here, this.#bases);
    const changes = this.#mergeExtra((before.extra ?? {}) as Extra, prefer);
    merged.fromLocal.push(...changes.fromLocal);
    merged.conflicts.push(...changes.conflicts);
    if (prefer === 'theirs') merged.fromRemote.push(...merged.conflicts.splice(0));
    if (prefer === 'ours') merged.fromLocal.push(...merged.conflicts.splice(0));
    this.merge = merged;
    return merged;
  }

  /** Takes the members of other sites from the site, unless they were changed here. */
  #mergeExtra(before: Extra, prefer: ConflictSide | undefined): Pick<Merge, 'fromLocal' | 'conflicts'> {
    const { list } = before;
    const { extra: listed } = this.theirs;
    const none = { fromLocal: [], conflicts: [] };
    const theirs = this.#extraOn(before);
    this.extra = theirs;
    if (!isExtraChanged(before, this.row) || isEqual(ownExtra(theirs), ownExtra(before)) || prefer === 'theirs') return none;
    this.extra = before;
    const base = this.row?.remoteBase?.extra;
    if (prefer === 'ours' || listed === undefined || isEqual(listed, base ?? {})) return { fromLocal: ['extra'], conflicts: [] };
    this.#mine = { ...this.#mine, extra: list };
    this.#here = { ...this.#here, extra: listed };
    return { fromLocal: [], conflicts: ['extra'] };
  }

  conflictsOf(fields: readonly string[]): FoundConflict['fields'] {
    return Object.fromEntries(
      fields.map((field) => [
        field,
        {
          base: field === 'extra' ? this.row?.remoteBase?.extra : this.#bases.local[field],
          local: this.#mine[field],
          remote: this.#here[field],
        },
      ]),
    );
  }

  /** Stores the pair with the forms of both sides as bases, except for local changes that the site doesn't have. */
  store(id: number, mine: RecordForm = localFormOf(this.local, this.name, id) ?? {}): void {
    const { state, name, entry, theirs } = this;
    const pending = this.merge?.fromLocal ?? [];
    state.set(name, {
      remote: entry.id,
      local: id,
      modified: String(entry.modified_utc ?? ''),
      uid: String(entry.uid ?? this.row?.uid ?? ''),
      localBase: {
        ...(pending.length ? without(mine, pending) : mine),
        extra: ownExtra(this.extra),
        ...(pending.length ? only(this.#bases.local, pending) : {}),
      },
      remoteBase: { ...this.#bases.remote, ...theirs },
    });
  }
}

/** Replaces the unknown members of one form. */
export function withForm(extra: Extra, form: ExtraForm, members: Record<string, unknown> | undefined): Extra {
  if (!members) return extra;
  const { [form]: _, ...others } = extra;
  return Object.keys(members).length ? { ...others, [form]: members } : others;
}

/** Unknown members of a linked record, as a record embeds it. */
export type EmbeddedExtra = { name: ResourceName; id: number; members: Record<string, unknown> };

/** Returns the unknown members of the records that a record embeds. */
export const embeddedExtras = (resources: Resources, name: ResourceName, entry: Entry): EmbeddedExtra[] =>
  linkFields(name).flatMap(({ name: field, links: to }) =>
    embedded(entry[field]).flatMap((each) => {
      const members = unknownMembers(resources[to], each);
      return Object.keys(members).length ? [{ name: to, id: Number(each.id), members }] : [];
    }),
  );

export const extraOf = (extra: Extra): Input => (Object.keys(extra).length ? { extra } : {});
