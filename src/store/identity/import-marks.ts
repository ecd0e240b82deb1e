import type { ResourceName } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';

/** Which records were imported from files that give them no identity, by a mark of what the file says of them. */
export class ImportMarks {
  constructor(private readonly db: Database) {}

  /** The ID of the record that was imported with a mark; undefined when there is none, or none any more. */
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
