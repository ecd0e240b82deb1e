import type { ResourceName } from '../../model/calendar.ts';
import type { Series } from '../../model/ical/occurrence.ts';
import type { Database } from '../sqlite/sql.ts';

/** Hashes of the values that the last import of a table stored, by field. */
type ImportedValues = Readonly<Record<string, string>>;

/** A record that imports of tables with the same source name created or matched. */
interface TableRecord {
  id: number;
  imported: ImportedValues;
}

const markIn = (source: string, uid: string) => JSON.stringify([source, uid]);

/** The records that were imported: from files without IDs by a hash of their content, from tables by source name and UID. */
export class ImportMarks {
  constructor(private readonly db: Database) {}

  /** Undefined if it does not exist any more. */
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

  /** Yields the records of a source, including the trash. */
  *ofSource(resource: ResourceName, source: string): Generator<TableRecord> {
    const prefix = markIn(source, '').slice(0, -2);
    const rows = this.db.all<{ id: number; imported: string }>(
      `select id, imported from import_marks join ${resource} on id = local and mark = ? || uid || '"]'
       where resource = ? and mark >= ? and mark < ? || char(1114111) order by id`,
      ...[prefix, resource, prefix, prefix],
    );
    for (const { id, imported } of rows) yield { id, imported: JSON.parse(imported) as ImportedValues };
  }

  /** The values of records by UID, without those that no import from this source created or matched. */
  imported(resource: ResourceName, source: string, uids: readonly string[]): Map<string, ImportedValues> {
    const rows = this.db.all<{ uid: string; imported: string }>(
      `select json_extract(mark, '$[1]') as uid, imported from json_each(?) cross join import_marks on resource = ? and mark = value`,
      JSON.stringify(uids.map((uid) => markIn(source, uid))),
      resource,
    );
    return new Map(rows.map(({ uid, imported }) => [uid, JSON.parse(imported) as ImportedValues]));
  }

  /** Stores that an import from a source created or matched records. */
  setImported(resource: ResourceName, source: string, records: readonly (TableRecord & { uid: string })[]): void {
    this.db.run(
      `insert or replace into import_marks (resource, mark, local, imported)
       select ?, value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
      resource,
      JSON.stringify(records.map(({ id, uid, imported }) => [markIn(source, uid), id, JSON.stringify(imported)])),
    );
  }

  /** The IDs of the records that imports from other sources created or matched. */
  ofOthers(resource: ResourceName, source: string): Set<number> {
    const prefix = markIn(source, '').slice(0, -2);
    const rows = this.db.all<{ id: number }>(
      'select local as id from import_marks where resource = ? and imported is not null and substr(mark, 1, ?) <> ?',
      ...[resource, [...prefix].length, prefix],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Makes imports forget records. */
  forget(resource: ResourceName, ids: readonly number[]): void {
    this.db.run('delete from import_marks where resource = ? and local in (select value from json_each(?))', resource, JSON.stringify(ids));
  }
}

type SeriesRow = Omit<Series, 'all_day'> & { all_day: number };

const columns = 'uid, rule, start_date as start, end_date as "end", timezone, all_day, expanded_from as "from", expanded_until as until';

/** The rules of recurring events. Their occurrences are events, whose UIDs begin with that of the series. */
export class SeriesTable {
  constructor(private readonly db: Database) {}

  find(uid: string): Series | undefined {
    const row = this.db.get<SeriesRow>(`select ${columns} from series where uid = ?`, uid);
    return row && { ...row, all_day: row.all_day === 1 };
  }

  *all(): Generator<Series> {
    for (const row of this.db.all<SeriesRow>(`select ${columns} from series order by uid`)) yield { ...row, all_day: row.all_day === 1 };
  }

  /** Stores a series. Writes nothing if it is unchanged, and widens the period of a known one. */
  set(series: Series): void {
    const before = this.find(series.uid);
    const next = {
      ...series,
      from: Math.min(series.from, before?.from ?? series.from),
      until: Math.max(series.until, before?.until ?? series.until),
    };
    if (before && JSON.stringify(before) === JSON.stringify(next)) return;
    const { uid, rule, start, end, timezone, all_day, from, until } = next;
    this.db.run(
      'insert or replace into series (uid, rule, start_date, end_date, timezone, all_day, expanded_from, expanded_until) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[uid, rule, start, end, timezone, all_day, from, until],
    );
  }

  /** Makes an event an occurrence by giving it another UID. */
  adopt(id: number, uid: string): void {
    this.db.run('update events set uid = ? where id = ?', uid, id);
  }

  /** The IDs of the occurrences of a series, including the trash. */
  occurrences(uid: string): number[] {
    // '$' follows '#' in the order of characters.
    return this.db
      .all<{ id: number }>('select id from events where uid > ? and uid < ? order by id', `${uid}#`, `${uid}$`)
      .map(({ id }) => id);
  }
}
