import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { dateFields } from '../../model/conflict-choices.ts';
import { Failure } from '../../model/error.ts';
import { type Extra, unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { randomUuid } from '../../model/formats/bytes.ts';
import { isRedacted, remoteInput } from '../../model/formats/remote-record.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { maxId } from '../../model/record.ts';
import { resources } from '../../model/resources/all.ts';
import { hasDates, linkFields, treeField } from '../../model/resources/relations.ts';
import { copyableInput } from '../../model/validate.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState, StoredPair, Withheld } from '../../store/identity/sites.ts';
import { describeImage, keepImageId } from '../../store/records/entries.ts';
import { hasRow, rowById, setColumns } from '../../store/records/queries.ts';
import { type ExistingRecord, type IncomingRecord, Ingest } from '../ingest/ingest.ts';
import { SlugQueue } from '../ingest/slugs.ts';
import type { Summary } from '../summary.ts';
import { recordLabel } from '../transaction.ts';
import type { ConflictLog } from './conflict-log.ts';
import { isDeletedHere, keepDeletion } from './deletions.ts';
import { localForms, pairOf } from './forms.ts';
import { type CopiedMembers, type EmbeddedExtra, embeddedExtras, extraWith, withForm } from './members.ts';
import {
  fieldsChangedHere,
  formOf,
  hasLostLinks,
  isBase,
  isBuried,
  isEqual,
  isOlder,
  olderReason,
  type Pair,
  type SideOf,
  takenReason,
  utcDates,
  winnerOf,
} from './pair.ts';
import { SayingKeeper, type SeenRecord } from './sayings.ts';
import { isComparedNow, seenText } from './seen.ts';

/** Options of copying the records of a site. */
interface CopyOptions {
  /** Kind of source, which decides how records are identified. */
  by?: 'site' | 'loopback';
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
  /** The side that wins a field of the copied records, whose other conflicts stay. */
  sideOf?: SideOf;
  /** True if records that were deleted here stay deleted. */
  isPull?: boolean;
  /** True if visitors of the site see a record, if what only a user sees is hidden here. */
  isVisible?(name: ResourceName, id: number): boolean;
}

/** Records of a list of a site. */
interface CopiedPage {
  /** Those that were read from their own addresses; null if these have no more members than lists. */
  singles?: ReadonlyMap<number, Entry> | null;
  /** Those that visitors of the site don't see, or only with a password. */
  withheld?: ReadonlyMap<number, Withheld>;
}

/** A record on its way into the file. */
interface Copy extends CopiedMembers {
  name: ResourceName;
  entry: Entry;
  /** Unknown members of the records that it embeds. */
  embeds: EmbeddedExtra[];
  /** The whole record as it was read from its own address. */
  whole?: Entry;
  /** True for a record that no list has, of which only the embedded form is known. */
  isEmbedded?: boolean;
  withheld: Withheld;
  pair?: Pair;
  /** Fields with values that the site doesn't have yet, and those that stay a conflict. */
  pending: string[];
  open: string[];
}

/** Copies records from the API of a site to a file. Keeps local edits of fields that the site didn't change. */
export class Copier {
  /** Records whose parents have not been copied yet. */
  readonly #orphans: { name: ResourceName; id: number; parent: number }[] = [];
  /** Records that wait for the slugs of others, which may be on a later page. */
  readonly #slugs = new SlugQueue();
  /** Records of the page whose pairs have not been stored yet. */
  readonly #written: { id: number; copy: Copy }[] = [];
  /** Local IDs of embedded records, by `resource:remote ID`, as of a change of the calendar. */
  readonly #linked = new Map<string, number | undefined>();
  #linkedAt: number | undefined;
  readonly #sayings: SayingKeeper;
  /** Copied records of the page, whose forms are compared at its end. */
  readonly #seen: SeenRecord[] = [];
  /** Those of a list in which some came before the ones that they are below. The addresses of their pages depend on these. */
  readonly #inTree = new Map<ResourceName, SeenRecord[]>();
  /** IDs on the site of the records of the page that were counted as unchanged. */
  readonly #unchanged = new Set<number>();
  /** The pairs of the page. */
  #page: { name: ResourceName | undefined; pairs: Map<number, StoredPair> } = { name: undefined, pairs: new Map() };
  /** Number of records that an earlier version of this program copied, or compared by other rules. */
  recompared = 0;
  /** Numbers of records that are older than the stored ones: those left out, and those copied all the same. */
  readonly outdated = { skipped: 0, taken: 0 };
  /** The records that were deleted here and stay so, as in notes. */
  readonly #keptDeletions = new Set<string>();

  constructor(
    readonly state: SiteState,
    private readonly summary: Summary,
    readonly conflicts: ConflictLog,
    private readonly options: CopyOptions = {},
  ) {
    this.#sayings = new SayingKeeper(state);
  }

  /** Copies records of a list. */
  copy(local: LocalCalendar, name: ResourceName, entries: readonly Entry[], { singles = new Map(), withheld }: CopiedPage = {}): void {
    const ingest = new Ingest(local, this.summary, this.options.by ?? 'site', this.state, this.#slugs);
    const ids = entries.map(({ id }) => id);
    this.#page = { name, pairs: this.state.ofPage(name, ids) };
    this.#written.length = 0;
    // Kept only if the last page was the last change.
    if (this.#linkedAt === undefined || this.state.version !== this.#linkedAt + 1) {
      this.#linked.clear();
      this.#sayings.forgetLinked();
    }
    this.#linkedAt = this.state.version;
    const outdated = this.#outdated(entries);
    for (const entry of entries) {
      const single = singles === null ? null : singles.get(entry.id);
      const whole = single ? { ...declaredIn(local.resources[name], single), ...entry } : entry;
      const { unchanged } = this.summary.counts;
      if (outdated.has(entry.id)) this.summary.add('unchanged', name, recordLabel(name, entry), this.#page.pairs.get(entry.id)?.local);
      else namingRecord(name, entry, () => this.#copyRecord(local, ingest, name, whole, single, withheld?.get(entry.id) ?? ''));
      if (this.summary.counts.unchanged > unchanged) this.#unchanged.add(entry.id);
      describeImage(local.context.db, entry.image);
    }
    this.#storePairs(local, name);
    const seen = this.#seen.splice(0);
    const changed = this.#sayings.keep(local, name, seen);
    for (const { id, list } of seen) if (list && changed.has(id) && this.#unchanged.has(list.id)) this.summary.shown(name, id);
    this.#unchanged.clear();
    if (treeField(name)) this.#inTree.set(name, [...(this.#inTree.get(name) ?? []), ...seen]);
  }

  /** The records that are older than at the last pull or push, as in a response of a cache. If most are, the site has an older state, which is believed. */
  #outdated(entries: readonly Entry[]): Set<number> {
    const outdated = entries.filter((entry) => isOlder(entry, this.#page.pairs.get(entry.id), this.state.completed));
    if (!this.options.isPull) return new Set();
    const areMost = outdated.length >= minBelieved && outdated.length * 2 > entries.length;
    if (areMost || this.options.prefer === 'theirs') {
      this.outdated.taken += outdated.length;
      return new Set();
    }
    this.outdated.skipped += outdated.length;
    const name = this.#page.name!;
    for (const entry of outdated) this.summary.left.push({ at: `${name} ${entry.id} (${recordLabel(name, entry)})`, reason: olderReason });
    return new Set(outdated.map(({ id }) => id));
  }

  /** Stores the pairs of the records of a page. Their forms are read together, which takes a query for each link instead of one for each record. */
  #storePairs(local: LocalCalendar, name: ResourceName): void {
    const records = this.#written.splice(0);
    const forms = localForms(
      local,
      name,
      records.map(({ id }) => id),
    );
    for (const { id, copy } of records) this.#store(local, id, copy, forms.get(id));
  }

  #store(
    local: LocalCalendar,
    id: number,
    { name, entry, row, listed, pending, open, withheld, pair, whole, isEmbedded }: Copy,
    form = localForms(local, name, [id]).get(id),
  ): void {
    const stored = { modified: '', ...row, remote: entry.id, local: id, withheld };
    const copied = pairOf(local, this.state, name, id, entry, { row: stored, form });
    const { refused = [], fromRemote = [], conflicts = [] } = pair?.merge() ?? {};
    // A slug that is still that of another record (old releases have none), or a parent that would be below its child, is taken later.
    const isRead = (field: string) =>
      isEqual(copied.local[field], copied.remote[field]) ||
      pending.includes(field) ||
      // Old releases have slugs that this program makes others of.
      (field === 'slug' && copied.local.slug === slugOf(String(entry.slug)));
    const waiting = [...fromRemote, ...conflicts.filter((field) => field === 'slug')];
    const later = row?.remoteBase ? waiting.filter((field) => field === 'slug' || field === treeField(name)) : entry.slug ? ['slug'] : [];
    const unread = later.filter((field) => field in copied.remote && !isRead(field));
    const agreed = copied.toStore({
      ...{ pending, unread: [...unread, ...open], refused, withheld },
      more: { extra: listed, seen: seenText(entry) },
    });
    this.state.set(name, agreed);
    this.#sayings.addCount(name, id, entry);
    // What is hidden here is not as the site's user sees it. Embedded records are compared with those that embed them.
    if (withheld !== '' || isEmbedded) return;
    const single = whole ?? (entry.json_ld === undefined ? undefined : entry);
    this.#seen.push({ id, changes: fieldsChangedHere(form ?? {}, agreed), list: entry, single });
  }

  /** Takes what had to wait until a list was copied: slugs that other records had, and parents of categories that were copied before them. */
  finish(local: LocalCalendar): void {
    const { assigned, left } = this.#slugs.assign(local);
    for (const { name, id, slug } of assigned) {
      const row = this.state.ofLocal(name, id);
      if (row) this.state.set(name, { ...row, localBase: { ...row.localBase, slug }, remoteBase: { ...row.remoteBase, slug } });
    }
    for (const { name, id, slug } of left) {
      const record = local.source(name, id);
      const reason = takenReason(slug, name, local.idBy(name, 'slug', slug));
      if (record) this.summary.left.push({ at: `${name} ${id} (${recordLabel(name, record)})`, reason });
    }
    const moved = new Set<ResourceName>();
    for (const { name, id, parent } of this.#orphans.splice(0)) {
      const above = this.state.localOf(name, parent);
      if (above === undefined) continue;
      local[name].update({ id }, { [treeField(name)!]: above });
      const row = this.state.ofLocal(name, id)!;
      this.state.set(name, { ...row, localBase: localForms(local, name, [id]).get(id) });
      moved.add(name);
    }
    for (const name of moved) this.#sayings.keep(local, name, this.#inTree.get(name) ?? []);
    this.#inTree.clear();
  }

  /** Copies a record. Returns the local ID; undefined for a redacted record without a copy, and for one that was deleted here. */
  #copyRecord(
    local: LocalCalendar,
    ingest: Ingest,
    name: ResourceName,
    entry: Entry,
    single: Entry | null | undefined,
    withheld: Withheld,
    isEmbedded = false,
  ): number | undefined {
    const resource: Resource = local.resources[name];
    const row = name === this.#page.name ? this.#page.pairs.get(entry.id) : this.state.ofRemote(name, entry.id);
    const isProtected = isRedacted(resource, entry);
    const copy: Copy = {
      ...{ name, entry, row, pending: [], open: [], withheld: isProtected ? 'password' : withheld },
      // A form without what a password protects replaces nothing.
      listed: isProtected ? ((row?.remoteBase?.extra ?? {}) as Extra) : unknownMembers(resource, entry),
      embeds: embeddedExtras(local.resources, name, entry),
      single: isProtected ? undefined : single === null ? {} : single && unknownMembers(resource, single),
      ...(single ? { whole: single } : {}),
      isEmbedded,
    };
    if (row && !isComparedNow(row.remoteBase?.seen)) this.recompared += 1;
    const theirs = Object.assign(formOf(resource, entry), { extra: copy.listed, seen: seenText(entry) });
    if (row && this.options.isPull) {
      if (!local.has(name, row.local)) {
        if (isDeletedHere(local, name, row) && this.#keepDeleted(local, row, copy)) return undefined;
      } else if (
        row.remoteBase &&
        !single &&
        row.withheld === copy.withheld &&
        isBase(theirs, row.remoteBase) &&
        !hasLostLinks(resource, row, theirs)
      ) {
        this.conflicts.drop(name, entry.id);
        this.summary.add('unchanged', name, recordLabel(name, entry), row.local);
        // A pull that was interrupted has not counted it.
        if (this.state.completed === undefined) this.#sayings.addCount(name, row.local, entry);
        return row.local;
      }
    }
    const isHidden = isProtected && resource.family === 'post' && resource.isLinked;
    const record: IncomingRecord = {
      name,
      at: `${name} ${entry.id}`,
      label: isHidden ? String(entry.slug ?? entry.id) : recordLabel(name, entry),
      identity: identityOf(name, entry),
      remote: entry.id,
      pair: row ?? null,
      inputFor: (before) => {
        if (isHidden) return { decision: { outcome: before ? 'unchanged' : 'skipped' } };
        if (before) return this.#changesTo(local, before, copy, () => this.#inputOf(local, ingest, name, entry));
        const extra = extraWith({}, copy);
        return { ...this.#inputOf(local, ingest, name, entry), ...(Object.keys(extra).length ? { extra } : {}), id: entry.id };
      },
      onWritten: (id) => this.#onWritten(local, id, copy),
    };
    try {
      return ingest.write(record);
    } catch (error) {
      // Changes of different fields that are invalid together conflict.
      if (!(error instanceof Failure) || copy.pair === undefined || this.options.sideOf) throw error;
      const { fromRemote, fromLocal } = copy.pair.merge();
      this.#report(copy, copy.pair, [...fromRemote, ...fromLocal]);
      return copy.pair.id;
    }
  }

  /** Must be called when all events have been copied: terms count those that the site has besides. */
  settleCounts(local: LocalCalendar): void {
    this.#sayings.settleCounts(local);
  }

  #onWritten(local: LocalCalendar, id: number, copy: Copy): void {
    const { name, entry } = copy;
    this.#settle(local, id, copy);
    this.#written.push({ id, copy });
    // Other records of a page may embed this one, or be below it.
    if (!hasDates(name)) this.#storePairs(local, name);
    this.#keepEmbedded(local, copy.embeds);
    const tree = treeField(name);
    if (tree && entry[tree] && this.state.localOf(name, Number(entry[tree])) === undefined)
      this.#orphans.push({ name, id, parent: Number(entry[tree]) });
  }

  /** Sets what a copy has as it is on the site: dates in UTC while the local ones are the same, and what hides it. Returns whether anything changed. */
  #settle(local: LocalCalendar, id: number, { name, entry, row, withheld }: Copy): boolean {
    const now = rowById(local.context.db, name, id)!;
    const columns = utcDatesOf(name, now, entry);
    const before = row?.withheld ?? '';
    if (withheld === 'status' && entry.status === 'publish') columns.status = 'private';
    if (before === 'status' && withheld !== 'status' && now.status === 'private') columns.status = String(entry.status ?? 'publish');
    if (withheld === 'password' && !now.post_password) columns.post_password = randomUuid();
    if (before === 'password' && withheld !== 'password') columns.post_password = '';
    return setColumns(local.context.db, name, id, columns);
  }

  /** The changes of an existing record; undefined if there are none to write. */
  #changesTo(local: LocalCalendar, before: ExistingRecord, copy: Copy, inputOf: () => Input): ReturnType<IncomingRecord['inputFor']> {
    const { name, entry } = copy;
    const pair = pairOf(local, this.state, name, before.id, entry, { row: copy.row });
    copy.pair = pair;
    const sideOf = name === this.#page.name ? this.options.sideOf : undefined;
    const { fromRemote, fromLocal, conflicts, refused } = pair.merge({ prefer: this.options.prefer, sideOf });
    copy.pending = [...fromLocal, ...conflicts];
    copy.open = conflicts;
    if (conflicts.length) this.#report(copy, pair, conflicts, sideOf !== undefined);
    else this.conflicts.drop(name, entry.id);
    if (conflicts.length && !sideOf) return undefined;
    const oldExtra = (before.extra ?? {}) as Extra;
    const extra = extraWith(oldExtra, copy);
    const isExtraChanged = !isEqual(extra, oldExtra);
    const fields = fromRemote.filter((field) => !utcDates.includes(field));
    if (!fields.length && !isExtraChanged) {
      const isChanged = this.#settle(local, before.id, copy);
      this.#store(local, before.id, copy);
      this.#keepEmbedded(local, copy.embeds);
      this.summary.add(isChanged ? 'updated' : 'unchanged', name, recordLabel(name, entry), before.id);
      return undefined;
    }
    const input = inputOf();
    const empty = (field: string) => (local.resources[name] as Resource).fields.find((each) => each.name === field)?.nothing.input;
    const changes = {
      ...Object.fromEntries(fields.map((field) => [field, input[field] ?? empty(field)])),
      ...(isExtraChanged ? { extra } : {}),
    };
    // The time of modification is the site's, unless the record has other local changes.
    const { modified, modified_utc } = input;
    return copy.pending.length + refused.length || modified === undefined ? changes : { ...changes, modified, modified_utc };
  }

  /** Stores the unknown members of embedded records with these records. */
  #keepEmbedded(local: LocalCalendar, extras: readonly EmbeddedExtra[]): void {
    for (const { name, id: remote, members } of extras) {
      const id = this.state.localOf(name, remote);
      const before = id === undefined ? undefined : local.source(name, id);
      if (!before || isEqual((before.extra as Extra | undefined)?.embedded, members)) continue;
      const { modified, modified_utc } = before;
      const extra = withForm((before.extra ?? {}) as Extra, 'embedded', members);
      local[name].update({ id: id! }, { extra, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  #report({ name, entry }: Copy, pair: Pair, fields: readonly string[], isPart = false): void {
    const record = { name, label: recordLabel(name, entry), remote: entry.id, local: pair.id, entry, fields: pair.values(fields) };
    this.conflicts.add({ ...record, kind: 'edited' }, isPart);
  }

  /** True if a record that was deleted here stays so. It is restored, or created again, if its remote edit wins. */
  #keepDeleted(local: LocalCalendar, row: StoredPair, { name, entry }: Copy): boolean {
    const label = recordLabel(name, entry);
    const { prefer } = this.options;
    const theirs = formOf(local.resources[name], entry);
    const isEdited = !isBase(theirs, row.remoteBase);
    const winner = isBuried(row) ? 'theirs' : winnerOf('ours', isEdited, prefer);
    if (winner === 'theirs') {
      // In the trash, it would be deleted on the site by the next push.
      if (hasRow(local.context.db, name, row.local)) local[name].update({ id: row.local }, { status: String(entry.status ?? 'publish') });
      else this.state.drop(name, entry.id);
      this.conflicts.drop(name, entry.id);
      return false;
    }
    if (winner === 'conflict') {
      this.conflicts.add({ name, label, remote: entry.id, local: row.local, kind: 'deleted-here', fields: {}, entry });
      return true;
    }
    keepDeletion(this, name, row, theirs);
    const at = `${name} ${entry.id} (${label})`;
    // Each record that embeds it has it once more.
    if (this.#keptDeletions.has(at)) return true;
    this.#keptDeletions.add(at);
    this.summary.add('unchanged', name, label);
    this.summary.notes.push({ at, reason: 'deleted here; push --delete deletes it on the site' });
    return true;
  }

  /** The local ID of an embedded record. Copies one that was missing from the lists. */
  #linkedId(local: LocalCalendar, ingest: Ingest, to: ResourceName, each: Entry): number | undefined {
    if (!isValidId(each.id)) return undefined;
    const key = `${to}:${each.id}`;
    if (this.#linked.has(key)) return this.#linked.get(key);
    const isHidden = this.options.isVisible?.(to, each.id) === false;
    const isTrashed = each.status === 'trash';
    const id =
      ingest.find({ name: to, identity: isTrashed ? {} : identityOf(to, each), remote: each.id }) ??
      (isTrashed
        ? undefined
        : namingRecord(to, each, () => this.#copyRecord(local, ingest, to, each, undefined, isHidden ? 'status' : '', true)));
    this.#linked.set(key, id);
    return id;
  }

  #inputOf(local: LocalCalendar, ingest: Ingest, name: ResourceName, entry: Entry): Input {
    const input = copyableInput(local.resources[name], remoteInput(local.resources[name], entry), local.context.request);
    keepImageId(local.context.db, entry.image);
    if (typeof entry.uid === 'string') input.uid = entry.uid;
    if (input.author !== undefined && local.users.any && !local.users.has(Number(input.author))) delete input.author;
    const tree = treeField(name);
    const above = tree && entry[tree] ? this.state.localOf(name, Number(entry[tree])) : undefined;
    // The copy of the parent may have been deleted here.
    if (tree) input[tree] = above !== undefined && local.has(name, above) ? above : 0;
    const lineage = String([entry.global_id_lineage].flat().at(-1) ?? entry.global_id ?? '');
    if (lineage && 'lineage' in (resources[name] as Resource).derived) input.lineage = lineage;
    if (isRedacted(local.resources[name], entry)) return input;
    for (const { name: field, links: to, nothing } of linkFields(name)) {
      const ids = embedded(entry[field]).map((each) => this.#linkedId(local, ingest, to, { ...each, id: Number(each.id) }));
      const mapped = ids.filter((id) => id !== undefined);
      input[field] = mapped.length ? mapped : nothing.input;
    }
    return input;
  }
}

/** The dates in UTC that a record has on its site, while the local ones are the same. */
export function utcDatesOf(name: ResourceName, record: Input, entry: Entry): Record<string, string> {
  if (!hasDates(name) || dateFields.slice(0, 3).some((field) => record[field] !== entry[field])) return {};
  return Object.fromEntries(utcDates.flatMap((date) => (typeof entry[date] === 'string' ? [[date, entry[date]]] : [])));
}

/** Number of records from which on an older state of a site is believed, if it is that of most. */
const minBelieved = 5;

/** True if a record with this ID can be copied. */
export const isValidId = (id: number): boolean => Number.isInteger(id) && id > 0 && id <= maxId;

/** The declared fields that a record has, which some sites show only in single records. */
const declaredIn = ({ fields }: Resource, entry: Entry): Input =>
  Object.fromEntries(fields.filter(({ name, isDeclared }) => isDeclared && name in entry).map(({ name }) => [name, entry[name]]));

/** Runs work on a record of another site. Failures name it. */
function namingRecord<T>(name: ResourceName, entry: Entry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `${name} ${entry.id} (${recordLabel(name, entry)}): ${error.message}` });
  }
}

export const identityOf = (name: ResourceName, entry: Entry): Input => ({
  uid: entry.uid,
  slug: String(entry.slug ?? ''),
  [resources[name].label]: entry[resources[name].label],
});
