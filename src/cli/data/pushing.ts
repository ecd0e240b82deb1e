import { eventLinks } from '../../model/copied.ts';
import { Failure } from '../../model/error.ts';
import { parentsFirst } from '../../model/record-line.ts';
import type { Calendar, Entry, Input, ResourceName } from '../../model/resource.ts';
import type { Copies } from '../../store/copies.ts';
import type { Desk, Store } from '../../store/open.ts';
import { failureOf } from '../message.ts';
import { Comparison, calledIn } from './difference.ts';
import { pagesOf } from './remote-pages.ts';
import type { Tally } from './tally.ts';

/** A record that the other calendar did not take, and why. */
export interface Refusal {
  resource: ResourceName;
  id: number;
  name: string;
  message: string;
}

/** Brings a remote calendar to what the file says, one record at a time; each that it took is remembered at once. */
export class Push {
  readonly refusals: Refusal[] = [];
  readonly #comparison: Comparison;
  /** Remote records that no local one is the same as. */
  readonly #strangers: { resource: ResourceName; id: number; name: string }[] = [];

  constructor(
    private readonly store: Store,
    private readonly desk: Desk,
    private readonly copies: Copies,
    private readonly remote: Calendar,
    private readonly tally: Tally,
    private readonly dryRun: boolean,
  ) {
    this.#comparison = new Comparison(desk, copies);
  }

  /** Creates and updates the records of a resource. */
  async resource(name: ResourceName, done: (count: number) => void): Promise<void> {
    /** Whether the remote record of a local one differs, by the local ID. */
    const met = new Map<number, { remote: number; fields: string[] }>();
    for await (const page of pagesOf(this.remote, name))
      for (const entry of page.entries) {
        const { local, veiled, fields } = this.#comparison.compare(name, entry);
        if (local) met.set(local.id, { remote: entry.id, fields: Object.keys(fields) });
        else if (!veiled) this.#strangers.push({ resource: name, id: entry.id, name: calledIn(name, entry) });
      }
    for (const local of inOrder(name, this.desk)) {
      const found = met.get(local.id) ?? (await this.#unlisted(name, local));
      if (found) await this.#remember(name, local, found.remote);
      if (found && !found.fields.length) this.tally.add('unchanged', name, calledIn(name, local), local.id);
      else await this.#send(name, local, found);
      done(this.tally.total);
    }
  }

  /** Takes away there what is not here; events first, since the others are linked to them. */
  async deletions(): Promise<void> {
    for (const { resource, id, name } of this.#strangers.reverse()) {
      try {
        if (!this.dryRun) await this.remote[resource].delete({ id });
        this.tally.add('deleted', resource, name, id);
      } catch (error) {
        this.refusals.push({ resource, id, name, message: failureOf(error).message });
      }
    }
  }

  /** The remote record that lists do not show: one hidden from them, or one that was sent earlier. */
  async #unlisted(name: ResourceName, local: Entry): Promise<{ remote: number; fields: string[] } | undefined> {
    const copy = this.copies.ofLocal(name, local.id);
    const hidden = local.hide_from_listings === true && typeof local.slug === 'string' && local.slug !== '';
    if (!copy && !hidden) return undefined;
    try {
      const remote = await this.remote[name].get(copy ? { id: copy.remote } : { slug: String(local.slug) });
      const { local: same, fields } = this.#comparison.compare(name, remote);
      return same?.id === local.id ? { remote: remote.id, fields: Object.keys(fields) } : undefined;
    } catch (error) {
      if (error instanceof Failure && [400, 403, 404, 410].includes(error.status)) return undefined;
      throw error;
    }
  }

  async #send(name: ResourceName, local: Entry, found: { remote: number; fields: string[] } | undefined): Promise<void> {
    const label = calledIn(name, local);
    try {
      const input = this.#inputOf(name, local, found?.fields);
      if (!this.dryRun) {
        const answer = found ? await this.remote[name].update({ id: found.remote }, input) : await this.remote[name].create(input);
        await this.#remember(name, local, answer.id, String(answer.modified_utc ?? ''));
      }
      this.tally.add(found ? 'updated' : 'created', name, label, local.id);
    } catch (error) {
      this.refusals.push({ resource: name, id: local.id, name: label, message: failureOf(error).message });
    }
  }

  async #remember(name: ResourceName, local: Entry, remote: number, modified = ''): Promise<void> {
    const known = this.copies.ofLocal(name, local.id);
    if (this.dryRun || (known?.remote === remote && !modified)) return;
    await this.store.change(() => this.copies.set(name, { remote, local: local.id, modified: modified || (known?.modified ?? '') }));
  }

  /** What is sent: everything of a new record, of one that is there only what differs. */
  #inputOf(name: ResourceName, local: Entry, fields: string[] | undefined): Input {
    const {
      id: _,
      modified: _m,
      modified_utc: _u,
      generated: _g,
      lineage: _l,
      date,
      date_utc,
      author: _a,
      ...source
    } = this.desk.source(name, local.id)!;
    const input: Input = { ...source };
    if (date_utc !== undefined && !String(date_utc).startsWith('0000')) input.date_utc = date_utc;
    if (name === 'venues' || name === 'organizers') delete input.slug;
    for (const [field, to] of Object.entries(linkFields[name] ?? {})) {
      const ids = [source[field] ?? []].flat().map((each) => this.copies.ofLocal(to, Number(each))?.remote);
      const known = ids.filter((each) => each !== undefined);
      if (field === 'venue') input.venue = known.length ? known : 0;
      else if (field === 'organizer' || field === 'categories' || field === 'tags') input[field] = known;
      else if (known.length) input[field] = known[0];
      else delete input[field];
    }
    if (!fields)
      return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== 0 && !(Array.isArray(value) && !value.length)));
    return Object.fromEntries(fields.map((field) => [field, input[field] ?? emptied(field, local)]));
  }
}

const linkFields: Partial<Record<ResourceName, Record<string, ResourceName>>> = {
  events: { ...eventLinks, post_parent: 'events' },
  categories: { parent: 'categories' },
};

/** What says that a field holds nothing. */
function emptied(field: string, local: Entry): unknown {
  if (typeof local[field] === 'boolean') return local[field];
  if (field === 'status') return local.status;
  return field.startsWith('geo_') ? 0 : '';
}

/** Local records with those that they stand under before them. */
function* inOrder(name: ResourceName, desk: Desk): Generator<Entry> {
  if (name !== 'categories') return yield* desk.entries(name);
  for (const { id } of parentsFirst([...desk.sources(name)])) yield desk.entry(name, id)!;
}
