import type { ResourceName } from '../../model/calendar.ts';
import { isTerms } from '../../model/resources/names.ts';
import type { Database } from '../file/sql.ts';

type KeptRow = Record<string, string | number | null> & { resource: ResourceName; local: number };

/** Identifier of a record in two states of a file, since its ID can be that of another record. */
const identifierOf = (db: Database, { resource, local }: KeptRow): string | undefined =>
  db.get<{ value: string }>(`select ${isTerms(resource) ? 'slug' : 'uid'} as value from ${resource} where id = ?`, local)?.value;

/**
 * Replaces the state of a file, and keeps the pairs of records that are in both states, but have a pair only in the replaced one: a push sent them in between, and the next one would send them
 * again. Their bases are those of other values, so they are not kept.
 */
export async function keepingPairs(db: Database, restore: () => Promise<void>): Promise<void> {
  const rows = (['copies', 'sending'] as const).flatMap((table) =>
    db.all<KeptRow>(`select * from ${table}`).map((row) => ({ table, row, identifier: identifierOf(db, row) })),
  );
  const restored = restore();
  const isPaired = ({ site, resource, local, remote = null }: KeptRow) =>
    db.get('select 1 from copies where site = ? and resource = ? and (local = ? or remote = ?)', site!, resource, local, remote);
  const unpaired = rows.filter(({ row, identifier }) => identifier !== undefined && identifier === identifierOf(db, row) && !isPaired(row));
  if (unpaired.length)
    db.change(() => {
      for (const { table, row } of unpaired) {
        const columns = table === 'copies' ? { ...row, modified: '', local_base: null, remote_base: null } : row;
        const names = Object.keys(columns);
        db.run(
          `insert or ignore into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
          ...Object.values(columns),
        );
      }
    });
  await restored;
  await db.synced();
}
