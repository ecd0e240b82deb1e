import { type Entry, type Input, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { parentsFirst } from '../../model/formats/parents-first.ts';
import { resources } from '../../model/resources/all.ts';
import { resourceOrder, treeField } from '../../model/resources/relations.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { SyncState } from '../../store/identity/sync-state.ts';
import { labelOf } from '../record.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { Comparison } from './compare.ts';
import { pagesOf } from './pages.ts';
import type { RemoteCalendar } from './remote.ts';

export interface PushOptions extends OperationOptions {
  only?: readonly ResourceName[];
  /** Delete remote records that have no local counterpart. */
  delete?: boolean;
}

/** Creates and updates remote records to match the local ones. Adds rejected records to the summary's problems. */
export async function push(store: Store, remote: RemoteCalendar, options: PushOptions = {}): Promise<Summary> {
  const summary = new Summary(options);
  const pusher = new Pusher(store, remote, summary, options.dryRun ?? false);
  for (const name of resourceOrder) if ((options.only ?? resourceNames).includes(name)) await pusher.push(name);
  if (options.delete) await pusher.deleteUnmatched();
  return summary;
}

/** The remote counterpart of a local record, and the fields that differ. */
interface Counterpart {
  remote: number;
  /** UID; empty if the server has none. */
  uid: string;
  fields: string[];
}

const counterpartIn = (entry: Entry, fields: object = {}): Counterpart => ({
  remote: entry.id,
  uid: String(entry.uid ?? ''),
  fields: Object.keys(fields),
});

class Pusher {
  readonly #local: LocalCalendar;
  readonly #remote: RemoteCalendar;
  readonly #state: SyncState;
  readonly #comparison: Comparison;
  /** Remote records without a local counterpart. */
  readonly #unmatched: { resource: ResourceName; id: number; name: string }[] = [];

  constructor(
    private readonly store: Store,
    remote: RemoteCalendar,
    private readonly summary: Summary,
    private readonly dryRun: boolean,
  ) {
    const home = store.settings.get('home');
    this.#local = store.local(owner, { home, root: home });
    this.#remote = remote;
    this.#state = new SyncState(store.db, remote.root);
    this.#comparison = new Comparison(this.#local, this.#state);
  }

  /** Creates and updates the records of a resource. */
  async push(name: ResourceName): Promise<void> {
    const counterparts = new Map<number, Counterpart>();
    for await (const page of pagesOf(this.#remote, name))
      for (const entry of page.entries) {
        const { local, isRedacted, fields } = this.#comparison.compare(name, entry);
        if (local) counterparts.set(local.id, counterpartIn(entry, fields));
        else if (!isRedacted) this.#unmatched.push({ resource: name, id: entry.id, name: labelOf(name, entry) });
      }
    for (const local of parentsBeforeChildren(name, this.#local)) {
      const counterpart = counterparts.get(local.id) ?? (await this.#findUnlisted(name, local));
      if (counterpart) await this.#remember(name, local, counterpart);
      if (counterpart && !counterpart.fields.length) this.summary.add('unchanged', name, labelOf(name, local), local.id);
      else await this.#send(name, local, counterpart);
    }
  }

  /** Deletes remote records without a local counterpart; events first, since they link to the others. */
  async deleteUnmatched(): Promise<void> {
    for (const { resource, id, name } of this.#unmatched.reverse()) {
      try {
        if (!this.dryRun) await this.#remote.calendar[resource].delete({ id });
        this.summary.add('deleted', resource, name, id);
      } catch (error) {
        this.#reject(resource, id, name, error);
      }
    }
  }

  /** Returns the remote counterpart that is missing from lists: hidden, or pushed earlier. */
  async #findUnlisted(name: ResourceName, local: Entry): Promise<Counterpart | undefined> {
    const copy = this.#state.ofLocal(name, local.id);
    const hidden = local.hide_from_listings === true && typeof local.slug === 'string' && local.slug !== '';
    if (!copy && !hidden) return undefined;
    try {
      const remote = await this.#remote.calendar[name].get(copy ? { id: copy.remote } : { slug: String(local.slug) }, { _uid: '1' });
      const { local: same, fields } = this.#comparison.compare(name, remote);
      return same?.id === local.id ? counterpartIn(remote, fields) : undefined;
    } catch (error) {
      if (error instanceof Failure && [400, 403, 404, 410].includes(error.status)) return undefined;
      throw error;
    }
  }

  async #send(name: ResourceName, local: Entry, counterpart: Counterpart | undefined): Promise<void> {
    const label = labelOf(name, local);
    try {
      const input = this.#inputOf(name, local, counterpart?.fields);
      if (!this.dryRun) {
        const response = counterpart
          ? await this.#remote.calendar[name].update({ id: counterpart.remote }, input)
          : await this.#remote.calendar[name].create(input);
        await this.#remember(name, local, counterpartIn(response), String(response.modified_utc ?? ''));
      }
      this.summary.add(counterpart ? 'updated' : 'created', name, label, local.id);
    } catch (error) {
      this.#reject(name, local.id, label, error);
    }
  }

  /** Adds a problem for a rejected record. Rethrows errors that are not failures. */
  #reject(resource: ResourceName, id: number, name: string, error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    this.summary.problems.push({ at: `${resource} ${id} (${name})`, reason: error.message });
  }

  async #remember(name: ResourceName, local: Entry, { remote, uid }: Counterpart, modified = ''): Promise<void> {
    const known = this.#state.ofLocal(name, local.id);
    if (this.dryRun || (known?.remote === remote && known.uid === uid && !modified)) return;
    await this.store.change(() => this.#state.set(name, { remote, local: local.id, modified: modified || (known?.modified ?? ''), uid }));
  }

  /** Returns the input to send: a complete new record, or only the differing fields of an existing one. */
  #inputOf(name: ResourceName, local: Entry, fields: string[] | undefined): Input {
    const {
      id: _,
      modified: _m,
      modified_utc: _u,
      generated: _g,
      lineage: _l,
      sequence: _s,
      date,
      date_utc,
      author: _a,
      ...source
    } = this.#local.source(name, local.id)!;
    const input: Input = { ...source };
    if (date_utc !== undefined && !String(date_utc).startsWith('0000')) input.date_utc = date_utc;
    const definition: Resource = resources[name];
    if (!definition.fields.some((field) => field.name === 'slug')) delete input.slug;
    for (const { name: field, links: to, join, empty } of definition.fields) {
      if (!to || to === 'images' || to === 'users') continue;
      const ids = [source[field] ?? []].flat().map((each) => this.#state.ofLocal(to as ResourceName, Number(each))?.remote);
      const known = ids.filter((each) => each !== undefined);
      if (join) input[field] = known.length ? known : empty;
      else if (known.length) input[field] = known[0];
      else delete input[field];
    }
    const empty = Object.fromEntries(definition.fields.map((field) => [field.name, field.empty]));
    if (!fields)
      return Object.fromEntries(Object.entries(input).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(empty[field])));
    return Object.fromEntries(fields.map((field) => [field, input[field] ?? empty[field]]));
  }
}

/** Yields local records, with terms after their parents. */
function* parentsBeforeChildren(name: ResourceName, local: LocalCalendar): Generator<Entry> {
  if (!treeField(name)) return yield* local.entries(name);
  for (const { id } of parentsFirst([...local.sources(name)])) yield local.entry(name, id)!;
}
