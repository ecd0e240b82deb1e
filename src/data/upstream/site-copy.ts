import { randomUUID } from 'node:crypto';
import type { Entry, Ref, ResourceName } from '../../model/calendar.ts';
import type { Site } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { embedded } from '../../model/fields/link.ts';
import type { Query } from '../../model/fields/list.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import { isTerms } from '../../model/resources/names.ts';
import { linkFields, treeField } from '../../model/resources/relations.ts';
import { anonymous } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { type CoverageRow, UpstreamState } from '../../store/identity/upstream-state.ts';
import { RemoteRecords } from '../ingest/remote.ts';
import { Summary } from '../summary.ts';
import { ConflictLog } from '../sync/conflicts.ts';
import { isEqual, localFormOf } from '../sync/forms.ts';
import { type Selection, selectionOf } from './coverage.ts';
import { hiddenEntry } from './hidden-entry.ts';
import { addressesOf } from './options.ts';
import { SiteForms } from './site-forms.ts';

/** Records of one response of the site. */
export interface Learned {
  resource: ResourceName;
  entries: readonly Entry[];
  form: 'list' | 'single';
  /** `user` if visitors of the site don't see these records (default `public`). */
  viewer?: CoverageRow['viewer'];
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
  dates?: { from: string | undefined; until: string | undefined };
}

/** The copy of a live site in the store of a calendar. */
export class SiteCopy {
  readonly state: UpstreamState;
  readonly addresses: Site;
  readonly #pairs: SyncState;
  readonly #forms: SiteForms;

  constructor(
    readonly store: Store,
    readonly root: string,
    readonly namespace: string,
  ) {
    this.state = new UpstreamState(store.db);
    this.addresses = addressesOf(root, namespace);
    this.#pairs = new SyncState(store.db, root);
    this.#forms = new SiteForms(store, this.state, this.addresses);
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

  /** Removes a record that the site doesn't show to a viewer, unless it was edited here. Visitors don't see hidden ones anyway. */
  async forget(name: ResourceName, ref: Ref, viewer: CoverageRow['viewer'] = 'public'): Promise<void> {
    await this.store.change((local) => {
      const id = 'id' in ref ? ref.id : local.idBy(name, 'slug', ref.slug);
      if (id !== undefined && (viewer === 'user' || !this.state.isHidden(name, id))) this.#forget(local, name, id);
    });
  }

  /** Stores that the lists which a user of the site sees are complete. */
  async coverForUser(row: Omit<CoverageRow, 'viewer' | 'from' | 'until' | 'hasSingles'>): Promise<void> {
    await this.store.change(() => this.state.cover({ ...row, viewer: 'user', from: '', until: '', hasSingles: true }));
  }

  /** Returns whether the copy has a record that visitors see. */
  isVisible(name: ResourceName, id: number): boolean {
    return this.idOf(name, id) !== undefined && this.store.local(anonymous, this.addresses).has(name, id) && !this.state.isHidden(name, id);
  }

  /** Returns whether the form of a single record is known, of a record that did not change since. */
  hasSingle(name: ResourceName, { id, modified_utc = '' }: Entry): boolean {
    const pair = this.#pairs.ofRemote(name, id);
    return pair !== undefined && pair.modified === String(modified_utc) && this.state.form(name, pair.local, 'single') !== undefined;
  }

  /** Returns the ID here of a record of the site. */
  idOf(name: ResourceName, remote: number): number | undefined {
    return this.#pairs.pairOf(name, remote)?.local;
  }

  #learn(local: LocalCalendar, { resource: name, entries, form, viewer = 'public' }: Learned, asOf: string): void {
    const summary = new Summary();
    const conflicts = new ConflictLog(this.store.db, this.root, summary);
    const records = new RemoteRecords(this.#pairs, summary, { conflicts, isSync: true });
    const isKnown = (to: ResourceName, id: number) => this.idOf(to, id) !== undefined;
    if (viewer === 'user') this.state.beginUserView(name, asOf);
    for (const remote of entries) {
      const entry = viewer === 'user' ? hiddenEntry(this.store.resources, name, remote, isKnown) : remote;
      if (viewer === 'public') this.#reveal(local, name, remote.id);
      try {
        if (form === 'list') records.copy(local, name, [entry]);
        else records.copy(local, name, [entry], new Map([[entry.id, entry]]), { isListed: false });
      } catch (error) {
        // A record that can't be stored is not covered.
        if (!(error instanceof Failure)) throw error;
      }
      const id = this.idOf(name, remote.id);
      if (id === undefined) continue;
      if (!isTerms(name)) this.state.setLocked(name, id, isRedacted(this.store.resources[name], remote) ? randomUUID() : '');
      if (viewer === 'public') this.#copyCounts(name, remote);
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
    for (const incoming of entries) {
      const linked = linkFields(name).flatMap(({ name: field, links: to }) =>
        embedded(incoming[field]).map((each) => isEdited(to, Number(each.id))),
      );
      const id = this.idOf(name, incoming.id);
      // A patch would undo what was edited here, also in embedded records.
      if (id !== undefined && !isEdited(name, incoming.id) && !linked.includes(true)) this.#forms.set(name, id, incoming, form, asOf);
    }
  }

  /** Removes a hidden copy of a record that visitors see now: it may have values that only a user of the site sees. Links to it stay. */
  #reveal(local: LocalCalendar, name: ResourceName, remote: number): void {
    const id = this.idOf(name, remote);
    if (id === undefined || !this.state.isHidden(name, id) || this.#isEdited(local, name, id)) return;
    this.state.forget(this.store.resources[name] as Parameters<UpstreamState['forget']>[0], id, { keepsLinks: true });
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
  #cover(
    local: LocalCalendar,
    { resource: name, query, ids, asOf, hasSingles = false, isAnyDate = false, dates: shown }: CompleteList,
  ): void {
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

/** Returns the dates that a list covers: those of its query, unless the site shows narrower ones. */
function datesOf({ from, until }: Selection, shown: CompleteList['dates']): { from: string; until: string } {
  const start = shown?.from ?? from;
  const end = shown?.until ?? until;
  return { from: start > from ? start : from, until: until === '' || (end !== '' && end < until) ? end : until };
}
