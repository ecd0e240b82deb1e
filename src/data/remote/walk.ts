import { machine } from '../../machine.ts';
import { type Calendar, type Entry, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { isRedacted } from '../../model/formats/remote-record.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { type NumberedPage, steadyPages } from '../../model/paging.ts';
import { asSent, maxId } from '../../model/record.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { isTerms } from '../../model/resources/names.ts';
import { hasDates, resourceOrder } from '../../model/resources/relations.ts';
import { hostIn, type SiteState, type StoredPair, type Withheld } from '../../store/identity/sites.ts';
import type { Summary } from '../summary.ts';
import { isValidId } from './copy.ts';
import { formOf, isBase, isBuried } from './pair.ts';
import { seenText } from './seen.ts';
import type { Site } from './site.ts';

/** A copied record that is missing from lists: it still exists, was deleted, or the user may not see it any more. */
type Unlisted = Entry | 'deleted' | 'hidden';

/** A step of a walk. Without entries and missing records, it is the end of a list. */
export interface WalkStep {
  name: ResourceName;
  /** Records of a page. */
  entries?: Entry[];
  /** Those of them that were read from their own addresses; null if these have no more members than lists. */
  singles?: ReadonlyMap<number, Entry> | null;
  /** Those that visitors don't see, or only with a password. */
  withheld?: ReadonlyMap<number, Withheld>;
  /** Copied records that are in no list. */
  missing?: [StoredPair, Unlisted][];
}

interface WalkOptions {
  only?: readonly ResourceName[];
  resources: Resources;
  state: SiteState;
  /** True to request unpublished records too. */
  mayWrite: boolean | undefined;
  /** True to read new and changed records from their own addresses too, on sites where these have more members. */
  singles?: boolean;
  /** The records that visitors see, if those that only the user sees are hidden. */
  visible?: Visible;
  /** Receives what is missing or can't be copied. */
  summary: Pick<Summary, 'problems' | 'notes'>;
  /** Called with all records of a resource before the first step, if new ones were being sent when a push was interrupted. Returns the IDs of those to leave out. */
  settle?(name: ResourceName, entries: readonly Entry[]): Promise<ReadonlySet<number>>;
}

/**
 * Yields every record of a site once: the pages of each resource, linked resources first, then the records that lists hide from everybody, and at the end the copied records that no list has,
 * events first. Sends one request at a time.
 */
export async function* walk(remote: Site, options: WalkOptions): AsyncGenerator<WalkStep> {
  const { state, summary } = options;
  const names = resourceOrder.filter((name) => (options.only ?? resourceNames).includes(name));
  const listed = new Map<ResourceName, Set<number>>();
  for (const name of names) {
    const seen = new Set<number>();
    listed.set(name, seen);
    if (options.visible && remote.visitors && !isTerms(name))
      for await (const { entries } of listOf(remote.visitors, name, false, new Set(), undefined)) options.visible.add(name, entries);
    const singles = options.singles ? new Singles(remote, options.resources[name], state, options.visible) : undefined;
    const step = async (entries: Entry[]): Promise<WalkStep> => {
      const records = options.visible ? entries.map((entry) => options.visible!.entry(name, entry, options.resources[name])) : entries;
      return {
        name,
        entries: records,
        singles: await singles?.of(records),
        withheld: options.visible?.withheld(name, records, options.resources[name]),
      };
    };
    const pages = listOf(remote.calendar, name, options.mayWrite === true && !isTerms(name), seen, summary);
    if (options.settle && state.marks(name).length) {
      const all: Entry[][] = [];
      for await (const { entries } of pages) all.push(entries);
      const unclear = await options.settle(name, all.flat());
      for (const entries of all) yield step(entries.filter(({ id }) => !unclear.has(id)));
    } else for await (const { entries } of pages) yield step(entries);
    if (hasDates(name) && remote.allEvents) {
      const hidden = await hiddenEvents(remote, name, seen, options);
      for (const { id } of hidden) seen.add(id);
      if (hidden.length) yield step(hidden);
    }
    yield { name };
  }
  // Events first: deleting a linked record changes them.
  for (const name of names.toReversed()) {
    const missing: [StoredPair, Unlisted][] = [];
    const pairs = [...state.pairs(name, listed.get(name))];
    for (const pair of pairs) {
      if (missing.length === maxPerPage && listed.get(name)!.size === 0) assertListed(state.site, name, pairs.length, missing);
      missing.push([pair, isBuried(pair) ? 'deleted' : await readAlone(remote, name, pair.remote, options.visible)]);
    }
    yield { name, missing };
  }
}

/** Throws if an empty list lacks all of the records that were requested in its place, so that the others are not requested too. */
function assertListed(site: string, name: ResourceName, count: number, missing: readonly [StoredPair, Unlisted][]): void {
  const isListed = (entry: Unlisted) =>
    typeof entry === 'object' && entry.hide_from_listings !== true && (isTerms(name) || entry.status === 'publish');
  if (!missing.every(([, entry]) => isListed(entry))) return;
  throw new Failure(
    'unreachable',
    `${hostIn(site)} lists no ${name}, but the first ${missing.length} of ${count} copied ones are still there`,
    'Its lists are incomplete, as while it is updated or its cache is cleared. Nothing was deleted. Try again later.',
  );
}

/** Every event, not only those of the default window. */
const allDates = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' };
const statuses = 'publish,future,draft,pending,private';

/** Yields the pages of all records of a resource, each record once, and adds their IDs to `seen`. Reports records that can't be read or have an invalid ID. */
async function* listOf(
  calendar: Calendar,
  name: ResourceName,
  isAny: boolean,
  seen: Set<number>,
  summary: WalkOptions['summary'] | undefined,
): AsyncGenerator<NumberedPage> {
  const base: Query = { per_page: String(maxPerPage) };
  if (hasDates(name)) Object.assign(base, allDates);
  if (isTerms(name)) Object.assign(base, { hide_empty: 'false', orderby: 'id', order: 'asc' });
  let query = isAny ? { ...base, status: statuses } : base;
  const read = async (number: number) => {
    try {
      return await calendar[name].list({ ...query, page: String(number) });
    } catch (error) {
      // Users who may not read drafts may not request them.
      const mayRetry = number === 1 && query !== base && error instanceof Failure && [400, 401, 403].includes(error.status);
      if (!mayRetry) throw error;
      query = base;
      return calendar[name].list({ ...query, page: String(number) });
    }
  };
  let total = Number.NaN;
  // A number that differs from that of the site is explained by changes meanwhile, or a second look finds the rest.
  for (let look = 1; look <= 2; look++) {
    for await (const page of steadyPages(read)) {
      const entries = page.entries.filter(({ id }) => !seen.has(id));
      total = page.total;
      for (const { id } of entries) {
        seen.add(id);
        if (!isValidId(id))
          summary?.problems.push({ at: `${name} ${id}`, reason: `not copied: an ID is a whole number from 1 to ${maxId}` });
      }
      yield { ...page, entries: entries.filter(({ id }) => isValidId(id)) };
    }
    if (!(seen.size < total)) return;
  }
  summary?.problems.push({ at: name, reason: `the site has ${total}, and its lists show only ${seen.size} of them` });
}

/** Reads the events that lists hide and that have no copy yet. Those with a copy are read like all that are in no list. */
async function hiddenEvents(
  remote: Site,
  name: ResourceName,
  seen: ReadonlySet<number>,
  { state, visible, summary }: WalkOptions,
): Promise<Entry[]> {
  const hidden: Entry[] = [];
  for (const { id } of await remote.allEvents!()) {
    if (seen.has(id) || state.localOf(name, id) !== undefined) continue;
    const entry = await readAlone(remote, name, id, visible);
    if (typeof entry === 'object') hidden.push(entry);
  }
  if (hidden.length) {
    const titles = hidden.slice(0, 20).map((entry) => htmlToLine(String(entry.title ?? entry.id)));
    const rest = hidden.length > titles.length ? ` and ${hidden.length - titles.length} more` : '';
    const reason = `${hidden.length} that lists of the site don't show: ${titles.join(', ')}${rest}`;
    summary.notes.push(state.standing({ at: name, reason }));
  }
  return hidden;
}

/** Reads a record that is missing from lists: as visitors see it, if that has to be told apart, else as the user does. */
async function readAlone(remote: Site, name: ResourceName, id: number, visible: Visible | undefined): Promise<Unlisted> {
  const forVisitors = visible && remote.visitors ? await unlisted(remote.visitors, name, id) : undefined;
  if (typeof forVisitors !== 'object') return unlisted(remote.calendar, name, id);
  visible!.add(name, [forVisitors]);
  return forVisitors;
}

/** Requests a record that is missing from lists. */
async function unlisted(calendar: Calendar, name: ResourceName, id: number): Promise<Unlisted> {
  try {
    const entry = await calendar[name].get({ id });
    // Users who may edit a venue or organizer see it in the trash.
    return entry.status === 'trash' ? 'deleted' : entry;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (isDeleted(name, error)) return 'deleted';
    if (error.status === 401 || error.status === 403) return 'hidden';
    throw error;
  }
}

/** True if a failure means that a record was deleted. Of venues, organizers and terms, an unknown ID is an invalid parameter. */
function isDeleted(name: ResourceName, { code, status, data }: Failure): boolean {
  if (String(data.remote_code ?? code) === 'event-no-longer-available') return true;
  // A server of something else may be at the address: its responses have no code.
  if (code === 'not-a-calendar') return false;
  return status === 404 || status === 410 || (status === 400 && !hasDates(name));
}

/** The records that visitors of a site see. Those of its user add only what visitors don't see. */
export class Visible {
  readonly #entries = new Map<string, Entry>();

  add(name: ResourceName, entries: readonly Entry[]): void {
    for (const entry of entries) this.#entries.set(`${name}:${entry.id}`, entry);
  }

  has(name: ResourceName, id: number): boolean {
    return isTerms(name) || this.#entries.has(`${name}:${id}`);
  }

  /** A record as visitors see it, unless they don't see its contents. */
  entry(name: ResourceName, entry: Entry, resource: Resource): Entry {
    const visible = this.#entries.get(`${name}:${entry.id}`);
    return visible && visible.modified_utc === entry.modified_utc && !isRedacted(resource, visible) ? visible : entry;
  }

  withheld(name: ResourceName, entries: readonly Entry[], resource: Resource): Map<number, Withheld> {
    const withheld = new Map<number, Withheld>();
    for (const { id, status } of entries) {
      const visible = this.#entries.get(`${name}:${id}`);
      if (visible ? isRedacted(resource, visible) : status === 'publish' && !isTerms(name))
        withheld.set(id, visible ? 'password' : 'status');
    }
    return withheld;
  }
}

/**
 * Reads records from their own addresses, on sites where these have members that lists lack and that this program doesn't know. One record of each resource
 * is tried; of the others, new and changed ones are read only if that one had such members.
 */
class Singles {
  #hasMore: boolean | undefined;
  /** Members of the first record that was read. */
  #members: readonly string[] = [];

  constructor(
    private readonly remote: Site,
    private readonly resource: Resource & { name: ResourceName },
    private readonly state: SiteState,
    private readonly visible: Visible | undefined,
  ) {}

  /** The records of a page that were read, by ID; null if they have no more members than in lists. */
  async of(entries: readonly Entry[]): Promise<Map<number, Entry> | null> {
    const read = new Map<number, Entry>();
    for (const entry of entries) {
      // Lists of some sites show more of some records than of others.
      if (this.#hasMore === false && this.#members.every((member) => member in entry)) continue;
      if (!this.#isChanged(entry)) continue;
      const isVisible = this.visible?.has(this.resource.name, entry.id) ?? false;
      const reader = (isVisible && this.remote.visitors) || this.remote.calendar;
      const single = await unlisted(reader, this.resource.name, entry.id).catch((error) => {
        // A site without this route.
        if (error instanceof Failure && (error.status < 500 || error.code === 'not-a-calendar')) return 'hidden' as const;
        throw error;
      });
      if (typeof single !== 'object') continue;
      if (this.#hasMore === undefined) this.#members = Object.keys(single);
      this.#hasMore ||= wireText(single) !== wireText(entry);
      if (this.#hasMore) read.set(entry.id, single);
    }
    return this.#hasMore === false && read.size === 0 ? null : read;
  }

  #isChanged(entry: Entry): boolean {
    const row = this.state.ofRemote(this.resource.name, entry.id);
    if (row?.modified !== String(entry.modified_utc ?? '')) return true;
    return !isBase({ ...formOf(this.resource, entry), extra: unknownMembers(this.resource, entry), seen: seenText(entry) }, row.remoteBase);
  }
}

const wireText = (entry: Entry): string => JSON.stringify([entry, (entry as { [asSent]?: object })[asSent]]);

/** Yields values and already requests the next one, still one request at a time. The pause lets the request be sent before a value is used. */
export async function* ahead<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (let result = await iterator.next(); !result.done; ) {
      const next = iterator.next();
      // If using it fails, nothing awaits the next one.
      next.catch(() => {});
      await machine.nextTurn();
      yield result.value;
      result = await next;
    }
  } finally {
    await iterator.return?.();
  }
}
