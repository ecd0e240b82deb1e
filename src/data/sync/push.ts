import { type Entry, type Input, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { parentsFirst } from '../../model/formats/references.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { resourceOrder, treeField } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { type SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import { Identities } from '../ingest/identity.ts';
import type { FoundConflict } from '../ingest/record-copy.ts';
import { identityOf, RemoteRecords } from '../ingest/remote.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, labelOf } from '../transaction.ts';
import { ConflictLog } from './conflicts.ts';
import { Deletions } from './deletions.ts';
import { formOf, isEqual } from './forms.ts';
import { pagesOf } from './pages.ts';
import { type ExtraChange, PushedExtras } from './push-extras.ts';
import { checkUser, type RemoteCalendar } from './remote.ts';
import { RemotePair, type Sent } from './remote-pair.ts';
import { completeUpdate, inputFor, ownMembers } from './send.ts';
import { unlisted } from './unlisted.ts';

export interface PushOptions extends OperationOptions {
  only?: readonly ResourceName[];
  /** Delete remote records whose copies were deleted here. */
  delete?: boolean;
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
}

/** Sends the changes of the local calendar to a remote one. Reports conflicts, and problems of records that the site rejects or takes only in part. */
export async function push(store: Store, remote: RemoteCalendar, options: PushOptions = {}): Promise<Summary> {
  const summary = new Summary(options);
  await checkUser(remote, summary.notes);
  const pusher = new Pusher(store, remote, summary, options);
  for (const name of resourceOrder) if ((options.only ?? resourceNames).includes(name)) await pusher.push(name);
  await pusher.finish();
  return summary;
}

class Pusher {
  readonly #local: LocalCalendar;
  readonly #state: SyncState;
  readonly #conflicts: ConflictLog;
  readonly #extras: PushedExtras;
  readonly #isDry: boolean;
  /** Local IDs by `resource:remote ID`, also of pairs that a dry run doesn't store. */
  readonly #locals = new Map<string, number>();
  /** Remote records whose copies were deleted here. */
  readonly #deleted: { name: ResourceName; pair: SyncedRecord; label: string }[] = [];
  #remoteChanges = 0;

  constructor(
    private readonly store: Store,
    private readonly remote: RemoteCalendar,
    private readonly summary: Summary,
    private readonly options: PushOptions,
  ) {
    const home = store.settings.get('home');
    this.#isDry = options.dryRun ?? false;
    this.#local = store.local(owner, { home, root: home });
    this.#state = new SyncState(store.db, remote.root);
    this.#conflicts = new ConflictLog(store.db, remote.root, summary, !this.#isDry);
    const write = (work: () => void) => this.#write(work);
    this.#extras = new PushedExtras(this.#local, this.#state, this.#conflicts, remote, summary, { ...options, write });
  }

  /** Creates, updates and deletes the remote records of a resource. */
  async push(name: ResourceName): Promise<void> {
    const pairs = new Map<number, { remote: number; isChanged: boolean; extra: ExtraChange | undefined }>();
    const identities = new Identities(this.#local, 'site', this.#state);
    const listed = new Set<number>();
    for await (const page of pagesOf(this.remote, name)) {
      const equal: RemotePair[] = [];
      for (const entry of page.entries) {
        listed.add(entry.id);
        const row = this.#state.ofRemote(name, entry.id);
        if (row?.remoteBase && !this.#local.has(name, row.local)) {
          await this.#deletedHere(name, row, entry);
          continue;
        }
        const { id } = identities.find({ name, identity: identityOf(name, entry), remote: entry.id });
        if (id === undefined || !this.#local.has(name, id)) {
          this.#remoteChanges++;
          continue;
        }
        this.#locals.set(`${name}:${entry.id}`, id);
        const pair = this.#pairOf(name, id, entry);
        const { fromLocal, fromRemote, conflicts } = pair.merge;
        if (fromRemote.length) this.#remoteChanges++;
        const isChanged = fromLocal.length + conflicts.length > 0;
        pairs.set(id, { remote: entry.id, isChanged, extra: this.#extras.changeOf(name, id, entry) });
        if (!isChanged && !fromRemote.length && !pair.isStored) equal.push(pair);
      }
      if (equal.length)
        await this.#write(() => {
          for (const pair of equal) pair.storeEqual();
        });
    }
    for (const local of parentsBeforeChildren(name, this.#local)) {
      const pair = pairs.get(local.id);
      if (pair && !pair.isChanged && !pair.extra) await this.#unchanged(name, local, pair.remote);
      else if (pair)
        await this.#reporting(name, local, async () => {
          if (pair.isChanged) await this.#update(name, local, pair.remote);
          if (pair.extra) await this.#extras.push(name, local, pair.extra, pair.isChanged);
        });
      else await this.#reporting(name, local, () => this.#unlisted(name, local));
    }
    for (const row of this.#state.pairs(name))
      if (!listed.has(row.remote) && !this.#local.has(name, row.local))
        await this.#deletedHere(name, row, await unlisted(this.remote, name, row.remote));
  }

  /** Deletes the remote records whose copies were deleted here; events first, since they link to the others. */
  async finish(): Promise<void> {
    for (const { name, pair, label } of this.#deleted.reverse()) {
      const at = `${name} ${pair.remote} (${label})`;
      if (!this.options.delete) {
        this.summary.notes.push({ at, reason: 'deleted here; push --delete deletes it on the site' });
        continue;
      }
      try {
        if (!this.#isDry) await this.remote.calendar[name].delete({ id: pair.remote });
        await this.#write(() => this.#forget(name, pair.remote));
        this.summary.add('deleted', name, label, pair.remote);
      } catch (error) {
        this.#reject(at, error);
      }
    }
    const now = new Date(this.store.requestContext().now).toISOString();
    await this.#write(() => this.#state.finish('pushed', now, this.#remoteChanges));
  }

  #forget(name: ResourceName, remote: number): void {
    this.#state.drop(name, remote);
    this.#conflicts.drop(name, remote);
  }

  async #unchanged(name: ResourceName, local: Entry, remote: number): Promise<void> {
    this.summary.add('unchanged', name, labelOf(name, local), local.id);
    if (this.#conflicts.has(name, remote)) await this.#write(() => this.#conflicts.drop(name, remote));
  }

  /** Remembers a record that was deleted here, unless it was edited on the site. */
  async #deletedHere(name: ResourceName, pair: SyncedRecord, remoteState: Entry | 'deleted' | 'hidden'): Promise<void> {
    if (remoteState === 'hidden') return;
    if (remoteState === 'deleted') {
      await this.#write(() => this.#forget(name, pair.remote));
      return;
    }
    const label = labelOf(name, remoteState);
    const isEdited = !isEqual({ ...pair.remoteBase, ...formOf(this.#local.resources[name], remoteState) }, pair.remoteBase);
    if (isEdited && this.options.prefer !== 'ours')
      await this.#conflict({ name, label, remote: pair.remote, local: pair.local, kind: 'deleted-here', fields: {}, entry: remoteState });
    else this.#deleted.push({ name, pair, label });
  }

  /** Sends a record that is missing from lists: a new one, one that lists hide, or one that was deleted on the site. */
  async #unlisted(name: ResourceName, local: Entry): Promise<void> {
    const row = this.#state.ofLocal(name, local.id) ?? (await this.#hidden(name, local));
    if (!row) return this.#create(name, local);
    const state = await unlisted(this.remote, name, row.remote);
    if (typeof state === 'object') {
      this.#locals.set(`${name}:${row.remote}`, local.id);
      const { fromLocal, conflicts } = this.#pairOf(name, local.id, state).merge;
      return fromLocal.length + conflicts.length ? this.#update(name, local, row.remote, state) : this.#unchanged(name, local, row.remote);
    }
    if (state === 'deleted' && (!row.localBase || this.options.prefer === 'ours')) return this.#create(name, local);
    const deletions = new Deletions(this.#state, this.summary, { deletes: false, prefer: this.options.prefer, conflicts: this.#conflicts });
    await inTransaction(this.store, this.#isDry, (own) => deletions.ofRemote(own, name, row, state));
  }

  /** Returns the counterpart of an event that lists hide, on a server with UIDs. */
  async #hidden(name: ResourceName, local: Entry): Promise<SyncedRecord | undefined> {
    if (local.hide_from_listings !== true || !local.slug || !(await this.remote.isOurs())) return undefined;
    try {
      const entry = await this.remote.calendar[name].get({ slug: String(local.slug) }, { _uid: '1' });
      return entry.uid === local.uid ? { remote: entry.id, local: local.id, modified: '', uid: String(entry.uid) } : undefined;
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return undefined;
      throw error;
    }
  }

  async #create(name: ResourceName, local: Entry): Promise<void> {
    const label = labelOf(name, local);
    if (await this.#isProtected(name, local)) return;
    if (!this.#isDry) {
      const isOurs = await this.remote.isOurs();
      const own = isOurs ? ownMembers(this.#local, name, local.id) : {};
      const { entry: created, input } = await withoutRefused(inputFor(this.#local, this.#state, name, local.id), (accepted) =>
        this.remote.calendar[name].create({ ...accepted, ...own }),
      );
      const entry = isOurs ? created : await this.#reread(name, created);
      const other = this.#state.ofRemote(name, entry.id);
      if (other && other.local !== local.id && this.#local.has(name, other.local))
        throw new Failure('conflict', `The site returned its record ${entry.id}, which is the copy of ${name} ${other.local}`);
      const refused = this.#pairOf(name, local.id, entry).accept(Object.keys(input));
      await this.#write(() => {
        refused.store();
        this.#extras.created(name, entry.id);
      });
      this.#locals.set(`${name}:${entry.id}`, local.id);
      this.#notAccepted(name, local, refused);
      const lost = isOurs ? [] : Object.keys(unknownMembers(this.#local.resources[name], local)).filter((member) => !(member in entry));
      if (lost.length) this.summary.notes.push({ at: `${name} ${local.id} (${label})`, reason: `not sent: ${lost.join(', ')}` });
    }
    this.summary.add('created', name, label, local.id);
  }

  /** Returns a record as the site shows it later: some answer a write with less. */
  async #reread(name: ResourceName, written: Entry): Promise<Entry> {
    try {
      return await this.remote.calendar[name].get({ id: written.id });
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return written;
      throw error;
    }
  }

  /** Returns whether a record has a password that the site can't keep, and notes it. Without the password, the site would publish its texts. */
  async #isProtected(name: ResourceName, local: Entry): Promise<boolean> {
    if (!this.#local.source(name, local.id)?.post_password || (await this.remote.isOurs())) return false;
    const label = labelOf(name, local);
    this.summary.skip(name, label, `${name} ${local.id}`, 'has a password, which the site does not keep; not sent', local.id);
    return true;
  }

  /** Sends the changed fields, after reading the record again. */
  async #update(name: ResourceName, local: Entry, id: number, entryThere?: Entry): Promise<void> {
    const isOurs = await this.remote.isOurs();
    const entry = entryThere ?? (await this.remote.calendar[name].get({ id }, isOurs ? { _uid: '1' } : {}));
    let pair = this.#pairOf(name, local.id, entry);
    const { prefer } = this.options;
    if (pair.merge.conflicts.length && prefer === 'theirs' && !this.#isDry) {
      await inTransaction(this.store, false, (own) => this.#takeTheirs(own, name, entry));
      pair = this.#pairOf(name, local.id, entry);
    }
    const { fromLocal, conflicts } = pair.merge;
    if (conflicts.length && prefer === undefined) {
      await this.#conflict(pair.conflict(conflicts));
      return;
    }
    const fields = prefer === 'ours' ? [...fromLocal, ...conflicts] : fromLocal;
    if (!fields.length) return this.#unchanged(name, local, id);
    if (await this.#isProtected(name, local)) return;
    if (!this.#isDry) {
      const resource = this.#local.resources[name];
      const changed = this.#clearable(name, inputFor(this.#local, this.#state, name, local.id, withAllDates(resource, fields)));
      const update = async (input: Input) => {
        // Servers of this program keep fields that an update omits. Slugs of venues and organizers can't be sent.
        const whole = isOurs ? input : completeUpdate(resource, entry, input);
        const response = Object.keys(input).length ? await this.remote.calendar[name].update({ id }, whole) : entry;
        return { response, names: Object.keys(whole) };
      };
      const { entry: updated } = await withoutRefused(changed, update);
      const accepted = pair.after(updated.response).accept(fields, updated.names);
      await this.#write(() => {
        accepted.store();
        this.#conflicts.drop(name, id);
      });
      this.#notAccepted(name, local, accepted);
    }
    this.summary.add('updated', name, labelOf(name, local), local.id);
  }

  /** Returns an update without fields that the API can't clear, such as descriptions of terms. It would reject the others too. */
  #clearable(name: ResourceName, input: Input): Input {
    const { fields }: Resource = this.#local.resources[name];
    const ctx = this.store.requestContext();
    const isRejected = (member: string) => fields.some((field) => field.name === member && field.check('', ctx) !== undefined);
    return Object.fromEntries(Object.entries(input).filter(([member, value]) => value !== '' || !isRejected(member)));
  }

  #takeTheirs(own: LocalCalendar, name: ResourceName, entry: Entry): void {
    const summary = new Summary();
    new RemoteRecords(this.#state, summary, { prefer: 'theirs', conflicts: this.#conflicts, isSync: true }).copy(own, name, [entry]);
  }

  #pairOf(name: ResourceName, local: number, entry: Entry): RemotePair {
    const here = (to: ResourceName, id: number) => this.#locals.get(`${to}:${id}`) ?? this.#state.pairOf(to, id)?.local ?? `remote ${id}`;
    return new RemotePair(this.#local, this.#state, name, local, entry, here);
  }

  #notAccepted(name: ResourceName, local: Entry, { fields, unsendable }: Sent): void {
    const at = `${name} ${local.id} (${labelOf(name, local)})`;
    if (fields.length) this.summary.problems.push({ at, reason: `not accepted: ${fields.join(', ')}` });
    if (unsendable.length) this.summary.notes.push({ at, reason: `differs on the site: ${unsendable.join(', ')}` });
  }

  /** Runs work on a record. A failure becomes a problem. */
  async #reporting(name: ResourceName, local: Entry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#reject(`${name} ${local.id} (${labelOf(name, local)})`, error);
    }
  }

  #reject(at: string, error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    this.summary.problems.push({ at, reason: error.message });
  }

  async #conflict(conflict: FoundConflict): Promise<void> {
    const add = () => this.#conflicts.add(conflict);
    // A dry run only counts it.
    if (this.#isDry) add();
    else await this.store.change(add);
  }

  /** Stores the state of pairs; not in a dry run. */
  async #write(work: () => void): Promise<void> {
    if (!this.#isDry) await this.store.change(work);
  }
}

/** The fields of an event that determine when it is. Sites compute the times in UTC only if all are in the request. */
const dateFields = ['start_date', 'end_date', 'timezone', 'all_day'];

const withAllDates = ({ fields }: Resource, names: readonly string[]): string[] =>
  names.some((name) => dateFields.includes(name)) && fields.some(({ name }) => name === 'start_date')
    ? [...new Set([...names, ...dateFields])]
    : [...names];

/** Runs a write; again without the fields that the site refuses, so that the others are not lost with them. Returns the input that was accepted. */
async function withoutRefused<T>(input: Input, write: (input: Input) => Promise<T>): Promise<{ entry: T; input: Input }> {
  try {
    return { entry: await write(input), input };
  } catch (error) {
    const params = error instanceof Failure && error.code === 'rest_invalid_param' ? error.data.params : undefined;
    const names = Object.keys((params as object | undefined) ?? {}).filter((name) => name in input);
    if (!names.length) throw error;
    return withoutRefused(Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name))), write);
  }
}

/** Yields local records, with terms after their parents. */
function* parentsBeforeChildren(name: ResourceName, local: LocalCalendar): Generator<Entry> {
  if (!treeField(name)) return yield* local.entries(name);
  for (const { id } of parentsFirst([...local.sources(name)])) yield local.entry(name, id)!;
}
