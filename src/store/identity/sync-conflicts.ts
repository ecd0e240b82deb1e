import type { Entry, ResourceName } from '../../model/calendar.ts';
import type { FieldConflicts } from '../../model/operations/sync.ts';
import type { Database } from '../file/sql.ts';

/** A pair whose sides were changed differently. */
export interface StoredConflict {
  site: string;
  resource: ResourceName;
  remote: number;
  local: number;
  /** `edited` on both sides, or deleted on one side and edited on the other. */
  kind: 'edited' | 'deleted-here' | 'deleted-there';
  fields: FieldConflicts;
  /** The remote record; undefined if it was deleted. */
  entry?: Entry;
}

type ConflictRow = Omit<StoredConflict, 'fields' | 'entry'> & { fields: string; entry: string | null };

/** Conflicts with other sites, until they are resolved. */
export class SyncConflicts {
  constructor(private readonly db: Database) {}

  all(): StoredConflict[] {
    return this.db.all<ConflictRow>('select * from conflicts order by site, resource, local').map(({ fields, entry, ...row }) => ({
      ...row,
      fields: JSON.parse(fields),
      ...(entry === null ? {} : { entry: JSON.parse(entry) }),
    }));
  }

  set({ site, resource, remote, local, kind, fields, entry }: StoredConflict): void {
    this.db.run(
      'insert or replace into conflicts (site, resource, remote, local, kind, fields, entry) values (?, ?, ?, ?, ?, ?, ?)',
      ...[site, resource, remote, local, kind, JSON.stringify(fields), entry ? JSON.stringify(entry) : null],
    );
  }

  drop(site: string, resource: ResourceName, remote: number): void {
    this.db.run('delete from conflicts where site = ? and resource = ? and remote = ?', site, resource, remote);
  }
}
