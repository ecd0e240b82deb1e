import { type Entry, type Input, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { dateFields } from '../../model/conflict-choices.ts';
import { Failure } from '../../model/error.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { embedded } from '../../model/fields/link.ts';
import { parentsFirst } from '../../model/formats/references.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { isTerms } from '../../model/resources/names.ts';
import { linkFields, resourceOrder, treeField } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import type { RecordForm, StoredPair } from '../../store/identity/sites.ts';
import { setColumns } from '../../store/records/queries.ts';
import { Identities } from '../ingest/identity.ts';
import { slugSteps } from '../ingest/slugs.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, recordLabel } from '../transaction.ts';
import { ConflictLog, type FoundConflict } from './conflict-log.ts';
import { Copier, identityOf, utcDatesOf } from './copy.ts';
import { bury, deleteHere, isDeletedHere, keepDeletion, openEdits } from './deletions.ts';
import { localForms, pairOf } from './forms.ts';
import { completeUpdate, inputFor, isSlugTaken, sendableForm, unrepeatable, withoutRefused } from './input.ts';
import {
  formOf,
  isBase,
  isBuried,
  isEqual,
  isMisdated,
  isOlder,
  olderReason,
  type Pair,
  utcDates,
  winnerOf,
  withAllDates,
} from './pair.ts';
import { SayingKeeper } from './sayings.ts';
import { adopt } from './sent.ts';
import { isRejected, type KnownSite, type MeetOptions, meet, type Site, timeOf } from './site.ts';
import { walk } from './walk.ts';

export interface PushOptions extends OperationOptions, MeetOptions {
  only?: readonly ResourceName[];
  /** Delete remote records whose copies were deleted here. */
  delete?: boolean;
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
  /** Leave out the records that the site would not publish, because the user may not. */
  unpublished?: boolean;
}

/**
 * Sends the changes of a file to a site: reads the site first, then sends, linked resources before events. Reports conflicts, and problems of records that the site rejects or takes only in
 * part. Throws `not-confirmed` before anything is sent if records would be unpublished or doubled.
 */
export async function push(store: Store, remote: Site, options: PushOptions = {}): Promise<Summary> {
  const summary = new Summary(options);
  const site = await meet(store, remote, summary.notes, options);
  const pusher = new Push(store, remote, site, summary, options);
  await pusher.read();
  pusher.confirm();
  await pusher.send();
  return summary;
}

/** A record whose slug the site refused. */
interface RefusedSlug {
  name: ResourceName;
  local: Entry;
  remote: number;
}

/** The action of a push for a local record. */
type Plan = { action: 'create' | 'update' | 'none'; remote?: number; found?: Entry };

class Push {
  readonly #local: LocalCalendar;
  readonly #conflicts: ConflictLog;
  readonly #sayings: SayingKeeper;
  readonly #isDry: boolean;
  /** Plans by `resource:local ID`. A record without one is new. */
  readonly #plans = new Map<string, Plan>();
  /** Local IDs of copies by `resource:remote ID` of records that the site deleted. */
  readonly #gone = new Map<string, number>();
  /** Local IDs by `resource:remote ID`, also of pairs that a dry run doesn't store. */
  readonly #locals = new Map<string, number>();
  /** Remote records whose copies were deleted here. */
  readonly #deleted: { name: ResourceName; pair: StoredPair; label: string }[] = [];
  /** Slugs, members of records and the highest ID on the site, by resource. */
  readonly #there = new Map<ResourceName, { slugs: Set<string>; members: Set<string>; maxId: number }>();
  /** Changed records here that the site has published, as `resource:local ID`. */
  readonly #published = new Set<string>();
  #remoteChanges = 0;
  /** Number of changed records whose currency the API of the site does not keep. */
  #movedSigns = 0;
  /** Records whose slugs another record of the site had when they were sent. */
  readonly #slugs: RefusedSlug[] = [];
  /** Number of values that the site did not accept before. */
  #refused = 0;

  constructor(
    private readonly store: Store,
    private readonly remote: Site,
    private readonly site: KnownSite,
    private readonly summary: Summary,
    private readonly options: PushOptions,
  ) {
    const home = store.settings.get('home');
    this.#isDry = options.dryRun ?? false;
    this.#local = store.local(owner, { home, root: home });
    this.#sayings = new SayingKeeper(site.state);
    this.#conflicts = new ConflictLog(store, site.state.site, summary, !this.#isDry);
  }

  get #names(): ResourceName[] {
    return resourceOrder.filter((name) => (this.options.only ?? resourceNames).includes(name));
  }

  /** Compares every record of the site with its copy. */
  async read(): Promise<void> {
    const { state, mayWrite } = this.site;
    const { summary, store } = this;
    const settle = async (name: ResourceName, entries: readonly Entry[]) => {
      const { adopted, unclear } = await inTransaction(store, this.#isDry, (local) => adopt(local, state, name, entries, summary));
      for (const [remote, id] of adopted) this.#locals.set(`${name}:${remote}`, id);
      for (const id of unclear.local) this.#plans.set(`${name}:${id}`, { action: 'none' });
      return unclear.remote;
    };
    const steps = walk(this.remote, { only: this.options.only, state, mayWrite, summary, settle, resources: store.resources });
    for await (const { name, entries, missing = [] } of steps) {
      if (entries) await this.#compare(name, entries);
      for (const [pair, found] of missing) {
        if (found === 'deleted') this.#gone.set(`${name}:${pair.remote}`, pair.local);
        if (typeof found === 'object') await this.#compare(name, [found], false);
        else if (this.#local.has(name, pair.local)) await this.#missing(name, pair, found);
        else if (found === 'deleted') await this.#write((local) => bury({ local, state, conflicts: this.#conflicts }, name, pair));
      }
    }
  }

  async #compare(name: ResourceName, entries: readonly Entry[], isListed = true): Promise<void> {
    const { state } = this.site;
    const identities = new Identities(this.#local, 'site', state);
    const there = this.#there.get(name) ?? { slugs: new Set(), members: new Set(), maxId: 0 };
    this.#there.set(name, there);
    const equal: Pair[] = [];
    const misdated: StoredPair[] = [];
    for (const entry of entries) {
      there.maxId = Math.max(there.maxId, entry.id);
      if (isListed) there.slugs.add(String(entry.slug ?? ''));
      for (const member of Object.keys(entry)) there.members.add(member);
      const row = state.ofRemote(name, entry.id);
      if (isMisdated(entry, row, state.completed)) misdated.push({ ...row, modified: String(entry.modified_utc) });
      if (row && isBuried(row)) {
        this.#remoteChanges++;
        this.#plans.set(`${name}:${row.local}`, { action: 'none' });
        continue;
      }
      if (row && isDeletedHere(this.#local, name, row)) {
        await this.#deletedHere(name, row, entry);
        continue;
      }
      const id =
        this.#locals.get(`${name}:${entry.id}`) ?? identities.find({ name, identity: identityOf(name, entry), remote: entry.id }).id;
      if (id === undefined || !this.#local.has(name, id)) {
        this.#remoteChanges++;
        continue;
      }
      this.#locals.set(`${name}:${entry.id}`, id);
      const pair = this.#pairOf(name, id, entry);
      const isOld = isOlder(entry, row, state.completed);
      if (isOld) this.summary.left.push({ at: `${name} ${id} (${recordLabel(name, entry)})`, reason: olderReason });
      const { fromLocal, fromRemote, conflicts, refused } = pair.merge({ isOld });
      if (fromRemote.length) this.#remoteChanges++;
      this.#refused += refused.length;
      const isChanged = fromLocal.length + conflicts.length > 0;
      this.#plans.set(`${name}:${id}`, { action: isChanged ? 'update' : 'none', remote: entry.id, ...(isListed ? {} : { found: entry }) });
      if (isChanged && !keepsCurrency(entry)) this.#movedSigns++;
      if (isChanged && isPublic(entry)) this.#published.add(`${name}:${id}`);
      if (!isChanged && !fromRemote.length && !refused.length && !pair.isStored) equal.push(pair);
    }
    if (equal.length + misdated.length)
      await this.#write(() => {
        for (const row of misdated) state.set(name, row);
        for (const pair of equal) state.set(name, pair.toStore());
      });
  }

  /** Decides what to do with a copied record that the site deleted, or doesn't show to the user. */
  async #missing(name: ResourceName, pair: StoredPair, found: 'deleted' | 'hidden'): Promise<void> {
    // The local record is created again.
    if (found === 'deleted' && (this.options.prefer === 'ours' || isBuried(pair)))
      return this.#write(() => this.#forget(name, pair.remote));
    this.#plans.set(`${name}:${pair.local}`, { action: 'none' });
    const { state } = this.site;
    const { summary, options } = this;
    if (found === 'hidden') {
      const at = `${name} ${pair.local} (${recordLabel(name, this.#local.entry(name, pair.local)!)})`;
      if (Object.keys(openEdits(this.#local, name, pair)).length)
        summary.problems.push({ at, reason: 'the site does not show it to this user; changes not sent' });
      return;
    }
    await inTransaction(this.store, this.#isDry, (local) =>
      deleteHere({ local, state, summary, conflicts: this.#conflicts, prefer: options.prefer }, name, pair),
    );
  }

  /** Throws `not-confirmed` if the push would unpublish or double records, until the user confirms it. A dry run notes it. */
  confirm(): void {
    const { yes, unpublished } = this.options;
    const created = this.#names.flatMap((name) =>
      [...this.#local.entries(name)].filter(({ id }) => !this.#plans.has(`${name}:${id}`)).map((entry) => ({ name, entry })),
    );
    const there = ({ name, entry }: (typeof created)[number]) => entry.slug && this.#there.get(name)?.slugs.has(String(entry.slug));
    const doubled = created.filter(there).length;
    const host = this.site.state.site;
    const questions: { text: string; hint: string; unpublished?: true }[] = [];
    if (doubled > maxDoubled)
      questions.push({
        text: `${doubled} new records have slugs that ${host} already has. Create them a second time?`,
        hint: 'If they are the same records, pull first: calendar pull copies them. Pass --yes to create them.',
      });
    const drafts = created.filter(({ name, entry }) => !isTerms(name) && isPublic(entry)).map(({ name, entry }) => `${name}:${entry.id}`);
    const [fresh, changed] = [drafts.length, this.#published.size];
    if (this.site.mayPublish === false && unpublished) this.#leaveOut([...drafts, ...this.#published]);
    else if (this.site.mayPublish === false && fresh + changed > 0) {
      const becomes = [
        ...(fresh ? [`${fresh} new ${fresh === 1 ? 'record would become a draft' : 'records would become drafts'}`] : []),
        ...(changed ? [`${changed} published ${changed === 1 ? 'record' : 'records'} would become pending`] : []),
      ];
      questions.push({
        text: `The user may not publish at ${host}: ${becomes.join(', ')}. Continue?`,
        hint: 'Push as a user who may publish, or pass --yes.',
        unpublished: true,
      });
    }
    if (this.#movedSigns && !this.site.state.row?.pushed)
      questions.push({
        text: `The API of ${host} derives the position of the currency from the price at each update, and would change it in ${this.#movedSigns} ${this.#movedSigns === 1 ? 'event' : 'events'}. Continue?`,
        hint: 'Only the form of the site keeps it. Pass --yes.',
      });
    if (this.#isDry) for (const { text } of questions) this.summary.notes.push({ at: host, reason: text });
    else if (questions.length && !yes)
      throw new Failure(
        'not-confirmed',
        questions.map(({ text }) => text).join(' '),
        questions.map(({ hint }) => hint).join(' '),
        questions.some((each) => each.unpublished) ? { unpublished: true } : {},
      );
  }

  /** Leaves out records that the site would not publish. */
  #leaveOut(keys: readonly string[]): void {
    for (const key of keys) {
      const [name, id] = key.split(':') as [ResourceName, string];
      const label = recordLabel(name, this.#local.entry(name, Number(id))!);
      this.#plans.set(key, { action: 'none' });
      this.summary.skip(name, label, `${name} ${id}`, 'would not be published; not sent', Number(id));
    }
  }

  /** Creates, updates and deletes records of the site. */
  async send(): Promise<void> {
    for (const name of this.#names)
      for (const local of parentsBeforeChildren(name, this.#local)) {
        const plan = this.#plans.get(`${name}:${local.id}`);
        await this.#reporting(`${name} ${local.id} (${recordLabel(name, local)})`, async () => {
          if (!plan) await this.#create(name, local);
          else if (plan.action === 'update') await this.#update(name, local, plan.remote!, plan.found);
          else if (plan.remote !== undefined) await this.#unchanged(name, local, plan.remote);
        });
      }
    // Events first, since they link to the others.
    for (const each of this.#deleted.reverse()) await this.#delete(each);
    for (const name of this.#names) await this.#sendSlugs(name);
    const { created, updated, deleted } = this.summary.counts;
    if (this.#isDry && this.site.mayWrite === false && created + updated + deleted > 0)
      this.summary.problems.push({
        at: this.site.state.site,
        reason: this.remote.user
          ? 'allows this user no changes: the push would be refused'
          : 'allows no changes without credentials: the push would be refused. Pass --user NAME',
      });
    if (this.#refused)
      this.summary.notes.push({
        at: this.site.state.site,
        reason: `${this.#refused === 1 ? '1 value that the site did not accept was' : `${this.#refused} values that the site did not accept were`} not sent again. See: calendar conflicts list`,
      });
    await this.#write(() => {
      const { only } = this.options;
      const at = timeOf(this.options);
      if (only) this.site.state.finishPart({ what: 'pushed', at, only: [...only] });
      else this.site.state.finish('pushed', at, this.#remoteChanges, this.summary.left);
      this.site.state.keep(this.remote.root);
    });
  }

  #forget(name: ResourceName, remote: number): void {
    this.site.state.drop(name, remote);
    this.#conflicts.drop(name, remote);
  }

  async #unchanged(name: ResourceName, local: Entry, remote: number): Promise<void> {
    this.summary.add('unchanged', name, recordLabel(name, local), local.id);
    if (this.#conflicts.has(name, remote)) await this.#write(() => this.#conflicts.drop(name, remote));
  }

  /** Remembers a record that was deleted here, unless it was edited on the site. */
  async #deletedHere(name: ResourceName, pair: StoredPair, entry: Entry): Promise<void> {
    const label = recordLabel(name, entry);
    const { state } = this.site;
    const theirs = formOf(this.#local.resources[name], entry);
    const isEdited = !isOlder(entry, pair, state.completed) && !isBase(theirs, pair.remoteBase);
    // A push restores nothing here.
    if (winnerOf('ours', isEdited, this.options.prefer) !== 'ours')
      return this.#conflict({ name, label, remote: pair.remote, local: pair.local, kind: 'deleted-here', fields: {}, entry });
    this.#deleted.push({ name, pair, label });
    if (isEdited || this.#conflicts.has(name, pair.remote))
      await this.#write(() => keepDeletion({ state, conflicts: this.#conflicts }, name, pair, theirs));
  }

  async #delete({ name, pair, label }: { name: ResourceName; pair: StoredPair; label: string }): Promise<void> {
    const at = `${name} ${pair.remote} (${label})`;
    if (!this.options.delete) {
      this.summary.notes.push({ at, reason: 'deleted here; push --delete deletes it on the site' });
      return;
    }
    await this.#reporting(at, async () => {
      if (!this.#isDry) await this.remote.calendar[name].delete({ id: pair.remote });
      await this.#write(() => this.#forget(name, pair.remote));
      this.summary.add('deleted', name, label, pair.remote);
    });
  }

  async #create(name: ResourceName, local: Entry): Promise<void> {
    const label = recordLabel(name, local);
    if (this.#isProtected(name, local)) return;
    if (!this.#isDry) {
      const { state } = this.site;
      const whole = inputFor(this.#local, state, name, local.id);
      this.#checkLinks(name, whole);
      const unknown = this.#unknownFields(name).filter((field) => field in whole);
      const input = Object.fromEntries(Object.entries(whole).filter(([field]) => !unknown.includes(field)));
      const own = localForms(this.#local, name, [local.id]).get(local.id) ?? {};
      const { form, unsent } = sendableForm(this.#local.resources[name], state, own);
      await this.#write(() => state.mark(name, local.id, this.#there.get(name)?.maxId ?? 0, form));
      const { entry: created, input: accepted } = await withoutRefused(input, (part) => this.remote.calendar[name].create(part)).catch(
        async (error) => {
          // Otherwise the site may have stored it.
          if (error instanceof Failure && error.status < 500 && error.status !== 408) await this.#write(() => state.unmark(name, local.id));
          throw error;
        },
      );
      const entry = await this.#reread(name, created);
      const other = state.ofRemote(name, entry.id);
      if (other && other.local !== local.id && this.#local.has(name, other.local)) {
        await this.#write(() => state.unmark(name, local.id));
        throw new Failure('conflict', `The site returned its record ${entry.id}, which is the copy of ${name} ${other.local}`);
      }
      const pair = this.#pairOf(name, local.id, entry);
      const outcome = pair.outcome(Object.keys(pair.local), Object.keys(accepted));
      const later = [...unsent, ...this.#slugLater(name, local, entry.id, outcome.refused)];
      const refused = outcome.refused.filter((field) => !later.includes(field));
      await this.#write((own) => {
        const stored = pair.with(entry, this.#takeUtcDates(own, name, local.id, entry));
        state.set(name, stored.toStore({ refused, pending: later }));
        state.unmark(name, local.id);
        this.#sayings.keep(own, name, [{ id: local.id, list: entry, single: entry }]);
      });
      this.#gone.delete(`${name}:${entry.id}`);
      this.#locals.set(`${name}:${entry.id}`, local.id);
      this.#notAccepted(name, local, refused);
    }
    this.summary.add('created', name, label, local.id);
  }

  /** The declared fields that no record of the site has. */
  #unknownFields(name: ResourceName): string[] {
    const members = this.#there.get(name)?.members;
    const { fields }: Resource = this.#local.resources[name];
    return members ? fields.filter((field) => field.isDeclared && !members.has(field.name)).map((field) => field.name) : [];
  }

  /** A record as the site shows it later: some answer a write with less. */
  async #reread(name: ResourceName, written: Entry): Promise<Entry> {
    try {
      const entry = await this.remote.calendar[name].get({ id: written.id });
      // A cache may still have the version before.
      return String(entry.modified_utc ?? '') < String(written.modified_utc ?? '') ? written : entry;
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return written;
      throw error;
    }
  }

  /** True if a record has a password, and notes it. Sites keep none that the API sends, and would publish what it protects. */
  #isProtected(name: ResourceName, local: Entry): boolean {
    if (!this.#local.source(name, local.id)?.post_password) return false;
    this.summary.skip(
      name,
      recordLabel(name, local),
      `${name} ${local.id}`,
      'has a password, which a site does not keep; not sent',
      local.id,
    );
    return true;
  }

  /** Sends the changed fields, after reading the record again. */
  async #update(name: ResourceName, local: Entry, id: number, found?: Entry): Promise<void> {
    const { state } = this.site;
    const { prefer } = this.options;
    const entry = found ?? (await this.remote.calendar[name].get({ id }));
    if (isOlder(entry, state.ofRemote(name, id), state.completed))
      throw new Failure('conflict', 'The site returned an older version of it, as from a cache; not sent');
    let pair = this.#pairOf(name, local.id, entry);
    if (pair.merge().conflicts.length && prefer === 'theirs' && !this.#isDry) {
      await inTransaction(this.store, false, (own) => {
        const copier = new Copier(state, new Summary(), this.#conflicts, { prefer, isPull: true });
        copier.copy(own, name, [entry]);
        copier.finish(own);
      });
      pair = this.#pairOf(name, local.id, entry);
    }
    const { fromLocal, conflicts } = pair.merge({ prefer });
    if (conflicts.length)
      return this.#conflict({
        ...{ name, label: recordLabel(name, entry), remote: id, local: local.id },
        ...{ kind: 'edited', fields: pair.values(conflicts), entry },
      });
    // A link to a record that the site doesn't have is sent when it has it.
    const { unsent } = sendableForm(this.#local.resources[name], state, pair.local);
    const fields = fromLocal.filter((field) => !unsent.includes(field));
    if (!fields.length) return this.#unchanged(name, local, id);
    if (this.#isProtected(name, local)) return;
    const resource: Resource = this.#local.resources[name];
    const unknown = this.#unknownFields(name);
    const sendable = withAllDates(name, fields).filter((field) => !unknown.includes(field));
    const changed = this.#clearable(resource, inputFor(this.#local, state, name, local.id, sendable));
    this.#checkRepeated(resource, entry, changed);
    if (!this.#isDry) {
      const update = (input: Input) => this.remote.calendar[name].update({ id }, completeUpdate(resource, entry, input));
      const isSent = Object.keys(changed).length > 0;
      const status = { id, status: changed.status ?? entry.status } as Entry;
      this.#checkLinks(name, isPublic(status) ? completeUpdate(resource, entry, changed) : changed, isPublic(status) ? entry : {});
      const { entry: first } = isSent ? await this.#noting(name, pair, fields, () => withoutRefused(changed, update)) : { entry };
      const response = isSent ? await this.#reread(name, first) : entry;
      const after = pair.with(response);
      const { lost, ...outcome } = after.outcome(fields, isSent ? Object.keys(completeUpdate(resource, entry, changed)) : [], pair);
      const later = this.#slugLater(name, local, id, outcome.refused);
      const refused = outcome.refused.filter((field) => !later.includes(field));
      await this.#write((own) => {
        const accepted = fields.filter((field) => !later.includes(field));
        const isTimed = accepted.some((field) => dateFields.includes(field));
        const stored = isTimed ? pair.with(response, this.#takeUtcDates(own, name, local.id, response)) : after;
        const only = isTimed ? [...accepted, ...utcDates] : accepted;
        state.set(name, stored.toStore({ only, refused: [...pair.merge().refused, ...refused] }));
        this.#conflicts.drop(name, id);
        this.#sayings.keep(own, name, [{ id: local.id, list: response, single: response }]);
      });
      this.#notAccepted(name, local, [...refused, ...lost]);
    }
    this.summary.add('updated', name, recordLabel(name, local), local.id, { fields });
  }

  /** Gives a record the dates in UTC that its site computed of those that were sent. Returns them. */
  #takeUtcDates(local: LocalCalendar, name: ResourceName, id: number, entry: Entry): RecordForm {
    const dates = utcDatesOf(name, local.source(name, id)!, entry);
    setColumns(local.context.db, name, id, dates);
    return dates;
  }

  /** Runs an update. If the site refuses the user all of it, the fields are noted, so that they are not sent again. */
  async #noting<T>(name: ResourceName, pair: Pair, fields: readonly string[], update: () => Promise<T>): Promise<T> {
    try {
      return await update();
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 403 || !isRejected(error)) throw error;
      const { fromRemote, fromLocal, refused } = pair.merge({ prefer: this.options.prefer });
      const others = fromLocal.filter((field) => !fields.includes(field));
      const stored = pair.toStore({ pending: others, unread: fromRemote, refused: [...refused, ...fields] });
      await this.#write(() => {
        this.site.state.set(name, stored);
        this.#conflicts.drop(name, pair.entry.id);
      });
      throw error.with({ message: `${error.message}; not accepted: ${fields.join(', ')}` });
    }
  }

  /** Throws if an update would change fields that have no change here: it has to repeat them, and their values are not those of an API. */
  #checkRepeated(resource: Resource, entry: Entry, changes: Input): void {
    const [field] = Object.keys(changes).length ? unrepeatable(resource, entry, changes, this.store.requestContext()) : [];
    if (field !== undefined)
      throw new Failure(
        'conflict',
        `${field} is ${quoted(entry[field])} on the site, and no update keeps that; not sent. Change ${field}, too`,
      );
  }

  /**
   * Throws if a record would be sent with a link to one that the site has in its trash: the site publishes that one together with the record. `before` has the links that the site keeps of a
   * record that is or becomes public.
   */
  #checkLinks(name: ResourceName, input: Input, before: Input = {}): void {
    for (const { name: field, links: to } of linkFields(name)) {
      const trashed = embedded(before[field]).filter(({ status }) => status === 'trash');
      const ids = field in input ? [input[field] ?? []].flat().map(Number) : trashed.map(({ id }) => Number(id));
      const isTrashed = (id: number) => this.#gone.has(`${to}:${id}`) || trashed.some((each) => Number(each.id) === id);
      const id = ids.find(isTrashed);
      if (id === undefined) continue;
      const copy = this.#gone.get(`${to}:${id}`);
      const record = (copy === undefined ? undefined : this.#local.entry(to, copy)) ?? trashed.find((each) => Number(each.id) === id) ?? {};
      throw new Failure('conflict', `links to ${to} ${id} (${recordLabel(to, record)}), which the site deleted; not sent`);
    }
  }

  /** The slug if the site refused it. It is sent once more when other records have theirs. */
  #slugLater(name: ResourceName, local: Entry, remote: number, refused: readonly string[]): string[] {
    if (!refused.includes('slug')) return [];
    this.#slugs.push({ name, local, remote });
    return ['slug'];
  }

  /** Sends slugs again, each when the record that had it has another one. */
  async #sendSlugs(name: ResourceName): Promise<void> {
    const moves: (RefusedSlug & { id: number; from: string; to: string })[] = [];
    for (const each of this.#slugs.filter((each) => each.name === name))
      await this.#reporting(`${name} ${each.local.id} (${recordLabel(name, each.local)})`, async () => {
        const { slug } = await this.remote.calendar[name].get({ id: each.remote });
        moves.push({ ...each, id: each.remote, from: String(slug ?? ''), to: String(each.local.slug) });
      });
    for (const { move, slug } of slugSteps(moves, (slug) => moves.find(({ from }) => from === slug)?.id)) await this.#sendSlug(move, slug);
  }

  /** Sends a slug: that of the record, or a temporary one, for which another record waits. */
  async #sendSlug({ name, local, remote }: RefusedSlug, slug: string): Promise<void> {
    const { state } = this.site;
    const { calendar } = this.remote;
    await this.#reporting(`${name} ${local.id} (${recordLabel(name, local)})`, async () => {
      const before = await calendar[name].get({ id: remote });
      const input = completeUpdate(this.#local.resources[name], before, { slug });
      const response = await calendar[name].update({ id: remote }, input).catch((error) => {
        if (!isSlugTaken(error)) throw error;
        return before;
      });
      const entry = response === before ? before : await this.#reread(name, response);
      const pair = this.#pairOf(name, local.id, entry);
      if (slug !== local.slug) {
        const row = state.ofRemote(name, remote)!;
        return this.#write(() => state.set(name, { ...row, remoteBase: { ...row.remoteBase, slug: entry.slug } }));
      }
      const refused = isEqual(pair.local.slug, pair.remote.slug) ? [] : ['slug'];
      const stored = pair.toStore({ only: ['slug'], refused: [...pair.merge().refused, ...refused] });
      await this.#write(() => state.set(name, stored));
      this.#notAccepted(name, local, refused);
    });
  }

  /** An update without fields that the API can't clear, such as descriptions of terms. It would reject the others too. */
  #clearable({ fields }: Resource, input: Input): Input {
    const ctx = this.store.requestContext();
    const isRejected = (member: string) => fields.some((field) => field.name === member && field.check('', ctx) !== undefined);
    return Object.fromEntries(Object.entries(input).filter(([member, value]) => value !== '' || !isRejected(member)));
  }

  #pairOf(name: ResourceName, local: number, entry: Entry): Pair {
    const linked = (to: ResourceName, id: number) => this.#locals.get(`${to}:${id}`) ?? this.site.state.localOf(to, id) ?? `remote ${id}`;
    return pairOf(this.#local, this.site.state, name, local, entry, { linked });
  }

  #notAccepted(name: ResourceName, local: Entry, fields: readonly string[]): void {
    if (!fields.length) return;
    this.summary.problems.push({ at: `${name} ${local.id} (${recordLabel(name, local)})`, reason: `not accepted: ${fields.join(', ')}` });
  }

  /** Runs work on a record. A failure becomes a problem. */
  async #reporting(at: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.summary.problems.push({ at, reason: error.message });
    }
  }

  async #conflict(conflict: FoundConflict): Promise<void> {
    const add = () => this.#conflicts.add(conflict);
    // A dry run only counts it.
    if (this.#isDry) add();
    else await this.store.change(add);
  }

  /** Stores the state of pairs; not in a dry run. */
  async #write(work: (local: LocalCalendar) => void): Promise<void> {
    if (!this.#isDry) await this.store.change((local) => work(local));
  }
}

/** Maximum number of new records, whose slugs the site already has, that are created without a confirmation. */
const maxDoubled = 20;

const isPublic = ({ status }: Entry): boolean => status === 'publish' || status === 'future';

/** False for a record with a currency that an update by the API changes: the form of a site stores the position `suffix`, and one without a price. */
function keepsCurrency({ cost_details }: Entry): boolean {
  const { currency_position: position, values } = (cost_details ?? {}) as { currency_position?: string; values?: unknown[] };
  return position !== 'suffix' && (!position || (values?.length ?? 0) > 0);
}

/** Yields local records, with terms after their parents. */
function* parentsBeforeChildren(name: ResourceName, local: LocalCalendar): Generator<Entry> {
  if (!treeField(name)) return yield* local.entries(name);
  for (const { id } of parentsFirst([...local.sources(name)])) yield local.entry(name, id)!;
}
