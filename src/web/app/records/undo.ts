import type { ResourceName } from '../../../model/calendar.ts';
import { dayOf } from '../../../model/time/days.ts';
import { shortDayText } from '../format.ts';
import { toast } from '../parts/toast.tsx';
import type { Post } from '../record.ts';
import { createRecord, deleteRecord, listPage, messageOf, requestApi, updateRecord } from '../server/api.ts';

/** Shows a message with an Undo button. `undo` throws if it refuses. */
function offerUndo(text: string, title: string, undo: () => Promise<void>): void {
  const run = () =>
    undo().then(
      () => toast(`Undone: ${text}`),
      (error) => toast(`Couldn’t undo the change of “${title}”: ${messageOf(error)}`),
    );
  toast(text, () => void run());
}

/** A title with the day of an event: “Jazz” (Fri, Nov 27). */
export const titleWithDay = (title: string, { start_date }: Record<string, unknown>): string =>
  `“${title}”${typeof start_date === 'string' && start_date ? ` (${shortDayText(dayOf(start_date))})` : ''}`;

/** A value of a record as an update sends it: linked records by ID. */
const toInput = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(toInput) : value !== null && typeof value === 'object' && 'id' in value ? value.id : value;

/** Throws if the current state of a record isn't the one that this page left it in. */
async function assertUnchanged(resource: ResourceName, left: Post, names: readonly string[]): Promise<void> {
  const { value } = await requestApi<Post>('GET', `/${resource}/${left.id}`, { query: { context: 'edit' } });
  if (['modified', ...names].some((name) => name in left && JSON.stringify(toInput(value[name])) !== JSON.stringify(toInput(left[name]))))
    throw new Error('it changed since.');
}

/**
 * Updates a record and offers to undo that. Undo sends the fields of `before`, which a function returns if they depend on the updated record, and is refused if the record changed since. Throws an ApiError
 * if the update fails.
 */
export async function updateWithUndo<T extends Post>(
  resource: ResourceName,
  id: number,
  changes: Record<string, unknown>,
  before: Record<string, unknown> | (() => Promise<Record<string, unknown>>),
  { text, title }: { text(after: T): string; title: string },
): Promise<T> {
  const after = await updateRecord<T>(resource, id, changes);
  offerUndo(text(after), title, async () => {
    await assertUnchanged(resource, after, Object.keys(changes));
    await updateRecord(resource, id, typeof before === 'function' ? await before() : before);
  });
  return after;
}

/** Moves a record to the trash and offers to restore it. Throws an ApiError if the record can't be deleted. */
export async function deleteWithUndo(resource: ResourceName, { id, status, slug, start_date }: Post, title: string): Promise<void> {
  await deleteRecord(resource, id);
  offerUndo(`Deleted ${titleWithDay(title, { start_date })}.`, title, async () => {
    const { records } = await listPage<Post>(resource, { include: [id], status: 'trash', ...everyDate(resource) }).catch(() => ({
      records: [],
    }));
    if (!records.length) throw new Error('it is no longer in the trash.');
    await updateRecord(resource, id, { status, slug });
  });
}

/** Lists of events are limited to a range of dates. */
const everyDate = (resource: ResourceName) => (resource === 'events' ? { start_date: '1900-01-01', end_date: '2999-12-31' } : {});

/** Creates a record and offers to delete it again. */
export async function createWithUndo<T extends Post>(resource: ResourceName, body: unknown, title: string): Promise<T> {
  const created = await createRecord<T>(resource, body);
  offerUndo(`Created ${titleWithDay(title, created)}.`, title, async () => {
    // Terms have no time of modification.
    await assertUnchanged(resource, created, ['name', 'slug', 'description', 'count']);
    await deleteRecord(resource, created.id);
  });
  return created;
}
