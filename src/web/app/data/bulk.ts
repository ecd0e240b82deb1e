import type { ResourceName } from '../../../model/calendar.ts';
import { movedDates, readLength } from '../../../model/time/date-steps.ts';
import { countText } from '../format.ts';
import type { Post } from '../record.ts';
import { deleteLater } from '../records/delete-later.ts';
import { assertUnchanged, offerUndo, toInput } from '../records/undo.ts';
import { messageOf, requestApi } from '../server/api.ts';
import { announceChange } from '../server/changes.ts';
import { toast } from '../toast.tsx';
import type { DataRow } from './records.ts';
import { trashable } from './state.ts';

/** Number of requests that run at the same time. */
const maxParallel = 6;

/** Calls a function for each item. Returns the results and the errors. */
async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<{ results: R[]; errors: unknown[] }> {
  const results: R[] = [];
  const errors: unknown[] = [];
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      try {
        results.push(await work(item));
      } catch (error) {
        errors.push(error);
      }
  };
  await Promise.all(Array.from({ length: maxParallel }, worker));
  announceChange();
  return { results, errors };
}

const countOf = (rows: readonly unknown[], resource: string) =>
  `${countText(rows.length)} ${rows.length === 1 ? resource.replace(/ies$/, 'y').replace(/s$/, '') : resource}`;
const resourceOf = (rows: readonly DataRow[]): string =>
  rows.every(({ resource }) => resource === rows[0]!.resource) ? rows[0]!.resource : 'records';

/** A change of one record, and what takes it back. */
type Step = (row: DataRow) => Promise<() => Promise<unknown>>;

/** Changes records one by one. Reports how many were changed, and offers to undo that. */
async function change(rows: readonly DataRow[], verb: string, step: Step): Promise<void> {
  const { results: undos, errors } = await forEach(rows, step);
  const failed = errors.length ? ` ${countText(errors.length)} failed: ${messageOf(errors[0])}` : '';
  if (!undos.length) return toast(`Couldn’t change ${countOf(rows, resourceOf(rows))}: ${messageOf(errors[0])}`);
  const what = countOf(undos, resourceOf(rows));
  offerUndo(`${verb} ${what}.${failed}`, what, async () => {
    const { errors: kept } = await forEach(undos, (undo) => undo());
    if (kept.length) throw kept[0];
  });
}

/** Updates records with values that depend on each record. */
export const updateAll = (rows: readonly DataRow[], verb: string, changesOf: (record: Post) => Record<string, unknown>): Promise<void> =>
  change(rows, verb, async ({ resource, id }) => {
    const path = `/${resource}/${id}`;
    const { value: before } = await requestApi<Post>('GET', path, { query: { context: 'edit' } });
    const body = changesOf(before);
    const { value: after } = await requestApi<Post>('PATCH', path, { body });
    const previous = Object.fromEntries(Object.keys(body).map((name) => [name, toInput(before[name])]));
    return async () => {
      await assertUnchanged(resource, after, Object.keys(body));
      await requestApi('PATCH', path, { body: previous });
    };
  });

/** Moves records to the trash; terms, which have none, are deleted when their Undo expires. */
export async function deleteAll(rows: readonly DataRow[]): Promise<void> {
  const { resource } = rows[0]!;
  if (!trashable.includes(resource))
    return deleteLater(
      resource,
      rows.map(({ id }) => id),
      `Deleted ${countOf(rows, resource)}.`,
    );
  await change(rows, 'Deleted', async ({ resource, id, record: { status, slug } }) => {
    await requestApi('DELETE', `/${resource}/${id}`);
    return () => requestApi('PATCH', `/${resource}/${id}`, { body: { status, slug } });
  });
}

/** Takes records out of the trash. The API doesn't tell their former status. */
export const restoreAll = (rows: readonly DataRow[], status: string): Promise<void> =>
  change(rows, 'Restored', async ({ resource, id }) => {
    await requestApi('PATCH', `/${resource}/${id}`, { body: { status } });
    return () => requestApi('DELETE', `/${resource}/${id}`);
  });

/** Moves events by a duration such as `+2 days`. Throws if it is invalid. */
export async function shiftAll(rows: readonly DataRow[], text: string): Promise<void> {
  const duration = readLength(text);
  if (!duration) throw new Error(`Invalid duration “${text}”. Write it like 2 days, -1 week or 1h30m.`);
  await updateAll(rows, 'Moved', (record) => movedDates(record, duration));
}

/** Returns why records can't be changed together; undefined if they can. */
export function reasonAgainst(rows: readonly DataRow[], only?: ResourceName): string | undefined {
  if (!rows.length) return 'Select records first.';
  if (only && rows.some(({ resource }) => resource !== only)) return `Only for ${only}.`;
  return undefined;
}
