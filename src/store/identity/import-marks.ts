import type { ResourceName } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';

/** The records that were imported from files without IDs, by a hash of their content. */
export class ImportMarks {
  constructor(private readonly db: Database) {}

  /** Returns the ID of the record that was imported with a mark; undefined if it does not exist any more. */
  find(resource: ResourceName, mark: string): number | undefined {
    return this.db.get<{ id: number }>(
      `select local as id from import_marks join ${resource} on ${resource}.id = local where resource = ? and mark = ?`,
      resource,
      mark,
    )?.id;
  }

  set(resource: ResourceName, mark: string, local: number): void {
    this.db.run(
      'insert into import_marks (resource, mark, local) values (?, ?, ?) on conflict (resource, mark) do update set local = excluded.local',
      resource,
      mark,
      local,
    );
  }
}
