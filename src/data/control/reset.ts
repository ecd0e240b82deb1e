import { resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Keepable, ResetInput } from '../../model/operations/control.ts';
import type { Store } from '../../store/calendar.ts';
import { emptyCalendar } from '../../store/empty-calendar.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { clearRecords } from '../reset.ts';
import { type OperationOptions, Summary } from '../summary.ts';

/** How many rows there are, by resource. */
export const recordsIn = ({ db }: Store): Record<string, number> =>
  Object.fromEntries(resourceNames.map((name) => [name, db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n]));

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, count) => total + count, 0);

/** The tables of what a reset may leave as it is. */
const tables: Partial<Record<Keepable, string>> = { users: 'users', settings: 'settings', ids: 'sequences' };

/** What else a reset brings back to how it was at the start, besides what the store holds, by the name that keeps it as it is. */
export type ResettableParts = Partial<Record<Keepable, { reset(): void } | undefined>>;

/** Brings a calendar back to `start`, to a snapshot, or to nothing, and `parts` to the start. Only what `keep` names stays as it is. Where it fails, all does. */
export async function resetTo(
  store: Store,
  start: StoreImage | undefined,
  parts: ResettableParts,
  input: ResetInput,
  options: OperationOptions,
): Promise<Summary> {
  const { to = 'start', keep = [], generated = false } = input;
  if (generated && input.to !== undefined && to !== 'empty')
    throw new Failure('bad-request', 'to take away what was generated, and to bring back another state, are two things');
  if (generated) return clearRecords(store, { ...options, generated });
  const onlyRecords = to === 'empty' && Object.keys(tables).every((part) => keep.includes(part as Keepable));
  const image = onlyRecords ? undefined : await imageOf(store, start, to);
  const resetParts = (): void => {
    for (const [name, part] of Object.entries(parts)) if (!keep.includes(name as Keepable)) part?.reset();
  };
  if (!image) {
    const summary = await clearRecords(store, options);
    if (!options.dryRun) resetParts();
    return summary;
  }
  const summary = new Summary(options);
  summary.counts.deleted = sum(recordsIn(store));
  if (options.dryRun) return summary;
  const kept = keep
    .filter((part) => tables[part])
    .map((part) => ({ part, rows: store.db.all<Record<string, string | number | null>>(`select * from ${tables[part]}`) }));
  const restored = store.restore(image);
  resetParts();
  if (kept.length)
    store.db.change(() => {
      for (const { part, rows } of kept) put(store, part, rows);
    });
  await restored;
  await store.db.synced();
  summary.counts.created = sum(recordsIn(store));
  return summary;
}

async function imageOf(store: Store, start: StoreImage | undefined, to: string): Promise<StoreImage> {
  if (to === 'empty') return { bytes: await emptyCalendar() };
  if (to !== 'start') return store.snapshots.image(to);
  if (start) return start;
  throw new Failure(
    'not-found',
    'it is not known how this calendar was at the start',
    {},
    'A server keeps that with --memory or --control; name a snapshot, or empty.',
  );
}

/** Puts rows that were kept in the place of those that came back. */
function put({ db }: Store, part: Keepable, rows: readonly Record<string, string | number | null>[]): void {
  db.run(`delete from ${tables[part]}`);
  for (const row of rows) {
    const names = Object.keys(row);
    db.run(`insert into ${tables[part]} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`, ...Object.values(row));
  }
}
