import type { ResourceName } from '../../model/calendar.ts';
import { isTerms } from '../../model/resources/names.ts';
import type { Database } from '../sqlite/sql.ts';

type KeptRow = Record<string, string | number | null> & { resource: ResourceName; local: number };

/** Identifiers of a record in two states of a file, since its ID can be that of another record. One of those of categories and tags may change. */
const identifiersOf = (db: Database, { resource, local }: KeptRow): string[] =>
  Object.values(
    db.get<Record<string, string>>(`select ${isTerms(resource) ? 'slug, name' : 'uid'} from ${resource} where id = ?`, local) ?? {},
  );

/**
 * Replaces the state of a file, and keeps the pairs of records that are in both states, but have this pair only in the replaced one: a push sent them in between, and the next one would send
 * them again. Their bases are those of other values, so they are not kept.
 */
export async function keepingPairs(db: Database, restore: () => Promise<void>): Promise<void> {
  const rows = (['copies', 'sending'] as const).flatMap((table) =>
    db.all<KeptRow>(`select * from ${table}`).map((row) => ({ table, row, identifiers: identifiersOf(db, row) })),
  );
  const restored = restore();
  // A record of the earlier pair was deleted on the site, and created there again.
  const isPaired = ({ site, resource, local, remote }: KeptRow) =>
    remote === undefined
      ? db.get('select 1 from copies where site = ? and resource = ? and local = ?', site!, resource, local)
      : db.get('select 1 from copies where site = ? and resource = ? and remote = ?', site!, resource, remote);
  const unpaired = rows.filter(
    ({ row, identifiers }) => identifiersOf(db, row).some((each) => identifiers.includes(each)) && !isPaired(row),
  );
  if (unpaired.length)
    db.change(() => {
      for (const { table, row } of unpaired) {
        const columns = table === 'copies' ? { ...row, modified: '', local_base: null, remote_base: null } : row;
        const names = Object.keys(columns);
        if (table === 'copies')
          db.run('delete from copies where site = ? and resource = ? and local = ?', row.site!, row.resource, row.local);
        db.run(
          `insert or ignore into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
          ...Object.values(columns),
        );
      }
    });
  await restored;
  await db.synced();
}
