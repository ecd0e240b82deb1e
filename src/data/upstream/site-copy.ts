import { randomUUID } from 'node:crypto';
import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { Site } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import type { Query } from '../../model/fields/list.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import { isTerms, linkFields, treeField } from '../../model/resources/relations.ts';
import { anonymous } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import { RemoteRecords } from '../ingest/remote.ts';
import { Summary } from '../summary.ts';
import { ConflictLog } from '../sync/conflicts.ts';
import { isEqual, localFormOf } from '../sync/forms.ts';
import { type Selection, selectionOf } from './coverage.ts';
import { addressesOf } from './options.ts';
import { patchOf } from './patch.ts';

/** Records of one response of the site. */
export interface Learned {
  resource: ResourceName;
  entries: readonly Entry[];
  form: 'list' | 'single';
}

/** A complete list: its query, and the IDs on all its pages. */
export interface CompleteList {
  resource: ResourceName;
  query: Query;
  ids: ReadonlySet<number>;
  /** When its first page was read, in ISO 8601. */
  asOf: string;
  hasSingles?: boolean;
  /** True if it contains events of any date. */
  isAnyDate?: boolean;
  /** The dates that the site applied, as its links show them. */
  shown?: { from: string | undefined; until: string | undefined };
}

/** The copy of a live site in the store of a calendar. */
export class SiteCopy {
  readonly state: UpstreamState;
  readonly addresses: Site;
  readonly #pairs: SyncState;

  constructor(
    readonly store: Store,
    readonly root: string,
    readonly namespace: string,
  ) {
    this.state = new UpstreamState(store.db);
    this.addresses = addressesOf(root, namespace);
    this.#pairs = new SyncState(store.db, root);
  }

  /** Stores records of responses, and what complete lists cover. */
  async learn(learned: readonly Learned[], asOf: string, lists: readonly CompleteList[] = []): Promise<void> {
    await this.store.change(
      (local) => {
        this.state.begin(this.root, this.namespace);
        for (const each of learned) this.#learn(local, each, asOf);
        for (const list of lists) this.#cover(local, list);
      },
      undefined,
      { copying: true },
      { recounts: false },
    );
  }

  /** Removes a record that the site doesn't show, unless it was edited here. */
  async forget(name: ResourceName, ref: { id: number } | { slug: string }): Promise<void> {
    const find = (local: LocalCalendar) => ('id' in ref ? ref.id : local.idBy(name, 'slug', ref.slug));
    await this.store.change((local) => {
      const id = find(local);
      if (id !== undefined) this.#forget(local, name, id);
    });
  }

  /** Returns whether the form of a single record is known, of a record that did not change since. */
  hasSingle(name: ResourceName, { id, modified_utc = '' }: Entry): boolean {
    const pair = this.#pairs.ofRemote(name, id);
    return pair !== undefined && pair.modified === String(modified_utc) && this.state.form(name, pair.local, 'single') !== undefined;
  }

  /** Returns the ID here of a record of the site. */
  idOf(name: ResourceName, remote: number): number | undefined {
    return this.#pairs.ofRemote(name, remote)?.local;
  }

