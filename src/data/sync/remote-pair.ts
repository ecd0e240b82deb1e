import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import type { FoundConflict } from '../ingest/record-copy.ts';
import { labelOf } from '../transaction.ts';
import { type Bases, basesOf, formOf, isEqual, localFormOf, type Merge, merge, only } from './forms.ts';

/** Translates the ID of a remote record to the local one. */
type Here = (to: ResourceName, id: number) => unknown;

/** A local record and its remote counterpart, as push compares them. */
export class RemotePair {
  readonly merge: Merge;
  readonly #mine: RecordForm;
  readonly #theirs: RecordForm;
  readonly #hereForm: RecordForm;
  readonly #bases: Bases;
  readonly #row: SyncedRecord | undefined;

  constructor(
    private readonly local: LocalCalendar,
    private readonly state: SyncState,
    private readonly name: ResourceName,
    private readonly id: number,
    private readonly entry: Entry,
    private readonly here: Here,
    bases?: Bases,
  ) {
    const row = state.ofRemote(name, entry.id);
    this.#row = row?.local === id ? row : undefined;
    this.#mine = localFormOf(local, name, id) ?? {};
    this.#theirs = formOf(local.resources[name], entry);
    this.#hereForm = formOf(local.resources[name], entry, here);
    const modified = () => ({ local: local.source(name, id)?.modified_utc, remote: entry.modified_utc });
    this.#bases = bases ?? basesOf(this.#row, this.#mine, this.#theirs, modified);
    this.merge = merge(this.#mine, this.#theirs, this.#hereForm, this.#bases);
  }

  /** True if the stored bases are those of this state. */
  get isStored(): boolean {
    const row = this.#row;
    if (!row?.localBase || !row.remoteBase) return false;
    return isEqual({ ...row.localBase, ...this.#mine }, row.localBase) && isEqual({ ...row.remoteBase, ...this.#theirs }, row.remoteBase);
  }

  /** Stores both forms as bases. */
  storeEqual(): void {
    this.#store(this.entry, { ...this.#bases.local, ...this.#mine }, { ...this.#bases.remote, ...this.#theirs });
  }

  conflict(fields: readonly string[]): FoundConflict {
    const { name, id: local, entry } = this;
    const values = fields.map((field) => [
      field,
      { base: this.#bases.local[field], local: this.#mine[field], remote: this.#hereForm[field] },
    ]);
    return { name, label: labelOf(name, entry), remote: entry.id, local, kind: 'edited', fields: Object.fromEntries(values), entry };
  }

  /** Returns the pair with the response to an update, which is compared with the record before it. */
  after(response: Entry): { accept(fields: readonly string[], sentFields: readonly string[]): Sent } {
    const now = new RemotePair(this.local, this.state, this.name, this.id, response, this.here, this.#bases);
    return { accept: (fields, sentFields) => now.#accepted(fields, sentFields, this.#theirs) };
  }

  /** Returns the fields of a new record that the site did not take. */
  accept(sentFields: readonly string[]): Sent {
    return this.#accepted(Object.keys(this.#mine), sentFields, undefined);
  }

  /**
   * Returns what the site took of the changed `fields`: its value is now the local one, or another one than before, since sites may rewrite texts. Of other
   * fields that were `sent` to keep them, those that changed are listed too. The bases of refused fields stay, except for fields that can't be sent at all.
   */
  #accepted(fields: readonly string[], sentFields: readonly string[], before: RecordForm | undefined): Sent {
    const isTaken = (field: string): boolean => {
      // A site that doesn't know a declared field doesn't show it either.
      if (!(field in this.#theirs)) return isEmptyForm(this.#mine[field]) || !this.#isDeclared(field);
      if (isEqual(this.#mine[field], this.#hereForm[field])) return true;
      return before ? !isEqual(this.#theirs[field], before[field]) : sentFields.includes(field) && !isEmptyForm(this.#theirs[field]);
    };
    const refused = fields.filter((field) => !isTaken(field));
    const lost = before
      ? sentFields.filter((field) => !fields.includes(field) && field in before && !isEqual(this.#theirs[field], before[field]))
      : [];
    const isField = (field: string) => (this.local.resources[this.name] as Resource).fields.some((each) => each.name === field);
    const acceptedFields = fields.filter((field) => !refused.includes(field) || !isField(field));
    return {
      fields: [...refused.filter(isField), ...lost],
      unsendable: refused.filter((field) => !isField(field)),
      store: () =>
        this.#store(
          this.entry,
          { ...this.#bases.local, ...only(this.#mine, acceptedFields) },
          { ...this.#bases.remote, ...only(this.#theirs, before ? acceptedFields : Object.keys(this.#theirs)) },
        ),
    };
  }

  #isDeclared(field: string): boolean {
    const { fields }: Resource = this.local.resources[this.name];
    return fields.some(({ name, isDeclared }) => name === field && isDeclared);
  }

  #store(entry: Entry, localBase: RecordForm, remoteBase: RecordForm): void {
    const { state, name, id } = this;
    const modified = String(entry.modified_utc ?? '');
    state.set(name, { remote: entry.id, local: id, modified, uid: String(entry.uid ?? this.#row?.uid ?? ''), localBase, remoteBase });
  }
}

/** The fields of a write that the site did not take, and what stores the rest as bases. */
export interface Sent {
  fields: string[];
  /** Fields that differ and that no request contains: slugs of venues and organizers. */
  unsendable: string[];
  store(): void;
}

const isEmptyForm = (value: unknown): boolean => value === undefined || value === null || value === '' || isEqual(value, []);
