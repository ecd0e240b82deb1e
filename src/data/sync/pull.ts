import { setImmediate } from 'node:timers/promises';
import { type Entry, type Page, type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { isTerms } from '../../model/resources/names.ts';
import { resourceOrder } from '../../model/resources/relations.ts';
import { utcOf } from '../../model/time/datetime.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { type ResumePoint, type SyncedRecord, SyncState } from '../../store/identity/sync-state.ts';
import { dateOption } from '../ingest/options.ts';
import { RemoteRecords } from '../ingest/remote.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, isEmpty } from '../transaction.ts';
import { ConflictLog } from './conflicts.ts';
import { Deletions } from './deletions.ts';
import { pagesOf } from './pages.ts';
import { adoptSettings, checkUser, type RemoteCalendar } from './remote.ts';
import { Singles } from './singles.ts';
import { type Unlisted, unlisted } from './unlisted.ts';

export interface PullOptions extends OperationOptions {
  only?: readonly ResourceName[];
  /** Skip records last modified before this date. */
  since?: string;
  /** Start from the beginning instead of resuming an interrupted pull. */
  restart?: boolean;
  /** Delete local records that were deleted on the site. */
  delete?: boolean;
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
}

/** A part of a pull that is written in one transaction. */
interface Part {
  name: ResourceName;
  page?: Page & { number: number };
  /** Records of the page from their own addresses; null if these have no more members than lists. */
  singles?: Map<number, Entry> | null;
  /** Copied records that are missing from the lists. */
  missing?: [SyncedRecord, Unlisted][];
}

/** Copies the changes of a remote calendar to a local one. Keeps local changes and reports conflicts. Resumes an interrupted pull. */
export async function pull(store: Store, remote: RemoteCalendar, options: PullOptions = {}): Promise<Summary> {
  const { prefer, dryRun = false } = options;
  const names = resourceOrder.filter((name) => (options.only ?? resourceNames).includes(name));
  const since = options.since === undefined ? '' : utcOf(dateOption('since', options.since, store.requestContext()).instant);
  const summary = new Summary(options);
  await checkUser(remote, summary.notes);
  const state = new SyncState(store.db, remote.root);
  const conflicts = new ConflictLog(store.db, remote.root, summary);
  const records = new RemoteRecords(state, summary, { since, prefer, conflicts, isSync: true });
  const deletions = new Deletions(state, summary, { deletes: options.delete ?? false, prefer, conflicts });
  let about = store.db.isNew && isEmpty(store) ? await remote.about() : undefined;
  const write = (local: LocalCalendar, { name, page, singles, missing = [] }: Part): void => {
    if (about) adoptSettings(local, about);
    about = undefined;
    if (page) {
      records.copy(local, name, page.entries, singles);
      state.resumeAt({ resource: name, page: page.number + 1, total: page.total });
      return;
    }
    for (const [pair, remoteState] of missing)
      if (typeof remoteState === 'object') records.copy(local, name, [remoteState]);
      else deletions.ofRemote(local, name, pair, remoteState);
    records.linkParents(local);
  };
  const parts = partsOf(remote, store.resources, names, state, options.restart ? undefined : state.resumePoint);
  if (dryRun) {
    // Everything is kept in memory, since a transaction cannot wait for responses.
    const all: Part[] = [];
    for await (const part of parts) all.push(part);
    await inTransaction(store, true, (local) => {
      for (const part of all) write(local, part);
    });
    return summary;
  }
  await writeParts(store, parts, write);
  await store.change(() => {
    state.resumeAt(undefined);
    state.finish('pulled', new Date(store.requestContext().now).toISOString(), 0);
  });
  return summary;
}

/** Writes each part in a transaction. The events of terms are counted when a list is complete, and when it is interrupted. */
async function writeParts(store: Store, parts: AsyncIterable<Part>, write: (local: LocalCalendar, part: Part) => void): Promise<void> {
  let isCounted = true;
  try {
    for await (const part of ahead(parts)) {
      isCounted = part.page === undefined;
      await inTransaction(store, false, (local) => write(local, part), { recounts: isCounted });
    }
  } catch (error) {
    if (!isCounted) await inTransaction(store, false, () => {});
    throw error;
  }
}

/** Yields values and already requests the next one, still one request at a time. The pause lets the request be sent before a value is written. */
async function* ahead<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (let result = await iterator.next(); !result.done; ) {
      const next = iterator.next();
      // If writing fails, nothing awaits it.
      next.catch(() => {});
      await setImmediate();
      yield result.value;
      result = await next;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Yields the pages of each resource and, after a complete list, the copied records that are missing from it. After the rest of an interrupted pull, reads what
 * that had read before, which may have changed since.
 */
async function* partsOf(
  remote: RemoteCalendar,
  resources: Resources,
  names: readonly ResourceName[],
  state: SyncState,
  resumeAt: ResumePoint | undefined,
): AsyncGenerator<Part> {
  const first = resumeAt ? names.indexOf(resumeAt.resource) : -1;
  const lists = (first < 0 ? names : [...names.slice(first), ...names.slice(0, first + 1)]).entries();
  const listed = new Map(names.map((name) => [name, new Set<number>()]));
  const unlistedPairs = new Map<ResourceName, SyncedRecord[]>();
  for (const [at, name] of lists) {
    const ids = listed.get(name)!;
    let isComplete = true;
    const singles = new Singles(remote, resources[name], state);
    for await (const page of pagesFrom(remote, name, at === 0 && first >= 0 ? resumeAt : undefined)) {
      if (!ids.size && page.number > 1) isComplete = false;
      const entries = page.entries.filter(({ id }) => !ids.has(id));
      for (const { id } of entries) ids.add(id);
      yield { name, page: { ...page, entries }, singles: await singles.of(entries) };
    }
    // Parents can be linked now.
    yield { name };
    // The rest of an interrupted pull is not a complete list.
    if (isComplete) unlistedPairs.set(name, state.pairsExcept(name, ids));
  }
  // Events first: deleting a linked record changes them.
  for (const name of names.toReversed()) {
    const missing: [SyncedRecord, Unlisted][] = [];
    for (const pair of unlistedPairs.get(name) ?? []) missing.push([pair, await unlisted(remote, name, pair.remote)]);
    yield { name, missing };
  }
}

/** Yields pages from the point to resume at; from the first one if the number of records changed, and for terms, whose tree is copied at once. */
async function* pagesFrom(
  remote: RemoteCalendar,
  name: ResourceName,
  resumeAt: ResumePoint | undefined,
): AsyncGenerator<Page & { number: number }> {
  const from = resumeAt && !isTerms(name) ? resumeAt.page : 1;
  for await (const page of pagesOf(remote, name, from)) {
    if (from > 1 && page.number === from && page.total !== resumeAt?.total) {
      yield* pagesOf(remote, name);
      return;
    }
    yield page;
  }
}
