import type { Input, ResourceName } from '../../model/calendar.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState } from '../../store/identity/sites.ts';
import type { ChangeDetails, Summary } from '../summary.ts';
import { problemsOf, updateIfChanged } from '../transaction.ts';
import { type Identification, Identities, type KnownRecord, type RecordIdentity } from './identity.ts';
import { SlugQueue } from './slugs.ts';

/** An existing record as the input that creates it. */
export type ExistingRecord = Input & { id: number };

/** The outcome for a record that is not written. A `reason` is added to the notes. */
export interface Decision {
  outcome: 'skipped' | 'unchanged' | 'deleted';
  reason?: string;
}

/** A record of a source, as readers produce it. */
export interface IncomingRecord extends RecordIdentity {
  /** Position in the source, for messages. */
  at: string;
  label: string;
  /** ID in this calendar, if the reader knows it. */
  id?: number;
  /** The input that creates the record or updates `before`, or another decision; undefined after adding the record to the summary itself. */
  inputFor(before: ExistingRecord | undefined): Input | { decision: Decision } | undefined;
  /** Called with the ID in this calendar after writing, and whether the record may differ from `before`. */
  onWritten?(id: number, isChanged: boolean): void;
}

/** Writes the records of one source to a calendar and counts them in a summary. */
export class Ingest {
  readonly #identities: Identities;

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
    by: Identification,
    state?: SiteState,
    /** Records that wait for slugs, for a source that is read in parts. */
    private readonly slugs = new SlugQueue(),
  ) {
    this.#identities = new Identities(local, by, state);
  }

  find(record: RecordIdentity): number | undefined {
    return this.#identities.find(record).id;
  }

  /** Writes a record like {@link write}, but adds errors to the summary's problems. */
  add(record: IncomingRecord): number | undefined {
    try {
      return this.write(record);
    } catch (error) {
      this.summary.reject(record.name, record.label, problemsOf(error, record.at));
      return undefined;
    }
  }

  /** Creates or updates a record. Returns its ID; undefined for a new record that is skipped. */
  write(record: IncomingRecord): number | undefined {
    const { name, label, at } = record;
    const match = record.id === undefined ? this.#identities.find(record) : { id: record.id };
    if (match.isRepeated) {
      this.summary.skip(name, label, at, 'an earlier record has the same UID');
      return undefined;
    }
    if (match.isEqual && hasDates(name))
      this.summary.notes.push({ at, reason: `${quoted(label)} has the title, start and venue of an earlier record; both are kept` });
    const before = match.id === undefined ? undefined : this.local.source(name, match.id);
    if (before) this.#identities.matched(name, before.id, match);
    const input = record.inputFor(before);
    if (!input) return before?.id;
    if (isDecision(input)) {
      this.#decide(record, before?.id, input.decision);
      return before?.id;
    }
    this.#noteTyped(record, input);
    const isChanged = before ? this.#update(record, before, input) : true;
    const id = before ? before.id : this.#create(record, input, match);
    record.onWritten?.(id, isChanged);
    return id;
  }

  /** Assigns slugs that became free, and those that records exchange, and counts the updates. */
  finish(): void {
    this.slugs.assign(this.local);
  }

  #decide({ name, label, at }: IncomingRecord, id: number | undefined, { outcome, reason }: Decision): void {
    if (outcome === 'deleted' && id !== undefined) this.local[name].delete({ id });
    if (reason === undefined) this.summary.add(outcome, name, label, id);
    else this.summary.skip(name, label, at, reason, id);
  }

  #create({ name, label }: IncomingRecord, input: Input, match: KnownRecord): number {
    const { id, slug } = this.local[name].add(input);
    this.#identities.created(name, id, match);
    // Of some slugs of sites, another one is stored.
    if (typeof input.slug === 'string' && input.slug !== '' && slugOf(input.slug) !== slug)
      this.slugs.add({ name, id, slug: input.slug, isChanged: false });
    this.summary.add('created', name, label, id, this.#datesOf(name, id));
    return id;
  }

  /** Updates a record and returns whether it changed. A slug that is in use is assigned at the end, so that the order of the source doesn't matter. */
  #update({ name, label }: IncomingRecord, before: ExistingRecord, incoming: Input): boolean {
    const { id } = before;
    const { id: _, uid: _uid, slug, ...input } = incoming;
    const differs = (field: string) => JSON.stringify(incoming[field]) !== JSON.stringify(before[field]);
    const count = (isChanged: boolean) => this.summary.add(isChanged ? 'updated' : 'unchanged', name, label, id, this.#datesOf(name, id));
    const hasSlug = slug !== undefined && differs('slug');
    if (!hasSlug && !Object.keys(input).some(differs)) {
      count(false);
      return false;
    }
    const isTaken = hasSlug && typeof slug === 'string' && (this.local.idBy(name, 'slug', slug) ?? id) !== id;
    const isChanged = updateIfChanged(this.local, name, id, slug === undefined || isTaken ? input : { ...input, slug });
    if (!isTaken || !this.slugs.add({ name, id, slug: String(slug), count, isChanged })) count(isChanged);
    return isChanged;
  }

  /** Notes texts that stand for several values when people type them, and of which the API makes something else. */
  #noteTyped({ name, at }: IncomingRecord, input: Input): void {
    for (const { name: field, typed } of this.local.resources[name].fields) {
      const text = input[field];
      const { list, otherwise } = typed && typeof text === 'string' ? typed(text) : { list: [] };
      if (otherwise)
        this.summary.notes.push({ at, reason: `${field} ${quoted(text)} ${otherwise}; for several values, write ${JSON.stringify(list)}` });
    }
  }

  /** The dates of an event, if the summary lists changes. */
  #datesOf(name: ResourceName, id: number): ChangeDetails {
    if (!this.summary.isListing || !hasDates(name)) return {};
    const { start_date, end_date, timezone, all_day } = this.local.source(name, id)!;
    return { start_date: String(start_date), end_date: String(end_date), timezone: String(timezone), all_day: all_day === true };
  }
}

const isDecision = (input: Input | { decision: Decision }): input is { decision: Decision } =>
  typeof (input.decision as Decision | undefined)?.outcome === 'string';
