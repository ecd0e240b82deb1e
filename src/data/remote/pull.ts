import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { inTransaction, isEmpty } from '../transaction.ts';
import { ConflictLog } from './conflict-log.ts';
import { Copier } from './copy.ts';
import { deleteHere, withdrawHere } from './deletions.ts';
import { adopt } from './sent.ts';
import { adoptCurrency, adoptSettings, type MeetOptions, meet, type Site, slugFinder, timeOf } from './site.ts';
import { ahead, Visible, type WalkStep, walk } from './walk.ts';

export interface PullOptions extends OperationOptions, MeetOptions {
  only?: readonly ResourceName[];
  /** Delete local records that were deleted on the site. */
  delete?: boolean;
  /** Side that wins conflicts. */
  prefer?: ConflictSide;
  /** Hide what only the user of the site sees, because visitors read the copy. */
  hides?: boolean;
}

/** Copies the changes of a site to a file, page by page: one that is interrupted keeps what it has. Keeps local changes, and reports conflicts. */
export async function pull(store: Store, remote: Site, options: PullOptions = {}): Promise<Summary> {
  const { prefer, dryRun = false, only } = options;
  const summary = new Summary(options);
  const { state, mayWrite } = await meet(store, remote, summary.notes, options);
  const visible = options.hides && remote.visitors ? new Visible() : undefined;
  const conflicts = new ConflictLog(store, state.site, summary);
  const copier = new Copier(state, summary, conflicts, {
    prefer,
    isPull: true,
    isVisible: visible && ((name, id) => visible.has(name, id)),
  });
  const isNew = (store.db.isNew || store.db.file === undefined) && isEmpty(store);
  const adoptSlugs = slugFinder(store, state.site);
  const listed = new Set<ResourceName>();
  let about = isNew ? await remote.about() : undefined;
  const write = (given: LocalCalendar, { name, entries, singles, withheld, missing }: WalkStep): void => {
    let local = given;
    if (about) adoptSettings(local, about);
    about = undefined;
    if (isNew && entries?.length && !listed.has(name)) {
      listed.add(name);
      adoptSlugs(local, name, entries);
      if (hasDates(name)) adoptCurrency(local, entries);
      // Records are compared by the new settings.
      local = local.reload();
    }
    if (entries) copier.copy(local, name, entries, { singles, withheld });
    for (const [pair, found] of missing ?? []) {
      const context = { local, state, summary, conflicts, prefer, deletes: options.delete };
      if (typeof found === 'object')
        copier.copy(local, name, [found], { withheld: visible?.withheld(name, [found], local.resources[name]) });
      else if (found === 'hidden') withdrawHere(context, name, pair);
      else deleteHere(context, name, pair);
    }
    if (!entries && !missing) copier.finish(local);
    if (!entries && (missing || only)) copier.settleCounts(local);
  };
  const settle = async (name: ResourceName, entries: readonly Entry[]) =>
    (await inTransaction(store, dryRun, (local) => adopt(local, state, name, entries, summary))).unclear.remote;
  const steps = walk(remote, { only, state, mayWrite, visible, summary, settle, singles: true, resources: store.resources });
  if (dryRun) {
    // Everything is kept in memory, since a transaction cannot wait for responses.
    const all: WalkStep[] = [];
    for await (const step of steps) all.push(step);
    await inTransaction(store, true, (local) => {
      for (const step of all) write(local, step);
    });
  } else {
    await writeSteps(store, steps, write);
    await store.change(() => {
      const at = timeOf(options);
      if (only) state.finishPart({ what: 'pulled', at, only: [...only] });
      else state.finish('pulled', at, 0, summary.left);
      state.keep(remote.root);
    });
  }
  if (copier.recompared)
    summary.notes.push({
      at: state.site,
      reason: `compared ${copier.recompared} of its records again, because another version copied them`,
    });
  const { skipped, taken } = copier.outdated;
  const older = (count: number) => `${count} ${count === 1 ? 'record is' : 'records are'} older than at the last pull or push`;
  if (skipped) summary.notes.push({ at: state.site, reason: `${older(skipped)}, as in a cached response. Skipped; --theirs takes them` });
  if (taken) summary.notes.push({ at: state.site, reason: `${older(taken)}; taken` });
  return summary;
}

/** Writes each step in a transaction. The events of terms are counted when a list is complete, and when it is interrupted. */
async function writeSteps(
  store: Store,
  steps: AsyncIterable<WalkStep>,
  write: (local: LocalCalendar, step: WalkStep) => void,
): Promise<void> {
  let isCounted = true;
  try {
    for await (const step of ahead(steps)) {
      isCounted = step.entries === undefined;
      await inTransaction(store, false, (local) => write(local, step), { recounts: isCounted });
    }
  } catch (error) {
    if (!isCounted) await inTransaction(store, false, () => {});
    throw error;
  }
}
