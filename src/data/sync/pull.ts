import { type Page, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { isTerms, resourceOrder } from '../../model/resources/relations.ts';
import { utcOf } from '../../model/time/datetime.ts';
import type { Store } from '../../store/calendar.ts';
import { type ResumePoint, SyncState } from '../../store/identity/sync-state.ts';
import { dateOption } from '../date-option.ts';
import { RemoteRecords } from '../ingest/remote.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction } from '../transaction.ts';
import { pagesOf } from './pages.ts';
import type { RemoteCalendar } from './remote.ts';

export interface PullOptions extends OperationOptions {
  only?: readonly ResourceName[];
  /** Skip records last modified before this date. */
  since?: string;
  /** Start from the beginning instead of resuming an interrupted pull. */
  restart?: boolean;
}

/** Copies the records of a remote calendar to a local one. Skips records with an unchanged time of modification. Resumes an interrupted pull. */
export async function pull(store: Store, remote: RemoteCalendar, options: PullOptions = {}): Promise<Summary> {
  const names = resourceOrder.filter((name) => (options.only ?? resourceNames).includes(name));
  const since = options.since === undefined ? '' : utcOf(dateOption('since', options.since, store.requestContext()).instant);
  const summary = new Summary(options);
  const state = new SyncState(store.db, remote.root);
  if (options.dryRun) await dryRun(store, remote, names, new RemoteRecords(state, summary, since));
  else
    await copyAll(store, remote, names, state, new RemoteRecords(state, summary, since), options.restart ? undefined : state.resumePoint);
  return summary;
}

/** Copies page by page, each in a transaction together with the point to resume at. */
async function copyAll(
  store: Store,
  remote: RemoteCalendar,
  names: readonly ResourceName[],
  state: SyncState,
  records: RemoteRecords,
  resumeAt: ResumePoint | undefined,
): Promise<void> {
  const first = resumeAt && names.includes(resumeAt.resource) ? names.indexOf(resumeAt.resource) : 0;
  for (const name of names.slice(first)) {
    for await (const page of pagesFrom(remote, name, resumeAt?.resource === name ? resumeAt : undefined))
      await inTransaction(store, false, (local) => {
        records.copy(local, name, page.entries);
        state.resumeAt({ resource: name, page: page.number + 1, total: page.total });
      });
    await inTransaction(store, false, (local) => records.linkParents(local));
  }
  await store.change(() => state.resumeAt(undefined));
}

/** Copies everything and rolls back. Keeps all pages in memory, since a transaction cannot wait for them. */
async function dryRun(store: Store, remote: RemoteCalendar, names: readonly ResourceName[], records: RemoteRecords): Promise<void> {
  const pages: [ResourceName, Page][] = [];
  for (const name of names) for await (const page of pagesOf(remote, name)) pages.push([name, page]);
  await inTransaction(store, true, (local) => {
    for (const [name, page] of pages) records.copy(local, name, page.entries);
  });
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
