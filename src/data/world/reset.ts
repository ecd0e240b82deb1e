import { resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { ResetInput } from '../../model/operation-types.ts';
import type { Keepable } from '../../model/operations/data.ts';
import type { Row } from '../../model/record.ts';
import type { Store } from '../../store/calendar.ts';
import { emptyCalendar } from '../../store/empty-calendar.ts';
import { keepingPairs } from '../../store/identity/kept-pairs.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { type OperationOptions, Summary } from '../summary.ts';
import { clearRecords } from '../transaction.ts';
import type { World } from './world.ts';

export const recordsIn = ({ db }: Store): Record<string, number> =>
  Object.fromEntries(resourceNames.map((name) => [name, db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n]));

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, count) => total + count, 0);

/** The tables of the parts that a reset can keep. */
const tables: Partial<Record<Keepable, string>> = { users: 'users', settings: 'settings', ids: 'sequences' };

/** Resets a calendar to its start, to a snapshot, or to empty, and starts a new epoch of its world. Keeps what `keep` names. */
export async function reset(store: Store, world: World | undefined, input: ResetInput, options: OperationOptions): Promise<Summary> {
  const { to = 'start', keep = [], generated = false, as_start = false } = input;
  if (as_start && (generated || to !== 'start' || options.dryRun))
    throw new Failure('bad-request', 'as_start cannot be combined with to, generated or dry_run');
  if (as_start && world?.start) world.makeStart();
  if (generated && input.to !== undefined && to !== 'empty') throw new Failure('bad-request', 'Use either generated or to, not both');
  if (generated) return clearRecords(store, { ...options, generated });
  const onlyRecords = to === 'empty' && Object.keys(tables).every((part) => keep.includes(part as Keepable));
  const image = onlyRecords ? undefined : await imageNamed(store, world?.start, to);
  /** Starts the epoch in the same step in which the records are replaced: no request comes between. */
  const startEpoch = (): void => {
    if (!world) return;
    const { clock, faults, journal } = world.served;
    world.startEpoch();
    world.resetStrict();
    if (!keep.includes('clock')) clock.reset();
    if (!keep.includes('faults')) faults.reset();
    if (!keep.includes('requests')) journal.reset();
  };
  if (!image) {
    const { version } = store.db;
    const cleared = clearRecords(store, options);
    if (options.dryRun) return cleared;
    // A failure leaves everything as it was.
    if (store.db.version === version) await cleared;
    startEpoch();
    return cleared;
  }
  const summary = new Summary(options);
  summary.counts.deleted = sum(recordsIn(store));
  if (options.dryRun) return summary;
  const preserved = keep.filter((part) => tables[part]).map((part) => ({ part, rows: store.db.all<Row>(`select * from ${tables[part]}`) }));
  const restored = keepingPairs(store.db, () => store.restore(image));
  startEpoch();
  if (preserved.length)
    store.db.change(() => {
      for (const { part, rows } of preserved) putRows(store, tables[part]!, rows);
    });
  await restored;
  await store.db.synced();
  summary.counts.created = sum(recordsIn(store));
  return summary;
}

/** The state with a name: `start`, `empty` or a snapshot. Throws `not-found`. */
export async function imageNamed(store: Store, start: StoreImage | undefined, to: string): Promise<StoreImage> {
  if (to === 'empty') return emptyCalendar();
  if (to !== 'start') return store.snapshots.image(to);
  if (start) return start;
  throw new Failure(
    'not-found',
    'The state of this calendar at its start is not known',
    'A server keeps it with --memory, --control or --control-token. Reset to a snapshot, or to empty.',
  );
}

/** Replaces the rows of a table with those that were kept. */
export function putRows({ db }: Store, table: string, rows: readonly Row[]): void {
  db.run(`delete from ${table}`);
  for (const row of rows) {
    const names = Object.keys(row);
    db.run(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`, ...Object.values(row));
  }
}