  #learn(local: LocalCalendar, { resource: name, entries, form }: Learned, asOf: string): void {
    const summary = new Summary();
    const conflicts = new ConflictLog(this.store.db, this.root, summary);
    const records = new RemoteRecords(this.#pairs, summary, { conflicts, isSync: true });
    for (const given of entries) {
      try {
        records.copy(local, name, [this.#withoutUnknown(name, given)]);
      } catch (error) {
        // A record that can't be stored is not covered.
        if (!(error instanceof Failure)) throw error;
      }
      const id = this.idOf(name, given.id);
      if (id === undefined) continue;
      if (!isTerms(name)) this.state.setLocked(name, id, isRedacted(this.store.resources[name], given) ? randomUUID() : '');
      this.#copyCounts(name, given);
    }
    this.#linkTree(local, name);
    // Addresses of terms contain their parents, so forms come after links.
    const edited = new Map<string, boolean>();
    const isEdited = (to: ResourceName, remote: number): boolean => {
      const key = `${to}:${remote}`;
      const id = this.idOf(to, remote);
      if (!edited.has(key)) edited.set(key, id !== undefined && this.#isEdited(local, to, id));
      return edited.get(key)!;
    };
    for (const given of entries) {
      const linked = linkFields(name).flatMap(({ name: field, links: to }) =>
        embedded(given[field]).map((each) => isEdited(to, Number(each.id))),
      );
      // A patch would undo what was edited here, also in embedded records.
      if (!isEdited(name, given.id) && !linked.includes(true)) this.#setForm(name, given, form, asOf);
    }
  }

  /** Stores how a record looks on the site. */
  #setForm(name: ResourceName, given: Entry, form: 'list' | 'single', asOf: string): void {
    const id = this.idOf(name, given.id);
    const shown = this.store.local(anonymous, this.addresses);
    const ours = id === undefined ? undefined : form === 'list' ? shown.listed(name, id) : singleOf(shown, name, id);
    if (id === undefined || !ours) return;
    const { _links, ...theirs } = given as Entry & { _links?: unknown };
    const patch = patchOf(JSON.parse(JSON.stringify(ours)), theirs);
    this.state.setForm(name, id, form, { patch: patch ? JSON.stringify(patch) : '', asOf });
  }

  /** Sets the parents of terms that were copied before these, also by an earlier response. */
  #linkTree(local: LocalCalendar, name: ResourceName): void {
    const tree = treeField(name);
    for (const pair of tree ? this.#pairs.pairs(name) : []) {
      const above = this.idOf(name, Number(pair.remoteBase?.[tree!])) ?? 0;
      if (above === 0 || pair.localBase?.[tree!] === above || this.#isEdited(local, name, pair.local)) continue;
      local[name].update({ id: pair.local }, { [tree!]: above });
      this.#pairs.set(name, { ...pair, localBase: localFormOf(local, name, pair.local) });
    }
  }

  /** Returns a record without the members that this program doesn't know: its form has them. */
  #withoutUnknown(name: ResourceName, entry: Entry): Entry {
    const known = (to: ResourceName, each: Entry): Entry => {
      const unknown = unknownMembers(this.store.resources[to], each);
      return Object.fromEntries(Object.entries(each).filter(([member]) => !Object.hasOwn(unknown, member))) as Entry;
    };
    const linked = linkFields(name).flatMap(({ name: field, links: to }) => {
      const value = entry[field];
      if (value === undefined) return [];
      const each = embedded(value).map((one) => known(to, one));
      return [[field, Array.isArray(value) ? each : (each[0] ?? value)]];
    });
    return { ...known(name, entry), ...Object.fromEntries(linked) };
  }

  /** Copies the counts of terms, which include events that the copy doesn't have. */
  #copyCounts(name: ResourceName, entry: Entry): void {
    const counted = isTerms(name)
      ? [[name, entry] as const]
      : linkFields(name).flatMap(({ name: field, links: to }) =>
          isTerms(to) ? embedded(entry[field]).map((each) => [to, each] as const) : [],
        );
    for (const [to, each] of counted) {
      const id = this.idOf(to, Number(each.id));
      if (id !== undefined && Number.isInteger(each.count)) this.state.setCount(to, id, Number(each.count));
    }
  }

  /** Removes copies that a complete list lacks, and stores what it covers, if the same list here has the same records. */
  #cover(local: LocalCalendar, { resource: name, query, ids, asOf, hasSingles = false, isAnyDate = false, shown }: CompleteList): void {
    const { store } = this;
    const ctx = { ...store.requestContext(), viewer: anonymous };
    const { page: _, per_page: _size, ...whole } = query;
    let selection: Selection | undefined;
    let here: number[];
    try {
      const list = () => [...store.local(anonymous, this.addresses)[name].listAll(whole, new Set(['id']))].map(({ id }) => Number(id));
      here = list();
      selection = selectionOf(store.resources, name, whole, ctx);
      if (!selection?.isWhole) return;
      for (const id of here) if (!ids.has(id)) this.#forget(local, name, id);
      here = list();
    } catch (error) {
      if (error instanceof Failure) return;
      throw error;
    }
    const own = here.filter((id) => this.#pairs.ofLocal(name, id) !== undefined);
    const isEqualList =
      [...ids].every((id) => here.includes(id) || this.#isEdited(local, name, id)) &&
      own.every((id) => ids.has(id) || this.#isEdited(local, name, id));
    const dates = isAnyDate ? { from: '', until: '' } : datesOf(selection, shown);
    if (isEqualList) this.state.cover({ ...dates, resource: name, viewer: 'public', statuses: selection.statuses, asOf, hasSingles });
  }

  #isEdited(local: LocalCalendar, name: ResourceName, id: number): boolean {
    const pair = this.#pairs.ofLocal(name, id);
    const form = pair && localFormOf(local, name, id);
    return pair?.localBase !== undefined && (!form || !isEqual({ ...pair.localBase, ...form }, pair.localBase));
  }

  #forget(local: LocalCalendar, name: ResourceName, id: number): void {
    if (this.#pairs.ofLocal(name, id) === undefined || this.#isEdited(local, name, id)) return;
    this.state.forget(this.store.resources[name] as Parameters<UpstreamState['forget']>[0], id);
  }
}

/** Returns the form of a single record; undefined for one that visitors can't read. */
function singleOf(local: LocalCalendar, name: ResourceName, id: number): Entry | undefined {
  try {
    return local[name].get({ id });
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Returns the dates that a list covers: those of its query, unless the site shows narrower ones. */
function datesOf({ from, until }: Selection, shown: CompleteList['shown']): { from: string; until: string } {
  const start = shown?.from ?? from;
  const end = shown?.until ?? until;
  return { from: start > from ? start : from, until: until === '' || (end !== '' && end < until) ? end : until };
}
